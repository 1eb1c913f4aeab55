// The base of logical operators: the typed relational tree between planner, optimizer and physical planner.
// Each operator is a file of planner/node.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/downcast.hpp"
#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"

namespace scaup {

enum class LogicalKind : uint8_t {
  kGet,            ///< scan of a table
  kTableFunction,  ///< scan of a table function
  kRowsCall,       ///< call of a function of the program that returns rows
  kValues,         ///< rows of expressions; one row without columns for SELECT without FROM
  kFilter,
  kProject,
  kExpand,  ///< every row once for each grouping set
  kAggregate,
  kDistinct,
  kWindow,
  kUnnest,
  kJoin,
  kOnDemand,  ///< rows with those of a subquery, which runs once a row needs it
  kSort,
  kTopN,
  kLimit,
  kUnionAll,
  kMaterialize,  ///< materialized rows for several readers, and the plan that reads them
  kSharedScan,   ///< scan of the rows that a kMaterialize or kRecursion materializes
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

/// A node of a logical plan. Owned by its parent or by the LogicalPlan; used by one thread at a time. Columns
/// are named by bindings: operators that make new columns have a table index that no other node of the plan
/// shares; others pass the columns of their children on.
class LogicalOperator : public TreeDeletion<LogicalOperator> {
 public:
  explicit LogicalOperator(LogicalKind kind) : kind_(kind) {}
  virtual ~LogicalOperator() = default;
  LogicalKind kind() const { return kind_; }

  std::vector<LogicalOperatorPtr> children;
  /// The number of rows that the optimizer expects; negative while it is unknown.
  double estimated_rows = -1;

  /// Returns the output columns in order, their types and their names.
  virtual std::vector<ColumnBinding> Bindings() const = 0;
  virtual std::vector<LogicalType> Types() const = 0;
  virtual std::vector<std::string> Names() const = 0;
  /// Calls `visit` with every expression of this node, which may be replaced; not with those of its children.
  virtual void ForEachExpression(const std::function<void(ExpressionPtr&)>&) {}
  /// Returns a deep copy without the estimate, for running a prepared statement again. See ClonePlan.
  virtual LogicalOperatorPtr Clone() const = 0;
  /// Calls `visit` with every table index that this node makes, which may be replaced; not with those of its
  /// children.
  virtual void ForEachTableIndex(const std::function<void(size_t&)>&) {}
  /// Returns whether running the node changes a table or a file.
  virtual bool writes() const { return false; }
  /// Returns the name, such as "Aggregate", and the lines that EXPLAIN prints below it, such as "groups: a,
  /// b".
  virtual std::string Name() const = 0;
  virtual std::vector<std::string> Details() const { return {}; }

  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }

 private:
  LogicalKind kind_;
};

/// Returns a deep copy of a plan, with its estimates.
LogicalOperatorPtr ClonePlan(const LogicalOperator& plan);

}  // namespace scaup
