// Patches over vectors.
#include "storage/table/row_patch.hpp"

#include <cstring>

namespace scaup {

void ApplyPatch(const RowPatch& patch, size_t row_count, Vector& values) {
  if (patch.count == 0) return;
  values.Unshare(row_count);
  if (values.physical_type() == PhysicalType::kString) values.KeepAlive(patch.values.SharedMemory());
  const size_t width = PhysicalSize(values.physical_type());
  const auto* source = patch.values.Data<std::byte>();
  auto* target = values.MutableData<std::byte>();
  for (size_t i = 0; i < patch.count; i++)
    std::memcpy(target + patch.rows[i] * width, source + i * width, width);
  const ValidityWord* patch_validity = patch.values.Validity();
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
