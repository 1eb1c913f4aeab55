// Predicates that follow from others and drop rows earlier.
#include "optimizer/passes/implied_predicates.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "planner/node/join.hpp"

namespace scaup {
namespace {

const ColumnRefExpression* AsColumn(const Expression& expression) {
  return expression.kind() == ExpressionKind::kColumnRef ? &expression.As<ColumnRefExpression>() : nullptr;
}

/// The column that `predicate` compares only with constants; null if there is none.
const ColumnRefExpression* RestrictedColumn(const Expression& predicate) {
  if (predicate.kind() == ExpressionKind::kComparison) {
    const auto& comparison = predicate.As<ComparisonExpression>();
    const ExpressionKind right = comparison.right->kind();
    if (comparison.op == ComparisonOp::kDistinctFrom || comparison.op == ComparisonOp::kNotDistinctFrom)
      return nullptr;
    if (right != ExpressionKind::kConstant && right != ExpressionKind::kParameter) return nullptr;
    return AsColumn(*comparison.left);
  }
  if (predicate.kind() == ExpressionKind::kInList) return AsColumn(*predicate.As<InListExpression>().child);
  return nullptr;
}

ExpressionPtr WithColumn(const Expression& predicate, const ColumnRefExpression& from,
                         const ColumnRefExpression& to) {
  ExpressionPtr copy = predicate.Clone();
  ForEachColumnRef(copy, [&](ColumnRefExpression& ref) {
    if (ref.binding != from.binding) return;
    ref.binding = to.binding;
    ref.name = to.name;
  });
  return copy;
}

void AddUnlessThere(std::vector<ExpressionPtr>& predicates, ExpressionPtr predicate) {
  const bool is_there =
      std::any_of(predicates.begin(), predicates.end(), [&](const auto& p) { return p->Equals(*predicate); });
  if (!is_there) predicates.push_back(std::move(predicate));
}

/// Classes of columns that equality predicates make equal.
class ColumnClasses {
 public:
  void Add(const ColumnRefExpression& a, const ColumnRefExpression& b) {
    const size_t first = ClassOf(a), second = ClassOf(b);
    if (first == second) return;
    for (auto& column : classes_[second]) classes_[first].push_back(std::move(column));
    classes_[second].clear();
  }
  const std::vector<ExpressionPtr>* Find(ColumnBinding binding) const {
    for (const auto& members : classes_) {
      for (const auto& member : members) {
        if (member->As<ColumnRefExpression>().binding == binding) return &members;
      }
    }
    return nullptr;
  }

 private:
  size_t ClassOf(const ColumnRefExpression& column) {
    for (size_t i = 0; i < classes_.size(); i++) {
      for (const auto& member : classes_[i]) {
        if (member->As<ColumnRefExpression>().binding == column.binding) return i;
      }
    }
    classes_.emplace_back();
    classes_.back().push_back(column.Clone());
    return classes_.size() - 1;
  }
  std::vector<std::vector<ExpressionPtr>> classes_;
};

constexpr size_t kMostPredicates = 500;  // beyond this, comparing all with all costs more than it may save

/// The AND of the conjuncts that use only columns of `table_index`; null if there are none.
ExpressionPtr PartAbout(const std::vector<const Expression*>& conjuncts, size_t table_index) {
  std::vector<ExpressionPtr> found;
  for (const Expression* conjunct : conjuncts) {
    const BindingSet columns = ColumnsOf(*conjunct);
    const bool is_about =
        !columns.empty() && std::all_of(columns.begin(), columns.end(),
                                        [&](const ColumnBinding& b) { return b.table_index == table_index; });
    if (is_about && CannotFail(*conjunct) && IsDeterministic(*conjunct)) found.push_back(conjunct->Clone());
  }
  return found.empty() ? nullptr : MakeAnd(std::move(found));
}

void AppendConjuncts(const Expression& expression, std::vector<const Expression*>& conjuncts) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kConjunction && expression.As<ConjunctionExpression>().is_and) {
    for (const auto& child : expression.As<ConjunctionExpression>().children)
      AppendConjuncts(*child, conjuncts);
  } else {
    conjuncts.push_back(&expression);
  }
}

void AddPartsOf(const ConjunctionExpression& disjunction, std::vector<ExpressionPtr>& implied) {
  std::set<size_t> tables;
  ForEachColumnRef(disjunction,
                   [&](const ColumnRefExpression& ref) { tables.insert(ref.binding.table_index); });
  if (tables.size() < 2) return;  // it can be pushed as a whole
  for (const size_t table_index : tables) {
    std::vector<ExpressionPtr> alternatives;
    for (const ExpressionPtr& alternative : disjunction.children) {
      std::vector<const Expression*> conjuncts;
      AppendConjuncts(*alternative, conjuncts);
      ExpressionPtr part = PartAbout(conjuncts, table_index);
      if (!part) break;
      alternatives.push_back(std::move(part));
    }
    if (alternatives.size() != disjunction.children.size()) continue;
    implied.push_back(
        SimplifyConjunction(std::make_unique<ConjunctionExpression>(false, std::move(alternatives))));
  }
}

}  // namespace

void AddTransitivePredicates(std::vector<ExpressionPtr>& predicates) {
  if (predicates.size() > kMostPredicates) return;
  ColumnClasses classes;
  for (const ExpressionPtr& predicate : predicates) {
    if (predicate->kind() != ExpressionKind::kComparison) continue;
    const auto& comparison = predicate->As<ComparisonExpression>();
    const ColumnRefExpression *left = AsColumn(*comparison.left), *right = AsColumn(*comparison.right);
    if (comparison.op == ComparisonOp::kEqual && left != nullptr && right != nullptr)
      classes.Add(*left, *right);
  }
  const size_t count = predicates.size();
  for (size_t i = 0; i < count; i++) {
    const ColumnRefExpression* column = RestrictedColumn(*predicates[i]);
    const auto* members = column == nullptr ? nullptr : classes.Find(column->binding);
    if (members == nullptr) continue;
    for (const ExpressionPtr& member : *members) {
      const auto& other = member->As<ColumnRefExpression>();
      if (other.binding != column->binding)
        AddUnlessThere(predicates, WithColumn(*predicates[i], *column, other));
    }
  }
}

void AddPredicatesOfDisjunctions(std::vector<ExpressionPtr>& predicates) {
  std::vector<ExpressionPtr> implied, parts;
  for (const ExpressionPtr& predicate : predicates) {
    if (predicate->kind() != ExpressionKind::kConjunction || predicate->As<ConjunctionExpression>().is_and)
      continue;
    AddPartsOf(predicate->As<ConjunctionExpression>(), implied);
  }
  for (ExpressionPtr& predicate : implied) SplitAnd(std::move(predicate), parts);
  for (ExpressionPtr& predicate : parts) AddUnlessThere(predicates, std::move(predicate));
}

std::vector<ExpressionPtr> TransferPredicates(const std::vector<ExpressionPtr>& predicates,
                                              const std::vector<JoinCondition>& equalities, bool to_right) {
  std::vector<ExpressionPtr> transferred;
  for (const ExpressionPtr& predicate : predicates) {
    const ColumnRefExpression* column = RestrictedColumn(*predicate);
    if (column == nullptr) continue;
    for (const JoinCondition& condition : equalities) {
      if (condition.op != ComparisonOp::kEqual) continue;
      const ColumnRefExpression* from = AsColumn(to_right ? *condition.left : *condition.right);
      const ColumnRefExpression* to = AsColumn(to_right ? *condition.right : *condition.left);
      if (from == nullptr || to == nullptr || from->binding != column->binding) continue;
      AddUnlessThere(transferred, WithColumn(*predicate, *column, *to));
    }
  }
  return transferred;
}

}  // namespace scaup
