// List parameters: conversion of lists, arrays and dicts, with a common type of the elements.
#include "list_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "calendar.hpp"
#include "dict_items.hpp"
#include "errors.hpp"
#include "parameters.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

[[noreturn]] void RaiseNoCommonType(const LogicalType& a, const LogicalType& b) {
  RaiseNotSupportedError("a list of values of types " + a.ToString() + " and " + b.ToString() +
                         " cannot be passed to SQL: they must have one type");
}

// Returns the number of digits before the point that values of this type may have.
int DigitsOf(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kTinyInt: return 3;
    case TypeId::kSmallInt: return 5;
    case TypeId::kInteger: return 10;
    case TypeId::kBigInt: return 19;
    case TypeId::kHugeInt: return 38;
    case TypeId::kUTinyInt: return 3;
    case TypeId::kUSmallInt: return 5;
    case TypeId::kUInteger: return 10;
    case TypeId::kUBigInt: return 20;
    default: return type.width() - type.scale();
  }
}

LogicalType CommonNumber(const LogicalType& a, const LogicalType& b) {
  if (a.IsFloating() || b.IsFloating()) return TypeId::kDouble;
  if (a.id() == TypeId::kNumeric || b.id() == TypeId::kNumeric) return TypeId::kNumeric;
  if (a.IsInteger() && b.IsInteger()) {
    // A list has few types: what holds all integers will do for those with and without a sign.
    if (scaup::IsUnsigned(a.id()) != scaup::IsUnsigned(b.id())) return TypeId::kHugeInt;
    return a.id() < b.id() ? b : a;
  }
  const int scale = std::max(a.scale(), b.scale());
  const int width = std::min<int>(std::max(DigitsOf(a), DigitsOf(b)) + scale, LogicalType::kMaxDecimalWidth);
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

// Returns the common type of two types. A NULL of unknown type is compatible with every type.
LogicalType CommonType(const LogicalType& a, const LogicalType& b) {
  if (a == b || b.id() == TypeId::kNull) return a;
  if (a.id() == TypeId::kNull) return b;
  if (a.IsNumeric() && b.IsNumeric()) return CommonNumber(a, b);
  const auto are = [&](TypeId one, TypeId other) {
    return (a.id() == one && b.id() == other) || (a.id() == other && b.id() == one);
  };
  if (are(TypeId::kDate, TypeId::kTimestamp)) return TypeId::kTimestamp;
  if (a.id() == TypeId::kList && b.id() == TypeId::kList && IsMap(a) == IsMap(b))
    return WithElement(a, CommonType(a.element(), b.element()));
  if (a.id() == TypeId::kStruct && b.id() == TypeId::kStruct && a.fields().size() == b.fields().size()) {
    std::vector<StructField> fields = a.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      const StructField& other = b.fields()[i];
      if (fields[i].name != other.name) RaiseNoCommonType(a, b);
      fields[i].type = CommonType(fields[i].type, other.type);
    }
    return LogicalType::Struct(std::move(fields));
  }
  RaiseNoCommonType(a, b);
}

// Converts a value to `type`, which CommonType has derived from the value's type and others.
Value ToType(const Value& value, const LogicalType& type) {
  const LogicalType& own = value.type();
  if (value.is_null()) return Value(type);
  if (own == type) return value;
  if (own.id() == TypeId::kList && type.id() != TypeId::kList) RaiseNoCommonType(own, type);
  if (type.id() == TypeId::kNumeric) return MakeNumeric(value.ToString());
  if (type.id() == TypeId::kDecimal) {
    int128_t unscaled = value.GetInteger();
    for (int i = own.scale(); i < type.scale(); ++i) {
      if (__builtin_mul_overflow(unscaled, static_cast<int128_t>(10), &unscaled))
        RaiseDataError("the numbers of a list have more than 38 digits together");
    }
    return Value::Decimal(unscaled, type.width(), type.scale());
  }
  if (type.IsFloating()) {
    if (own.IsFloating())
      return type.id() == TypeId::kReal ? Value::Real(static_cast<float>(value.GetDouble()))
                                        : Value::Double(value.GetDouble());
    if (own.id() == TypeId::kNumeric)
      return Value::Double(py::float_(py::str(value.ToString())).cast<double>());
    const double divisor = std::pow(10.0, own.scale());
    return Value::Double(static_cast<double>(value.GetInteger()) / divisor);
  }
  if (type.id() == TypeId::kTimestamp)
    return Value::Timestamp(static_cast<int64_t>(value.GetInteger()) * kMicrosPerDay);
  if (type.id() == TypeId::kList && !IsMap(type)) {
    std::vector<Value> elements = value.GetElements();
    for (Value& element : elements) element = ToType(element, type.element());
    return Value::List(type.element(), elements);
  }
  if (type.id() == TypeId::kStruct) {
    std::vector<Value> elements = value.GetElements();
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = ToType(elements[i], type.fields()[i].type);
    return Value::Struct(type, elements);
  }
  return Value::FromInteger(type, value.GetInteger());
}

// Replaces the unknown type of NULLs, which lists and structs cannot have, by VARCHAR. SQL casts that to the
// type which the context needs.
LogicalType Settled(const LogicalType& type) { return type.id() == TypeId::kNull ? TypeId::kVarchar : type; }

// Converts elements to a list. `type` is the known type of the elements; kNull if it is not known.
// `nan_is_null` treats NaN as NULL, as pandas does.
Value FromElements(py::handle elements, LogicalType type, bool nan_is_null) {
  const bool is_known = type.id() != TypeId::kNull;
  LogicalType type_of_empty;
  std::vector<Value> values;
  for (py::handle element : elements) {
    if (nan_is_null && PyFloat_Check(element.ptr()) && std::isnan(PyFloat_AS_DOUBLE(element.ptr()))) {
      values.emplace_back();
      continue;
    }
    values.push_back(ToValue(element));
    const Value& value = values.back();
    // NULLs do not contribute a type. NaT, for example, would have the wrong one among time spans.
    if (value.is_null() || value.type() == type) continue;
    if (HasUnknownElements(value)) {
      type_of_empty = value.type();
      continue;
    }
    // Python's numbers are wider than those of many arrays. The array's type suffices for its own elements.
    if (is_known && type.IsNumeric() && value.type().IsNumeric()) continue;
    type = CommonType(type, value.type());
  }
  type = Settled(type.id() == TypeId::kNull ? type_of_empty : type);
  for (Value& value : values) value = ToType(value, type);
  return Value::List(type, values);
}

// Returns the SQL type for a type name of NumPy, which pandas and Polars share; kNull for other names.
LogicalType TypeOfName(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  static constexpr std::pair<const char*, TypeId> kTypes[] = {
      {"bool", TypeId::kBoolean},   {"boolean", TypeId::kBoolean},  {"int8", TypeId::kTinyInt},
      {"int16", TypeId::kSmallInt}, {"int32", TypeId::kInteger},    {"int64", TypeId::kBigInt},
      {"uint8", TypeId::kUTinyInt}, {"uint16", TypeId::kUSmallInt}, {"uint32", TypeId::kUInteger},
      {"uint64", TypeId::kUBigInt}, {"float16", TypeId::kReal},     {"float32", TypeId::kReal},
      {"float64", TypeId::kDouble}, {"date", TypeId::kDate},        {"time", TypeId::kTime},
  };
  for (const auto& [known, type] : kTypes) {
    if (name == known) return type;
  }
  return TypeId::kNull;
}

LogicalType TypeOf(py::handle array) { return TypeOfName(py::str(array.attr("dtype"))); }

// Times are converted as NumPy scalars, because tolist() would make nanoseconds of them, as plain integers.
Value FromNumpy(py::handle array, bool nan_is_null) {
  const std::string kind = py::str(array.attr("dtype").attr("kind"));
  const bool is_plain = array.attr("ndim").cast<int>() == 1 && kind != "M" && kind != "m";
  const py::object elements = is_plain ? array.attr("tolist")() : py::reinterpret_borrow<py::object>(array);
  return FromElements(elements, is_plain ? TypeOf(array) : LogicalType(), nan_is_null);
}

Value FromPandas(py::handle series) {
  const py::object dtype = series.attr("dtype");
  if (py::isinstance(dtype, py::module_::import("numpy").attr("dtype")))
    return FromNumpy(series.attr("to_numpy")(), true);
  return FromElements(series.attr("tolist")(), TypeOf(series), true);
}

}  // namespace

bool HasUnknownElements(const Value& value) {
  if (value.is_null() || value.type().id() != TypeId::kList ||
      value.type().element().id() != TypeId::kVarchar)
    return false;
  const std::vector<Value> elements = value.GetElements();
  return std::all_of(elements.begin(), elements.end(),
                     [](const Value& element) { return element.is_null(); });
}

std::optional<Value> ToList(py::handle object) {
  PyObject* raw = object.ptr();
  if (PyList_Check(raw) || PyTuple_Check(raw) || PyAnySet_Check(raw) || PyRange_Check(raw))
    return FromElements(object, {}, false);
  if (IsInstance(object, "numpy", {"ndarray"}) && object.attr("ndim").cast<int>() > 0)
    return FromNumpy(object, false);
  if (IsInstance(object, "pandas", {"Series", "Index"}) ||
      IsInstance(object, "pandas.api.extensions", {"ExtensionArray"}))
    return FromPandas(object);
  if (IsInstance(object, "polars", {"Series"}))
    return FromElements(object.attr("to_list")(), TypeOf(object), false);
  if (IsInstance(object, "pyarrow", {"Array", "ChunkedArray"}))
    return FromElements(object.attr("to_pylist")(), TypeOfName(py::str(object.attr("type"))), false);
  return std::nullopt;
}

Value ToStruct(py::handle dict) {
  std::vector<StructField> fields;
  std::vector<Value> values;
  ForEachItem(dict, [&](const py::object& key, const py::object& item) {
    values.push_back(ToValue(item));
    fields.push_back({py::str(key), Settled(values.back().type())});
  });
  // A struct has fields, but a map may have no entries.
  if (fields.empty()) return MakeMap(LogicalType::Map(TypeId::kNull, TypeId::kNull), {}, {});
  return Value::Struct(LogicalType::Struct(std::move(fields)), values);
}

}  // namespace scaup::python
