// Writes conditions whose meaning is the same everywhere.
#include "format/foreign/foreign_sql.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

std::optional<std::string> NumberText(const Value& constant) {
  switch (constant.type().id()) {
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt: return constant.ToString();
    case TypeId::kDouble: {
      const double number = constant.GetDouble();
      // Above all numbers here, but not elsewhere.
      if (!std::isfinite(number)) return std::nullopt;
      return fmt::format("{:.17e}", number);
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::string ForeignColumns(const BoundTableFunction& bound, const std::vector<size_t>& columns) {
  std::string list;
  for (const size_t column : columns)
    list += (list.empty() ? "" : ", ") + QuotedIdentifier(bound.column_names[column]);
  return list.empty() ? "NULL" : list;
}

std::string ForeignConditions(const BoundTableFunction& bound, const std::vector<ScanFilter>& filters,
                              bool (*may_compare_text)(const BoundTableFunction& bound, size_t column,
                                                       ScanFilter::Op op),
                              const char* text_collation) {
  std::string conditions;
  for (const ScanFilter& filter : filters) {
    if (filter.op == ScanFilter::Op::kTest || filter.column >= bound.column_names.size()) continue;
    std::string condition = QuotedIdentifier(bound.column_names[filter.column]);
    if (filter.is_null_test()) {
      condition += fmt::format(" {}", ScanFilter::TextOf(filter.op));
    } else if (filter.constant.type().id() == TypeId::kVarchar) {
      if (!may_compare_text(bound, filter.column, filter.op)) continue;
      condition += fmt::format("{} {} {}", text_collation, ScanFilter::TextOf(filter.op),
                               QuotedText(filter.constant.GetString()));
    } else {
      const auto number = NumberText(filter.constant);
      if (!number) continue;
      condition += fmt::format(" {} {}", ScanFilter::TextOf(filter.op), *number);
    }
    conditions += (conditions.empty() ? " WHERE " : " AND ") + condition;
  }
  return conditions;
}

}  // namespace scaup
