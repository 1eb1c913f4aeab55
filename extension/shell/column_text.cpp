// Column text: integers and strings come from the column's memory, all other types from Value.
#include "column_text.hpp"

#include <charconv>

namespace scaup::shell {

namespace {

template <typename T>
void AppendInteger(const void* data, size_t row, std::string& out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<const T*>(data)[row]);
  out.append(buffer, end.ptr);
}

}  // namespace

ColumnText::ColumnText(const QueryResult& result, size_t column)
    : result_(&result), column_(column), view_(result.Column(column)) {}

void ColumnText::Append(size_t row, std::string& out) const {
  switch (view_.type.id()) {
    case TypeId::kVarchar:
    case TypeId::kJson:
    case TypeId::kJsonb: out.append(result_->GetString(column_, row)); return;
    case TypeId::kTinyInt: AppendInteger<int8_t>(view_.data, row, out); return;
    case TypeId::kSmallInt: AppendInteger<int16_t>(view_.data, row, out); return;
    case TypeId::kInteger: AppendInteger<int32_t>(view_.data, row, out); return;
    case TypeId::kBigInt: AppendInteger<int64_t>(view_.data, row, out); return;
    case TypeId::kUTinyInt: AppendInteger<uint8_t>(view_.data, row, out); return;
    case TypeId::kUSmallInt: AppendInteger<uint16_t>(view_.data, row, out); return;
    case TypeId::kUInteger: AppendInteger<uint32_t>(view_.data, row, out); return;
    case TypeId::kUBigInt: AppendInteger<uint64_t>(view_.data, row, out); return;
    default: result_->AppendText(column_, row, out); return;
  }
}

bool IsRightAligned(const LogicalType& type) { return type.IsNumeric(); }

}  // namespace scaup::shell
