// Bound expressions: copying, comparing and printing, node by node.
#include "expression/expression.hpp"

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "expression/aggregate_text.hpp"
#include "expression/evaluated_once.hpp"
#include "expression/lambda.hpp"
#include "expression/window_expression.hpp"
#include "type/text/literal_text.hpp"

namespace scaup {

namespace {

std::vector<ExpressionPtr> CloneAll(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> copies;
  copies.reserve(expressions.size());
  for (const auto& expression : expressions) copies.push_back(expression->Clone());
  return copies;
}

std::string JoinExpressions(const std::vector<ExpressionPtr>& expressions, const char* separator) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); i++) {
    if (i != 0) text += separator;
    text += expressions[i]->ToString();
  }
  return text;
}

/// True for names that are operators rather than words.
bool IsSymbol(const std::string& name) {
  const char c = name.empty() ? 'a' : name[0];
  return !((c >= 'a' && c <= 'z') || c == '_');
}

template <typename T>
const T* SameKind(const Expression& self, const Expression& other) {
  if (self.kind() != other.kind() || !(self.type() == other.type())) return nullptr;
  return static_cast<const T*>(&other);
}

}  // namespace

ExpressionPtr MakeConstant(Value value) { return std::make_unique<ConstantExpression>(std::move(value)); }

// --- Leaves
// ------------------------------------------------------------------------------------------------------

ExpressionPtr ConstantExpression::Clone() const {
  auto copy = std::make_unique<ConstantExpression>(value);
  CopyBaseTo(*copy);
  return copy;
}
bool ConstantExpression::Equals(const Expression& other) const {
  const auto* that = SameKind<ConstantExpression>(*this, other);
  return that != nullptr && that->value == value;
}
std::string ConstantExpression::ToString() const { return LiteralText(value); }

ExpressionPtr ColumnRefExpression::Clone() const {
  auto copy = std::make_unique<ColumnRefExpression>(type(), binding, name);
  copy->outer_level = outer_level;
  CopyBaseTo(*copy);
  return copy;
}
bool ColumnRefExpression::Equals(const Expression& other) const {
  const auto* that = SameKind<ColumnRefExpression>(*this, other);
  return that != nullptr && that->binding == binding && that->outer_level == outer_level;
}
std::string ColumnRefExpression::ToString() const { return name; }

ExpressionPtr ReferenceExpression::Clone() const {
  auto copy = std::make_unique<ReferenceExpression>(type(), index, name);
  CopyBaseTo(*copy);
  return copy;
}
bool ReferenceExpression::Equals(const Expression& other) const {
  const auto* that = SameKind<ReferenceExpression>(*this, other);
  return that != nullptr && that->index == index;
}
std::string ReferenceExpression::ToString() const { return name.empty() ? fmt::format("#{}", index) : name; }

ExpressionPtr ParameterExpression::Clone() const {
  auto copy = std::make_unique<ParameterExpression>(type(), index);
  CopyBaseTo(*copy);
  return copy;
}
bool ParameterExpression::Equals(const Expression& other) const {
  const auto* that = SameKind<ParameterExpression>(*this, other);
  return that != nullptr && that->index == index;
}
std::string ParameterExpression::ToString() const { return fmt::format("${}", index + 1); }

// --- Functions and casts
// -----------------------------------------------------------------------------------------

ExpressionPtr FunctionExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<FunctionExpression>(function, data, CloneAll(arguments));
  copy->set_type(type());
  CopyBaseTo(*copy);
  return copy;
}
bool FunctionExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<FunctionExpression>(*this, other);
  return that != nullptr && that->function.name == function.name &&
         that->function.argument_types == function.argument_types && AllEqual(arguments, that->arguments) &&
         (data == nullptr || that->data == nullptr || data == that->data || data->IsSame(*that->data));
}
std::string FunctionExpression::ToString() const {
  CheckStack();
  if (IsSymbol(function.name) && arguments.size() == 2) {
    return fmt::format("({} {} {})", arguments[0]->ToString(), function.name, arguments[1]->ToString());
  }
  if (IsSymbol(function.name) && arguments.size() == 1) {
    return fmt::format("({}{})", function.name, arguments[0]->ToString());
  }
  const LambdaData* const lambda = LambdaOf(*this);
  if (const Expression* const body = OnceBodyOf(*this))
    return fmt::format("{}({}: {})", function.name, JoinExpressions(arguments, ", "), body->ToString());
  return fmt::format("{}({}{})", function.name, JoinExpressions(arguments, ", "),
                     lambda == nullptr ? "" : lambda->ToString());
}
void FunctionExpression::ForEachChild(const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  for (auto& argument : arguments) visit(argument);
}

ExpressionPtr CastExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<CastExpression>(child->Clone(), type(), function, is_try);
  CopyBaseTo(*copy);
  return copy;
}
bool CastExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<CastExpression>(*this, other);
  return that != nullptr && that->is_try == is_try && child->Equals(*that->child);
}
std::string CastExpression::ToString() const {
  CheckStack();
  return fmt::format("{}({} AS {})", is_try ? "TRY_CAST" : "CAST", child->ToString(), type().ToString());
}

// --- Predicates
// --------------------------------------------------------------------------------------------------

ExpressionPtr ComparisonExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<ComparisonExpression>(op, left->Clone(), right->Clone());
  CopyBaseTo(*copy);
  return copy;
}
bool ComparisonExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<ComparisonExpression>(*this, other);
  return that != nullptr && that->op == op && left->Equals(*that->left) && right->Equals(*that->right);
}
std::string ComparisonExpression::ToString() const {
  CheckStack();
  return fmt::format("{} {} {}", left->ToString(), ComparisonSymbol(op), right->ToString());
}

ExpressionPtr ConjunctionExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<ConjunctionExpression>(is_and, CloneAll(children));
  CopyBaseTo(*copy);
  return copy;
}
bool ConjunctionExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<ConjunctionExpression>(*this, other);
  return that != nullptr && that->is_and == is_and && AllEqual(children, that->children);
}
std::string ConjunctionExpression::ToString() const {
  CheckStack();
  return fmt::format("({})", JoinExpressions(children, is_and ? " AND " : " OR "));
}
void ConjunctionExpression::ForEachChild(const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  for (auto& child : children) visit(child);
}

ExpressionPtr NotExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<NotExpression>(child->Clone());
  CopyBaseTo(*copy);
  return copy;
}
bool NotExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<NotExpression>(*this, other);
  return that != nullptr && child->Equals(*that->child);
}
std::string NotExpression::ToString() const {
  CheckStack();
  return fmt::format("NOT ({})", child->ToString());
}

ExpressionPtr IsNullExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<IsNullExpression>(child->Clone(), negated);
  CopyBaseTo(*copy);
  return copy;
}
bool IsNullExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<IsNullExpression>(*this, other);
  return that != nullptr && that->negated == negated && child->Equals(*that->child);
}
std::string IsNullExpression::ToString() const {
  CheckStack();
  return fmt::format("{} IS {}NULL", child->ToString(), negated ? "NOT " : "");
}

ExpressionPtr InListExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<InListExpression>(child->Clone(), values, negated);
  CopyBaseTo(*copy);
  return copy;
}
bool InListExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<InListExpression>(*this, other);
  return that != nullptr && that->negated == negated && that->values == values && child->Equals(*that->child);
}
std::string InListExpression::ToString() const {
  CheckStack();
  std::string list;
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < values.size() && i < kShown; i++) {
    if (i != 0) list += ", ";
    list += LiteralText(values[i]);
  }
  if (values.size() > kShown) list += fmt::format(", ... {} more", values.size() - kShown);
  return fmt::format("{} {}IN ({})", child->ToString(), negated ? "NOT " : "", list);
}

ExpressionPtr CaseExpression::Clone() const {
  CheckStack();
  std::vector<Branch> copies;
  copies.reserve(branches.size());
  for (const Branch& branch : branches) copies.push_back({branch.condition->Clone(), branch.result->Clone()});
  auto copy = std::make_unique<CaseExpression>(type(), std::move(copies), otherwise->Clone());
  CopyBaseTo(*copy);
  return copy;
}
bool CaseExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<CaseExpression>(*this, other);
  if (that == nullptr || that->branches.size() != branches.size() || !otherwise->Equals(*that->otherwise))
    return false;
  for (size_t i = 0; i < branches.size(); i++) {
    if (!branches[i].condition->Equals(*that->branches[i].condition)) return false;
    if (!branches[i].result->Equals(*that->branches[i].result)) return false;
  }
  return true;
}
std::string CaseExpression::ToString() const {
  CheckStack();
  std::string text = "CASE";
  for (const Branch& branch : branches) {
    text += fmt::format(" WHEN {} THEN {}", branch.condition->ToString(), branch.result->ToString());
  }
  return text + fmt::format(" ELSE {} END", otherwise->ToString());
}
void CaseExpression::ForEachChild(const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  for (Branch& branch : branches) {
    visit(branch.condition);
    visit(branch.result);
  }
  visit(otherwise);
}

ExpressionPtr AggregateExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<AggregateExpression>(function, data, CloneAll(arguments), distinct,
                                                    filter ? filter->Clone() : nullptr);
  copy->set_type(type());
  CopyBaseTo(*copy);
  return copy;
}
bool AggregateExpression::Equals(const Expression& other) const {
  CheckStack();
  const auto* that = SameKind<AggregateExpression>(*this, other);
  return that != nullptr && that->function.name == function.name && that->distinct == distinct &&
         that->function.data == function.data && that->function.order == function.order &&
         that->function.unsorted_arguments == function.unsorted_arguments &&
         AllEqual(arguments, that->arguments) && EqualOrBothNull(filter, that->filter);
}
std::string AggregateText(const AggregateFunction& function, const std::vector<ExpressionPtr>& arguments,
                          bool distinct) {
  if (function.name == "count_star") return "count(*)";
  std::vector<std::string> own, keys;
  const bool is_sorted = !function.order.empty();
  for (size_t i = 0; i < (is_sorted ? function.unsorted_arguments : arguments.size()); i++)
    own.push_back(arguments[i]->ToString());
  for (const AggregateOrder& key : function.order) {
    keys.push_back(arguments[key.argument]->ToString() + (key.descending ? " DESC" : "") +
                   (key.nulls_first == key.descending ? ""
                    : key.nulls_first                 ? " NULLS FIRST"
                                                      : " NULLS LAST"));
  }
  return fmt::format("{}({}{}{}{})", function.name, distinct ? "DISTINCT " : "", fmt::join(own, ", "),
                     is_sorted ? " ORDER BY " : "", fmt::join(keys, ", "));
}

std::string AggregateExpression::ToString() const {
  CheckStack();
  std::string text = AggregateText(function, arguments, distinct);
  if (filter) text += fmt::format(" FILTER (WHERE {})", filter->ToString());
  return text;
}
void AggregateExpression::ForEachChild(const std::function<void(ExpressionPtr&)>& visit) {
  CheckStack();
  for (auto& argument : arguments) visit(argument);
  if (filter) visit(filter);
}

}  // namespace scaup
