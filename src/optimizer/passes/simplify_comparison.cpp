// Simplification rules for comparisons, IN lists and LIKE.
#include <algorithm>
#include <cmath>

#include "optimizer/passes/simplification_rules.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/time/date_time.hpp"
#include "type/type_rules.hpp"

namespace scaup {
namespace {

bool IsExactNumber(const LogicalType& type) { return type.IsInteger() || type.id() == TypeId::kDecimal; }

/// The most digits before the point that an exact number of the type can have.
int IntegerDigits(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kTinyInt: return 3;
    case TypeId::kSmallInt: return 5;
    case TypeId::kInteger: return 10;
    case TypeId::kBigInt: return 19;
    case TypeId::kHugeInt: return 39;
    case TypeId::kUTinyInt: return 3;
    case TypeId::kUSmallInt: return 5;
    case TypeId::kUInteger: return 10;
    case TypeId::kUBigInt: return 20;
    default: return type.width() - type.scale();
  }
}

/// Whether the cast preserves order and distinctness and never fails.
bool IsExactCast(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kDate) return to.id() == TypeId::kTimestamp;
  if (!IsExactNumber(from)) return false;
  if (to.id() == TypeId::kDouble) {
    constexpr int kExactDigits = 15;
    return from.IsInteger() && IntegerDigits(from) <= kExactDigits;
  }
  if (!IsExactNumber(to)) return false;
  if (from.IsInteger() && to.IsInteger()) return from != to && ImplicitCastCost(from, to).has_value();
  return to.scale() >= from.scale() && IntegerDigits(to) >= IntegerDigits(from);
}

bool FitsType(int128_t stored, const LogicalType& type) {
  const auto within_bits = [&](int bits) {
    const int128_t limit = int128_t{1} << (bits - 1);
    return stored >= -limit && stored < limit;
  };
  switch (type.id()) {
    case TypeId::kTinyInt: return within_bits(8);
    case TypeId::kSmallInt: return within_bits(16);
    case TypeId::kInteger: return within_bits(32);
    case TypeId::kBigInt: return within_bits(64);
    case TypeId::kHugeInt: return true;
    case TypeId::kUTinyInt: return stored >= 0 && stored <= UINT8_MAX;
    case TypeId::kUSmallInt: return stored >= 0 && stored <= UINT16_MAX;
    case TypeId::kUInteger: return stored >= 0 && stored <= UINT32_MAX;
    case TypeId::kUBigInt: return stored >= 0 && stored <= UINT64_MAX;
    case TypeId::kDecimal: return stored < PowerOfTen(type.width()) && stored > -PowerOfTen(type.width());
    case TypeId::kDate: return within_bits(32) && IsDateInRange(static_cast<int32_t>(stored));
    default: return false;
  }
}

int128_t FloorDivide(int128_t value, int128_t divisor, bool& is_exact) {
  int128_t quotient = value / divisor;
  is_exact = quotient * divisor == value;
  if (!is_exact && value < 0) quotient--;
  return quotient;
}

/// Finds the greatest value of `narrow` that is <= constant; is_exact tells whether the two are equal.
/// Returns false if unknown.
bool ConvertDown(const Value& constant, const LogicalType& narrow, Value& result, bool& is_exact) {
  int128_t stored;
  if (constant.type().id() == TypeId::kDouble) {
    const double number = constant.GetDouble();
    if (!std::isfinite(number) || std::abs(number) > 9e18) return false;
    stored = static_cast<int64_t>(std::floor(number));
    is_exact = std::floor(number) == number;
  } else if (narrow.id() == TypeId::kDate) {
    const int128_t micros = constant.GetInteger();
    if (IsInfiniteTimestamp(static_cast<int64_t>(micros))) return false;
    stored = FloorDivide(micros, kMicrosPerDay, is_exact);
  } else {
    const int surplus = constant.type().scale() - narrow.scale();
    if (surplus < 0) return false;
    stored = FloorDivide(constant.GetInteger(), PowerOfTen(static_cast<uint8_t>(surplus)), is_exact);
  }
  if (!FitsType(stored, narrow)) return false;
  result = Value::FromInteger(narrow, stored);
  return true;
}

/// Rewrites CAST(x AS wide) op constant to x op' constant'. Returns false if the constant has no counterpart;
/// for = and <> statistics propagation then decides by ranges.
bool CompareWithoutCast(ComparisonExpression& comparison, ExpressionPtr& operand) {
  Value narrow;
  bool is_exact = false;
  const Value& constant = ConstantOf(*comparison.right);
  if (!ConvertDown(constant, operand->type(), narrow, is_exact)) return false;
  ComparisonOp op = comparison.op;
  if (!is_exact) {
    switch (op) {
      case ComparisonOp::kLess:
      case ComparisonOp::kLessEqual: op = ComparisonOp::kLessEqual; break;
      case ComparisonOp::kGreater:
      case ComparisonOp::kGreaterEqual: op = ComparisonOp::kGreater; break;
      case ComparisonOp::kEqual:
      case ComparisonOp::kNotEqual:
      case ComparisonOp::kDistinctFrom:
      case ComparisonOp::kNotDistinctFrom: return false;
    }
  }
  comparison.op = op;
  comparison.left = ExpressionPtr(std::move(operand));
  comparison.right = MakeConstant(std::move(narrow));
  return true;
}

/// The text of a pattern up to its first wildcard, and properties of the rest.
struct PatternHead {
  std::string prefix;
  bool is_exact = true;      ///< there is no wildcard
  bool ends_in_any = false;  ///< only % follows the prefix
  bool is_valid = true;
};

PatternHead ReadPattern(const std::string& pattern) {
  PatternHead head;
  size_t i = 0;
  for (; i < pattern.size() && pattern[i] != '%' && pattern[i] != '_'; i++) {
    if (pattern[i] == '\\' && ++i == pattern.size()) {
      head.is_valid = false;
      return head;
    }
    head.prefix.push_back(pattern[i]);
  }
  head.is_exact = i == pattern.size();
  head.ends_in_any = !head.is_exact && pattern.find_first_not_of('%', i) == std::string::npos;
  return head;
}

/// The operand and pattern of x LIKE 'constant'; null for other expressions.
ExpressionPtr* LikeOperand(Expression& expression, const std::string*& pattern) {
  if (expression.kind() != ExpressionKind::kFunction) return nullptr;
  auto& call = expression.As<FunctionExpression>();
  if (call.function.name != "~~" && call.function.name != "!~~") return nullptr;
  if (call.arguments.size() != 2 || !IsConstant(*call.arguments[1])) return nullptr;
  if (call.arguments[0]->type().id() != TypeId::kVarchar) return nullptr;
  const Value& value = ConstantOf(*call.arguments[1]);
  if (value.is_null() || value.type().id() != TypeId::kVarchar) return nullptr;
  pattern = &value.GetString();
  return &call.arguments[0];
}

/// Turns a prefix into an upper bound: cuts it after the last byte that can be incremented within ASCII, and
/// increments that byte. All texts with the prefix are less than the bound. Returns false if there is no such
/// byte.
bool MakeUpperBound(std::string& prefix) {
  while (!prefix.empty() && (static_cast<unsigned char>(prefix.back()) >= 0x7e)) prefix.pop_back();
  if (prefix.empty()) return false;
  prefix.back()++;
  return true;
}

}  // namespace

ExpressionPtr* ExactCastOperand(Expression& expression) {
  if (expression.kind() != ExpressionKind::kCast) return nullptr;
  auto& cast = expression.As<CastExpression>();
  return IsExactCast(cast.child->type(), cast.type()) ? &cast.child : nullptr;
}

ExpressionPtr SimplifyComparison(ExpressionPtr expression) {
  if (expression->kind() != ExpressionKind::kComparison) return expression;
  auto& comparison = expression->As<ComparisonExpression>();
  const auto is_given = [](const Expression& side) {
    return IsConstant(side) || side.kind() == ExpressionKind::kParameter;
  };
  if (is_given(*comparison.left) && !is_given(*comparison.right)) {
    std::swap(comparison.left, comparison.right);
    comparison.op = FlipComparison(comparison.op);
  }
  ExpressionPtr* left = ExactCastOperand(*comparison.left);
  ExpressionPtr* right = ExactCastOperand(*comparison.right);
  if (left != nullptr && right != nullptr && (*left)->type() == (*right)->type()) {
    comparison.left = ExpressionPtr(std::move(*left));
    comparison.right = ExpressionPtr(std::move(*right));
    return expression;
  }
  if (!IsConstant(*comparison.right)) return expression;
  if (ConstantOf(*comparison.right).is_null()) {
    if (comparison.op == ComparisonOp::kDistinctFrom || comparison.op == ComparisonOp::kNotDistinctFrom) {
      return std::make_unique<IsNullExpression>(std::move(comparison.left),
                                                comparison.op == ComparisonOp::kDistinctFrom);
    }
    return MakeConstant(Value(TypeId::kBoolean));
  }
  // The operand of a cast may be a cast itself.
  while (left != nullptr && CompareWithoutCast(comparison, *left)) left = ExactCastOperand(*comparison.left);
  return expression;
}

ExpressionPtr SimplifyInList(ExpressionPtr expression) {
  if (expression->kind() != ExpressionKind::kInList) return expression;
  auto& list = expression->As<InListExpression>();
  if (ExpressionPtr* operand = ExactCastOperand(*list.child)) {
    // A value that the narrow type lacks equals nothing and is dropped, but at least one value must remain.
    std::vector<Value> narrow_values;
    for (const Value& value : list.values) {
      Value narrow;
      bool is_exact = false;
      if (!value.is_null() && value.type().id() == TypeId::kTimestamp &&
          IsInfiniteTimestamp(value.GetBigInt())) {
        return expression;  // DATE has infinities of its own
      }
      if (value.is_null()) {
        narrow_values.push_back(Value((*operand)->type()));
      } else if (ConvertDown(value, (*operand)->type(), narrow, is_exact) && is_exact) {
        narrow_values.push_back(std::move(narrow));
      }
    }
    if (!narrow_values.empty()) {
      list.child = ExpressionPtr(std::move(*operand));
      list.values = std::move(narrow_values);
    }
  }
  constexpr size_t kMostCompared = 256;
  if (list.values.size() <= kMostCompared) {
    std::vector<Value> distinct;
    for (Value& value : list.values) {
      if (std::find(distinct.begin(), distinct.end(), value) == distinct.end())
        distinct.push_back(std::move(value));
    }
    list.values = std::move(distinct);
  }
  if (list.values.size() != 1) return expression;
  const ComparisonOp op = list.negated ? ComparisonOp::kNotEqual : ComparisonOp::kEqual;
  return SimplifyComparison(
      std::make_unique<ComparisonExpression>(op, std::move(list.child), MakeConstant(list.values[0])));
}

ExpressionPtr SimplifyLike(ExpressionPtr expression) {
  const std::string* pattern = nullptr;
  ExpressionPtr* operand = LikeOperand(*expression, pattern);
  if (operand == nullptr) return expression;
  const PatternHead head = ReadPattern(*pattern);
  if (!head.is_valid || !head.is_exact) return expression;
  const bool negated = expression->As<FunctionExpression>().function.name == "!~~";
  return std::make_unique<ComparisonExpression>(negated ? ComparisonOp::kNotEqual : ComparisonOp::kEqual,
                                                std::move(*operand),
                                                MakeConstant(Value::Varchar(head.prefix)));
}

void AddLikeRanges(std::vector<ExpressionPtr>& predicates) {
  const size_t count = predicates.size();
  for (size_t i = 0; i < count; i++) {
    const std::string* pattern = nullptr;
    ExpressionPtr* operand = LikeOperand(*predicates[i], pattern);
    if (operand == nullptr || (*operand)->kind() != ExpressionKind::kColumnRef) continue;
    if (predicates[i]->As<FunctionExpression>().function.name != "~~") continue;
    const PatternHead head = ReadPattern(*pattern);
    if (!head.is_valid || head.is_exact || head.prefix.empty()) continue;
    std::string upper = head.prefix;
    if (!MakeUpperBound(upper)) continue;
    const bool is_whole = head.ends_in_any && upper.size() == head.prefix.size();
    auto below = std::make_unique<ComparisonExpression>(ComparisonOp::kLess, (*operand)->Clone(),
                                                        MakeConstant(Value::Varchar(upper)));
    auto from = std::make_unique<ComparisonExpression>(ComparisonOp::kGreaterEqual, (*operand)->Clone(),
                                                       MakeConstant(Value::Varchar(head.prefix)));
    predicates.push_back(std::move(below));
    if (is_whole) {
      predicates[i] = std::move(from);  // the range is equivalent to the pattern
    } else {
      predicates.push_back(std::move(from));
    }
  }
}

}  // namespace scaup
