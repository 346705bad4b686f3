// Memory and copies: the kernels that need types, since they cross between host and device.
#pragma once

#include <torch/library.h>

#include <string_view>

namespace neuroncheck::simulator {

// The boxed kernels leave the ops alone that have one of these.
void register_movement(torch::Library& library);
bool is_movement_kernel(std::string_view full_name);

}  // namespace neuroncheck::simulator
