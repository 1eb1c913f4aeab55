// Applies patches to vectors.
#include "storage/snapshot/row_patch.hpp"

#include <cstring>

namespace scaup {

namespace {

template <size_t kBytes>
void Scatter(const RowPatch& patch, const std::byte* source, std::byte* target) {
  for (size_t i = 0; i < patch.count; i++)
    std::memcpy(target + patch.rows[i] * kBytes, source + i * kBytes, kBytes);
}

}  // namespace

void ApplyPatch(const RowPatch& patch, size_t row_count, Vector& values) {
  if (patch.count == 0) return;
  // The vector may share memory with a decoded segment, which must not change.
  values.Unshare(row_count);
  if (values.physical_type() == PhysicalType::kString) values.KeepAlive(patch.values.SharedMemory());
  const size_t width = PhysicalSize(values.physical_type());
  const auto* source = patch.values.Data<std::byte>();
  // One loop per width, so that each copy is a single move.
  auto* target = values.MutableData<std::byte>();
  switch (width) {
    case 1: Scatter<1>(patch, source, target); break;
    case 2: Scatter<2>(patch, source, target); break;
    case 4: Scatter<4>(patch, source, target); break;
    case 8: Scatter<8>(patch, source, target); break;
    default: Scatter<16>(patch, source, target); break;
  }
  const ValidityWord* patch_validity = patch.values.Validity();
  // Without NULLs on either side there is no validity mask to touch.
  if (patch_validity == nullptr && values.Validity() == nullptr) return;
  ValidityWord* validity = values.MutableValidity();
  for (size_t i = 0; i < patch.count; i++) {
    if (patch_validity == nullptr || TestValid(patch_validity, i)) {
      SetValid(validity, patch.rows[i]);
    } else {
      SetInvalid(validity, patch.rows[i]);
    }
  }
}

}  // namespace scaup
