// torch.Generator("neuron"): the state is a CPU generator's. In the 2026_04 list no random op is native, so draws come from the CPU's generator.
#pragma once

#include <ATen/core/Generator.h>

namespace neuroncheck::simulator {

at::Generator new_generator();
const at::Generator& default_generator();
at::Generator host_generator(const at::Generator& device_generator);

}  // namespace neuroncheck::simulator
