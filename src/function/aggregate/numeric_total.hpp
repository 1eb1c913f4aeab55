// An exact sum of NUMERICs within the state of an aggregate.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/memory/arena.hpp"
#include "type/number/numeric.hpp"

namespace scaup {

/// The sum of any number of numbers. Limbs near the point are added up place by place, without carries;
/// numbers that reach beyond are added to a number of their own in the arena. Trivially copyable.
class NumericTotal {
 public:
  /// Adds a stored number. Throws Error(22003) if the sum leaves the range of NUMERIC.
  void Add(std::string_view bytes, Arena& arena);
  void Combine(const NumericTotal& other, Arena& arena);
  /// Returns the sum, with the scale of the number that has most digits behind the point: by it the digits of
  /// quotients are chosen.
  Numeric Sum() const;

 private:
  /// The lowest place, and the number of places. The highest one takes carries alone.
  static constexpr int32_t kLowest = -4;
  static constexpr size_t kPlaces = 10;
  /// As many additions as cannot overflow a place.
  static constexpr uint64_t kMostAdditions = uint64_t{1} << 32;

  bool AddNearPoint(std::string_view bytes);
  void AddFar(const Numeric& number, Arena& arena);
  void Carry();

  int64_t places_[kPlaces] = {};
  uint64_t additions_ = 0;  // since the last carry
  uint16_t scale_ = 0;      // the most digits of a number behind the point
  char* far_ = nullptr;     // the stored sum of the other numbers
  uint32_t far_size_ = 0;
  uint32_t far_capacity_ = 0;
};

}  // namespace scaup
