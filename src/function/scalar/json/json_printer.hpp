// Prints values of any type as JSON, for to_json, json_build_object and json_agg.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Prints the rows of one vector, which it borrows. One thread at a time.
class JsonPrinter {
 public:
  /// Casts the first `count` rows of `values` to text.
  JsonPrinter(const FunctionContext& context, Vector& values, size_t count);
  JsonPrinter(JsonPrinter&&) noexcept;
  ~JsonPrinter();

  /// Whether the values are lists, structs or maps.
  bool is_nested() const { return form_ >= Form::kList; }
  bool IsNull(size_t row) const { return !texts_.IsValid(row); }
  /// Appends the value as JSON; NULL becomes null.
  void Append(size_t row, std::string& out) const;
  /// Appends a list with each element on a line of its own. REQUIRES: the values are lists, and not NULL.
  void AppendLines(size_t row, std::string& out) const;
  /// Appends the value as a member name, which is always a string. REQUIRES: not NULL.
  void AppendName(size_t row, std::string& out) const;

 private:
  enum class Form : uint8_t { kAsIs, kBoolean, kNumber, kTimestamp, kString, kList, kStruct, kMap, kUnion };
  class Parts;
  void AppendList(size_t row, std::string_view separator, std::string& out) const;
  void AppendMap(size_t row, std::string& out) const;
  void PrintParts(const FunctionContext& context, Vector& values, size_t count);

  Form form_;
  LogicalType type_;
  std::vector<Parts>
      parts_;  // the elements of all lists, the keys and values of maps, or each field of structs
  std::vector<size_t> ends_;  // the end of each list or map among them
  Vector text_;
  TypedView<StringRef> texts_;
};

}  // namespace scaup
