// Parameters: conversion of Python values. The most frequent types are tested first.
#include "parameters.hpp"

#include <datetime.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "calendar.hpp"
#include "errors.hpp"
#include "list_parameters.hpp"
#include "scaup/time_tz.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

std::string TypeName(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

Value FromInteger(py::handle object) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) {
    if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
    const bool narrow =
        number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max();
    return narrow ? Value::Integer(static_cast<int32_t>(number)) : Value::BigInt(number);
  }
  const std::string text = py::str(object.attr("__abs__")());
  uint128_t magnitude = 0;
  const uint128_t limit = (static_cast<uint128_t>(1) << 127) - 1;
  for (char digit : text) {
    const uint128_t next = static_cast<uint128_t>(digit - '0');
    if (magnitude > (limit - next) / 10) return MakeNumeric(overflow < 0 ? "-" + text : text);
    magnitude = magnitude * 10 + next;
  }
  return Value::HugeInt(overflow < 0 ? -static_cast<int128_t>(magnitude) : static_cast<int128_t>(magnitude));
}

Value FromText(PyObject* object) {
  Py_ssize_t length = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(object, &length);
  if (bytes == nullptr) {
    PyErr_Clear();
    RaiseDataError("the str holds surrogates and is no Unicode text");
  }
  return Value::Varchar(std::string(bytes, static_cast<size_t>(length)));
}

Value NumericFrom(py::handle object) {
  const py::object is_signalling = object.attr("is_snan")();
  if (is_signalling.cast<bool>()) RaiseDataError("a signalling NaN is no number of SQL");
  const bool is_nan = object.attr("is_nan")().cast<bool>();
  try {
    return MakeNumeric(is_nan ? std::string("NaN") : std::string(py::str(object)));
  } catch (const Error& error) {
    RaiseDataError(error.what());
  }
}

// Converts a Decimal exactly: to a DECIMAL with its digits, to a NUMERIC if it has more than 38, is NaN or
// infinite.
Value FromDecimal(py::handle object) {
  if (!object.attr("is_finite")().cast<bool>()) return NumericFrom(object);
  const py::tuple parts = object.attr("as_tuple")();
  const py::tuple digits = parts[1];
  const int exponent = parts[2].cast<int>();
  const size_t zeros = exponent > 0 ? static_cast<size_t>(exponent) : 0;
  const size_t scale = exponent < 0 ? static_cast<size_t>(-exponent) : 0;
  const size_t width = std::max<size_t>({digits.size() + zeros, scale, 1});
  if (width > LogicalType::kMaxDecimalWidth) return NumericFrom(object);
  int128_t unscaled = 0;
  for (py::handle digit : digits) unscaled = unscaled * 10 + digit.cast<int>();
  for (size_t i = 0; i < zeros; ++i) unscaled *= 10;
  if (parts[0].cast<int>() != 0) unscaled = -unscaled;
  return Value::Decimal(unscaled, static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

int64_t MicrosOfDay(int hour, int minute, int second, int micros) {
  return ((hour * 60LL + minute) * 60 + second) * kMicrosPerSecond + micros;
}

Value FromDateTime(py::handle object) {
  // pandas.NaT is a datetime that does not equal itself. RichCompareBool cannot be used, since it takes an
  // object to equal itself.
  const py::object same =
      py::reinterpret_steal<py::object>(PyObject_RichCompare(object.ptr(), object.ptr(), Py_EQ));
  if (same.ptr() == Py_False) return Value(TypeId::kTimestamp);
  py::object moment = py::reinterpret_borrow<py::object>(object);
  const bool has_zone = !moment.attr("tzinfo").is_none();
  if (has_zone) {
    moment = moment.attr("astimezone")(py::module_::import("datetime").attr("timezone").attr("utc"));
  }
  PyObject* raw = moment.ptr();
  const int64_t days =
      DaysFromCivil(PyDateTime_GET_YEAR(raw), PyDateTime_GET_MONTH(raw), PyDateTime_GET_DAY(raw));
  const int64_t micros = days * kMicrosPerDay +
                         MicrosOfDay(PyDateTime_DATE_GET_HOUR(raw), PyDateTime_DATE_GET_MINUTE(raw),
                                     PyDateTime_DATE_GET_SECOND(raw), PyDateTime_DATE_GET_MICROSECOND(raw));
  return has_zone ? Value::TimestampTz(micros) : Value::Timestamp(micros);
}

Value FromTime(py::handle object) {
  PyObject* raw = object.ptr();
  const int64_t micros = MicrosOfDay(PyDateTime_TIME_GET_HOUR(raw), PyDateTime_TIME_GET_MINUTE(raw),
                                     PyDateTime_TIME_GET_SECOND(raw), PyDateTime_TIME_GET_MICROSECOND(raw));
  if (object.attr("tzinfo").is_none()) return Value::Time(micros);
  const py::object offset = object.attr("utcoffset")();
  if (offset.is_none()) {
    RaiseNotSupportedError(
        "the offset of a time's zone depends on the date: pass a datetime, or a time with datetime.timezone");
  }
  const int64_t seconds = PyDateTime_DELTA_GET_DAYS(offset.ptr()) * int64_t{24 * 3600} +
                          PyDateTime_DELTA_GET_SECONDS(offset.ptr());
  if (seconds > kMaxTimeTzOffset || seconds < -kMaxTimeTzOffset)
    RaiseNotSupportedError("the clocks of a TIME WITH TIME ZONE are less than 16 hours away from UTC");
  return Value::FromInteger(TypeId::kTimeTz, StoreTimeTz({micros, static_cast<int32_t>(seconds)}));
}

Value FromTimeDelta(PyObject* raw) {
  Interval interval;
  interval.days = PyDateTime_DELTA_GET_DAYS(raw);
  interval.micros =
      PyDateTime_DELTA_GET_SECONDS(raw) * kMicrosPerSecond + PyDateTime_DELTA_GET_MICROSECONDS(raw);
  return Value::MakeInterval(interval);
}

// Converts a NumPy time span, which counts either months or units of fixed length.
Value FromNumpySpan(py::handle object, const std::string& unit) {
  Interval interval;
  if (unit == "M" || unit == "Y") {
    interval.months = object.attr("astype")("m8[M]").attr("astype")("i8").cast<int32_t>();
  } else {
    const auto micros = object.attr("astype")("m8[us]").attr("astype")("i8").cast<int64_t>();
    interval.days = static_cast<int32_t>(micros / kMicrosPerDay);
    interval.micros = micros % kMicrosPerDay;
  }
  return Value::MakeInterval(interval);
}

// Converts a NumPy date or time by its integer. item() returns a plain integer, without a unit, if Python's
// own types lack the precision or range.
Value FromNumpyTime(py::handle object, bool is_span) {
  const py::module_ numpy = py::module_::import("numpy");
  if (numpy.attr("isnat")(object).cast<bool>())
    return Value(is_span ? TypeId::kInterval : TypeId::kTimestamp);
  const std::string unit = py::str(numpy.attr("datetime_data")(object.attr("dtype"))[py::int_(0)]);
  if (unit == "generic") RaiseNotSupportedError("a timedelta64 without a unit cannot be passed to SQL");
  if (is_span) return FromNumpySpan(object, unit);
  const bool is_date = unit == "D" || unit == "M" || unit == "Y" || unit == "W";
  const py::object moment = object.attr("astype")(is_date ? "M8[D]" : "M8[us]").attr("astype")("i8");
  if (is_date) return Value::Date(moment.cast<int32_t>());
  return Value::Timestamp(moment.cast<int64_t>());
}

Value FromNumpyScalar(py::handle object) {
  const std::string kind = py::str(object.attr("dtype").attr("kind"));
  if (kind == "M" || kind == "m") return FromNumpyTime(object, kind == "m");
  const py::object item = object.attr("item")();
  if (py::isinstance(item, py::module_::import("numpy").attr("generic")))
    return Value::Double(object.attr("__float__")().cast<double>());
  return ToValue(item);
}

Value FromRareType(py::handle object) {
  if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()) || PyMemoryView_Check(object.ptr())) {
    return Value::Blob(std::string(py::reinterpret_steal<py::bytes>(PyBytes_FromObject(object.ptr()))));
  }
  if (IsInstance(object, "decimal", {"Decimal"})) return FromDecimal(object);
  if (IsInstance(object, "numpy", {"generic"})) return FromNumpyScalar(object);
  if (IsInstance(object, "numpy", {"ndarray"}) && object.attr("ndim").cast<int>() == 0)
    return FromNumpyScalar(object[py::tuple()]);
  if (IsInstance(object, "uuid", {"UUID"})) {
    const std::string bytes = py::bytes(object.attr("bytes"));
    uint128_t bits = 0;
    for (const char byte : bytes) bits = bits << 8 | static_cast<unsigned char>(byte);
    return Value::Uuid(bits);
  }
  // As text, which becomes a range of the type that the context wants.
  if (IsInstance(object, "scaup._range", {"Range"})) return Value::Varchar(py::str(object));
  if (const std::optional<Value> list = ToList(object)) return *list;
  const std::string name = TypeName(object);
  if (name == "NAType" || name == "pandas._libs.missing.NAType" || name == "NaTType") return Value();
  RaiseNotSupportedError("a parameter of type " + name + " cannot be passed to SQL");
}

}  // namespace

Value ToValue(py::handle object) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  PyObject* raw = object.ptr();
  if (raw == Py_None) return Value();
  if (PyBool_Check(raw)) return Value::Boolean(raw == Py_True);
  if (PyLong_Check(raw)) return FromInteger(object);
  if (PyFloat_Check(raw)) return Value::Double(PyFloat_AS_DOUBLE(raw));
  if (PyUnicode_Check(raw)) return FromText(raw);
  if (PyDateTime_Check(raw)) return FromDateTime(object);
  if (PyDate_Check(raw)) {
    return Value::Date(static_cast<int32_t>(
        DaysFromCivil(PyDateTime_GET_YEAR(raw), PyDateTime_GET_MONTH(raw), PyDateTime_GET_DAY(raw))));
  }
  if (PyTime_Check(raw)) return FromTime(object);
  if (PyDelta_Check(raw)) return FromTimeDelta(raw);
  if (PyList_Check(raw) || PyTuple_Check(raw)) return *ToList(object);
  if (PyDict_Check(raw)) return ToStruct(object);
  return FromRareType(object);
}

bool IsInstance(py::handle object, const char* module, std::initializer_list<const char*> classes) {
  const auto modules = py::reinterpret_borrow<py::dict>(PyImport_GetModuleDict());
  if (!modules.contains(module)) return false;
  const py::object package = modules[module];
  return std::any_of(classes.begin(), classes.end(),
                     [&](const char* name) { return py::isinstance(object, package.attr(name)); });
}

BoundStatement Bind(const std::string& sql, py::handle parameters) {
  BoundStatement bound{sql, {}};
  if (parameters.is_none()) return bound;
  auto values = py::reinterpret_borrow<py::object>(parameters);
  if (!PyList_Check(parameters.ptr()) && !PyTuple_Check(parameters.ptr())) {
    const py::tuple written = py::module_::import("scaup._sql_text").attr("parameters_of")(sql, parameters);
    bound.sql = py::str(written[0]);
    values = written[1];
  }
  bound.values = BindSequence(values);
  return bound;
}

std::vector<Value> BindSequence(py::handle parameters) {
  std::vector<Value> values;
  for (py::handle parameter : parameters) {
    values.push_back(ToValue(parameter));
    // An empty list is passed as a quoted literal, which SQL converts to the list type that the context
    // needs.
    if (HasUnknownElements(values.back())) values.back() = Value::Varchar(values.back().ToString());
  }
  return values;
}

}  // namespace scaup::python
