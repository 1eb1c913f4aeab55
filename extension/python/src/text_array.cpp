// Text array: reads many Python texts, and prefetches them, as each is a likely cache miss.
#include "text_array.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_stream.hpp"
#include "gil_release.hpp"
#include "numpy_strings.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

/// The objects of a list, a tuple, or a one-dimensional NumPy array of objects. Borrows them; needs the GIL.
class Objects {
 public:
  explicit Objects(py::handle values) {
    if (PyList_Check(values.ptr()) || PyTuple_Check(values.ptr())) {
      are_known_ = true;
      first_ = reinterpret_cast<const char*>(PySequence_Fast_ITEMS(values.ptr()));
      size_ = static_cast<size_t>(PySequence_Fast_GET_SIZE(values.ptr()));
    } else if (PyObject_CheckBuffer(values.ptr()) != 0) {
      if (PyObject_GetBuffer(values.ptr(), &view_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
        throw py::error_already_set();
      if (view_.ndim != 1 || view_.format == nullptr || std::string_view(view_.format) != "O") return;
      are_known_ = true;
      first_ = static_cast<const char*>(view_.buf);
      size_ = static_cast<size_t>(view_.shape[0]);
      stride_ = view_.strides[0];
    }
  }
  ~Objects() {
    if (view_.obj != nullptr) PyBuffer_Release(&view_);
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  /// Returns whether `values` was of such a type.
  bool are_known() const { return are_known_; }
  size_t size() const { return size_; }
  PyObject* operator[](size_t row) const {
    PyObject* object;
    std::memcpy(&object, first_ + static_cast<Py_ssize_t>(row) * stride_, sizeof(object));
    return object;
  }

 private:
  Py_buffer view_ = {};
  bool are_known_ = false;
  const char* first_ = nullptr;
  size_t size_ = 0;
  Py_ssize_t stride_ = sizeof(PyObject*);
};

/// The buffers of an Arrow array of type utf8.
struct TextBuffers {
  std::vector<uint8_t> validity;  ///< bits; empty if there are no NULLs
  std::vector<int32_t> offsets;
  std::string bytes;
  size_t null_count = 0;
  const void* pointers[3] = {};
};

/// Returns whether an object stands for NULL among texts: None, or NaN if `nan_is_null`.
bool IsNull(PyObject* object, bool nan_is_null) {
  if (object == Py_None || object == nullptr) return true;
  return nan_is_null && PyFloat_CheckExact(object) && std::isnan(PyFloat_AS_DOUBLE(object));
}

/// Returns the UTF-8 of a text; nullopt if it has none, as with a lone surrogate.
std::optional<std::string_view> Utf8Of(PyObject* text) {
  if (PyUnicode_IS_COMPACT_ASCII(text)) {
    return std::string_view(static_cast<const char*>(PyUnicode_DATA(text)),
                            static_cast<size_t>(PyUnicode_GET_LENGTH(text)));
  }
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes != nullptr) return std::string_view(bytes, static_cast<size_t>(size));
  PyErr_Clear();
  return std::nullopt;
}

/// Adds a text, or NULL, to the buffers of `size` texts. Returns false if the texts are too long for one
/// array.
bool AddText(const std::optional<std::string_view>& text, size_t size, TextBuffers& buffers) {
  if (!text) {
    const size_t row = buffers.offsets.size() - 1;
    if (buffers.null_count++ == 0) buffers.validity.assign((size + 7) / 8, 0xFF);
    buffers.validity[row / 8] &= static_cast<uint8_t>(~(1U << (row % 8)));
  } else {
    if (buffers.bytes.size() + text->size() > std::numeric_limits<int32_t>::max()) return false;
    buffers.bytes += *text;
  }
  buffers.offsets.push_back(static_cast<int32_t>(buffers.bytes.size()));
  return true;
}

std::unique_ptr<TextBuffers> MakeBuffers(size_t size) {
  auto buffers = std::make_unique<TextBuffers>();
  buffers->offsets.reserve(size + 1);
  buffers->offsets.push_back(0);
  return buffers;
}

/// Returns the buffers; null if one of the objects is no text, or if the texts are too long for one array.
std::unique_ptr<TextBuffers> BuffersOf(const Objects& objects, bool nan_is_null) {
  // Each object is a likely cache miss, so it is prefetched this many rows ahead.
  constexpr size_t kAhead = 24;
  std::unique_ptr<TextBuffers> buffers = MakeBuffers(objects.size());
  for (size_t row = 0; row < objects.size(); row++) {
    if (row + kAhead < objects.size()) {
      const auto* coming = reinterpret_cast<const char*>(objects[row + kAhead]);
      __builtin_prefetch(coming);
      __builtin_prefetch(coming + 64);
    }
    PyObject* object = objects[row];
    std::optional<std::string_view> text;
    if (!IsNull(object, nan_is_null)) {
      if (!PyUnicode_CheckExact(object)) return nullptr;
      text = Utf8Of(object);
      if (!text) return nullptr;
    }
    if (!AddText(text, objects.size(), *buffers)) return nullptr;
  }
  return buffers;
}

/// Returns the buffers of an array of NumPy's StringDType. Rows whose byte in `mask` is not 0 are NULL, as
/// missing strings are; null: no mask. Returns null if the texts are too long for one array.
std::unique_ptr<TextBuffers> BuffersOf(const NumpyStrings& strings, const uint8_t* mask) {
  std::unique_ptr<TextBuffers> buffers = MakeBuffers(strings.size());
  const GilRelease release;
  const NumpyStrings::Access access(strings);
  for (size_t row = 0; row < strings.size(); row++) {
    const bool is_masked = mask != nullptr && mask[row] != 0;
    if (!AddText(is_masked ? std::nullopt : access.Get(row), strings.size(), *buffers)) return nullptr;
  }
  return buffers;
}

/// Texts that can be exported any number of times. Exports share the buffers.
class TextArray {
 public:
  explicit TextArray(std::shared_ptr<TextBuffers> buffers) : buffers_(std::move(buffers)) {}

  size_t size() const { return buffers_->offsets.size() - 1; }
  size_t null_count() const { return buffers_->null_count; }
  py::tuple Export(py::handle) const {
    OwnedSchema schema(new ArrowSchema());
    schema->format = "u";
    schema->name = "";
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->release = [](ArrowSchema* self) { self->release = nullptr; };
    OwnedArray array(new ArrowArray());
    array->length = static_cast<int64_t>(size());
    array->null_count = static_cast<int64_t>(buffers_->null_count);
    array->n_buffers = 3;
    array->buffers = buffers_->pointers;
    array->private_data = new std::shared_ptr<TextBuffers>(buffers_);
    array->release = [](ArrowArray* self) {
      delete static_cast<std::shared_ptr<TextBuffers>*>(self->private_data);
      self->release = nullptr;
    };
    return py::make_tuple(MakeSchemaCapsule(std::move(schema)), MakeArrayCapsule(std::move(array)));
  }

 private:
  std::shared_ptr<TextBuffers> buffers_;
};

py::object MakeTextArray(std::unique_ptr<TextBuffers> buffers) {
  if (!buffers) return py::none();
  buffers->pointers[0] = buffers->null_count == 0 ? nullptr : buffers->validity.data();
  buffers->pointers[1] = buffers->offsets.data();
  buffers->pointers[2] = buffers->bytes.data();
  return py::cast(TextArray(std::move(buffers)));
}

py::object TextsOf(py::handle values, bool nan_is_null) {
  const Objects objects(values);
  return objects.are_known() ? MakeTextArray(BuffersOf(objects, nan_is_null)) : py::none();
}

py::object TextsOfStrings(const py::array& array, const py::object& mask) {
  const NumpyStrings strings(array);
  const auto bytes = mask.is_none() ? py::array() : mask.cast<py::array>();
  return MakeTextArray(
      BuffersOf(strings, mask.is_none() ? nullptr : static_cast<const uint8_t*>(bytes.data())));
}

}  // namespace

void BindTextArray(py::module_& module) {
  py::class_<TextArray>(module, "TextArray", "Texts as an array of Arrow. Not for users.")
      .def("__len__", &TextArray::size)
      .def_property_readonly("null_count", &TextArray::null_count)
      .def("__arrow_c_array__", &TextArray::Export, py::arg("requested_schema") = py::none());
  module.def(
      "_texts", &TextsOf, py::arg("values"), py::arg("nan_is_null"),
      "The texts, or None, of a list, a tuple or an array of objects as a TextArray; None where any of "
      "them is something else.");
  module.def("_texts_of_strings", &TextsOfStrings, py::arg("array"), py::arg("mask"),
             "The strings of a one-dimensional array of NumPy's StringDType as a TextArray; None where they "
             "are too long for one. Missing strings, and those that the contiguous mask says, are NULL.");
}

}  // namespace scaup::python
