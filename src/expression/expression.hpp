// Bound expressions: typed trees that the binder makes, the optimizer rewrites and the executor evaluates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/downcast.hpp"
#include "common/stack_bound.hpp"
#include "common/tree_deletion.hpp"
#include "function/aggregate_function.hpp"
#include "function/cast_function.hpp"
#include "function/scalar_function.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The kinds of expressions, one for each subclass of Expression.
enum class ExpressionKind : uint8_t {
  kConstant,   ///< A value.
  kColumnRef,  ///< A column of a logical operator, by binding.
  kReference,  ///< A column of the input chunk, by position (after physical planning).
  kParameter,  ///< $n of a prepared statement.
  kFunction,   ///< A scalar function or operator.
  kCast,
  kComparison,   ///< = <> < <= > >=, IS [NOT] DISTINCT FROM
  kConjunction,  ///< AND / OR of two or more.
  kNot,
  kIsNull,  ///< IS [NOT] NULL
  kInList,  ///< x IN (constants), by value.
  kCase,
  kAggregate,  ///< Only in the aggregate operator's list.
  kWindow,     ///< Only in the window operator's list, once it is planned.
  kSubquery,   ///< Only between binder and planner; see binder/.
};

class Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// A node of a typed tree. Owned by its parent. Not shared between threads while it is being changed.
class Expression : public TreeDeletion<Expression> {
 public:
  /// The type gets no modifier, but that of a column or subquery: an expression over VARCHAR(3) may be
  /// longer.
  Expression(ExpressionKind kind, const LogicalType& type)
      : kind_(kind), type_(HasModifier(kind) ? type : WithModifierBits(type, 0)) {}
  virtual ~Expression() = default;

  ExpressionKind kind() const { return kind_; }
  const LogicalType& type() const { return type_; }
  void set_type(const LogicalType& type) { type_ = type; }

  /// A deep copy.
  virtual ExpressionPtr Clone() const = 0;
  /// Whether both have the same meaning, node by node; positions and aliases are ignored.
  virtual bool Equals(const Expression& other) const = 0;
  /// Returns SQL-like text for EXPLAIN and error messages.
  virtual std::string ToString() const = 0;
  /// Calls `visit` with every direct child, which may be replaced.
  virtual void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) = 0;
  void ForEachChild(const std::function<void(const Expression&)>& visit) const {
    const_cast<Expression*>(this)->ForEachChild([&](ExpressionPtr& child) { visit(*child); });
  }

  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }

  /// The name of the output column, if the user or the binder has given one.
  std::string alias;
  /// The byte offset in the statement's text.
  std::optional<size_t> position;

 protected:
  void CopyBaseTo(Expression& other) const {
    other.alias = alias;
    other.position = position;
  }

 private:
  static constexpr bool HasModifier(ExpressionKind kind) {
    return kind == ExpressionKind::kColumnRef || kind == ExpressionKind::kReference ||
           kind == ExpressionKind::kSubquery;
  }

  ExpressionKind kind_;
  LogicalType type_;
};

/// A value.
class ConstantExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kConstant;
  explicit ConstantExpression(Value value_in)
      : Expression(kKind, value_in.type()), value(std::move(value_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>&) override {}
  Value value;
};

ExpressionPtr MakeConstant(Value value);

/// The name of a column within a plan. Each operator that produces columns has a table index of its own.
struct ColumnBinding {
  size_t table_index = 0;
  size_t column_index = 0;
  friend auto operator<=>(const ColumnBinding&, const ColumnBinding&) = default;
};

/// A column of a logical operator, by its binding.
class ColumnRefExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kColumnRef;
  ColumnRefExpression(LogicalType type, ColumnBinding binding_in, std::string name_in)
      : Expression(kKind, type), binding(binding_in), name(std::move(name_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>&) override {}
  ColumnBinding binding;
  std::string name;
  /// How many query levels up the column belongs; 0 for this level. The planner leaves only 0.
  size_t outer_level = 0;
};

/// A column of the input chunk, by its position.
class ReferenceExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kReference;
  ReferenceExpression(LogicalType type, size_t index_in, std::string name_in)
      : Expression(kKind, type), index(index_in), name(std::move(name_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>&) override {}
  size_t index;
  std::string name;
};

/// A parameter $n. Its type is determined by the context; values are cast to it when the statement is
/// executed.
class ParameterExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kParameter;
  ParameterExpression(LogicalType type, size_t index_in) : Expression(kKind, type), index(index_in) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>&) override {}
  size_t index;  ///< 0 for $1
};

/// A call of a scalar function or operator.
class FunctionExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kFunction;
  FunctionExpression(ScalarFunction function_in, std::shared_ptr<const FunctionData> data_in,
                     std::vector<ExpressionPtr> arguments_in)
      : Expression(kKind, function_in.return_type),
        function(std::move(function_in)),
        data(std::move(data_in)),
        arguments(std::move(arguments_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override;
  ScalarFunction function;
  std::shared_ptr<const FunctionData> data;
  std::vector<ExpressionPtr> arguments;
};

/// A cast; TRY_CAST returns NULL instead of an error.
class CastExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kCast;
  CastExpression(ExpressionPtr child_in, LogicalType type, CastFunction function_in, bool is_try_in = false)
      : Expression(kKind, type), child(std::move(child_in)), function(function_in), is_try(is_try_in) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    visit(child);
  }
  ExpressionPtr child;
  CastFunction function;
  bool is_try;
};

/// The comparison operators.
enum class ComparisonOp : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kDistinctFrom,
  kNotDistinctFrom,  ///< NULL-aware, never NULL
};
const char* ComparisonSymbol(ComparisonOp op);
/// a op b == b Flip(op) a
ComparisonOp FlipComparison(ComparisonOp op);
/// NOT (a op b) == a Negate(op) b
ComparisonOp NegateComparison(ComparisonOp op);

/// A comparison. Both sides have the same type.
class ComparisonExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kComparison;
  ComparisonExpression(ComparisonOp op_in, ExpressionPtr left_in, ExpressionPtr right_in)
      : Expression(kKind, TypeId::kBoolean),
        op(op_in),
        left(std::move(left_in)),
        right(std::move(right_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    visit(left);
    visit(right);
  }
  ComparisonOp op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// AND or OR of two or more conditions.
class ConjunctionExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kConjunction;
  ConjunctionExpression(bool is_and_in, std::vector<ExpressionPtr> children_in)
      : Expression(kKind, TypeId::kBoolean), is_and(is_and_in), children(std::move(children_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override;
  bool is_and;
  std::vector<ExpressionPtr> children;
};

/// NOT.
class NotExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kNot;
  explicit NotExpression(ExpressionPtr child_in)
      : Expression(kKind, TypeId::kBoolean), child(std::move(child_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    visit(child);
  }
  ExpressionPtr child;
};

/// IS NULL or IS NOT NULL.
class IsNullExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kIsNull;
  IsNullExpression(ExpressionPtr child_in, bool negated_in)
      : Expression(kKind, TypeId::kBoolean), child(std::move(child_in)), negated(negated_in) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    visit(child);
  }
  ExpressionPtr child;
  bool negated;
};

/// x IN (v1, v2, ...) over constants of x's type. Lists with non-constants are bound as OR of comparisons.
class InListExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kInList;
  InListExpression(ExpressionPtr child_in, std::vector<Value> values_in, bool negated_in)
      : Expression(kKind, TypeId::kBoolean),
        child(std::move(child_in)),
        values(std::move(values_in)),
        negated(negated_in) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    visit(child);
  }
  ExpressionPtr child;
  std::vector<Value> values;
  bool negated;
};

/// CASE WHEN c1 THEN r1 ... ELSE e END; the simple form is bound to this form. An error of a branch is
/// raised only for the rows that reach it.
class CaseExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kCase;
  /// WHEN condition THEN result.
  struct Branch {
    ExpressionPtr condition;
    ExpressionPtr result;
  };
  CaseExpression(LogicalType type, std::vector<Branch> branches_in, ExpressionPtr otherwise_in)
      : Expression(kKind, type), branches(std::move(branches_in)), otherwise(std::move(otherwise_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override;
  std::vector<Branch> branches;
  ExpressionPtr otherwise;  ///< never null; a NULL constant without ELSE
};

/// A call of an aggregate function.
class AggregateExpression final : public Expression {
 public:
  static constexpr ExpressionKind kKind = ExpressionKind::kAggregate;
  AggregateExpression(AggregateFunction function_in, std::shared_ptr<const FunctionData> data_in,
                      std::vector<ExpressionPtr> arguments_in, bool distinct_in, ExpressionPtr filter_in)
      : Expression(kKind, function_in.return_type),
        function(std::move(function_in)),
        data(std::move(data_in)),
        arguments(std::move(arguments_in)),
        distinct(distinct_in),
        filter(std::move(filter_in)) {}
  ExpressionPtr Clone() const override;
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override;
  AggregateFunction function;
  std::shared_ptr<const FunctionData> data;
  std::vector<ExpressionPtr> arguments;
  bool distinct;
  ExpressionPtr filter;  ///< FILTER (WHERE ...); null if none
};

/// One key by which rows are ordered.
struct SortKey {
  ExpressionPtr expression;
  bool descending = false;
  bool nulls_first = false;
};

// --- Making and asking
// -------------------------------------------------------------------------------------------

/// Adds a cast unless the type already matches; constants are converted at once. Throws Error(kBinder, 42846)
/// with the expression's position if there is no such cast, and Error(kConversion) if a constant cannot be
/// converted.
ExpressionPtr AddCast(ExpressionPtr expression, const LogicalType& type, bool is_try = false);
std::vector<LogicalType> TypesOf(const std::vector<ExpressionPtr>& expressions);
/// Returns the AND of `children`; a single child is returned unchanged. REQUIRES: not empty.
ExpressionPtr MakeAnd(std::vector<ExpressionPtr> children);
/// Splits nested ANDs into their parts, which are appended to `parts`.
void SplitAnd(ExpressionPtr expression, std::vector<ExpressionPtr>& parts);
/// True if the same input always yields the same output.
bool IsDeterministic(const Expression& expression);
/// True if no row can raise an error.
bool CannotFail(const Expression& expression);
/// True if the tree has only constants and immutable functions.
bool IsFoldable(const Expression& expression);
/// Calls `visit` for every column reference in the tree, including references to outer queries.
void ForEachColumnRef(const Expression& expression,
                      const std::function<void(const ColumnRefExpression&)>& visit);
void ForEachColumnRef(ExpressionPtr& expression, const std::function<void(ColumnRefExpression&)>& visit);

}  // namespace scaup
