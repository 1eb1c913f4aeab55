// Decodes dictionaries of strings: all vectors share the dictionary, and codes become their selection.
#include <algorithm>

#include "common/throw.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/dictionary.hpp"
#include "storage/compression/fsst_decoder.hpp"
#include "storage/compression/string_dictionary.hpp"
#include "storage/compression/string_lengths.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// Dictionary entries, shared with the vectors that refer to them.
struct StringEntries {
  std::vector<char> text;  ///< followed by some spare bytes
  std::vector<StringRef> strings;
  std::vector<ValidityWord> validity;  ///< empty if there is no NULL

  size_t size_bytes() const {
    return text.capacity() + strings.capacity() * sizeof(StringRef) +
           validity.capacity() * sizeof(ValidityWord);
  }
};

std::shared_ptr<const StringEntries> ReadEntries(std::span<const std::byte> header) {
  EncodedReader reader(header);
  const size_t entry_count = reader.Read<uint32_t>();
  const auto flags = reader.Read<uint8_t>();
  const bool has_null = (flags & StringDictionaryLayout::kHasNull) != 0;
  const bool uses_fsst = (flags & StringDictionaryLayout::kUsesFsst) != 0;
  if (entry_count == 0 || entry_count > kMaxStringEntries ||
      flags > (StringDictionaryLayout::kHasNull | StringDictionaryLayout::kUsesFsst)) {
    ThrowCorruptEncoding("a dictionary of strings has a wrong size");
  }
  auto entries = std::make_shared<StringEntries>();
  std::vector<uint32_t> lengths(entry_count, 0);
  const uint64_t size_bytes = ReadStringLengths(reader, entry_count - has_null, lengths.data());
  std::optional<FsstDecoder> fsst;
  if (uses_fsst) fsst.emplace(reader);
  const auto bytes = reader.rest();
  // Checked before memory is allocated: a code stands for at most eight bytes.
  const uint64_t most_bytes = uses_fsst ? uint64_t{bytes.size()} * kFsstMaxSymbolBytes : bytes.size();
  if (size_bytes > most_bytes || (!uses_fsst && size_bytes != bytes.size())) {
    ThrowCorruptEncoding("the strings of a dictionary have a wrong size");
  }
  entries->text.resize(size_bytes + FsstDecoder::kWriteAheadBytes);
  if (uses_fsst) {
    fsst->Decode(bytes, entries->text.data(), size_bytes);
  } else {
    std::copy_n(reinterpret_cast<const char*>(bytes.data()), size_bytes, entries->text.data());
  }
  entries->strings.resize(entry_count);
  MakeStringRefs(entries->text, lengths.data(), entry_count, entries->strings.data());
  if (has_null) {
    entries->validity.assign((entry_count + 63) / 64, ~ValidityWord{0});
    SetInvalid(entries->validity.data(), entry_count - 1);
  }
  return entries;
}

class StringDictionaryDecoder final : public SegmentDecoder {
 public:
  explicit StringDictionaryDecoder(std::span<const std::byte> header)
      : StringDictionaryDecoder(ReadEntries(header)) {}

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    auto selection = std::make_shared_for_overwrite<SelectionVector>();
    UnpackCodes(block, count, kernels, selection->rows);
    output.ReferenceDictionary(dictionary_, std::move(selection));
  }

  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const Codes codes = Read(block, count);
    const auto* entries = reinterpret_cast<const StringRef*>(dictionary_.data);
    auto* out = output.MutableData<StringRef>();
    for (const sel_t row : rows) {
      const uint64_t code = codes.lowest + codes.packed.At(row);
      if (code >= dictionary_.size) ThrowCorruptEncoding("a code is not in its dictionary");
      out[offset] = output.AddString(entries[code].view());
      if (encodes_nulls() && !TestValid(dictionary_.validity, code)) output.SetNull(offset);
      offset++;
    }
    return true;
  }

  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    // Beyond this size, evaluating the entries per block costs no less than evaluating all entries once for
    // all blocks.
    if (dictionary_.size > kVectorSize) return false;
    uint8_t entry_mask[kVectorSize];
    EvaluateScanFilter(kernels, filter, PhysicalType::kString, dictionary_.data, nullptr, dictionary_.size,
                       entry_mask);
    return FilterByEntries(block, count, kernels, entry_mask, mask);
  }

  bool FilterByEntries(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                       const uint8_t* entry_mask, uint8_t* mask) const override {
    SelectionVector codes;
    UnpackCodes(block, count, kernels, codes.rows);
    for (size_t row = 0; row < count; row++) mask[row] = entry_mask[codes.rows[row]];
    return true;
  }

  const Dictionary* dictionary() const override { return &dictionary_; }
  bool encodes_nulls() const override { return dictionary_.validity != nullptr; }
  size_t size_bytes() const override { return size_bytes_; }

 private:
  explicit StringDictionaryDecoder(std::shared_ptr<const StringEntries> entries)
      : size_bytes_(entries->size_bytes()) {
    dictionary_.data = reinterpret_cast<const std::byte*>(entries->strings.data());
    dictionary_.validity = entries->validity.empty() ? nullptr : entries->validity.data();
    dictionary_.size = entries->strings.size();
    dictionary_.is_distinct = true;
    dictionary_.owner = std::move(entries);
  }

  struct Codes {
    uint32_t lowest;
    PackedValues packed;
  };
  Codes Read(std::span<const std::byte> block, size_t count) const {
    EncodedReader reader(block);
    const unsigned width = reader.Read<uint8_t>();
    const auto lowest = reader.Read<uint32_t>();
    if (width > 16 || lowest >= dictionary_.size) ThrowCorruptEncoding("a code is not in its dictionary");
    return {lowest, PackedValues(reader.rest(), width, count)};
  }

  /// Unpacks all 1024 codes, including those past the end of a short block, and checks them against the
  /// dictionary's size.
  void UnpackCodes(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                   sel_t* codes) const {
    SCAUP_ASSERT(count <= kVectorSize);
    const auto [lowest, packed] = Read(block, count);
    packed.Unpack(kernels, 2, lowest, codes);
    // The largest number of this width is an entry, so every code is.
    if (lowest + packed.largest() < dictionary_.size) return;
    // Codes are below 2^17, so they are valid signed numbers for the kernel.
    int32_t least = 0, highest = 0;
    kernels.min_max[static_cast<size_t>(KernelType::kInt32)](codes, kVectorSize, &least, &highest);
    if (static_cast<size_t>(highest) >= dictionary_.size)
      ThrowCorruptEncoding("a code is not in its dictionary");
  }

  Dictionary dictionary_;
  size_t size_bytes_;
};

}  // namespace

std::unique_ptr<SegmentDecoder> OpenStringDictionary(std::span<const std::byte> header) {
  return std::make_unique<StringDictionaryDecoder>(header);
}

}  // namespace scaup
