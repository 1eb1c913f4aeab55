// Wrapping of column memory, and the conversions where NumPy has another form.
#include "column_array.hpp"

#include <cmath>
#include <memory>

#include "column_objects.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

using Owner = std::shared_ptr<const void>;

py::capsule MakeOwnerCapsule(const Owner& owner) {
  return py::capsule(new Owner(owner), [](void* pointer) { delete static_cast<Owner*>(pointer); });
}

py::array ReadOnly(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// An array over the memory itself, with the owner as its base.
py::array Wrap(const char* dtype, const ColumnView& view, const void* data) {
  return ReadOnly(py::array(py::dtype(dtype),
                            py::array::ShapeContainer{static_cast<py::ssize_t>(view.row_count)},
                            py::array::StridesContainer{}, data, MakeOwnerCapsule(view.owner)));
}

py::array DateArray(const ColumnView& view) {
  py::array_t<int64_t> days(static_cast<py::ssize_t>(view.row_count));
  const auto* from = static_cast<const int32_t*>(view.data);
  int64_t* to = days.mutable_data();
  for (size_t row = 0; row < view.row_count; ++row) to[row] = from[row];
  return py::array(days.attr("view")("datetime64[D]"));
}

// Division, not multiplication by an inverse: 0.07 stays the float that is nearest to 0.07.
template <typename T>
void DivideAll(const ColumnView& view, double divisor, double* to) {
  const auto* from = static_cast<const T*>(view.data);
  for (size_t row = 0; row < view.row_count; ++row) to[row] = static_cast<double>(from[row]) / divisor;
}

py::array DecimalArray(const ColumnView& view) {
  py::array_t<double> numbers(static_cast<py::ssize_t>(view.row_count));
  const double divisor = std::pow(10.0, view.type.scale());
  double* to = numbers.mutable_data();
  switch (view.value_bytes) {
    case 2: DivideAll<int16_t>(view, divisor, to); break;
    case 4: DivideAll<int32_t>(view, divisor, to); break;
    case 8: DivideAll<int64_t>(view, divisor, to); break;
    default:
      for (size_t row = 0; row < view.row_count; ++row)
        to[row] = static_cast<double>(ReadInteger(view, row)) / divisor;
  }
  return numbers;
}

py::array ObjectArray(const QueryResult& result, size_t column) {
  const size_t row_count = result.row_count();
  py::array array(py::dtype("O"), py::array::ShapeContainer{static_cast<py::ssize_t>(row_count)});
  auto** slots = static_cast<PyObject**>(array.mutable_data());
  ColumnObjects objects(result, column);
  for (size_t row = 0; row < row_count; ++row) {
    PyObject* previous = slots[row];
    slots[row] = objects.Get(row);
    Py_XDECREF(previous);
  }
  return array;
}

py::array HugeIntArray(const QueryResult& result, size_t column) {
  const ColumnView view = result.Column(column);
  py::array_t<int64_t> numbers(static_cast<py::ssize_t>(view.row_count));
  int64_t* to = numbers.mutable_data();
  for (size_t row = 0; row < view.row_count; ++row) {
    const int128_t value = ReadInteger(view, row);
    if (value < INT64_MIN || value > INT64_MAX) return ObjectArray(result, column);
    to[row] = static_cast<int64_t>(value);
  }
  return numbers;
}

py::array Values(const QueryResult& result, size_t column) {
  const ColumnView view = result.Column(column);
  switch (view.type.id()) {
    case TypeId::kBoolean: return Wrap("bool", view, view.data);
    case TypeId::kTinyInt: return Wrap("int8", view, view.data);
    case TypeId::kSmallInt: return Wrap("int16", view, view.data);
    case TypeId::kInteger: return Wrap("int32", view, view.data);
    case TypeId::kBigInt: return Wrap("int64", view, view.data);
    case TypeId::kReal: return Wrap("float32", view, view.data);
    case TypeId::kDouble: return Wrap("float64", view, view.data);
    case TypeId::kTime: return Wrap("timedelta64[us]", view, view.data);
    case TypeId::kTimestamp: return Wrap("datetime64[us]", view, view.data);
    case TypeId::kDate: return ReadOnly(DateArray(view));
    case TypeId::kDecimal: return ReadOnly(DecimalArray(view));
    case TypeId::kHugeInt: return ReadOnly(HugeIntArray(result, column));
    case TypeId::kNull:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kInterval: break;
  }
  return ReadOnly(ObjectArray(result, column));
}

}  // namespace

py::object MakeColumnArray(const QueryResult& result, size_t column) {
  py::array values = Values(result, column);
  const ColumnView view = result.Column(column);
  if (view.nulls == nullptr) return values;
  const py::array mask = Wrap("bool", view, view.nulls);
  return py::module_::import("numpy").attr("ma").attr("MaskedArray")(values, py::arg("mask") = mask,
                                                                     py::arg("copy") = false);
}

}  // namespace scaup::python
