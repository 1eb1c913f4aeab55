// The constants of an IN list, prepared for lookups.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vector/vector.hpp"

namespace scaup {

/// A set of values of one type. Immutable; const access from any thread.
class InListSet {
 public:
  InListSet(const LogicalType& type, const std::vector<Value>& values);
  /// result[row] = input[row] IN (values), by SQL's rule for NULLs; `result` is a BOOLEAN after Reset().
  void Match(Vector& input, size_t count, bool negated, Vector& result) const;

 private:
  bool ContainsInteger(int128_t value) const;

  PhysicalType physical_type_;
  bool has_null_ = false;
  bool narrow_ = false;            // All integers fit 64 bits.
  std::vector<int64_t> integers_;  // Sorted.
  std::vector<int128_t> wide_;     // Sorted.
  std::vector<double> reals_;      // Sorted; NaN last.
  std::vector<std::string> texts_;
  std::unordered_set<std::string_view> text_set_;
};

}  // namespace scaup
