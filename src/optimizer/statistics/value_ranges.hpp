// Value ranges: proven facts on the values of columns and expressions, for types stored as integers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/catalog.hpp"
#include "expression/expression.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// Facts, not estimates: every row satisfies them. For types not stored as integers, only `may_be_null` is
/// meaningful.
struct ValueFacts {
  struct Bounds {
    int128_t minimum;
    int128_t maximum;
  };
  std::optional<Bounds> bounds;  ///< of the values that are not NULL
  bool may_be_null = true;
};

/// Whether the type is BOOLEAN .. HUGEINT, DECIMAL, DATE, TIME or TIMESTAMP.
bool IsStoredAsInteger(const LogicalType& type);
/// Whether all values within the bounds can be stored as `type`.
bool FitsType(const ValueFacts::Bounds& bounds, const LogicalType& type);

/// The facts of a table's column in one snapshot. They hold only for that snapshot.
ValueFacts FactsOfColumn(const ColumnStatistics& statistics, const ColumnDefinition& definition);

/// The facts of columns by binding. Those of table columns are derived from statistics on demand, because a
/// statement that looks up one row of a wide table needs few of them.
class ColumnFacts {
 public:
  using TableStatistics = std::shared_ptr<const std::vector<ColumnStatistics>>;

  /// Adds the columns of `table`, which are bound under `table_index`.
  void AddTable(size_t table_index, TableEntryRef table, TableStatistics statistics);
  /// The facts of a column, added if missing; those of an unknown column state nothing. Valid until this is
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

/// The facts of an expression, derived from those of the columns through ScalarFunction::range.
ValueFacts FactsOf(const Expression& expression, const ColumnFacts& columns);

/// Whether a predicate holds for every row (true; never NULL), for none (false; NULL counts as not holding),
/// or unknown.
std::optional<bool> OutcomeOf(const Expression& predicate, const ColumnFacts& columns);
/// The predicate that is equivalent to a scan filter.
ExpressionPtr PredicateOf(const ScanFilter& filter, size_t table_index, const LogicalType& type);
/// Narrows the facts of columns to the rows that pass the predicate.
void NarrowByPredicate(const Expression& predicate, ColumnFacts& columns);
/// Narrows the facts of both columns to their common values.
void NarrowByEquality(ColumnBinding a, ColumnBinding b, ColumnFacts& columns);

}  // namespace scaup
