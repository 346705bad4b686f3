import torch


def get_neuron_registered_ops(as_sorted=True, keep_variant=True):
    names = set(torch.ops.neuron_sim.native_ops())
    if not keep_variant:
        names = {name.split(".")[0] for name in names}
    return sorted(names) if as_sorted else list(names)
