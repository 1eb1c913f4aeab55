// Column text: reads the values of a result column as text.
#pragma once

#include <string>

#include "scaup/result.hpp"

namespace scaup::shell {

/// A column of a result, whose values are read as text. Common types are read without a Value. Borrows the
/// result.
class ColumnText {
 public:
  ColumnText(const QueryResult& result, size_t column);

  bool IsNull(size_t row) const { return view_.nulls != nullptr && view_.nulls[row] != 0; }
  /// Appends the value's SQL text to `out`. REQUIRES: the value is not NULL.
  void Append(size_t row, std::string& out) const;
  const LogicalType& type() const { return view_.type; }

 private:
  const QueryResult* result_;
  size_t column_;
  ColumnView view_;
};

/// Returns whether values of the type are aligned to the right.
bool IsRightAligned(const LogicalType& type);

}  // namespace scaup::shell
