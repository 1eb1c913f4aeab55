// Decodes dictionaries of fixed-width values (layout in fixed_dictionary.cpp): codes remain codes.
#include <algorithm>

#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/dictionary.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {
namespace {

/// Dictionary entries, shared with the vectors that refer to them.
struct FixedEntries {
  explicit FixedEntries(size_t size_bytes) : values(new std::byte[size_bytes]()) {}
  std::unique_ptr<std::byte[]> values;
  std::vector<ValidityWord> validity;  ///< empty if there is no NULL
};

class FixedDictionaryDecoder final : public SegmentDecoder {
 public:
  FixedDictionaryDecoder(PhysicalType type, std::span<const std::byte> header) : type_(type) {
    EncodedReader reader(header);
    const size_t entry_count = reader.Read<uint32_t>();
    const size_t null_count = reader.Read<uint8_t>();
    const auto bytes = reader.rest();
    if (entry_count == 0 || null_count > 1 ||
        bytes.size() != (entry_count - null_count) * PhysicalSize(type)) {
      ThrowCorruptEncoding("a dictionary has a wrong size");
    }
    CheckDecodedValues(type, bytes.data(), entry_count - null_count);
    // Copied because the header need not be aligned; shared because vectors may outlive the decoder.
    auto entries = std::make_shared<FixedEntries>(entry_count * PhysicalSize(type));
    std::copy(bytes.begin(), bytes.end(), entries->values.get());
    if (null_count > 0) {
      entries->validity.assign((entry_count + 63) / 64, ~ValidityWord{0});
      SetInvalid(entries->validity.data(), entry_count - 1);
      dictionary_.validity = entries->validity.data();
    }
    dictionary_.data = entries->values.get();
    dictionary_.size = entry_count;
    dictionary_.is_distinct = true;
    dictionary_.owner = std::move(entries);
  }

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    const Codes codes = Read(block, count);
    // Width 0 means that all values are the same entry.
    if (codes.packed.width() == 0 && !encodes_nulls()) {
      return DecodeConstant(type_, EntryAt(codes.lowest), output);
    }
    auto selection = std::make_shared_for_overwrite<SelectionVector>();
    UnpackChecked(codes, kernels, selection->rows);
    output.ReferenceDictionary(dictionary_, std::move(selection));
  }

  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const Codes codes = Read(block, count);
    const size_t size = PhysicalSize(type_);
    std::byte* out = output.MutableData<std::byte>() + offset * size;
    for (const sel_t row : rows) {
      const uint64_t code = codes.lowest + codes.packed.At(row);
      if (code >= dictionary_.size) ThrowWrongCode();
      std::memcpy(out, EntryAt(code), size);
      if (encodes_nulls() && !TestValid(dictionary_.validity, code)) output.SetNull(offset);
      out += size;
      offset++;
    }
    return true;
  }

  bool FilterByEntries(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                       const uint8_t* entry_mask, uint8_t* mask) const override {
    SelectionVector codes;
    UnpackChecked(Read(block, count), kernels, codes.rows);
    for (size_t i = 0; i < count; i++) mask[i] = entry_mask[codes.rows[i]];
    return true;
  }

  /// Evaluates the filter once per entry that the block can refer to, if these are fewer than its values.
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    const Codes codes = Read(block, count);
    if (codes.packed.largest() >= kVectorSize) return false;
    const size_t entries = std::min<size_t>(dictionary_.size - codes.lowest, codes.packed.largest() + 1);
    // `passes` covers every number of the width, so codes need no check: numbers that are no entries pass
    // nothing.
    uint8_t passes[kVectorSize] = {};
    EvaluateScanFilter(kernels, filter, type_, EntryAt(codes.lowest), nullptr, entries, passes);
    size_t passing = 0;
    uint64_t last_passing = 0;
    for (size_t i = 0; i < entries; i++) {
      passing += passes[i];
      last_passing = passes[i] ? i : last_passing;
    }
    // The block's entries all agree, so no code needs to be unpacked.
    if (passing == 0 || passing == entries) {
      std::memset(mask, passing != 0, count);
      return true;
    }
    const size_t lane = LaneOfWidth(codes.packed.width());
    PackingBuffer lanes;
    codes.packed.UnpackLanes(kernels, 0, lanes.bytes);
    if (passing == 1) {
      // Usually equality with a constant. Equal bits are equal regardless of the sign, so the signed kernel
      // serves.
      kernels.compare[static_cast<size_t>(CompareOp::kEqual)][lane](lanes.bytes, &last_passing, mask, count,
                                                                    true);
    } else if (lane == 0) {
      const auto* narrow = reinterpret_cast<const uint8_t*>(lanes.bytes);
      for (size_t i = 0; i < count; i++) mask[i] = passes[narrow[i]];
    } else {
      const auto* wide = reinterpret_cast<const uint16_t*>(lanes.bytes);
      for (size_t i = 0; i < count; i++) mask[i] = passes[wide[i]];
    }
    return true;
  }

  const Dictionary* dictionary() const override { return &dictionary_; }
  bool encodes_nulls() const override { return dictionary_.validity != nullptr; }
  size_t size_bytes() const override {
    return dictionary_.size * PhysicalSize(type_) + (encodes_nulls() ? dictionary_.size / 8 : 0);
  }

 private:
  struct Codes {
    uint32_t lowest;
    PackedValues packed;
  };
  Codes Read(std::span<const std::byte> block, size_t count) const {
    EncodedReader reader(block);
    const unsigned width = reader.Read<uint8_t>();
    const auto lowest = reader.Read<uint32_t>();
    if (width > 32 || lowest >= dictionary_.size) ThrowWrongCode();
    return {lowest, PackedValues(reader.rest(), width, count)};
  }
  /// Unpacks all 1024 codes, including those past the end of a short block, and checks that they are entries.
  void UnpackChecked(const Codes& codes, const KernelTable& kernels, sel_t* out) const {
    codes.packed.Unpack(kernels, 2, codes.lowest, out);
    // The largest number of this width is an entry, so every code is.
    if (codes.lowest + codes.packed.largest() < dictionary_.size) return;
    // A code above INT32_MAX is negative for the kernel, and then the lowest.
    int32_t lowest = 0, highest = 0;
    kernels.min_max[static_cast<size_t>(KernelType::kInt32)](out, kVectorSize, &lowest, &highest);
    if (lowest < 0 || static_cast<size_t>(highest) >= dictionary_.size) ThrowWrongCode();
  }
  [[noreturn]] static void ThrowWrongCode() { ThrowCorruptEncoding("a code is not in its dictionary"); }
  const std::byte* EntryAt(size_t code) const { return dictionary_.data + code * PhysicalSize(type_); }

  PhysicalType type_;
  Dictionary dictionary_;
};

}  // namespace

std::unique_ptr<SegmentDecoder> OpenFixedDictionary(PhysicalType type, std::span<const std::byte> header) {
  return std::make_unique<FixedDictionaryDecoder>(type, header);
}

}  // namespace scaup
