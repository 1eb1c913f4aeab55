// The base of logical operators: the typed relational tree between planner, optimizer and physical planner.
// Each operator is a file of planner/node.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"

namespace scaup {

enum class LogicalKind : uint8_t {
  kGet,            ///< scan of a table
  kTableFunction,  ///< scan of a table function
  kValues,         ///< rows of expressions; one row without columns for SELECT without FROM
  kFilter,
  kProject,
  kExpand,  ///< every row once for each grouping set
  kAggregate,
  kDistinct,
  kWindow,
  kUnnest,
  kJoin,
  kSort,
  kTopN,
  kLimit,
  kUnionAll,
  kMaterialize,  ///< rows that are kept for several readers, and the plan that reads them
  kSharedScan,   ///< scan of the rows that a kMaterialize or kRecursion keeps
  kRecursion,    ///< WITH RECURSIVE
  kInsert,
  kUpdate,
  kDelete,
  kMerge,
  kCreateTableAs,
  kCopyTo,
  kExplain,
};

class LogicalOperator;
using LogicalOperatorPtr = std::unique_ptr<LogicalOperator>;

/// A node of the plan. Columns are named by bindings: operators that make new columns have a table index,
/// which no other node of the plan shares; others pass their children's columns on.
class LogicalOperator : public TreeDeletion<LogicalOperator> {
 public:
  explicit LogicalOperator(LogicalKind kind) : kind_(kind) {}
  virtual ~LogicalOperator() = default;
  LogicalKind kind() const { return kind_; }

  std::vector<LogicalOperatorPtr> children;
  /// Rows that the optimizer expects; negative before it has said so.
  double estimated_rows = -1;

  /// The columns that come out, in order, and their types and names.
  virtual std::vector<ColumnBinding> Bindings() const = 0;
  virtual std::vector<LogicalType> Types() const = 0;
  virtual std::vector<std::string> Names() const = 0;
  /// Calls visit with every expression of this node alone, which may be replaced.
  virtual void ForEachExpression(const std::function<void(ExpressionPtr&)>&) {}
  /// A deep copy, for running a prepared statement again; without the estimate. See ClonePlan.
  virtual LogicalOperatorPtr Clone() const = 0;
  /// Calls visit with every table index that is made by this node alone, which may be replaced.
  virtual void ForEachTableIndex(const std::function<void(size_t&)>&) {}
  /// Whether running it changes a table or a file.
  virtual bool writes() const { return false; }
  /// "Aggregate", and what EXPLAIN prints below it, a line each ("groups: a, b").
  virtual std::string Name() const = 0;
  virtual std::vector<std::string> Details() const { return {}; }

  template <typename T>
  T& As() {
    return static_cast<T&>(*this);
  }
  template <typename T>
  const T& As() const {
    return static_cast<const T&>(*this);
  }

 private:
  LogicalKind kind_;
};

/// A deep copy of a plan, with its estimates.
LogicalOperatorPtr ClonePlan(const LogicalOperator& plan);

}  // namespace scaup
