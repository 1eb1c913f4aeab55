// Writes operators of filters, and puts the values of parameters into the predicate of a generic plan.
#include "type/scan_predicate.hpp"

namespace scaup {

const char* ScanFilter::TextOf(Op op) {
  switch (op) {
    case Op::kEqual: return "=";
    case Op::kNotEqual: return "<>";
    case Op::kLess: return "<";
    case Op::kLessEqual: return "<=";
    case Op::kGreater: return ">";
    case Op::kGreaterEqual: return ">=";
    case Op::kIsNull: return "IS NULL";
    case Op::kIsNotNull: return "IS NOT NULL";
    case Op::kTest: break;
  }
  return "?";
}

std::optional<ScanPredicate> ScanPredicate::WithParameters(std::span<const Value> values) const {
  ScanPredicate predicate{filters, {}, alternatives, text_searches};
  for (const ParameterFilter& by_parameter : parameter_filters) {
    const Value& value = values[by_parameter.parameter];
    if (value.is_null()) return std::nullopt;  // A comparison with NULL is never true.
    predicate.filters.push_back(by_parameter.filter);
    predicate.filters.back().constant = value;
  }
  return predicate;
}

}  // namespace scaup
