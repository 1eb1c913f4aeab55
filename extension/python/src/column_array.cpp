// Column array: wraps column memory, and converts types that NumPy stores in another form.
#include "column_array.hpp"

#include <cmath>
#include <memory>

#include "calendar.hpp"
#include "column_objects.hpp"
#include "errors.hpp"
#include "gil_release.hpp"
#include "numpy_strings.hpp"

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

// Returns an array over the column's own memory. Its base object owns that memory.
py::array Wrap(const char* dtype, const ColumnView& view, const void* data) {
  return ReadOnly(py::array(py::dtype(dtype),
                            py::array::ShapeContainer{static_cast<py::ssize_t>(view.row_count)},
                            py::array::StridesContainer{}, data, MakeOwnerCapsule(view.owner)));
}

// Converts all values of a column. The GIL is not needed meanwhile, because no other code knows the array
// yet.
template <typename From, typename To, typename F>
void ConvertAll(const ColumnView& view, To* __restrict__ to, F&& convert) {
  const auto* __restrict__ from = static_cast<const From*>(view.data);
  const size_t count = view.row_count;
  const GilRelease release;
  for (size_t row = 0; row < count; ++row) to[row] = convert(from[row]);
}

py::array DateArray(const ColumnView& view) {
  py::array_t<int64_t> days(static_cast<py::ssize_t>(view.row_count));
  ConvertAll<int32_t>(view, days.mutable_data(), [](int32_t day) { return static_cast<int64_t>(day); });
  return py::array(days.attr("view")("datetime64[D]"));
}

// Divides rather than multiplies by the inverse, so that 0.07 becomes the float that is nearest to 0.07.
py::array DecimalArray(const ColumnView& view) {
  py::array_t<double> numbers(static_cast<py::ssize_t>(view.row_count));
  const double divisor = std::pow(10.0, view.type.scale());
  const auto divide = [divisor](auto value) { return static_cast<double>(value) / divisor; };
  double* to = numbers.mutable_data();
  switch (view.value_bytes) {
    case 2: ConvertAll<int16_t>(view, to, divide); break;
    case 4: ConvertAll<int32_t>(view, to, divide); break;
    case 8: ConvertAll<int64_t>(view, to, divide); break;
    default: ConvertAll<int128_t>(view, to, divide); break;
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
  bool is_narrow = true;
  ConvertAll<int128_t>(view, numbers.mutable_data(), [&is_narrow](int128_t value) {
    const auto narrow = static_cast<int64_t>(value);
    is_narrow &= narrow == value;
    return narrow;
  });
  return is_narrow ? py::array(numbers) : ObjectArray(result, column);
}

py::array Values(const QueryResult& result, size_t column) {
  const ColumnView view = result.Column(column);
  switch (view.type.id()) {
    case TypeId::kBoolean: return Wrap("bool", view, view.data);
    case TypeId::kTinyInt: return Wrap("int8", view, view.data);
    case TypeId::kSmallInt: return Wrap("int16", view, view.data);
    case TypeId::kInteger: return Wrap("int32", view, view.data);
    case TypeId::kBigInt: return Wrap("int64", view, view.data);
    case TypeId::kUTinyInt: return Wrap("uint8", view, view.data);
    case TypeId::kUSmallInt: return Wrap("uint16", view, view.data);
    case TypeId::kUInteger: return Wrap("uint32", view, view.data);
    case TypeId::kUBigInt: return Wrap("uint64", view, view.data);
    case TypeId::kReal: return Wrap("float32", view, view.data);
    case TypeId::kDouble: return Wrap("float64", view, view.data);
    case TypeId::kTime: return Wrap("timedelta64[us]", view, view.data);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: return Wrap("datetime64[us]", view, view.data);
    case TypeId::kDate: return ReadOnly(DateArray(view));
    case TypeId::kDecimal: return ReadOnly(DecimalArray(view));
    case TypeId::kHugeInt: return ReadOnly(HugeIntArray(result, column));
    case TypeId::kNull:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kInterval:
    case TypeId::kUuid:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  return ReadOnly(ObjectArray(result, column));
}

py::object WithMask(const py::array& values, const ColumnView& view) {
  if (view.nulls == nullptr) return values;
  const py::array mask = Wrap("bool", view, view.nulls);
  return py::module_::import("numpy").attr("ma").attr("MaskedArray")(values, py::arg("mask") = mask,
                                                                     py::arg("copy") = false);
}

}  // namespace

py::object MakeObjectArray(const QueryResult& result, size_t column) { return ObjectArray(result, column); }

py::object MakeCodeArray(const QueryResult& result, size_t column) {
  const ColumnView view = result.Column(column);
  return WithMask(Wrap("int16", view, view.data), view);
}

py::object MakeStringArray(const QueryResult& result, size_t column, const py::object& dtype) {
  const ColumnView view = result.Column(column);
  // Its strings are empty, as NULLs remain.
  const py::array array = py::module_::import("numpy").attr("empty")(view.row_count, dtype);
  const NumpyStrings strings(array);
  {
    const GilRelease release;
    NumpyStrings::Access access(strings);
    std::string digits;
    for (size_t row = 0; row < view.row_count; ++row) {
      if (view.nulls != nullptr && view.nulls[row] != 0) continue;
      if (view.type.id() != TypeId::kBit) {
        access.Set(row, result.GetString(column, row));
        continue;
      }
      digits.clear();
      result.AppendText(column, row, digits);
      access.Set(row, digits);
    }
  }
  return WithMask(array, view);
}

py::object MakeTimeDeltaArray(const QueryResult& result, size_t column) {
  const ColumnView view = result.Column(column);
  py::array_t<int64_t> spans(static_cast<py::ssize_t>(view.row_count));
  bool is_too_long = false;
  ConvertAll<Interval>(view, spans.mutable_data(), [&is_too_long](const Interval& interval) {
    const int64_t days = int64_t{interval.months} * 30 + interval.days;
    int64_t micros = 0;
    is_too_long |= __builtin_mul_overflow(days, kMicrosPerDay, &micros) ||
                   __builtin_add_overflow(micros, interval.micros, &micros);
    return micros;
  });
  if (is_too_long) RaiseDataError("an interval is too long for timedelta64[us]; use fetchnumpy");
  return WithMask(py::array(spans.attr("view")("timedelta64[us]")), view);
}

py::object MakeColumnArray(const QueryResult& result, size_t column) {
  return WithMask(Values(result, column), result.Column(column));
}

}  // namespace scaup::python
