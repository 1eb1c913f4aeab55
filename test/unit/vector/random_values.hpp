// Random values, vectors in every form and chunks of them, for the tests of several rooms.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "type/physical_type.hpp"
#include "vector/data_chunk.hpp"

namespace scaup::test {

using Random = std::mt19937_64;
using Row = std::vector<Value>;

inline size_t Below(Random& random, size_t bound) { return static_cast<size_t>(random() % bound); }
inline bool Chance(Random& random, size_t percent) { return Below(random, 100) < percent; }

/// One logical type for each physical type, and the parameterized ones.
inline const std::vector<LogicalType>& SampleTypes() {
  static const std::vector<LogicalType> types = {TypeId::kBoolean,
                                                 TypeId::kTinyInt,
                                                 TypeId::kSmallInt,
                                                 TypeId::kInteger,
                                                 TypeId::kBigInt,
                                                 TypeId::kHugeInt,
                                                 TypeId::kReal,
                                                 TypeId::kDouble,
                                                 TypeId::kVarchar,
                                                 TypeId::kBlob,
                                                 TypeId::kDate,
                                                 TypeId::kTime,
                                                 TypeId::kInterval,
                                                 TypeId::kTimestamp,
                                                 LogicalType::Decimal(4, 2),
                                                 LogicalType::Decimal(30, 5),
                                                 TypeId::kUTinyInt,
                                                 TypeId::kUSmallInt,
                                                 TypeId::kUInteger,
                                                 TypeId::kUBigInt};
  return types;
}

inline Value Number(const LogicalType& type, int64_t small) {
  if (IsUnsigned(type.id())) small = small < 0 ? -small : small;
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kBool: return Value::FromInteger(type, small & 1);
    case PhysicalType::kInt8: return Value::FromInteger(type, small % 128);
    case PhysicalType::kUInt8: return Value::FromInteger(type, small % 256);
    case PhysicalType::kFloat: return Value::Real(static_cast<float>(small) / 2);
    case PhysicalType::kDouble: return Value::Double(static_cast<double>(small) / 2);
    case PhysicalType::kInterval:
      return Value::MakeInterval({static_cast<int32_t>(small % 3), static_cast<int32_t>(small % 5), small});
    case PhysicalType::kString: {
      // Short and long ones, with shared prefixes and a byte of 1 here and there, in a BLOB of 0.
      std::string text = small % 3 == 0 ? "" : small % 3 == 1 ? "pre" : "a common long prefix ";
      if (small % 4 != 0) text += std::to_string(small);
      if (small % 7 == 0) text += type.id() == TypeId::kBlob ? '\0' : '\1';
      return type.id() == TypeId::kBlob ? Value::Blob(text) : Value::Varchar(text);
    }
    default: break;
  }
  // There are no times before midnight, nor numbers of more digits than a type has.
  if (type.id() == TypeId::kTime) return Value::Time(small < 0 ? -small : small);
  if (type.id() == TypeId::kDecimal && type.width() <= 4) small %= 10'000;
  return Value::FromInteger(type, small);
}

/// NULL in `null_percent` of the cases, else one of about `domain` values, now and then an extreme one.
inline Value RandomValue(Random& random, const LogicalType& type, size_t null_percent = 10,
                         size_t domain = 50, bool extremes = true) {
  if (Chance(random, null_percent)) return Value(type);
  if (extremes && Chance(random, 5)) {
    const bool high = Chance(random, 50);
    switch (PhysicalTypeOf(type)) {
      case PhysicalType::kInt8: return Value::FromInteger(type, high ? INT8_MAX : INT8_MIN);
      case PhysicalType::kUInt8: return Value::FromInteger(type, high ? UINT8_MAX : INT8_MAX + 1);
      case PhysicalType::kUInt16: return Value::FromInteger(type, high ? UINT16_MAX : INT16_MAX + 1);
      case PhysicalType::kUInt32:
        return Value::FromInteger(type, high ? int64_t{UINT32_MAX} : int64_t{INT32_MAX} + 1);
      case PhysicalType::kUInt64:
        return Value::FromInteger(type, high ? int128_t{UINT64_MAX} : int128_t{INT64_MAX} + 1);
      case PhysicalType::kInt16:
        if (type.id() == TypeId::kSmallInt) return Value::FromInteger(type, high ? INT16_MAX : INT16_MIN);
        break;
      case PhysicalType::kInt32:
        if (type.id() == TypeId::kInteger) return Value::FromInteger(type, high ? INT32_MAX : INT32_MIN);
        break;
      case PhysicalType::kInt64:
        if (type.id() == TypeId::kBigInt) return Value::FromInteger(type, high ? INT64_MAX : INT64_MIN);
        break;
      case PhysicalType::kInt128: {
        const int128_t big = (static_cast<int128_t>(1) << 90) + static_cast<int128_t>(Below(random, 3));
        return Value::FromInteger(type, high ? big : -big);
      }
      case PhysicalType::kFloat:
        return Value::Real(high ? std::numeric_limits<float>::quiet_NaN()
                                : -std::numeric_limits<float>::infinity());
      case PhysicalType::kDouble:
        return Value::Double(high                 ? std::numeric_limits<double>::quiet_NaN()
                             : Chance(random, 50) ? -0.0
                                                  : std::numeric_limits<double>::infinity());
      default: break;
    }
  }
  return Number(type, static_cast<int64_t>(Below(random, domain)) -
                          static_cast<int64_t>(domain / 2) * (IsStringLike(type) ? 0 : 1));
}

/// Whether values that are equal are written the same, and others not.
inline bool EqualsAsText(const LogicalType& type) {
  return type == TypeId::kInteger || type == TypeId::kBigInt || type == TypeId::kVarchar;
}

/// The same value, NaN included, bit for bit as far as text shows it.
inline bool SameValue(const Value& a, const Value& b) {
  if (EqualsAsText(a.type()) && EqualsAsText(b.type())) return a == b;
  if (a == b) return a.is_null() || a.ToString() == b.ToString();
  return a.type() == b.type() && !a.is_null() && !b.is_null() && !IsStringLike(a.type()) &&
         a.ToString() == b.ToString();
}

enum class Form { kFlat, kDictionary, kDistinctDictionary, kConstant };

/// The values as a flat vector.
inline Vector FlatVector(const LogicalType& type, const Row& values) {
  Vector vector(type);
  vector.Reset();
  for (size_t row = 0; row < values.size(); row++) vector.SetValue(row, values[row]);
  return vector;
}

/// The values in the wanted form; kConstant only where all are alike, else flat.
inline Vector MakeVector(Random& random, const LogicalType& type, const Row& values, Form form) {
  Vector result(type);
  if (form == Form::kConstant) {
    bool alike = !values.empty();
    for (const Value& value : values) alike = alike && SameValue(value, values[0]);
    if (alike) {
      result.ReferenceValue(values[0]);
      return result;
    }
  }
  if (form == Form::kFlat || form == Form::kConstant) return FlatVector(type, values);
  auto selection = std::make_shared<SelectionVector>();
  Row entries;
  if (form == Form::kDistinctDictionary) {
    for (size_t row = 0; row < values.size(); row++) {
      size_t entry = 0;
      while (entry < entries.size() && !SameValue(entries[entry], values[row])) entry++;
      if (entry == entries.size()) entries.push_back(values[row]);
      selection->rows[row] = static_cast<sel_t>(entry);
    }
  } else {
    std::vector<size_t> places(values.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::shuffle(places.begin(), places.end(), random);
    entries.resize(values.size());
    for (size_t row = 0; row < values.size(); row++) {
      entries[places[row]] = values[row];
      selection->rows[row] = static_cast<sel_t>(places[row]);
    }
  }
  const Vector child = FlatVector(type, entries);
  Dictionary dictionary{child.Data<std::byte>(), child.Validity(), entries.size(), child.SharedMemory(),
                        form == Form::kDistinctDictionary};
  result.ReferenceDictionary(std::move(dictionary), std::move(selection));
  return result;
}

inline Form RandomForm(Random& random) { return static_cast<Form>(Below(random, 4)); }

/// A chunk of the given rows, each column in a form of its own.
inline DataChunk MakeChunk(Random& random, const std::vector<LogicalType>& types,
                           const std::vector<Row>& rows) {
  DataChunk chunk(types);
  for (size_t column = 0; column < types.size(); column++) {
    Row values;
    for (const Row& row : rows) values.push_back(row[column]);
    chunk.column(column) = MakeVector(random, types[column], values, RandomForm(random));
  }
  chunk.SetSize(rows.size());
  return chunk;
}

inline std::vector<Row> RandomRows(Random& random, const std::vector<LogicalType>& types, size_t count,
                                   size_t null_percent = 10, size_t domain = 50, bool extremes = true) {
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    for (const LogicalType& type : types)
      row.push_back(RandomValue(random, type, null_percent, domain, extremes));
  }
  return rows;
}

inline std::vector<Row> RowsOf(const DataChunk& chunk) {
  std::vector<Row> rows(chunk.size());
  for (size_t row = 0; row < chunk.size(); row++) {
    for (size_t column = 0; column < chunk.column_count(); column++)
      rows[row].push_back(chunk.column(column).GetValue(row));
  }
  return rows;
}

/// One line for a row, to compare rows as multisets and to show them.
inline std::string TextOf(const Row& row) {
  std::string text;
  for (const Value& value : row) text += value.ToString() + '|';
  return text;
}
inline std::vector<std::string> SortedTexts(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(TextOf(row));
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace scaup::test
