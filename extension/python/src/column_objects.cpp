// Column objects: makes Python objects from column memory.
#include "column_objects.hpp"

#include <datetime.h>

#include <cstring>
#include <string>
#include <vector>

#include "calendar.hpp"
#include "errors.hpp"
#include "scaup/time_tz.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

bool IsAscii(std::string_view text) {
  size_t i = 0;
  uint64_t seen = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    seen |= word;
  }
  for (; i < text.size(); ++i) seen |= static_cast<unsigned char>(text[i]);
  return (seen & 0x8080808080808080ULL) == 0;
}

PyObject* MakeText(std::string_view text) {
  if (!IsAscii(text))
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  PyObject* object = PyUnicode_New(static_cast<Py_ssize_t>(text.size()), 127);
  if (object != nullptr && !text.empty()) std::memcpy(PyUnicode_1BYTE_DATA(object), text.data(), text.size());
  return object;
}

template <typename T>
T At(const ColumnView& view, size_t row) {
  return static_cast<const T*>(view.data)[row];
}

std::string Digits(int128_t value) {
  uint128_t magnitude = value < 0 ? -static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude != 0);
  return value < 0 ? "-" + text : text;
}

PyObject* MakeInteger(int128_t value) {
  if (value >= INT64_MIN && value <= INT64_MAX) return PyLong_FromLongLong(static_cast<long long>(value));
  return PyLong_FromString(Digits(value).c_str(), nullptr, 10);
}

CivilDate CheckedDate(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  if (date.year < 1 || date.year > 9999) {
    RaiseDataError("a date of the year " + std::to_string(date.year) +
                   " is beyond Python's datetime; cast it to VARCHAR, or use fetchnumpy");
  }
  return date;
}

PyObject* MakeDate(int32_t days) {
  const CivilDate date = CheckedDate(days);
  return PyDate_FromDate(static_cast<int>(date.year), date.month, date.day);
}

struct Clock {
  int hour, minute, second, micros;
};

Clock ClockOf(int64_t micros_of_day) {
  const int64_t seconds = micros_of_day / kMicrosPerSecond;
  return {static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60 % 60),
          static_cast<int>(seconds % 60), static_cast<int>(micros_of_day % kMicrosPerSecond)};
}

// Returns a time. SQL's 24:00:00 does not exist in Python, so it becomes the last microsecond of the day.
PyObject* MakeTime(int64_t micros) {
  const Clock clock = ClockOf(micros >= kMicrosPerDay ? kMicrosPerDay - 1 : micros);
  return PyTime_FromTime(clock.hour, clock.minute, clock.second, clock.micros);
}

/// Returns a time whose tzinfo is a timezone with the offset.
PyObject* MakeTimeTz(int64_t stored) {
  const TimeTz time = LoadTimeTz(stored);
  const Clock clock = ClockOf(time.micros >= kMicrosPerDay ? kMicrosPerDay - 1 : time.micros);
  const auto offset = py::reinterpret_steal<py::object>(PyDelta_FromDSU(0, time.offset_seconds, 0));
  if (!offset) return nullptr;
  const auto zone = py::reinterpret_steal<py::object>(PyTimeZone_FromOffset(offset.ptr()));
  if (!zone) return nullptr;
  return PyDateTimeAPI->Time_FromTime(clock.hour, clock.minute, clock.second, clock.micros, zone.ptr(),
                                      PyDateTimeAPI->TimeType);
}

/// Returns a datetime whose tzinfo is `zone`.
PyObject* MakeTimestamp(int64_t micros, PyObject* zone = Py_None) {
  int64_t days = micros / kMicrosPerDay;
  int64_t rest = micros % kMicrosPerDay;
  if (rest < 0) {
    rest += kMicrosPerDay;
    --days;
  }
  const CivilDate date = CheckedDate(days);
  const Clock clock = ClockOf(rest);
  return PyDateTimeAPI->DateTime_FromDateAndTime(static_cast<int>(date.year), date.month, date.day,
                                                 clock.hour, clock.minute, clock.second, clock.micros, zone,
                                                 PyDateTimeAPI->DateTimeType);
}

// Returns a timedelta. It has no months, so a month counts as 30 days.
PyObject* MakeTimeDelta(const Interval& interval) {
  int64_t days = static_cast<int64_t>(interval.months) * 30 + interval.days + interval.micros / kMicrosPerDay;
  int64_t rest = interval.micros % kMicrosPerDay;
  if (rest < 0) {
    rest += kMicrosPerDay;
    --days;
  }
  if (days < -999999999 || days > 999999999)
    RaiseDataError("the interval is too long for Python's timedelta");
  return PyDelta_FromDSU(static_cast<int>(days), static_cast<int>(rest / kMicrosPerSecond),
                         static_cast<int>(rest % kMicrosPerSecond));
}

bool IsText(const LogicalType& type) {
  return type.id() == TypeId::kVarchar || type.id() == TypeId::kJson || type.id() == TypeId::kJsonb;
}

}  // namespace

TextCache::~TextCache() {
  if (entries_ == nullptr) return;
  for (const Entry& entry : *entries_) Py_XDECREF(entry.object);
}

PyObject* TextCache::Make(std::string_view text) {
  PyObject* made = MakeText(text);
  if (made == nullptr || text.size() > kLongest) return made;
  if (entries_ == nullptr) entries_ = std::make_unique<Entries>();
  const Key key(text);
  Entry& entry = (*entries_)[key.Slot()];
  entry.key = key;
  Py_XSETREF(entry.object, Py_NewRef(made));
  return made;
}

ColumnObjects::ColumnObjects(const QueryResult& result, size_t column)
    : result_(result),
      column_(column),
      view_(result.Column(column)),
      shares_texts_(result.row_count() >= kRowsToShareTexts && IsText(view_.type)) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  const bool is_packed = IsPacked(view_.type.id());
  if (view_.type.id() == TypeId::kDecimal || view_.type.id() == TypeId::kNumeric || is_packed)
    decimal_type_ = py::module_::import("decimal").attr("Decimal");
  if (view_.type.id() == TypeId::kUuid || is_packed) uuid_type_ = py::module_::import("uuid").attr("UUID");
  if (view_.type.id() == TypeId::kTimestampTz || is_packed) time_zone_ = FindTimeZone(result.time_zone());
  if (is_packed) range_type_ = py::module_::import("scaup._range").attr("Range");
}

PyObject* ColumnObjects::MakeDecimal(int128_t unscaled, size_t scale) const {
  std::string text = Digits(unscaled);
  if (scale > 0) {
    const size_t sign = text[0] == '-' ? 1 : 0;
    if (text.size() - sign <= scale) text.insert(sign, scale + 1 - (text.size() - sign), '0');
    text.insert(text.size() - scale, ".");
  }
  return MakeDecimal(text);
}

PyObject* ColumnObjects::MakeDecimal(const std::string& text) const {
  return decimal_type_(py::str(text)).release().ptr();
}

// Returns the moment as a datetime in the result's time zone.
PyObject* ColumnObjects::MakeMoment(int64_t micros) const {
  auto moment = py::reinterpret_steal<py::object>(MakeTimestamp(micros, PyDateTime_TimeZone_UTC));
  if (!moment) throw py::error_already_set();
  return (time_zone_.is_none() ? moment : moment.attr("astimezone")(time_zone_)).release().ptr();
}

PyObject* ColumnObjects::MakeUuid(int128_t stored) const {
  // The highest bit is stored inverted; see TypeId::kUuid.
  const uint128_t bits = static_cast<uint128_t>(stored) ^ (static_cast<uint128_t>(1) << 127);
  unsigned char bytes[16];
  for (size_t i = 0; i < sizeof(bytes); ++i) bytes[i] = static_cast<unsigned char>(bits >> (120 - 8 * i));
  return uuid_type_(py::arg("bytes") = py::bytes(reinterpret_cast<const char*>(bytes), sizeof(bytes)))
      .release()
      .ptr();
}

PyObject* ColumnObjects::MakeList(const Value& list) const {
  const std::vector<Value> elements = list.GetElements();
  py::list result(elements.size());
  for (size_t i = 0; i < elements.size(); ++i)
    result[i] = py::reinterpret_steal<py::object>(MakeValue(elements[i]));
  return result.release().ptr();
}

PyObject* ColumnObjects::MakeDict(const Value& value) const {
  const std::vector<Value> values = value.GetElements();
  py::dict result;
  for (size_t i = 0; i < values.size(); ++i)
    result[py::str(value.type().fields()[i].name)] = py::reinterpret_steal<py::object>(MakeValue(values[i]));
  return result.release().ptr();
}

// Returns a dict; {"key": [...], "value": [...]} if Python has no hash of the keys, which are lists or dicts
// then.
PyObject* ColumnObjects::MakeMap(const Value& map) const {
  const bool is_hashable = !MapKeyType(map.type()).IsNested();
  py::dict result;
  py::list keys, values;
  for (const Value& entry : map.GetElements()) {
    const std::vector<Value> parts = entry.GetElements();
    auto key = py::reinterpret_steal<py::object>(MakeValue(parts[0]));
    auto value = py::reinterpret_steal<py::object>(MakeValue(parts[1]));
    if (is_hashable) {
      result[key] = value;
    } else {
      keys.append(key);
      values.append(value);
    }
  }
  if (!is_hashable) {
    result["key"] = keys;
    result["value"] = values;
  }
  return result.release().ptr();
}

PyObject* ColumnObjects::MakeRange(const Value& range) const {
  const std::vector<Value> parts = range.GetElements();
  const bool is_empty = parts[0].GetInteger() == 0;
  const char bounds[] = {parts[2].GetBoolean() ? '(' : '[', parts[4].GetBoolean() ? ']' : ')', '\0'};
  const auto lower = py::reinterpret_steal<py::object>(MakeValue(parts[1]));
  const auto upper = py::reinterpret_steal<py::object>(MakeValue(parts[3]));
  return range_type_(lower, upper, bounds, is_empty).release().ptr();
}

PyObject* ColumnObjects::MakeValue(const Value& value) const {
  const LogicalType& type = value.type();
  PyObject* object = nullptr;
  if (value.is_null()) {
    return Py_NewRef(Py_None);
  } else if (type.id() == TypeId::kBoolean) {
    return Py_NewRef(value.GetBoolean() ? Py_True : Py_False);
  } else if (type.IsInteger()) {
    object = MakeInteger(value.GetInteger());
  } else if (type.IsFloating()) {
    object = PyFloat_FromDouble(value.GetDouble());
  } else if (type.id() == TypeId::kDecimal) {
    object = MakeDecimal(value.GetInteger(), type.scale());
  } else if (type.id() == TypeId::kNumeric) {
    object = MakeDecimal(value.ToString());
  } else if (type.id() == TypeId::kBlob) {
    const std::string& bytes = value.GetString();
    object = PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
  } else if (type.id() == TypeId::kDate) {
    object = MakeDate(static_cast<int32_t>(value.GetInteger()));
  } else if (type.id() == TypeId::kTime) {
    object = MakeTime(value.GetBigInt());
  } else if (type.id() == TypeId::kTimeTz) {
    object = MakeTimeTz(value.GetBigInt());
  } else if (type.id() == TypeId::kTimestamp) {
    object = MakeTimestamp(value.GetBigInt());
  } else if (type.id() == TypeId::kTimestampTz) {
    object = MakeMoment(value.GetBigInt());
  } else if (type.id() == TypeId::kUuid) {
    object = MakeUuid(value.GetInteger());
  } else if (type.id() == TypeId::kVarchar || type.id() == TypeId::kJson || type.id() == TypeId::kJsonb) {
    object = MakeText(value.GetString());
  } else if (type.id() == TypeId::kInterval) {
    object = MakeTimeDelta(value.GetInterval());
  } else if (type.id() == TypeId::kList) {
    object = IsMap(type) ? MakeMap(value) : MakeList(value);
  } else if (IsUnion(type)) {
    return MakeValue(UnionValue(value));
  } else if (type.id() == TypeId::kStruct) {
    object = MakeDict(value);
  } else if (type.id() == TypeId::kRange) {
    object = MakeRange(value);
  } else if (type.id() == TypeId::kMultirange) {
    object = MakeList(value);
  } else {
    object = MakeText(value.ToString());
  }
  if (object == nullptr) throw py::error_already_set();
  return object;
}

PyObject* ColumnObjects::GetValid(size_t row) {
  PyObject* object = nullptr;
  switch (view_.type.id()) {
    case TypeId::kNull: return Py_NewRef(Py_None);
    case TypeId::kBoolean: return Py_NewRef(At<uint8_t>(view_, row) != 0 ? Py_True : Py_False);
    case TypeId::kTinyInt: object = PyLong_FromLong(At<int8_t>(view_, row)); break;
    case TypeId::kSmallInt: object = PyLong_FromLong(At<int16_t>(view_, row)); break;
    case TypeId::kInteger: object = PyLong_FromLong(At<int32_t>(view_, row)); break;
    case TypeId::kBigInt: object = PyLong_FromLongLong(At<int64_t>(view_, row)); break;
    case TypeId::kUTinyInt: object = PyLong_FromLong(At<uint8_t>(view_, row)); break;
    case TypeId::kUSmallInt: object = PyLong_FromLong(At<uint16_t>(view_, row)); break;
    case TypeId::kUInteger: object = PyLong_FromUnsignedLong(At<uint32_t>(view_, row)); break;
    case TypeId::kUBigInt: object = PyLong_FromUnsignedLongLong(At<uint64_t>(view_, row)); break;
    case TypeId::kHugeInt: object = MakeInteger(ReadInteger(view_, row)); break;
    case TypeId::kReal: object = PyFloat_FromDouble(At<float>(view_, row)); break;
    case TypeId::kDouble: object = PyFloat_FromDouble(At<double>(view_, row)); break;
    case TypeId::kDecimal: object = MakeDecimal(ReadInteger(view_, row), view_.type.scale()); break;
    case TypeId::kNumeric: {
      std::string text;
      result_.AppendText(column_, row, text);
      object = MakeDecimal(text);
      break;
    }
    case TypeId::kVarchar:
    case TypeId::kJson:
    case TypeId::kJsonb: object = MakeText(result_.GetString(column_, row)); break;
    case TypeId::kBlob: {
      const std::string_view bytes = result_.GetString(column_, row);
      object = PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
      break;
    }
    case TypeId::kDate: object = MakeDate(At<int32_t>(view_, row)); break;
    case TypeId::kTime: object = MakeTime(At<int64_t>(view_, row)); break;
    case TypeId::kTimeTz: object = MakeTimeTz(At<int64_t>(view_, row)); break;
    case TypeId::kBit: {
      std::string digits;
      result_.AppendText(column_, row, digits);
      object = MakeText(digits);
      break;
    }
    case TypeId::kTimestamp: object = MakeTimestamp(At<int64_t>(view_, row)); break;
    case TypeId::kTimestampTz: object = MakeMoment(At<int64_t>(view_, row)); break;
    case TypeId::kUuid: object = MakeUuid(ReadInteger(view_, row)); break;
    case TypeId::kInterval: object = MakeTimeDelta(At<Interval>(view_, row)); break;
    case TypeId::kEnum:
      object = texts_.Get(view_.type.label(static_cast<size_t>(At<int16_t>(view_, row))));
      break;
    case TypeId::kList: {
      const Value value = result_.GetValue(column_, row);
      object = IsMap(view_.type) ? MakeMap(value) : MakeList(value);
      break;
    }
    case TypeId::kStruct: object = MakeValue(result_.GetValue(column_, row)); break;
    case TypeId::kRange: object = MakeRange(result_.GetValue(column_, row)); break;
    case TypeId::kMultirange: object = MakeList(result_.GetValue(column_, row)); break;
  }
  if (object == nullptr) throw py::error_already_set();
  return object;
}

py::object FindTimeZone(const std::string& name) {
  if (name == "UTC") return py::none();
  const py::module_ zoneinfo = py::module_::import("zoneinfo");
  try {
    return zoneinfo.attr("ZoneInfo")(name);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_KeyError) && !error.matches(PyExc_ValueError)) throw;
    return py::none();  // ZoneInfoNotFoundError is a KeyError.
  }
}

int128_t ReadInteger(const ColumnView& view, size_t row) {
  switch (view.value_bytes) {
    case 1: return At<int8_t>(view, row);
    case 2: return At<int16_t>(view, row);
    case 4: return At<int32_t>(view, row);
    case 8: return At<int64_t>(view, row);
    default: {
      int128_t value;
      std::memcpy(&value, static_cast<const char*>(view.data) + row * sizeof(value), sizeof(value));
      return value;
    }
  }
}

py::str TypeName(const LogicalType& type) { return py::str(type.ToString()); }

}  // namespace scaup::python
