"""One record per compiled graph, under the vendor's names."""

import dataclasses
import time


@dataclasses.dataclass
class NeuronCompilationMetrics:
    graph_id: int
    graph_name: str
    model_name: str
    has_collectives: bool
    graph_node_count: int
    timestamp: float
    torch_neuronx_fx_passes_us: int = 0
    torch_neuronx_lower_us: int = 0
    torch_neuronx_compile_us: int = 0


_metrics = []


def record(graph_id, model_name, kind, node_count, lower_us):
    name = f"{model_name}_{graph_id}_{kind}_{len(_metrics)}"
    _metrics.append(NeuronCompilationMetrics(graph_id, name, model_name, False, node_count, time.time(), torch_neuronx_lower_us=lower_us))


def get_dynamo_metrics():
    return list(_metrics)


def reset_dynamo_metrics():
    _metrics.clear()
