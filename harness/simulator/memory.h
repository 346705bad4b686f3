// The simulated device's memory. A device storage is a host storage behind a tagged pointer: host code that dereferences device memory dies with
// SIGSEGV, as it would on hardware, while the device computes on *aliases*: CPU tensors over the very same bytes. No copy in either direction.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

#include <cstddef>
#include <string>

namespace neuroncheck::simulator {

c10::Allocator* device_allocator();
// From now on every allocation raises this: for what is found wrong while the library is loaded, which ends the process if it throws there.
void refuse_allocations(const std::string& why);

// A CPU tensor over the same bytes with the same sizes, strides, offset and conj/neg bits. A zero tensor is materialised.
at::Tensor host_alias(const at::Tensor& device_tensor);
c10::Storage host_storage(const c10::Storage& device_storage);

// A device storage over the bytes of a host storage that nobody else uses.
c10::Storage adopt(const c10::Storage& host);

// A device tensor on `storage`, laid out as `host` is on its own.
at::Tensor device_tensor(const at::Tensor& host, const c10::Storage& storage);

// After a host kernel changed the size of an alias' storage: the device storage follows.
void follow_host(const c10::Storage& device_storage);
void resize_device_storage(const c10::Storage& device_storage, std::size_t bytes);

}  // namespace neuroncheck::simulator
