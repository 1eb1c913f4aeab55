// Applies patches to vectors.
#include "storage/snapshot/row_patch.hpp"

#include <cstring>

#include "type/visit_width.hpp"

namespace scaup {

void ApplyPatch(const RowPatch& patch, size_t row_count, Vector& values) {
  if (patch.count == 0) return;
  // The vector may share memory with a decoded segment, which must not change.
  values.Unshare(row_count);
  if (values.physical_type() == PhysicalType::kString) values.KeepAlive(patch.values.SharedMemory());
  const auto* source = patch.values.Data<std::byte>();
  auto* target = values.MutableData<std::byte>();
  VisitWidth(PhysicalSize(values.physical_type()), [&]<size_t kBytes>() {
    for (size_t i = 0; i < patch.count; i++)
      std::memcpy(target + patch.rows[i] * kBytes, source + i * kBytes, kBytes);
  });
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
