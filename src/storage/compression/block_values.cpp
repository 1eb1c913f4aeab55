// Fills the gaps of blocks, and checks decoded values.
#include "storage/compression/block_values.hpp"

#include "common/throw.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

template <typename T>
void FillTyped(const SegmentInput::Block& block, T* out) {
  const T* values = reinterpret_cast<const T*>(block.values);
  const ValidityWord* validity = block.validity;
  T last{};
  if (validity == nullptr) {
    std::memcpy(out, values, block.count * sizeof(T));
    if (block.count > 0) last = values[block.count - 1];
  } else {
    // Leading NULLs take the first valid value.
    for (size_t row = 0; row < block.count; row++) {
      if (!TestValid(validity, row)) continue;
      last = values[row];
      break;
    }
    for (size_t row = 0; row < block.count; row++) {
      if (TestValid(validity, row)) last = values[row];
      out[row] = last;
    }
  }
  for (size_t row = block.count; row < kVectorSize; row++) out[row] = last;
}

}  // namespace

const std::byte* FilledBlock::Fill(PhysicalType type, const SegmentInput::Block& block) {
  SCAUP_ASSERT(type != PhysicalType::kString && block.count <= kVectorSize);
  // A full block without NULLs is used in place.
  if (block.validity == nullptr && block.count == kVectorSize) return block.values;
  VisitBits(type, [&]<typename T>() { FillTyped(block, reinterpret_cast<T*>(values_)); });
  return values_;
}

bool IsWordInteger(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool:
    case PhysicalType::kInt8:
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64: return true;
    case PhysicalType::kInt128:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: return false;
  }
  return false;
}

int64_t LoadWordInteger(PhysicalType type, const std::byte* value) {
  return VisitPhysicalType(type, [&]<typename T>() -> int64_t {
    if constexpr (std::is_integral_v<T>) {
      T result;
      std::memcpy(&result, value, sizeof(T));
      return result;
    }
    ThrowInternal("not an integer of a word");
  });
}

void CheckDecodedValues(PhysicalType type, const std::byte* values, size_t count) {
  if (type != PhysicalType::kBool) return;
  // Combines all values first, which vectorizes; a valid block needs a single test.
  std::byte all{0};
  for (size_t i = 0; i < count; i++) all |= values[i];
  if (all > std::byte{1}) ThrowCorruptEncoding("a boolean is neither true nor false");
}

void DecodeConstant(PhysicalType type, const std::byte* value, Vector& output) {
  CheckDecodedValues(type, value, 1);
  output.Reset();
  std::memcpy(output.MutableData<std::byte>(), value, PhysicalSize(type));
  output.SetConstant();
}

void EndBlock(const SegmentInput& input, CompressedSegment& segment) {
  if (segment.block_ends.empty()) {
    // Growing step by step would touch new pages repeatedly. Packing needs space for one block at full width.
    segment.bytes.reserve(segment.bytes.size() * input.blocks.size() + kVectorSize * sizeof(uint64_t));
    segment.block_ends.reserve(input.blocks.size());
  }
  segment.block_ends.push_back(static_cast<uint32_t>(segment.bytes.size()));
}

size_t CountValues(const SegmentInput& input) {
  size_t count = 0;
  for (const SegmentInput::Block& block : input.blocks) count += block.count;
  return count;
}

}  // namespace scaup
