#include "harness/simulator/memory.h"

#include <ATen/native/Resize.h>
#include <ATen/ops/resize_native.h>
#include <c10/core/CPUAllocator.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace neuroncheck::simulator {
namespace {

constexpr std::uintptr_t kTag = std::uintptr_t{1} << 60;  // makes the address non-canonical

struct Block {
  c10::Storage host;
};

void* tagged(void* pointer) { return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pointer) | kTag); }
void delete_block(void* context) { delete static_cast<Block*>(context); }

c10::Device device() { return {c10::DeviceType::PrivateUse1, 0}; }

c10::DataPtr pointer_to(const c10::Storage& host) {
  void* data = host.unsafeGetStorageImpl()->data_ptr().get();
  return {tagged(data), new Block{host}, &delete_block, device()};
}

c10::Storage new_host(std::size_t bytes) {
  return {c10::Storage::use_byte_size_t(), static_cast<std::int64_t>(bytes), c10::GetCPUAllocator(), /*resizable=*/true};
}

std::string& refusal() {
  static std::string why;
  return why;
}

struct Allocator final : c10::Allocator {
  c10::DataPtr allocate(std::size_t bytes) override {
    TORCH_CHECK(refusal().empty(), "neuron: ", refusal());
    return pointer_to(new_host(bytes));
  }
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    const auto untagged = [](const void* pointer) { return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pointer) & ~kTag); };
    std::memcpy(untagged(to), untagged(from), bytes);
  }
};

Block* block_of(const c10::Storage& storage) {
  const c10::DataPtr& pointer = storage.unsafeGetStorageImpl()->data_ptr();
  TORCH_CHECK(pointer.get_deleter() == &delete_block, "neuron: a storage that is not on the device");
  return static_cast<Block*>(pointer.get_context());
}

void copy_tensor_bits(const at::Tensor& from, const at::Tensor& to) {
  if (from.unsafeGetTensorImpl()->is_wrapped_number()) to.unsafeGetTensorImpl()->set_wrapped_number(true);
  if (from.is_conj()) to._set_conj(true);
  if (from.is_neg()) to._set_neg(true);
}

at::Tensor tensor_on(const at::Tensor& like, c10::Storage storage, c10::DispatchKey key) {
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  copy_tensor_bits(like, tensor);
  return tensor;
}

}  // namespace

void refuse_allocations(const std::string& why) { refusal() = why; }

c10::Allocator* device_allocator() {
  static Allocator allocator;
  return &allocator;
}

c10::Storage host_storage(const c10::Storage& device_storage) { return block_of(device_storage)->host; }

at::Tensor host_alias(const at::Tensor& device_tensor) {
  if (device_tensor._is_zerotensor()) return at::zeros(device_tensor.sizes(), device_tensor.options().device(at::kCPU));
  return tensor_on(device_tensor, host_storage(device_tensor.storage()), c10::DispatchKey::CPU);
}

c10::Storage adopt(const c10::Storage& host) {
  return {c10::Storage::use_byte_size_t(), host.nbytes(), pointer_to(host), device_allocator(), /*resizable=*/true};
}

at::Tensor device_tensor(const at::Tensor& host, const c10::Storage& storage) { return tensor_on(host, storage, c10::DispatchKey::PrivateUse1); }

void follow_host(const c10::Storage& device_storage) {
  const c10::Storage host = host_storage(device_storage);
  c10::StorageImpl* impl = device_storage.unsafeGetStorageImpl();
  if (impl->nbytes() == host.nbytes() && impl->data_ptr().get() == tagged(host.unsafeGetStorageImpl()->data_ptr().get())) return;
  impl->set_data_ptr_noswap(pointer_to(host));
  impl->set_nbytes(host.nbytes());
}

void resize_device_storage(const c10::Storage& device_storage, std::size_t bytes) {
  at::native::resize_bytes_cpu(host_storage(device_storage).unsafeGetStorageImpl(), bytes);
  follow_host(device_storage);
}

}  // namespace neuroncheck::simulator
