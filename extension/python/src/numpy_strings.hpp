// NumPy strings: arrays of StringDType, read and filled without objects of Python.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string_view>

namespace scaup::python {

struct NumpyStringAllocator;  // npy_string_allocator of NumPy

/// The strings of an array of NumPy's StringDType, through functions of NumPy's C interface that are looked
/// up when the program runs: the module is built without NumPy's headers, and works with a NumPy that has no
/// such type. Borrows the array.
class NumpyStrings {
 public:
  /// `array` has one dimension and type StringDType. Needs the GIL.
  explicit NumpyStrings(const pybind11::array& array);

  size_t size() const { return size_; }

  /// Access to the strings. While it lives it holds the lock of their memory, so no code of Python may run in
  /// this thread; the GIL should be released before, as another thread may wait for the lock with it.
  class Access {
   public:
    explicit Access(const NumpyStrings& strings);
    ~Access();
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
    /// Returns a string, valid as long as the access and the string; nullopt for a missing one.
    std::optional<std::string_view> Get(size_t row) const;
    void Set(size_t row, std::string_view text);

   private:
    const NumpyStrings& strings_;
    NumpyStringAllocator* const allocator_;
  };

 private:
  struct Functions;
  static const Functions& FindFunctions();
  char* PlaceOf(size_t row) const { return data_ + static_cast<pybind11::ssize_t>(row) * stride_; }

  const Functions& functions_;
  const PyObject* const dtype_;
  char* const data_;
  const pybind11::ssize_t stride_;
  const size_t size_;
};

}  // namespace scaup::python
