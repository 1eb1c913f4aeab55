// The functions of NumPy's C interface for StringDType.
#include "numpy_strings.hpp"

#include <new>

namespace py = pybind11;

namespace scaup::python {

/// The functions, whose places in the table of the interface are the same in all NumPy 2.
struct NumpyStrings::Functions {
  /// A string as they return it (npy_static_string).
  struct UnpackedString {
    size_t size;
    const char* bytes;
  };

  explicit Functions(void* const* table)
      : load(reinterpret_cast<decltype(load)>(table[313])),
        pack(reinterpret_cast<decltype(pack)>(table[314])),
        acquire(reinterpret_cast<decltype(acquire)>(table[316])),
        release(reinterpret_cast<decltype(release)>(table[318])) {}

  /// NpyString_load: 0 for a string, 1 for a missing one, -1 for an error.
  int (*load)(NumpyStringAllocator*, const char* packed, UnpackedString*);
  /// NpyString_pack: 0, or -1 if there is no memory.
  int (*pack)(NumpyStringAllocator*, char* packed, const char* bytes, size_t size);
  NumpyStringAllocator* (*acquire)(const PyObject* dtype);
  void (*release)(NumpyStringAllocator*);
};

const NumpyStrings::Functions& NumpyStrings::FindFunctions() {
  // Guarded by the GIL, not by the guard of a static variable: the import may release the GIL, and another
  // thread would wait for that guard with it.
  static const Functions* found = nullptr;
  if (found == nullptr) {
    const py::capsule api = py::module_::import("numpy._core._multiarray_umath").attr("_ARRAY_API");
    found = new Functions(api.get_pointer<void* const>());
  }
  return *found;
}

NumpyStrings::NumpyStrings(const py::array& array)
    : functions_(FindFunctions()),
      dtype_(py::object(array.attr("dtype")).ptr()),
      data_(static_cast<char*>(const_cast<void*>(array.data()))),
      stride_(array.strides(0)),
      size_(static_cast<size_t>(array.shape(0))) {}

NumpyStrings::Access::Access(const NumpyStrings& strings)
    : strings_(strings), allocator_(strings.functions_.acquire(strings.dtype_)) {}

NumpyStrings::Access::~Access() { strings_.functions_.release(allocator_); }

std::optional<std::string_view> NumpyStrings::Access::Get(size_t row) const {
  Functions::UnpackedString text{0, nullptr};
  const int outcome = strings_.functions_.load(allocator_, strings_.PlaceOf(row), &text);
  if (outcome < 0) throw std::bad_alloc();
  if (outcome != 0) return std::nullopt;
  return std::string_view(text.bytes, text.size);
}

void NumpyStrings::Access::Set(size_t row, std::string_view text) {
  if (strings_.functions_.pack(allocator_, strings_.PlaceOf(row), text.data(), text.size()) < 0)
    throw std::bad_alloc();
}

}  // namespace scaup::python
