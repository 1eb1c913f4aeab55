// Value ranges: what is proven of the values of columns and expressions, for types stored as integers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "expression/expression.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// Facts, not estimates: every row satisfies them. For types stored otherwise only `may_be_null` says
/// something.
struct ValueFacts {
  struct Bounds {
    int128_t minimum;
    int128_t maximum;
  };
  std::optional<Bounds> bounds;  ///< of the values that are not NULL
  bool may_be_null = true;
};

/// BOOLEAN .. HUGEINT, DECIMAL, DATE, TIME, TIMESTAMP.
bool IsStoredAsInteger(const LogicalType& type);
/// Whether all values of the bounds can be stored as `type`.
bool FitsType(const ValueFacts::Bounds& bounds, const LogicalType& type);

/// Facts of a table's column in one snapshot. They hold for that snapshot alone.
ValueFacts FactsOfColumn(const ColumnStatistics& statistics, const ColumnDefinition& definition);

/// Facts of columns by their bindings. Those of tables are made of their statistics when they are asked for:
/// a statement that looks up one row of a wide table asks for few.
class ColumnFacts {
 public:
  using TableStatistics = std::shared_ptr<const std::vector<ColumnStatistics>>;

  /// The columns of `table` are those of `table_index`.
  void AddTable(size_t table_index, TableEntryRef table, TableStatistics statistics);
  /// The facts of a column. Facts of a column that nothing is known of yet say nothing. Valid until this is
  /// destroyed.
  ValueFacts& operator[](ColumnBinding binding);
  /// The facts of a column, without adding it.
  ValueFacts Find(ColumnBinding binding) const;

 private:
  struct Source {
    size_t table_index;
    TableEntryRef table;
    TableStatistics statistics;
  };
  ValueFacts FactsOfSource(ColumnBinding binding) const;

  std::map<ColumnBinding, ValueFacts> facts_;
  std::vector<Source> sources_;
};

/// Facts of an expression, given those of the columns; through ScalarFunction::range.
ValueFacts FactsOf(const Expression& expression, const ColumnFacts& columns);

/// Whether a predicate holds for every row (true; never NULL), for none (false; NULL counts as none), or
/// maybe.
std::optional<bool> OutcomeOf(const Expression& predicate, const ColumnFacts& columns);
/// The predicate that a scan filter stands for.
ExpressionPtr PredicateOf(const ScanFilter& filter, size_t table_index, const LogicalType& type);
/// Narrows the facts of columns to the rows that pass the predicate.
void NarrowByPredicate(const Expression& predicate, ColumnFacts& columns);
/// Narrows both to the values that they share.
void NarrowByEquality(ColumnBinding a, ColumnBinding b, ColumnFacts& columns);

}  // namespace scaup
