// x IN (a, b, c): a test of scans.
#pragma once

#include <string>
#include <vector>

#include "type/scan_filter.hpp"
#include "vector/value_set.hpp"

namespace scaup {

/// Whether a value is one of some constants. Immutable; thread-safe.
class InListTest final : public ScanTest {
 public:
  /// `values`: of the column's type, not NULL; some may repeat.
  InListTest(const LogicalType& type, std::vector<Value> values);
  void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const override {
    set_.Find(values, count, mask);
  }
  bool MayPass(const ZoneBound& minimum, const ZoneBound& maximum) const override;
  std::string Describe(const std::string& column) const override;

  const std::vector<Value>& values() const { return values_; }
  /// The test of a filter, if it is one of these; otherwise null.
  static const InListTest* Of(const ScanFilter& filter) {
    return dynamic_cast<const InListTest*>(filter.test.get());
  }

 private:
  PhysicalType type_;
  std::vector<Value> values_;
  ValueSet set_;
  std::vector<ZoneBound>
      bounds_;  // Of the values, ascending; empty where the type has none, or NaN is among them.
};

}  // namespace scaup
