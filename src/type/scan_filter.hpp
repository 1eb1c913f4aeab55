// The plain predicate that plans hand to storage: a column, and a test of its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "scaup/value.hpp"
#include "type/zone_bound.hpp"

namespace scaup {

/// Among the columns of a scan: the numbers of the rows, BIGINT.
inline constexpr size_t kRowNumberColumn = SIZE_MAX;

/// A test of single values that is no comparison with one constant. To add one takes a class beside
/// InListTest (storage/filter), its line in FilterPushdown, which recognizes it, and its line in PredicateOf,
/// by which rows are estimated. Immutable; thread-safe.
class ScanTest {
 public:
  virtual ~ScanTest() = default;
  /// mask[i] = 1 where values[i] passes, else 0. `values`: flat, of the column's physical type; what stands
  /// in the place of a NULL may pass or not.
  virtual void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const = 0;
  /// Whether a value between two bounds may pass.
  virtual bool MayPass(const ZoneBound& /*minimum*/, const ZoneBound& /*maximum*/) const { return true; }
  /// SQL of the test of `column`, for EXPLAIN.
  virtual std::string Describe(const std::string& column) const = 0;
};

/// A predicate that a scan applies itself, with zone maps and on encoded data. A value; no expression tree.
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
  bool is_null_test() const { return op == Op::kIsNull || op == Op::kIsNotNull; }
  /// Whether it compares the column's values with `constant`.
  bool is_comparison() const { return !is_null_test() && op != Op::kTest; }
  size_t column = 0;  ///< index into the table's columns
  Op op = Op::kEqual;
  Value constant = {};  ///< of comparisons: of the column's type, not NULL
  std::shared_ptr<const ScanTest> test = nullptr;
};

}  // namespace scaup
