// IN list test: the scan filter for `x IN (a, b, c)`.
#pragma once

#include <string>
#include <vector>

#include "type/scan_filter.hpp"
#include "vector/value_set.hpp"

namespace scaup {

/// Tests whether a value is one of several constants. Immutable; thread-safe.
class InListTest final : public ScanTest {
 public:
  /// REQUIRES: `values` have the column's type and are not NULL. They may repeat.
  InListTest(const LogicalType& type, std::vector<Value> values);
  void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const override {
    set_.Find(values, count, mask);
  }
  bool MayPass(const ZoneBound& minimum, const ZoneBound& maximum) const override;
  std::string Describe(const std::string& column) const override;

  const std::vector<Value>& values() const { return values_; }
  /// Returns the filter's test if it is an InListTest, otherwise null.
  static const InListTest* Of(const ScanFilter& filter) {
    return dynamic_cast<const InListTest*>(filter.test.get());
  }

 private:
  PhysicalType type_;
  std::vector<Value> values_;
  ValueSet set_;
  std::vector<ZoneBound>
      bounds_;  // the values as bounds, ascending; empty if the type has no bounds or a value is NaN
};

}  // namespace scaup
