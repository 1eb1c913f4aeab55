// Types of calls of functions of ranges.
#include "function/scalar/range/range_binding.hpp"

#include "common/throw.hpp"
#include "type/packed_value.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowRangesDiffer(const ScalarFunction& function, std::span<const BindArgument> arguments) {
  const bool is_operator = function.name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  std::string call = is_operator ? "operator " : "function " + function.name + "(";
  for (size_t i = 0; i < arguments.size(); i++) {
    if (i != 0) call += is_operator ? " " + function.name + " " : ", ";
    call += PostgresTypeName(arguments[i].type);
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             call + (is_operator ? "" : ")") +
                 " does not exist; ranges, and values in them, must be of one type: cast them");
}

}  // namespace

LogicalType BindRangeArguments(ScalarFunction& function, std::span<const BindArgument> arguments) {
  LogicalType bound;
  for (const BindArgument& argument : arguments) {
    if (!IsRangeOrMultirange(argument.type.id())) continue;
    const LogicalType& other = RangeBoundType(argument.type);
    if (bound.id() != TypeId::kNull && bound != other) ThrowRangesDiffer(function, arguments);
    bound = other;
  }
  if (bound.id() == TypeId::kNull) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               function.name + " is not unique: cast an argument to the range type that is meant");
  }
  for (size_t i = 0; i < arguments.size(); i++) {
    LogicalType& parameter = function.argument_types[i];
    if (parameter.id() == TypeId::kRange) {
      parameter = RangeType(bound);
    } else if (parameter.id() == TypeId::kMultirange) {
      parameter = MultirangeType(bound);
    } else {
      if (!ImplicitCastCost(arguments[i].type, bound)) ThrowRangesDiffer(function, arguments);
      parameter = bound;
    }
  }
  return bound;
}

bool SpanReader::Read(size_t row, RangeSpans& spans) {
  if (!values_.IsValid(row)) return false;
  if (is_constant_ && is_read_) return true;
  is_read_ = true;
  spans.clear();
  if (IsRangeOrMultirange(type_.id())) {
    ReadSpans(type_, values_.As<StringRef>()[row].view(), spans);
    return true;
  }
  before_.clear();
  append_(type_, values_, row, before_);
  behind_ = before_;
  AppendFixedSlot(uint8_t{0}, before_);
  AppendFixedSlot(uint8_t{1}, behind_);
  spans.push_back({before_, behind_});
  return true;
}

}  // namespace scaup
