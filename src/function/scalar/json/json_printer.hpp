// Values of any type as JSON: what to_json, json_build_object and json_agg write.
#pragma once

#include <string>

#include "function/function_context.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Prints the rows of one vector, which it borrows. One thread.
class JsonPrinter {
 public:
  /// Casts the first `count` rows of `values` to text.
  JsonPrinter(const FunctionContext& context, Vector& values, size_t count);

  bool IsNull(size_t row) const { return !texts_.IsValid(row); }
  /// The value as JSON; NULL is null.
  void Append(size_t row, std::string& out) const;
  /// The value as the name of an object's member: always a string. REQUIRES: not NULL.
  void AppendName(size_t row, std::string& out) const;

 private:
  enum class Form : uint8_t { kAsIs, kBoolean, kNumber, kTimestamp, kString };

  Form form_;
  bool is_json_;
  Vector text_;
  TypedView<StringRef> texts_;
};

}  // namespace scaup
