// SqliteValue: one of SQLite's five kinds of values, and its conversions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "scaup/scaup.hpp"

namespace scaup::sqlite {

/// A value of SQLite: NULL, an integer, a real number, a text or a blob. A value type.
class SqliteValue {
 public:
  struct Text {
    std::string bytes;
    friend bool operator==(const Text&, const Text&) = default;
  };
  struct Blob {
    std::string bytes;
    friend bool operator==(const Blob&, const Blob&) = default;
  };

  SqliteValue() = default;
  explicit SqliteValue(int64_t integer) : data_(integer) {}
  /// Makes a real number; NaN becomes NULL, as in SQLite.
  explicit SqliteValue(double real) {
    if (real == real) data_ = real;
  }
  static SqliteValue MakeText(std::string bytes) { return SqliteValue(Text{std::move(bytes)}); }
  static SqliteValue MakeBlob(std::string bytes) { return SqliteValue(Blob{std::move(bytes)}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(data_); }
  bool is_real() const { return std::holds_alternative<double>(data_); }
  bool is_text() const { return std::holds_alternative<Text>(data_); }
  bool is_blob() const { return std::holds_alternative<Blob>(data_); }
  /// Returns SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL.
  int TypeCode() const;
  /// Returns "integer", "real", "text", "blob" or "null".
  const char* TypeName() const;

  // Conversions as sqlite3_value_int64() and its like make them: the longest prefix of a text that is a
  // number.
  int64_t AsInteger() const;
  double AsReal() const;
  std::string AsText() const;
  /// Returns the bytes of a text or blob, and the text of a number.
  std::string AsBytes() const { return AsText(); }
  /// Returns the value as SQL, as quote() writes it.
  std::string AsSql() const;

  /// Returns the value as the engine takes it as a parameter.
  Value ToEngine() const;
  /// Converts any value of the engine: BOOLEAN to 0 and 1, integers that fit to integers, DECIMAL and larger
  /// integers to real numbers, what was stored as a value of any kind to this value, and all else to text.
  static SqliteValue FromEngine(const QueryResult& result, size_t column, size_t row);

  friend bool operator==(const SqliteValue&, const SqliteValue&) = default;

 private:
  explicit SqliteValue(Text text) : data_(std::move(text)) {}
  explicit SqliteValue(Blob blob) : data_(std::move(blob)) {}
  std::variant<std::monostate, int64_t, double, Text, Blob> data_;
};

/// Returns the text of a number as SQLite writes it: 15 digits, and always a point or an exponent.
std::string RealToText(double real);

/// Returns the number that a whole text is, if it is one: spaces around it are allowed.
SqliteValue NumberOfText(std::string_view text);

/// Returns whether the engine can hold the bytes as a text: UTF-8 without NUL.
bool IsText(std::string_view bytes);

/// Makes the error for a value of another kind than a statement or column needs.
Error WrongKindError(const SqliteValue& value, const std::string& wanted);

// Values of any kind as bytes, so that SQL can hold them in one column. Their order is SQLite's: numbers,
// texts, blobs.
std::string EncodeValue(const SqliteValue& value);
SqliteValue DecodeValue(std::string_view bytes);

/// Returns the engine's type of columns and functions that have values of any kind: a struct around the
/// bytes.
const LogicalType& DynamicType();
/// The type as SQL writes it.
inline constexpr char kDynamicTypeName[] = "STRUCT(sqlite_value BYTEA)";
/// Makes a value of that type; NULL stays NULL.
Value MakeDynamic(const SqliteValue& value);

}  // namespace scaup::sqlite
