// Reads dictionaries of fixed-width values (fixed_dictionary.cpp says how they lie): codes stay codes.
#include <algorithm>

#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/dictionary.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/table/scan_filter_kernels.hpp"

namespace scaup {
namespace {

class FixedDictionaryDecoder final : public SegmentDecoder {
 public:
  FixedDictionaryDecoder(PhysicalType type, std::span<const std::byte> header) : type_(type) {
    EncodedReader reader(header);
    const size_t entries = reader.Read<uint32_t>();
    const auto bytes = reader.rest();
    if (entries == 0 || bytes.size() != entries * PhysicalSize(type)) {
      ThrowCorruptEncoding("a dictionary has a wrong size");
    }
    CheckDecodedValues(type, bytes.data(), entries);
    // A copy, because the header need not be aligned; shared, because vectors may outlive this.
    std::shared_ptr<std::byte[]> copy(new std::byte[bytes.size()]);
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    dictionary_.data = copy.get();
    dictionary_.size = entries;
    dictionary_.is_distinct = true;
    dictionary_.owner = std::move(copy);
  }

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    const Codes codes = Read(block, count);
    if (codes.packed.width() == 0) return DecodeConstant(type_, EntryAt(codes.lowest), output);
    auto selection = std::make_shared<SelectionVector>();
    codes.packed.Unpack(kernels, 2, codes.lowest, selection->rows);
    if (codes.lowest + codes.packed.largest() >= dictionary_.size) {
      uint32_t highest = 0;
      for (size_t i = 0; i < kVectorSize; i++) {
        highest = selection->rows[i] > highest ? selection->rows[i] : highest;
      }
      if (highest >= dictionary_.size) ThrowCorruptEncoding("a code is not in its dictionary");
    }
    output.ReferenceDictionary(dictionary_, std::move(selection));
  }

  /// Evaluates once per entry that the block can refer to, if these are fewer than its values.
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    const Codes codes = Read(block, count);
    const uint64_t end = std::min<uint64_t>(dictionary_.size, codes.lowest + codes.packed.largest() + 1);
    const size_t entries = end - codes.lowest;
    if (entries > kVectorSize) return false;
    uint8_t passes[kVectorSize];
    EvaluateScanFilter(kernels, filter, type_, EntryAt(codes.lowest), nullptr, entries, passes);
    size_t passing = 0, last_passing = 0;
    for (size_t i = 0; i < entries; i++) {
      passing += passes[i];
      last_passing = passes[i] ? i : last_passing;
    }
    if (passing == 0 || passing == entries) {
      std::memset(mask, passing != 0, count);
      return true;
    }
    const size_t lane = LaneOfWidth(codes.packed.width());
    PackingBuffer lanes;
    codes.packed.UnpackLanes(kernels, 0, lanes.bytes);
    if (passing == 1) {
      // Equality with a constant, mostly. Equal bits are equal whatever the sign, so the kernel will do.
      const uint64_t wanted = last_passing;
      kernels.compare[static_cast<size_t>(CompareOp::kEqual)][lane](lanes.bytes, &wanted, mask, count, true);
      return true;
    }
    if (lane == 0) {
      Look(reinterpret_cast<const uint8_t*>(lanes.bytes), count, passes, entries, mask);
    } else {
      Look(reinterpret_cast<const uint16_t*>(lanes.bytes), count, passes, entries, mask);
    }
    return true;
  }

  const Dictionary* dictionary() const override { return &dictionary_; }
  size_t size_bytes() const override { return dictionary_.size * PhysicalSize(type_); }

 private:
  struct Codes {
    uint32_t lowest;
    PackedValues packed;
  };
  Codes Read(std::span<const std::byte> block, size_t count) const {
    EncodedReader reader(block);
    const unsigned width = reader.Read<uint8_t>();
    const auto lowest = reader.Read<uint32_t>();
    if (width > 32 || lowest >= dictionary_.size) ThrowCorruptEncoding("a code is not in its dictionary");
    return {lowest, PackedValues(reader.rest(), width, count)};
  }
  const std::byte* EntryAt(size_t code) const { return dictionary_.data + code * PhysicalSize(type_); }

  template <typename Code>
  static void Look(const Code* codes, size_t count, const uint8_t* passes, size_t entries, uint8_t* mask) {
    Code highest = 0;
    for (size_t i = 0; i < count; i++) highest = codes[i] > highest ? codes[i] : highest;
    if (highest >= entries) ThrowCorruptEncoding("a code is not in its dictionary");
    for (size_t i = 0; i < count; i++) mask[i] = passes[codes[i]];
  }

  PhysicalType type_;
  Dictionary dictionary_;
};

}  // namespace

std::unique_ptr<SegmentDecoder> OpenFixedDictionary(PhysicalType type, std::span<const std::byte> header) {
  return std::make_unique<FixedDictionaryDecoder>(type, header);
}

}  // namespace scaup
