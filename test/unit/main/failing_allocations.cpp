// The program's operator new: malloc, but for the allocation that a FailingAllocation names.
#include "failing_allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace scaup::test {

namespace {

thread_local bool is_counting = false;
thread_local int64_t failing_number = 0;
thread_local int64_t allocation_count = 0;

}  // namespace

FailingAllocation::FailingAllocation(int64_t number) {
  failing_number = number;
  allocation_count = 0;
  is_counting = true;
}
FailingAllocation::~FailingAllocation() { is_counting = false; }
int64_t FailingAllocation::count() const { return allocation_count; }

namespace {

void* Allocate(size_t size_bytes, size_t alignment) {
  if (is_counting && allocation_count++ == failing_number) throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size_bytes == 0 ? 1 : size_bytes);
  } else if (posix_memalign(&memory, alignment, size_bytes) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

}  // namespace scaup::test

void* operator new(size_t size_bytes) { return scaup::test::Allocate(size_bytes, 1); }
void* operator new(size_t size_bytes, std::align_val_t alignment) {
  return scaup::test::Allocate(size_bytes, static_cast<size_t>(alignment));
}
// The standard's array forms call those above, but a sanitizer's own do not.
void* operator new[](size_t size_bytes) { return scaup::test::Allocate(size_bytes, 1); }
void* operator new[](size_t size_bytes, std::align_val_t alignment) {
  return scaup::test::Allocate(size_bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t size_bytes, const std::nothrow_t&) noexcept {
  try {
    return scaup::test::Allocate(size_bytes, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(size_t size_bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return scaup::test::Allocate(size_bytes, static_cast<size_t>(alignment));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](size_t size_bytes, const std::nothrow_t&) noexcept {
  return operator new(size_bytes, std::nothrow);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
