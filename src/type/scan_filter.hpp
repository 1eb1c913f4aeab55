// Simple predicates that plans push down to storage: a column, and a test of its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "scaup/value.hpp"
#include "type/zone_bound.hpp"

namespace scaup {

/// A pseudo-column of a scan: the row numbers, BIGINT.
inline constexpr size_t kRowNumberColumn = SIZE_MAX;

/// A test of single values other than a comparison with one constant. A new one needs a class beside
/// InListTest (vector/filter), a line in FilterPushdown, which recognizes it, and a line in PredicateOf,
/// which serves the estimates. Thread-safe. Immutable, or, if it is made while a query runs, stricter from
/// call to call: a value that has failed never passes again.
class ScanTest {
 public:
  virtual ~ScanTest() = default;
  /// Sets mask[i] to 1 if values[i] passes, otherwise to 0. `values` is flat and of the column's physical
  /// type. The results under NULLs are ignored.
  virtual void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const = 0;
  /// Whether a value between the bounds may pass.
  virtual bool MayPass(const ZoneBound& /*minimum*/, const ZoneBound& /*maximum*/) const { return true; }
  /// For tests that get stricter: where to read first. The less the number for the bounds of a zone, the
  /// sooner its values make the test as strict as it can get.
  virtual uint64_t RankOf(const ZoneBound& /*minimum*/, const ZoneBound& /*maximum*/) const { return 0; }
  /// The SQL text of the test of `column`, for EXPLAIN.
  virtual std::string Describe(const std::string& column) const = 0;
};

/// A predicate that a scan evaluates itself, with zone maps and on encoded data. A plain value, not an
/// expression tree.
struct ScanFilter {
  enum class Op : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kIsNull,
    kIsNotNull,
    kTest  ///< not NULL, and passes `test`
  };
  /// The operator in SQL, of a test of NULL with its words; "?" for kTest.
  static const char* TextOf(Op op);
  bool is_null_test() const { return op == Op::kIsNull || op == Op::kIsNotNull; }
  /// Whether it compares the column's values with `constant`.
  bool is_comparison() const { return !is_null_test() && op != Op::kTest; }
  size_t column = 0;  ///< index into the table's columns
  Op op = Op::kEqual;
  Value constant = {};  ///< for comparisons: of the column's type, not NULL
  std::shared_ptr<const ScanTest> test = nullptr;
  bool or_null = false;  ///< whether NULL passes a kTest, too; only in filters that appear while a query runs
};

}  // namespace scaup
