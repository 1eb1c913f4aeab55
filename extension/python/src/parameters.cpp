// Conversion of Python values, most frequent types first.
#include "parameters.hpp"

#include <datetime.h>

#include <algorithm>
#include <limits>
#include <string>

#include "calendar.hpp"
#include "errors.hpp"

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
    if (magnitude > (limit - next) / 10)
      RaiseDataError("the integer has more than 128 bits; pass it as str or Decimal");
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

// Exact as long as it has at most 38 digits.
Value FromDecimal(py::handle object) {
  if (!object.attr("is_finite")().cast<bool>())
    return Value::Double(object.attr("__float__")().cast<double>());
  const py::tuple parts = object.attr("as_tuple")();
  const py::tuple digits = parts[1];
  const int exponent = parts[2].cast<int>();
  const size_t zeros = exponent > 0 ? static_cast<size_t>(exponent) : 0;
  const size_t scale = exponent < 0 ? static_cast<size_t>(-exponent) : 0;
  const size_t width = std::max<size_t>({digits.size() + zeros, scale, 1});
  if (width > LogicalType::kMaxDecimalWidth) RaiseDataError("the Decimal has more than 38 digits");
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
  // pandas.NaT is a datetime that does not equal itself; RichCompareBool would take the same object for
  // equal.
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

Value FromTime(PyObject* raw) {
  return Value::Time(MicrosOfDay(PyDateTime_TIME_GET_HOUR(raw), PyDateTime_TIME_GET_MINUTE(raw),
                                 PyDateTime_TIME_GET_SECOND(raw), PyDateTime_TIME_GET_MICROSECOND(raw)));
}

Value FromTimeDelta(PyObject* raw) {
  Interval interval;
  interval.days = PyDateTime_DELTA_GET_DAYS(raw);
  interval.micros =
      PyDateTime_DELTA_GET_SECONDS(raw) * kMicrosPerSecond + PyDateTime_DELTA_GET_MICROSECONDS(raw);
  return Value::MakeInterval(interval);
}

// numpy.datetime64 and timedelta64 become their Python twins in microseconds; other scalars what item()
// gives.
Value FromNumpyScalar(py::handle object) {
  const std::string kind = py::str(object.attr("dtype").attr("kind"));
  if (kind == "M" || kind == "m") {
    const py::module_ numpy = py::module_::import("numpy");
    if (numpy.attr("isnat")(object).cast<bool>())
      return Value(kind == "M" ? TypeId::kTimestamp : TypeId::kInterval);
    const std::string unit = py::str(object.attr("dtype"));
    const bool date = unit == "datetime64[D]" || unit == "datetime64[M]" || unit == "datetime64[Y]" ||
                      unit == "datetime64[W]";
    return ToValue(object.attr("astype")(kind == "m" ? "m8[us]" : date ? "M8[D]" : "M8[us]").attr("item")());
  }
  const py::object item = object.attr("item")();
  if (py::isinstance(item, py::module_::import("numpy").attr("generic")))
    return Value::Double(object.attr("__float__")().cast<double>());
  return ToValue(item);
}

Value FromRareType(py::handle object) {
  if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()) || PyMemoryView_Check(object.ptr())) {
    return Value::Blob(std::string(py::reinterpret_steal<py::bytes>(PyBytes_FromObject(object.ptr()))));
  }
  if (py::isinstance(object, py::module_::import("decimal").attr("Decimal"))) return FromDecimal(object);
  if (py::isinstance(object, py::module_::import("numpy").attr("generic"))) return FromNumpyScalar(object);
  if (py::isinstance(object, py::module_::import("uuid").attr("UUID"))) {
    const std::string bytes = py::bytes(object.attr("bytes"));
    uint128_t bits = 0;
    for (const char byte : bytes) bits = bits << 8 | static_cast<unsigned char>(byte);
    return Value::Uuid(bits);
  }
  const std::string name = TypeName(object);
  if (name == "NAType" || name == "pandas._libs.missing.NAType" || name == "NaTType") return Value();
  RaiseNotSupportedError("a parameter of type " + name + " cannot be passed to SQL");
}

}  // namespace

namespace {

// The type that integers of different sizes, or integers and floats, have in common in one list.
LogicalType CommonNumber(const LogicalType& a, const LogicalType& b) {
  if (a.IsFloating() || b.IsFloating()) return TypeId::kDouble;
  return a.id() < b.id() ? b : a;
}

Value ToNumber(const Value& value, const LogicalType& type) {
  if (value.is_null() || value.type() == type) return value;
  if (type.id() != TypeId::kDouble) return Value::FromInteger(type, value.GetInteger());
  return Value::Double(static_cast<double>(value.GetInteger()));
}

Value FromSequence(py::handle object) {
  std::vector<Value> values;
  LogicalType type;
  for (py::handle element : object) {
    values.push_back(ToValue(element));
    const LogicalType& other = values.back().type();
    const bool are_numbers =
        (type.IsInteger() || type.IsFloating()) && (other.IsInteger() || other.IsFloating());
    if (type.id() == TypeId::kNull) {
      type = other;
    } else if (are_numbers) {
      type = CommonNumber(type, other);
    } else if (other.id() != TypeId::kNull && !(other == type)) {
      RaiseNotSupportedError("a list of values of types " + type.ToString() + " and " + other.ToString() +
                             " cannot be passed to SQL: they must have one type");
    }
  }
  if (type.id() == TypeId::kNull) type = TypeId::kVarchar;
  for (Value& value : values) value = ToNumber(value, type);
  return Value::List(type, values);
}

// Keys are the names of fields.
Value FromDict(py::handle object) {
  std::vector<StructField> fields;
  std::vector<Value> values;
  for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(object)) {
    values.push_back(ToValue(item));
    const LogicalType& type = values.back().type();
    fields.push_back({py::str(key), type.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : type});
  }
  if (fields.empty()) RaiseNotSupportedError("an empty dict cannot be passed to SQL: a struct has fields");
  return Value::Struct(LogicalType::Struct(std::move(fields)), values);
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
  if (PyTime_Check(raw)) return FromTime(raw);
  if (PyDelta_Check(raw)) return FromTimeDelta(raw);
  if (PyList_Check(raw) || PyTuple_Check(raw)) return FromSequence(object);
  if (PyDict_Check(raw)) return FromDict(object);
  return FromRareType(object);
}

std::vector<Value> ToValues(py::handle parameters) {
  std::vector<Value> values;
  if (parameters.is_none()) return values;
  if (py::isinstance<py::dict>(parameters))
    RaiseNotSupportedError("parameters have no names: pass a list for ? or $1, $2, ...");
  if (py::isinstance<py::str>(parameters) || py::isinstance<py::bytes>(parameters) ||
      !py::isinstance<py::iterable>(parameters)) {
    RaiseProgrammingError("parameters must be a list or tuple, not " + TypeName(parameters));
  }
  for (py::handle parameter : parameters) values.push_back(ToValue(parameter));
  return values;
}

}  // namespace scaup::python
