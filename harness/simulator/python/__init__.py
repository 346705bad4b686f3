"""The simulated device of neuroncheck. From outside it looks like AWS' torch_neuronx, so that one adapter serves both; results say nothing about Trainium."""

import os
import pathlib

import torch

__version__ = "0.1.0+simulated"


def _load():
    # Whoever loaded the library from C++ has registered the device already: a second copy would abort.
    if torch._C._get_privateuse1_backend_name() != "neuron":
        torch.ops.load_library(str(pathlib.Path(__file__).resolve().parent / "libneuron_sim.so"))
    torch.utils.rename_privateuse1_backend("neuron")


for _name, _value in {"NEURON_LAUNCH_BLOCKING": "1", "TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS": "0", "TORCH_NEURONX_MLIR_ATEN_OPS": "1",
                      "TORCH_NEURONX_RETAIN_DEVICE_MODE": "0"}.items():
    os.environ.setdefault(_name, _value)
_load()

from torch_neuronx import neuron  # noqa: E402
from torch_neuronx.neuron import synchronize  # noqa: E402

if not hasattr(torch, "neuron"):
    torch._register_device_module("neuron", neuron)
    torch.utils.generate_methods_for_privateuse1_backend(for_tensor=True, for_module=True, for_storage=True)

from torch_neuronx import utils  # noqa: E402
from torch_neuronx.neuron_dynamo_backend.metrics import get_dynamo_metrics, reset_dynamo_metrics  # noqa: E402

neuron.get_dynamo_metrics = get_dynamo_metrics
neuron.reset_dynamo_metrics = reset_dynamo_metrics


def get_executed_ops():
    return list(torch.ops.neuron_sim.get_executed_ops())


def get_fallback_ops():
    return list(torch.ops.neuron_sim.get_fallback_ops())


def clear_op_tracking():
    torch.ops.neuron_sim.clear_op_tracking()


def _autoload():
    """Entry point of the group torch.backends: importing this module is all there is to do."""
