// Writes values of documents into vectors of any type, lists and structs included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/json/json_tokens.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Converts the values of one column. Texts of the usual forms are read by fast parsers, all others as casts
/// of texts read them. One thread at a time.
class JsonValueWriter {
 public:
  /// `zone` applies to moments that name none; null means UTC. It is borrowed.
  JsonValueWriter(LogicalType type, const TimeZone* zone);

  const LogicalType& type() const { return type_; }
  /// Begins the rows of a vector, of which strings may point into the text that `owner` keeps alive. All rows
  /// are NULL.
  void Begin(Vector& output, std::shared_ptr<const void> owner);
  /// Makes a row NULL.
  void Clear(size_t row);
  /// Writes a value. Returns false if it is not of the type; the row is then NULL, and bad_text() is the text
  /// that is not. Throws Error(kConversion) for a string that no SQL text can hold. The text of documents is
  /// followed by kTextPadding readable bytes.
  bool Write(const JsonTokens& document, size_t value, size_t row);
  const std::string& bad_text() const { return text_; }

 private:
  bool WriteFast(std::string_view json, JsonKind kind, size_t row);
  bool WriteText(std::string_view json, JsonKind kind, size_t row);
  bool ParseCell(std::string_view json, JsonKind kind, const LogicalType& type);
  bool AppendPacked(const LogicalType& type, size_t value);
  bool AppendFields(const LogicalType& type, size_t value);
  bool AppendEntries(const LogicalType& type, size_t value);
  bool AppendMember(const LogicalType& type, size_t value);
  bool AppendSlot(const LogicalType& type, size_t value);
  bool AppendFastSlot(const LogicalType& type, std::string_view json, JsonKind kind);
  size_t FindField(const std::vector<StructField>& fields, std::string_view quoted, size_t expected);

  const LogicalType type_;
  const TimeZone* zone_;
  Vector* output_ = nullptr;
  ValidityWord* validity_ = nullptr;
  std::byte* data_ = nullptr;
  const JsonTokens* document_ = nullptr;  // of the value in work
  std::string packed_;                    // slots of a list or struct
  std::vector<uint32_t> places_;          // stack: the values of the fields of the structs in work
  std::string text_, name_;               // scratch
  Value parsed_;
};

}  // namespace scaup
