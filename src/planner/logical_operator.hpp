// Logical operators: the typed relational tree between planner, optimizer and physical planner.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/explain_format.hpp"
#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"
#include "format/copy_target.hpp"
#include "function/table_function.hpp"
#include "text/text_search.hpp"
#include "type/scan_filter.hpp"

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

/// A scan filter whose constant is the value of a parameter; a NULL there lets no row pass.
struct ParameterFilter {
  ScanFilter filter;
  size_t parameter;  ///< 0 for $1
};

/// Scan of a table. Output column i is table column `columns[i]`, bound as {table_index, columns[i]}:
/// bindings name the table's column, so that pruning columns changes no reference. kRowNumberColumn is the
/// number of the row.
struct LogicalGet final : LogicalOperator {
  LogicalGet(size_t table_index_in, TableEntryRef table_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::string Name() const override { return "Scan"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  TableEntryRef table;
  std::vector<size_t> columns;      ///< all of the table's at first
  std::vector<ScanFilter> filters;  ///< ANDed; the optimizer moves comparisons with constants here
  /// Filters by parameters, in a plan that is made for any values.
  std::vector<ParameterFilter> parameter_filters;
  /// Searches in texts that a filter above the scan repeats, for an index to look up: made by the optimizer's
  /// last passes.
  std::vector<TextSearch> text_searches;
  /// Filters that a filter above repeats, for the scan to skip rows early: rows pass at least one of each
  /// list.
  std::vector<std::vector<ScanFilter>> alternatives;
};

/// Bindings as for LogicalGet: {table_index, columns[i]}.
struct LogicalTableFunction final : LogicalOperator {
  LogicalTableFunction(size_t table_index_in, TableFunction function_in,
                       std::shared_ptr<const BoundTableFunction> bound_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::string Name() const override { return "TableFunction"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  TableFunction function;
  std::shared_ptr<const BoundTableFunction> bound;
  std::vector<size_t> columns;
  /// Filters that a filter above repeats, for a function that takes filters.
  std::vector<ScanFilter> filters;
};

/// Constant rows. With no columns and one empty row it is the input of SELECT without FROM.
struct LogicalValues final : LogicalOperator {
  LogicalValues(size_t table_index_in, std::vector<LogicalType> types_in, std::vector<std::string> names_in)
      : LogicalOperator(LogicalKind::kValues),
        table_index(table_index_in),
        types(std::move(types_in)),
        names(std::move(names_in)) {}
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return types; }
  std::vector<std::string> Names() const override { return names; }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Values"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<LogicalType> types;
  std::vector<std::string> names;
  std::vector<std::vector<ExpressionPtr>>
      rows;  ///< each of types.size() expressions without column references
};

struct LogicalFilter final : LogicalOperator {
  explicit LogicalFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Filter"; }
  std::vector<std::string> Details() const override;
  std::vector<ExpressionPtr> predicates;  ///< ANDed
};

/// Output column i is expressions[i], bound as {table_index, i}; its name is the expression's alias.
struct LogicalProject final : LogicalOperator {
  LogicalProject(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> expressions_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Project"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> expressions;
};

/// GROUP BY with several grouping sets: all of the child's columns, then `columns` as {table_index, i}, then
/// the number of the set, INTEGER; each row once for each set, with NULL in the columns that it does not
/// have.
struct LogicalExpand final : LogicalOperator {
  LogicalExpand(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> columns_in,
                std::vector<std::vector<size_t>> sets_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "GroupingSets"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> columns;
  std::vector<std::vector<size_t>> sets;  ///< of each the numbers of the columns that it has, ascending
};

/// GROUP BY: the groups come out as {group_index, i}, the aggregates as {aggregate_index, i}. Without groups
/// one row.
struct LogicalAggregate final : LogicalOperator {
  LogicalAggregate(size_t group_index_in, size_t aggregate_index_in, LogicalOperatorPtr child,
                   std::vector<ExpressionPtr> groups_in, std::vector<ExpressionPtr> aggregates_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Aggregate"; }
  std::vector<std::string> Details() const override;
  size_t group_index;
  size_t aggregate_index;
  std::vector<ExpressionPtr> groups;
  std::vector<ExpressionPtr> aggregates;  ///< AggregateExpressions
  /// Above LogicalExpand: numbers of the sets without columns. The last group being the number of the set and
  /// the others NULL, each of them has a row even of no input.
  std::vector<int32_t> empty_sets;
};

/// SELECT DISTINCT over all columns, or DISTINCT ON (on): the first row of each in the input's order.
struct LogicalDistinct final : LogicalOperator {
  LogicalDistinct(LogicalOperatorPtr child, std::vector<ExpressionPtr> on_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Distinct"; }
  std::vector<std::string> Details() const override;
  std::vector<ExpressionPtr> on;  ///< empty: all columns
};

/// Window functions with one PARTITION BY and ORDER BY: all of the child's columns, then the functions as
/// {table_index, i}.
struct LogicalWindow final : LogicalOperator {
  LogicalWindow(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> partition_by_in,
                std::vector<SortKey> order_by_in, std::vector<ExpressionPtr> functions_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Window"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  std::vector<ExpressionPtr> functions;  ///< WindowExpressions without PARTITION BY and ORDER BY
};

/// Lists turned into rows: for every row of the child one for each element of its longest list, with all of
/// the child's columns, then the elements of each list (NULL behind the end of a shorter one) as
/// {table_index, i}, then with `has_ordinality` their position, BIGINT, from 1 on. A row without elements is
/// left out, unless `is_outer`: then it comes out once, with NULLs.
struct LogicalUnnest final : LogicalOperator {
  LogicalUnnest(size_t table_index_in, LogicalOperatorPtr child, std::vector<ExpressionPtr> lists_in,
                bool has_ordinality_in, bool is_outer_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Unnest"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  std::vector<ExpressionPtr> lists;
  bool has_ordinality;
  bool is_outer;
};

/// kSemi and kAnti keep left columns only; kRightSemi and kRightAnti, their mirror images, right columns
/// only: the optimizer makes these of joins with an equality, where the rows that are kept make the smaller
/// hash table. kMark keeps the left columns and adds the BOOLEAN {mark_index, 0}: true where a match exists,
/// NULL where none does but a NULL was compared (IN's rule), else false. kSingle keeps all columns, the right
/// ones NULL without a match, and fails (21000) on a second match.
enum class LogicalJoinType : uint8_t {
  kInner,
  kLeft,
  kRight,
  kFull,
  kSemi,
  kAnti,
  kRightSemi,
  kRightAnti,
  kMark,
  kSingle
};
const char* JoinTypeName(LogicalJoinType type);
/// The type of a join that means the same with its children swapped, or nullopt.
std::optional<LogicalJoinType> SwappedType(LogicalJoinType type);
/// True where output rows hold the left child's columns.
constexpr bool EmitsLeft(LogicalJoinType type) {
  return type != LogicalJoinType::kRightSemi && type != LogicalJoinType::kRightAnti;
}
/// True where output rows hold the right child's columns.
constexpr bool EmitsRight(LogicalJoinType type) {
  return type != LogicalJoinType::kSemi && type != LogicalJoinType::kAnti && type != LogicalJoinType::kMark;
}

/// A condition left op right: `left` uses the left child's columns only, `right` the right child's.
struct JoinCondition {
  ComparisonOp op;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// How a join finds the rows of one child without reading all of them: it looks the keys of the other one's
/// rows up in an index. That child is a Get, perhaps below a Filter and a Project of columns. A semi join may
/// look up its left child: it has equalities only then, and takes each key of the right one once.
struct JoinByIndex {
  std::shared_ptr<TableIndex> index;
  size_t key_count = 0;  ///< how many of the index's first columns conditions, or filters of the Get, fix
  bool looks_up_left = false;
};

/// Join of two children. All conditions and all residual predicates must hold for a pair to match. A join
/// without any is a cross product.
struct LogicalJoin final : LogicalOperator {
  LogicalJoin(LogicalJoinType join_type_in, LogicalOperatorPtr left, LogicalOperatorPtr right);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override;
  std::vector<std::string> Details() const override;
  /// Swaps the children of the join, which stays the same join. REQUIRES: there is a SwappedType.
  void SwapChildren();
  LogicalJoinType join_type;
  std::vector<JoinCondition> conditions;
  std::vector<ExpressionPtr> residual;  ///< over columns of both sides
  size_t mark_index = 0;
  std::optional<JoinByIndex> by_index;  ///< made by the optimizer's last passes
  bool marks_null = true;               ///< false: whoever reads the mark does not tell NULL from false
};

struct LogicalSort final : LogicalOperator {
  LogicalSort(LogicalOperatorPtr child, std::vector<SortKey> keys_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Sort"; }
  std::vector<std::string> Details() const override;
  std::vector<SortKey> keys;
};

/// How a TopN finds its rows without sorting: it reads them in the order of an index, until it has enough.
struct TopNByIndex {
  std::shared_ptr<TableIndex> index;
  bool descending = false;
  /// The first column of the index that no filter fixes, as a column of the table, if there is one.
  std::optional<size_t> first_column;
  /// Entries of the index after which all rows are sorted all the same; none where every row counts.
  std::optional<uint64_t> most_entries;
};

/// Sort and limit in one, made by the optimizer.
struct LogicalTopN final : LogicalOperator {
  LogicalTopN(LogicalOperatorPtr child, std::vector<SortKey> keys_in, uint64_t limit_in, uint64_t offset_in);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "TopN"; }
  std::vector<std::string> Details() const override;
  std::vector<SortKey> keys;
  uint64_t limit;
  uint64_t offset;
  std::optional<TopNByIndex> by_index;  ///< then the child is a Get, or a Filter of one
};

/// Where the counts have to be found first, children[1] gives one row with them.
struct LogicalLimit final : LogicalOperator {
  LogicalLimit(LogicalOperatorPtr child, ExpressionPtr limit_in, ExpressionPtr offset_in,
               LogicalOperatorPtr counts = nullptr);
  std::vector<ColumnBinding> Bindings() const override { return children[0]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return children[0]->Names(); }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::string Name() const override { return "Limit"; }
  std::vector<std::string> Details() const override;
  /// BIGINT expressions over the columns of children[1]; without it they are constants or parameters. Null if
  /// not given. NULL means none; negative is an error 2201W / 2201X.
  ExpressionPtr limit;
  ExpressionPtr offset;
};

/// All rows of all children, which have the same types. Output column i is {table_index, i}.
struct LogicalUnionAll final : LogicalOperator {
  LogicalUnionAll(size_t table_index_in, std::vector<LogicalOperatorPtr> inputs,
                  std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "UnionAll"; }
  size_t table_index;
  std::vector<std::string> names;
};

/// Keeps the rows of children[0] under the number `share` for the LogicalSharedScans of children[1], whose
/// columns come out. They are computed once, when the first of these needs them, or never. Where children[0]
/// changes data it runs even if nobody reads what its RETURNING gives.
struct LogicalMaterialize final : LogicalOperator {
  LogicalMaterialize(size_t share_in, std::string label_in, LogicalOperatorPtr definition,
                     LogicalOperatorPtr reader);
  std::vector<ColumnBinding> Bindings() const override { return children[1]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[1]->Types(); }
  std::vector<std::string> Names() const override { return children[1]->Names(); }
  std::string Name() const override { return "Materialize"; }
  std::vector<std::string> Details() const override;
  size_t share;            ///< unique in the plan, like table indexes
  std::string label;       ///< for EXPLAIN: the name of a WITH query
  bool is_change = false;  ///< children[0] writes: it stands in WITH, or its RETURNING has subqueries
  /// children[0] is the statement itself, whose rows count; children[1] is its RETURNING.
  bool is_returning = false;
  /// On top of a statement with such parts: none of them writes before all have read, so that they see the
  /// same rows.
  bool is_statement = false;
};

/// Scan of the rows kept under `share`. Output column i is their column columns[i], bound as bindings[i].
struct LogicalSharedScan final : LogicalOperator {
  /// Scans all columns of rows of these types, bound as {table_index, i}.
  LogicalSharedScan(size_t share_in, std::string label_in, size_t table_index,
                    std::vector<LogicalType> types_in, std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override { return bindings; }
  std::vector<LogicalType> Types() const override { return types; }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "SharedScan"; }
  std::vector<std::string> Details() const override;
  /// Keeps the output columns at these places, ascending.
  void Keep(const std::vector<size_t>& places);
  size_t share;
  std::string label;
  std::vector<size_t> columns;
  std::vector<ColumnBinding> bindings;
  std::vector<LogicalType> types;
  std::vector<std::string> names;
};

/// WITH RECURSIVE: the rows of children[0], then those of children[1] over them, then those of children[1]
/// over these, until there are none. Inside children[1], LogicalSharedScans of `share` read the rows of the
/// last round. Output column i is {table_index, i}; both children have all of them, in order.
struct LogicalRecursion final : LogicalOperator {
  LogicalRecursion(size_t table_index_in, size_t share_in, std::string label_in, bool is_distinct_in,
                   LogicalOperatorPtr first, LogicalOperatorPtr next, std::vector<std::string> names_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override { return children[0]->Types(); }
  std::vector<std::string> Names() const override { return names; }
  std::string Name() const override { return "Recursion"; }
  std::vector<std::string> Details() const override;
  size_t table_index;
  size_t share;
  std::string label;
  bool is_distinct;  ///< UNION: rows that came before do not count
  std::vector<std::string> names;
};

/// Calls `visit` with every scan of the rows kept under `share` in the plan.
void ForEachSharedScan(LogicalOperator& plan, size_t share,
                       const std::function<void(LogicalSharedScan&)>& visit);

/// A CHECK that written rows have to pass: FALSE refuses a row (23514), NULL does not.
struct RowCheck {
  std::string name;
  ExpressionPtr condition;
};

/// The common part of INSERT, UPDATE, DELETE and MERGE: the child's rows say what to write. `checks` and
/// `returning` are over the child's columns; the rows of RETURNING come out, bound as {table_index, i}.
struct LogicalWrite : LogicalOperator {
  LogicalWrite(LogicalKind kind, size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::vector<std::string> Details() const override { return {"table: " + table->name}; }
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  size_t table_index;
  TableEntryRef table;
  std::vector<RowCheck> checks;
  std::vector<ExpressionPtr> returning;
};

/// ON CONFLICT of an INSERT. Expressions are over the row that is there, {existing_index, i}, and over the
/// INSERT's child, i being a column of the table.
struct InsertConflict {
  InsertConflict Clone() const;
  /// The names of the unique indexes whose conflicts count; empty: all.
  std::vector<std::string> indexes;
  bool does_update = false;  ///< false: the row is left out
  size_t existing_index = 0;
  std::vector<ExpressionPtr> values;  ///< what becomes of the row that is there, one for each column
  std::vector<size_t> set_columns;    ///< ascending; the only ones that `values` changes
  ExpressionPtr where;                ///< null if there is none; rows that do not pass stay as they are
};

/// The child's columns are the table's, in order, cast to their types; then may come what ON CONFLICT uses.
struct LogicalInsert final : LogicalWrite {
  LogicalInsert(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kInsert, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Insert"; }
  std::vector<std::string> Details() const override;
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) override;
  std::optional<InsertConflict> on_conflict;
};

/// The child's first column is the number of a row; then come the new values of `columns`, and whatever else
/// checks and RETURNING need. Of several rows with one number the first counts.
struct LogicalUpdate final : LogicalWrite {
  LogicalUpdate(size_t table_index_in, TableEntryRef table_in, std::vector<size_t> columns_in,
                LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kUpdate, table_index_in, std::move(table_in), std::move(child)),
        columns(std::move(columns_in)) {}
  std::string Name() const override { return "Update"; }
  std::vector<size_t> columns;
};

/// The child's first column is the number of a row; numbers may repeat.
struct LogicalDelete final : LogicalWrite {
  LogicalDelete(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kDelete, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Delete"; }
};

/// One action of MERGE on a row.
struct MergeAction {
  enum class Kind : uint8_t { kInsert, kUpdate, kDelete, kNothing } kind = Kind::kNothing;
  std::vector<size_t> columns;  ///< of the table: those that kUpdate writes
  std::string text;             ///< for EXPLAIN
};

/// The child's first column is the number of a row, NULL for one to insert; the second says which of
/// `actions` to take, NULL for none. `row_columns[i]` is the child's column with the value of column i, where
/// an action writes it. Checks are for rows that are written, RETURNING for deleted ones, too. A row that is
/// updated or deleted twice is an error (21000).
struct LogicalMerge final : LogicalWrite {
  LogicalMerge(size_t table_index_in, TableEntryRef table_in, LogicalOperatorPtr child)
      : LogicalWrite(LogicalKind::kMerge, table_index_in, std::move(table_in), std::move(child)) {}
  std::string Name() const override { return "Merge"; }
  std::vector<std::string> Details() const override;
  std::vector<MergeAction> actions;
  std::vector<std::optional<size_t>> row_columns;
};

/// Creates a table (its storage is made at execution) and fills it with the child's rows.
struct LogicalCreateTableAs final : LogicalOperator {
  LogicalCreateTableAs(std::string schema_in, std::string table_in, std::vector<ColumnDefinition> columns_in,
                       LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {}; }
  std::vector<LogicalType> Types() const override { return {}; }
  std::vector<std::string> Names() const override { return {}; }
  std::string Name() const override { return "CreateTableAs"; }
  std::vector<std::string> Details() const override { return {"table: " + table}; }
  std::string schema;
  std::string table;
  std::vector<ColumnDefinition> columns;
};

/// Writes the child's rows to a file; no output columns.
struct LogicalCopyTo final : LogicalOperator {
  LogicalCopyTo(CopyTarget target_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {}; }
  std::vector<LogicalType> Types() const override { return {}; }
  std::vector<std::string> Names() const override { return {}; }
  std::string Name() const override { return "CopyTo"; }
  std::vector<std::string> Details() const override { return {"file: " + target.path}; }
  CopyTarget target;
  std::vector<std::string> column_names;
};

/// EXPLAIN [ANALYZE]: one VARCHAR column of text, {table_index, 0}.
struct LogicalExplain final : LogicalOperator {
  LogicalExplain(size_t table_index_in, bool analyze_in, ExplainFormat format_in, LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {{table_index, 0}}; }
  std::vector<LogicalType> Types() const override { return {TypeId::kVarchar}; }
  std::vector<std::string> Names() const override { return {"plan"}; }
  std::string Name() const override { return "Explain"; }
  size_t table_index;
  bool analyze;
  ExplainFormat format;
};

}  // namespace scaup
