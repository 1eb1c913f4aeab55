// Bound queries: FROM, SELECT, VALUES and set operations after names and types are settled.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "expression/expression.hpp"
#include "function/table_function.hpp"

namespace scaup {

struct BoundQuery;
using BoundQueryPtr = std::unique_ptr<BoundQuery>;

// --- FROM
// ----------------------------------------------------------------------------------------------------------

enum class BoundTableRefKind : uint8_t { kBaseTable, kTableFunction, kQuery, kJoin, kUnnest };

/// A node of a FROM clause. Owned by its parent.
struct BoundTableRef {
  explicit BoundTableRef(BoundTableRefKind kind_in) : kind(kind_in) {}
  virtual ~BoundTableRef() = default;
  BoundTableRefKind kind;
  template <typename T>
  T& As() {
    return static_cast<T&>(*this);
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
  /// The table has one column more, the last: the number of the row, BIGINT.
  bool has_row_number = false;
};

/// Column i of the function's relation is {table_index, i}.
struct BoundTableFunctionCall final : BoundTableRef {
  BoundTableFunctionCall(size_t table_index_in, TableFunction function_in,
                         std::shared_ptr<const BoundTableFunction> bound_in)
      : BoundTableRef(BoundTableRefKind::kTableFunction),
        table_index(table_index_in),
        function(std::move(function_in)),
        bound(std::move(bound_in)) {}
  size_t table_index;
  TableFunction function;
  std::shared_ptr<const BoundTableFunction> bound;
};

/// A derived table or a CTE. Its columns are those of the query.
struct BoundQueryTable final : BoundTableRef {
  explicit BoundQueryTable(BoundQueryPtr query_in)
      : BoundTableRef(BoundTableRefKind::kQuery), query(std::move(query_in)) {}
  BoundQueryPtr query;
};

enum class BoundJoinType : uint8_t { kInner, kLeft, kRight, kFull };

struct BoundJoin final : BoundTableRef {
  BoundJoin(BoundJoinType type_in, BoundTableRefPtr left_in, BoundTableRefPtr right_in)
      : BoundTableRef(BoundTableRefKind::kJoin),
        type(type_in),
        left(std::move(left_in)),
        right(std::move(right_in)) {}
  BoundJoinType type;
  BoundTableRefPtr left;
  BoundTableRefPtr right;
  std::vector<ExpressionPtr> conditions;  ///< ANDed; none for a cross product
};

/// unnest(lists): the elements of list i come out as {table_index, i}, then their position if asked for.
struct BoundUnnest final : BoundTableRef {
  BoundUnnest(size_t table_index_in, BoundTableRefPtr input_in, std::vector<ExpressionPtr> lists_in)
      : BoundTableRef(BoundTableRefKind::kUnnest),
        table_index(table_index_in),
        input(std::move(input_in)),
        lists(std::move(lists_in)) {}
  size_t table_index;
  BoundTableRefPtr input;  ///< whose rows the lists are taken from, and which comes out too; null if none
  std::vector<ExpressionPtr> lists;
  bool has_ordinality = false;
  bool is_outer = false;  ///< LEFT JOIN: rows of the input without elements stay
};

// --- Queries
// -------------------------------------------------------------------------------------------------------

enum class BoundQueryKind : uint8_t { kSelect, kSetOperation, kValues };

/// A sort key: a column of the query's result, hidden ones (see BoundSelect::items) included.
struct BoundOrder {
  size_t column = 0;
  bool descending = false;
  bool nulls_first = false;
};

/// What every query has. Output column i is {table_index, i}, named names[i] and of types[i].
struct BoundQuery {
  explicit BoundQuery(BoundQueryKind kind_in) : kind(kind_in) {}
  virtual ~BoundQuery() = default;
  BoundQueryKind kind;
  size_t table_index = 0;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  std::vector<BoundOrder> order_by;
  ExpressionPtr limit;   ///< BIGINT without columns; null if not given
  ExpressionPtr offset;  ///< the same
  template <typename T>
  T& As() {
    return static_cast<T&>(*this);
  }
};

/// Window functions with the same PARTITION BY and ORDER BY. They come out as {table_index, i}.
struct BoundWindow {
  size_t table_index = 0;
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  std::vector<ExpressionPtr> functions;  ///< WindowExpressions that have given up these two
};

/// Evaluated in this order: from, where, groups and aggregates, having, windows, unnested, items, distinct,
/// order, limit.
struct BoundSelect final : BoundQuery {
  BoundSelect() : BoundQuery(BoundQueryKind::kSelect) {}
  BoundTableRefPtr from;  ///< null: one row without columns
  ExpressionPtr where;
  /// With is_grouped, what comes after is over {group_index, i} and {aggregate_index, i}.
  bool is_grouped = false;
  size_t group_index = 0;
  size_t aggregate_index = 0;
  std::vector<ExpressionPtr> groups;
  std::vector<ExpressionPtr> aggregates;
  ExpressionPtr having;
  std::vector<BoundWindow> windows;  ///< each over what comes out of those before it
  /// unnest(list) in the items: they come out as {unnest_index, i}, over what the windows give.
  std::vector<ExpressionPtr> unnested;
  size_t unnest_index = 0;
  /// The output columns, then hidden ones that only ORDER BY and DISTINCT ON need. All are {item_index, i};
  /// item_index is table_index when nothing is hidden.
  std::vector<ExpressionPtr> items;
  size_t item_index = 0;
  bool distinct = false;
  std::vector<size_t> distinct_on;  ///< positions in items
};

enum class BoundSetOperationType : uint8_t { kUnion, kIntersect, kExcept };

/// The operands have as many columns each; the planner casts them to `types`.
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

/// Calls `visit` with every expression that stands directly in the query (not in derived tables below it).
void ForEachQueryExpression(BoundQuery& query, const std::function<void(ExpressionPtr&)>& visit);
/// Calls `visit` with every query that stands directly in the query: derived tables and operands.
void ForEachDirectQuery(BoundQuery& query, const std::function<void(BoundQuery&)>& visit);
/// The same two for a FROM clause alone.
void ForEachTableExpression(BoundTableRef& table, const std::function<void(ExpressionPtr&)>& visit);
void ForEachTableQuery(BoundTableRef& table, const std::function<void(BoundQuery&)>& visit);

}  // namespace scaup
