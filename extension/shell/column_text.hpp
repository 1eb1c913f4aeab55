// Reads the values of a result column as text.
#pragma once

#include <string>

#include "scaup/result.hpp"

namespace scaup::shell {

/// One column of a result, read as text without boxing where that is easy. Borrows the result, which must
/// outlive it.
class ColumnText {
 public:
  ColumnText(const QueryResult& result, size_t column);

  bool IsNull(size_t row) const { return view_.nulls != nullptr && view_.nulls[row] != 0; }
  /// Appends SQL's text form. REQUIRES: not NULL.
  void Append(size_t row, std::string& out) const;
  const LogicalType& type() const { return view_.type; }

 private:
  const QueryResult* result_;
  size_t column_;
  ColumnView view_;
};

/// True for types whose values are aligned to the right.
bool IsRightAligned(const LogicalType& type);

}  // namespace scaup::shell
