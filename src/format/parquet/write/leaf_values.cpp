// The values and levels of one leaf, collected for a row group.
#include "format/parquet/write/leaf_values.hpp"

namespace scaup {

void LeafValues::BeginDefinitions() {
  has_definitions_ = true;
  if (entry_count_ != 0) AddDefinitions(entry_count_, static_cast<uint8_t>(leaf_->definition));
}

void LeafValues::Clear() {
  // A row group of unusually long values would else occupy memory to the end.
  constexpr size_t kMostRetainedBytes = size_t{16} << 20;
  for (ByteBuffer* buffer : {&values_, &definitions_, &repetitions_}) {
    if (buffer->capacity() > kMostRetainedBytes) buffer->Release();
    buffer->Clear();
  }
  has_definitions_ = false;
  entry_count_ = value_count_ = 0;
}

void LeafValues::Release() {
  SCAUP_ASSERT(entry_count_ == 0);
  for (ByteBuffer* buffer : {&values_, &definitions_, &repetitions_}) buffer->Release();
}

}  // namespace scaup
