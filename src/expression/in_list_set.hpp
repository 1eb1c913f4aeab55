// IN-list set: the constants of an IN list, prepared for lookups.
#pragma once

#include <vector>

#include "vector/value_set.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A set of values of one type. Immutable; const access from any thread.
class InListSet {
 public:
  InListSet(const LogicalType& type, const std::vector<Value>& values);
  /// result[row] = input[row] IN (values), with SQL's rules for NULL. `result` is a BOOLEAN vector after
  /// Reset().
  void Match(Vector& input, size_t count, bool negated, Vector& result) const;

 private:
  PhysicalType physical_type_;
  bool has_null_ = false;
  ValueSet set_;  // Without NULL.
};

}  // namespace scaup
