// Values of any type as JSON: what to_json, json_build_object and json_agg write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Prints the rows of one vector, which it borrows. One thread.
class JsonPrinter {
 public:
  /// Casts the first `count` rows of `values` to text.
  JsonPrinter(const FunctionContext& context, Vector& values, size_t count);
  JsonPrinter(JsonPrinter&&) noexcept;
  ~JsonPrinter();

  bool IsNull(size_t row) const { return !texts_.IsValid(row); }
  /// The value as JSON; NULL is null.
  void Append(size_t row, std::string& out) const;
  /// The value as the name of an object's member: always a string. REQUIRES: not NULL.
  void AppendName(size_t row, std::string& out) const;

 private:
  enum class Form : uint8_t { kAsIs, kBoolean, kNumber, kTimestamp, kString, kList, kStruct };
  class Parts;
  void PrintParts(const FunctionContext& context, Vector& values, size_t count);

  Form form_;
  LogicalType type_;
  std::vector<Parts> parts_;  // The elements of all lists, or for each field of structs its values.
  std::vector<size_t> ends_;  // Of each list among the elements.
  Vector text_;
  TypedView<StringRef> texts_;
};

}  // namespace scaup
