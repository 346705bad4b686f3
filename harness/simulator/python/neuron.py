"""What becomes torch.neuron."""

import torch


def is_available():
    return True


def is_initialized():
    return True


def init():
    pass


def device_count():
    return 1


def current_device():
    return 0


def set_device(device):
    index = torch.device("neuron", device).index if isinstance(device, int) else torch.device(device).index
    if index not in (None, 0):
        raise ValueError(f"Invalid device id: {index}")


class device:
    """Context manager; there is one device."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def get_device_name(device=None):
    return "neuron:0"


def synchronize(device=None):
    """Every call is synchronous, as with NEURON_LAUNCH_BLOCKING=1."""


def _is_in_bad_fork():
    return False


def manual_seed(seed):
    # The default generator is the CPU one: no random op has a device kernel.
    torch.default_generator.manual_seed(seed)


def manual_seed_all(seed):
    pass


def get_rng_state(device="neuron"):
    return torch.default_generator.get_state()


def set_rng_state(state, device="neuron"):
    torch.default_generator.set_state(state)


def get_amp_supported_dtype():
    return [torch.float32, torch.float16, torch.bfloat16]


def is_bf16_supported():
    return True
