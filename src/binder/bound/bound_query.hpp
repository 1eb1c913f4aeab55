// Bound queries: FROM, SELECT, VALUES and set operations after names and types have been resolved.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "binder/bound/bound_statement_kind.hpp"
#include "catalog/catalog_entry.hpp"
#include "common/downcast.hpp"
#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"
#include "expression/indexed_expression.hpp"
#include "function/rows_function.hpp"
#include "function/table_function.hpp"

namespace scaup {

struct BoundQuery;
using BoundQueryPtr = std::unique_ptr<BoundQuery>;

// --- FROM
// ----------------------------------------------------------------------------------------------------------

enum class BoundTableRefKind : uint8_t {
  kBaseTable,
  kTableFunction,
  kRowsFunction,
  kQuery,
  kCte,
  kJoin,
  kUnnest
};

/// A node of a FROM clause. Owned by its parent.
struct BoundTableRef : TreeDeletion<BoundTableRef> {
  explicit BoundTableRef(BoundTableRefKind kind_in) : kind(kind_in) {}
  virtual ~BoundTableRef() = default;
  BoundTableRefKind kind;
  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
};
using BoundTableRefPtr = std::unique_ptr<BoundTableRef>;

/// Column i of the table is {table_index, i}.
struct BoundBaseTable final : BoundTableRef {
  BoundBaseTable(size_t table_index_in, TableEntryRef table_in)
      : BoundTableRef(BoundTableRefKind::kBaseTable),
        table_index(table_index_in),
        table(std::move(table_in)) {}
  size_t table_index;
  TableEntryRef table;
  /// If set, the table has one more column: {table_index, kRowNumberColumn} is the row number, BIGINT.
  bool has_row_number = false;
  /// The contents of the table's hidden columns; null if it has none.
  IndexedExpressionsRef indexed = {};
};

/// Column i of the function's relation is {table_index, i}.
struct BoundTableFunctionCall final : BoundTableRef {
  BoundTableFunctionCall(size_t table_index_in, TableFunction function_in,
                         TableFunctionArguments arguments_in,
                         std::shared_ptr<const BoundTableFunction> bound_in)
      : BoundTableRef(BoundTableRefKind::kTableFunction),
        table_index(table_index_in),
        function(std::move(function_in)),
        arguments(std::move(arguments_in)),
        bound(std::move(bound_in)) {}
  size_t table_index;
  TableFunction function;
  TableFunctionArguments arguments;
  std::shared_ptr<const BoundTableFunction> bound;
};

/// A derived table, a view, or a WITH query that is inlined at its name. Its columns are those of the query.
struct BoundQueryTable final : BoundTableRef {
  explicit BoundQueryTable(BoundQueryPtr query_in)
      : BoundTableRef(BoundTableRefKind::kQuery), query(std::move(query_in)) {}
  BoundQueryPtr query;
};

/// A WITH query that is bound once for all of its uses. Shared by these uses and by the query that defines
/// it.
struct BoundCte {
  std::string name;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  BoundQueryPtr query;       ///< of a recursive query, the non-recursive term; null if `change` is set
  BoundStatementPtr change;  ///< INSERT, UPDATE or DELETE; the columns are those of its RETURNING
  /// The recursive term, evaluated over the rows of the previous round; null if the query is not recursive.
  BoundQueryPtr next;
  bool is_distinct = false;  ///< the terms are connected by UNION, not UNION ALL
  size_t share = 0;          ///< the table index under which the rows are materialized
  size_t round_share = 0;    ///< the same for the rows of the previous round
  size_t use_count = 0;
  bool always_kept = false;  ///< AS MATERIALIZED
};

/// A use of a BoundCte. Column i is {table_index, i}.
struct BoundCteTable final : BoundTableRef {
  BoundCteTable(size_t table_index_in, std::shared_ptr<BoundCte> cte_in, bool reads_round_in)
      : BoundTableRef(BoundTableRefKind::kCte),
        table_index(table_index_in),
        cte(std::move(cte_in)),
        reads_round(reads_round_in) {}
  size_t table_index;
  std::shared_ptr<BoundCte> cte;  ///< not owned if `reads_round`
  bool reads_round;               ///< a use inside the query itself; reads the rows of the previous round
};

enum class BoundJoinType : uint8_t {
  kInner,
  kLeft,
  kRight,
  kFull,
  kSemi,
  kAnti,
  kPositional,
  kAsof,
  kAsofLeft
};

struct BoundJoin final : BoundTableRef {
  BoundJoin(BoundJoinType type_in, BoundTableRefPtr left_in, BoundTableRefPtr right_in)
      : BoundTableRef(BoundTableRefKind::kJoin),
        type(type_in),
        left(std::move(left_in)),
        right(std::move(right_in)) {}
  BoundJoinType type;
  BoundTableRefPtr left;
  BoundTableRefPtr right;
  std::vector<ExpressionPtr> conditions;  ///< connected by AND; none for a cross product
};

/// unnest(lists): the elements of list i are {table_index, i}; the position follows if requested. Lists may
/// use columns of the FROM items to their left.
struct BoundUnnest final : BoundTableRef {
  BoundUnnest(size_t table_index_in, std::vector<ExpressionPtr> lists_in, bool has_ordinality_in)
      : BoundTableRef(BoundTableRefKind::kUnnest),
        table_index(table_index_in),
        lists(std::move(lists_in)),
        has_ordinality(has_ordinality_in) {}
  size_t table_index;
  std::vector<ExpressionPtr> lists;
  bool has_ordinality;
};

/// A call of a function of the program that returns rows. Column i of its result is {table_index, i}.
struct BoundRowsFunction final : BoundTableRef {
  BoundRowsFunction(size_t table_index_in, std::string name_in, std::shared_ptr<const BoundRowsCall> call_in)
      : BoundTableRef(BoundTableRefKind::kRowsFunction),
        table_index(table_index_in),
        name(std::move(name_in)),
        call(std::move(call_in)) {}
  size_t table_index;
  std::string name;
  std::shared_ptr<const BoundRowsCall> call;
  BoundQueryPtr input;                      ///< the query whose rows are given; null if there is none
  std::vector<ExpressionPtr> values;        ///< by parameter, NULL in the places of rows; without columns
  std::vector<ExpressionPtr> arguments;     ///< what is given of each row of the query
  std::vector<ExpressionPtr> partition_by;  ///< over the columns of the query, likewise
  std::vector<SortKey> order_by;
  std::vector<size_t> required;  ///< the parameters of which a NULL value means that there are no rows
  bool omits_null_rows = false;  ///< whether rows with a NULL among `arguments` are not given
};

// --- Queries
// -------------------------------------------------------------------------------------------------------

enum class BoundQueryKind : uint8_t { kSelect, kSetOperation, kValues };

/// A sort key: a column of the query's result, which may be hidden (see BoundSelect::items).
struct BoundOrder {
  size_t column = 0;
  bool descending = false;
  bool nulls_first = false;
};

/// The parts that every query has. Output column i is {table_index, i}, has the name names[i] and the type
/// types[i].
struct BoundQuery : TreeDeletion<BoundQuery> {
  explicit BoundQuery(BoundQueryKind kind_in) : kind(kind_in) {}
  virtual ~BoundQuery() = default;
  BoundQueryKind kind;
  size_t table_index = 0;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  std::vector<BoundOrder> order_by;
  ExpressionPtr
      limit;  ///< BIGINT or, in percent, DOUBLE; uses no columns of the query itself; null if not given
  ExpressionPtr offset;  ///< BIGINT, likewise
  bool limit_is_percent = false;
  bool with_ties = false;
  /// WITH queries of this query that are bound separately. A query comes after those that it reads.
  std::vector<std::shared_ptr<BoundCte>> ctes;
  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
};

/// Window functions with the same PARTITION BY and ORDER BY. Their results are {table_index, i}.
struct BoundWindow {
  size_t table_index = 0;
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  std::vector<ExpressionPtr> functions;  ///< WindowExpressions without these two clauses
};

/// Calls of set-returning functions, taken out of expressions. The elements of list i are {table_index, i};
/// all lists are read in parallel.
struct BoundSets {
  std::vector<ExpressionPtr> lists;
  size_t table_index = 0;
};

/// A SELECT. Its parts are evaluated in this order: from, where, group_sets, groups and aggregates, having,
/// windows, sets, items, distinct, order, limit.
struct BoundSelect final : BoundQuery {
  BoundSelect() : BoundQuery(BoundQueryKind::kSelect) {}
  BoundTableRefPtr from;  ///< null means one row without columns
  ExpressionPtr where;
  /// If set, the later parts are bound over {group_index, i} and {aggregate_index, i}.
  bool is_grouped = false;
  size_t group_index = 0;
  size_t aggregate_index = 0;
  std::vector<ExpressionPtr> groups;
  /// GROUPING SETS, ROLLUP and CUBE: for each set, the groups that it contains; its rows have NULL in the
  /// columns of the other groups. Column {group_index, groups.size()} is then the number of the row's set,
  /// INTEGER. Empty means one set with all groups.
  std::vector<std::vector<size_t>> grouping_sets;
  std::vector<ExpressionPtr> aggregates;
  /// Arguments in front of WITHIN GROUP. Used only while the query is bound, to check that they consist of
  /// grouped expressions.
  std::vector<ExpressionPtr> direct_arguments;
  ExpressionPtr having;
  std::vector<BoundWindow> windows;  ///< each is evaluated over the output of those before it
  ExpressionPtr qualify;             ///< over the output of the windows; null if there is none
  BoundSets group_sets;              ///< sets in the groups
  BoundSets sets;                    ///< sets in the items, over the output of the windows
  /// The output columns, followed by hidden columns that only ORDER BY and DISTINCT ON need. All are
  /// {item_index, i}; item_index is table_index if nothing is hidden.
  std::vector<ExpressionPtr> items;
  size_t item_index = 0;
  bool distinct = false;
  std::vector<size_t> distinct_on;  ///< positions in items
};

enum class BoundSetOperationType : uint8_t { kUnion, kIntersect, kExcept };

/// A set operation. All operands have the same number of columns; the planner casts them to `types`.
struct BoundSetOperation final : BoundQuery {
  BoundSetOperation() : BoundQuery(BoundQueryKind::kSetOperation) {}
  BoundSetOperationType operation = BoundSetOperationType::kUnion;
  bool all = false;
  std::vector<BoundQueryPtr> operands;
};

struct BoundValues final : BoundQuery {
  BoundValues() : BoundQuery(BoundQueryKind::kValues) {}
  std::vector<std::vector<ExpressionPtr>> rows;
};

/// Calls `visit` with every expression directly in the query, but not in derived tables below it.
void ForEachQueryExpression(BoundQuery& query, const std::function<void(ExpressionPtr&)>& visit);
/// Calls `visit` with every query directly in the query: derived tables, operands and WITH queries.
void ForEachDirectQuery(BoundQuery& query, const std::function<void(BoundQuery&)>& visit);
/// Do the same for a FROM clause alone.
void ForEachTableExpression(BoundTableRef& table, const std::function<void(ExpressionPtr&)>& visit);
void ForEachTableQuery(BoundTableRef& table, const std::function<void(BoundQuery&)>& visit);

}  // namespace scaup
