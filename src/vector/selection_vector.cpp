// The two selections of all views of flat and constant vectors.
#include "vector/selection_vector.hpp"

#include <array>

namespace scaup {

namespace {

constexpr std::array<sel_t, kVectorSize> MakeIdentity() {
  std::array<sel_t, kVectorSize> rows{};
  for (size_t i = 0; i < kVectorSize; i++) rows[i] = static_cast<sel_t>(i);
  return rows;
}

constexpr std::array<sel_t, kVectorSize> kIdentity = MakeIdentity();
constexpr std::array<sel_t, kVectorSize> kZeros{};

}  // namespace

const sel_t* IdentitySelection() { return kIdentity.data(); }
const sel_t* ZeroSelection() { return kZeros.data(); }

}  // namespace scaup
