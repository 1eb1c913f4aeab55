// Turns pages into vectors: definition levels to NULLs, codes to dictionary vectors, plain values to views.
#include "format/parquet/leaf_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/check.hpp"
#include "format/parquet/parquet_damage.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scaup {

namespace {

RleDecoder MakeLevels(std::span<const std::byte> bytes, uint32_t most, ParquetEncoding encoding,
                      const ParquetPageHeader& header) {
  const auto width = static_cast<uint32_t>(std::bit_width(most));
  if (header.type == ParquetPageType::kData && encoding == ParquetEncoding::kBitPacked)
    return RleDecoder::FromHighestBit(bytes, width, header.value_count);
  return RleDecoder(bytes, width);
}

template <typename T>
void Gather(const std::byte* dictionary, const uint32_t* codes, size_t count, std::byte* target) {
  const T* values = reinterpret_cast<const T*>(dictionary);
  T* to = reinterpret_cast<T*>(target);
  for (size_t i = 0; i < count; i++) to[i] = values[codes[i]];
}

/// Whether a code is not below `size`, which is less than 2^31.
bool HasCodeAbove(const uint32_t* codes, size_t count, size_t size) {
  const auto last = static_cast<uint32_t>(size) - 1;  // with its highest bit set if there is no entry
  uint32_t bad = last;
  size_t i = 0;
#if defined(__SSE2__)
  // The highest bit of `code | (last - code)` is set for codes that are too large.
  __m128i found = _mm_setzero_si128();
  const __m128i most = _mm_set1_epi32(static_cast<int>(last));
  for (; i + 4 <= count; i += 4) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
    found = _mm_or_si128(found, _mm_or_si128(four, _mm_sub_epi32(most, four)));
  }
  if (_mm_movemask_ps(_mm_castsi128_ps(found)) != 0) return true;
#endif
  for (; i < count; i++) bad |= codes[i] | (last - codes[i]);
  return bad >> 31 != 0;
}

struct Sixteen {
  uint64_t words[2];
};

void GatherBytes(size_t width, const std::byte* dictionary, const uint32_t* codes, size_t count,
                 std::byte* target) {
  switch (width) {
    case 1: return Gather<uint8_t>(dictionary, codes, count, target);
    case 2: return Gather<uint16_t>(dictionary, codes, count, target);
    case 4: return Gather<uint32_t>(dictionary, codes, count, target);
    case 8: return Gather<uint64_t>(dictionary, codes, count, target);
    default: return Gather<Sixteen>(dictionary, codes, count, target);
  }
}

/// Moves the first values to where levels[i] == 1, from the last one on, so that none is overwritten.
template <typename T>
void Spread(const uint32_t* levels, size_t count, size_t value_count, std::byte* data) {
  T* values = reinterpret_cast<T*>(data);
  size_t from = value_count;
  for (size_t i = count; i-- != 0;) {
    if (levels[i] != 0) {
      values[i] = values[--from];
    } else {
      values[i] = T{};
    }
  }
}

void SpreadBytes(size_t width, const uint32_t* levels, size_t count, size_t value_count, std::byte* data) {
  switch (width) {
    case 1: return Spread<uint8_t>(levels, count, value_count, data);
    case 2: return Spread<uint16_t>(levels, count, value_count, data);
    case 4: return Spread<uint32_t>(levels, count, value_count, data);
    case 8: return Spread<uint64_t>(levels, count, value_count, data);
    default: return Spread<Sixteen>(levels, count, value_count, data);
  }
}

}  // namespace

LeafReader::LeafReader(const ParquetReading& reading, const ParquetColumnChunk& chunk,
                       const ParquetLeaf& leaf)
    : chunk_(chunk),
      leaf_(leaf),
      pages_(reading, chunk, leaf),
      convert_(FindValueConverter(leaf)),
      value_bytes_(PhysicalSize(leaf.type)),
      is_string_(IsStringLike(leaf.type)) {}

/// Loads the current page.
void LeafReader::BeginPage() {
  const ParquetPageHeader& header = pages_.header();
  values_ = nullptr;
  page_ = ParquetPage();
  page_ = pages_.Load();
  repetitions_ = MakeLevels(page_.repetitions, leaf_.repetition, header.repetition_encoding, header);
  definitions_ = MakeLevels(page_.definitions, leaf_.definition, header.definition_encoding, header);
  is_coded_ = header.encoding == ParquetEncoding::kPlainDictionary ||
              header.encoding == ParquetEncoding::kRleDictionary;
  if (is_coded_) {
    if (pages_.dictionary() == nullptr) ThrowParquetDamage("a page needs a dictionary that is not there");
    codes_ = RleDecoder();
    if (!page_.values.empty()) {
      const auto width = static_cast<uint32_t>(page_.values[0]);
      if (width > 32) ThrowParquetDamage("a page has codes of impossible width");
      codes_ = RleDecoder(page_.values.subspan(1), width);
    }
  } else {
    values_ = MakeValueDecoder(leaf_, header.encoding, page_.values);
  }
  is_loaded_ = true;
}

/// Passes over the rows that were skipped, and stops at a loaded page with a row to read.
void LeafReader::SkipRows() {
  while (true) {
    if (left_ == 0) {
      if (!pages_.Next()) ThrowParquetDamage("a column chunk has fewer values than it claims");
      left_ = pages_.header().value_count;
      is_loaded_ = false;
    }
    if (skipped_ >= left_) {
      skipped_ -= left_;
      left_ = 0;
      continue;
    }
    if (!is_loaded_) BeginPage();
    if (skipped_ == 0) return;
    SkipInPage(std::exchange(skipped_, 0));
  }
}

void LeafReader::SkipInPage(size_t count) {
  left_ -= count;
  for (size_t part; count != 0; count -= part) {
    part = std::min(count, kVectorSize);
    const size_t values = ReadDefinitions(part);
    if (is_coded_) {
      codes_.Skip(values);
    } else {
      values_->Skip(values);
    }
  }
}

/// Reads definition levels of a flat column into levels_, as 0 and 1, unless all are 1. Returns how many are.
size_t LeafReader::ReadDefinitions(size_t count) {
  if (leaf_.definition == 0 || definitions_.RunOf(1, count) == count) {
    if (leaf_.definition != 0) definitions_.Skip(count);
    return count;
  }
  definitions_.Read(count, levels_);
  size_t values = 0;
  for (size_t i = 0; i < count; i++) values += levels_[i];
  return values;
}

void LeafReader::ReadCodes(size_t count, uint32_t* codes) {
  codes_.Read(count, codes);
  if (count != 0 && HasCodeAbove(codes, count, pages_.dictionary()->size))
    ThrowParquetDamage("a page has a code that the dictionary does not have");
}

/// Reads `count` values, without NULLs, in the layout of vectors.
void LeafReader::ReadValues(size_t count, std::byte* target, Vector& heap) {
  if (count == 0) return;
  if (is_coded_) {
    uint32_t codes[kVectorSize];
    ReadCodes(count, codes);
    return GatherBytes(value_bytes_, pages_.dictionary()->values.data(), codes, count, target);
  }
  if (convert_ == nullptr) return values_->Read(count, target, heap);
  if (const std::byte* const taken = values_->Take(count)) return convert_(leaf_, taken, count, target);
  if (is_string_) {
    values_->Read(count, target, heap);
    return convert_(leaf_, target, count, target);
  }
  alignas(16) std::byte raw[kVectorSize * sizeof(StringRef)];
  values_->Read(count, raw, heap);
  convert_(leaf_, raw, count, target);
}

/// Makes `output` a view of values in the page, if they are there as vectors have them.
bool LeafReader::TryView(size_t count, Vector& output) {
  if (is_coded_ || convert_ != nullptr || is_string_ || count > left_) return false;
  if (leaf_.definition != 0 && definitions_.RunOf(1, count) != count) return false;
  const std::byte* const data = values_->Take(count);
  if (data == nullptr) return false;
  if (leaf_.definition != 0) definitions_.Skip(count);
  left_ -= count;
  if (reinterpret_cast<uintptr_t>(data) % value_bytes_ == 0) {
    output.ReferenceFlat(data, nullptr, page_.buffer);
    return true;
  }
  output.Reset();
  std::memcpy(output.MutableData<std::byte>(), data, count * value_bytes_);
  return true;
}

/// Reads rows of the current page into rows [begin, begin + count) of the flat output.
void LeafReader::ReadPart(size_t count, size_t begin, Vector& output) {
  const size_t values = ReadDefinitions(count);
  std::byte* const target = output.MutableData<std::byte>() + begin * value_bytes_;
  ReadValues(values, target, output);
  left_ -= count;
  if (is_string_) {
    output.KeepAlive(page_.buffer);
    if (is_coded_) output.KeepAlive(pages_.dictionary());
  }
  if (values == count) return;
  SpreadBytes(value_bytes_, levels_, count, values, target);
  for (size_t i = 0; i < count; i++) {
    if (levels_[i] == 0) output.SetNull(begin + i);
  }
}

/// Reads the codes of rows of the current page; NULLs get the code behind the last.
void LeafReader::ReadCodePart(size_t count, size_t begin, sel_t* codes) {
  const size_t values = ReadDefinitions(count);
  ReadCodes(values, codes + begin);
  left_ -= count;
  if (values == count) return;
  has_nulls_ = true;
  size_t from = begin + values;
  const auto null_code = static_cast<sel_t>(pages_.dictionary()->size);
  for (size_t i = count; i-- != 0;) codes[begin + i] = levels_[i] != 0 ? codes[--from] : null_code;
}

void LeafReader::ExpandCodes(size_t count, const sel_t* codes, Vector& output) {
  const ParquetDictionary& dictionary = *pages_.dictionary();
  GatherBytes(value_bytes_, dictionary.values.data(), codes, count, output.MutableData<std::byte>());
  for (size_t i = 0; i < count; i++) {
    if (codes[i] == dictionary.size) output.SetNull(i);
  }
  output.KeepAlive(pages_.dictionary());
}

void LeafReader::Read(size_t count, bool as_codes, Vector& output) {
  SCAUP_ASSERT(count != 0 && count <= kVectorSize);
  SkipRows();
  if (TryView(count, output)) return;
  SelectionRef codes;
  if (is_coded_ && (is_string_ || as_codes)) {
    codes = std::make_shared<SelectionVector>();
  } else {
    output.Reset();
  }
  for (size_t done = 0; done < count;) {
    SkipRows();
    const size_t part = std::min(count - done, left_);
    if (codes != nullptr && !is_coded_) {
      output.Reset();
      ExpandCodes(done, codes->rows, output);
      codes = nullptr;
    }
    if (codes != nullptr) {
      ReadCodePart(part, done, codes->rows);
    } else {
      ReadPart(part, done, output);
    }
    done += part;
  }
  if (codes == nullptr) return;
  const std::shared_ptr<const ParquetDictionary>& dictionary = pages_.dictionary();
  Dictionary entries;
  entries.data = dictionary->values.data();
  entries.validity = has_nulls_ ? dictionary->validity.data() : nullptr;
  entries.size = dictionary->size + (has_nulls_ ? 1 : 0);
  entries.owner = dictionary;
  entries.is_distinct = true;
  output.ReferenceDictionary(std::move(entries), std::move(codes));
}

std::shared_ptr<const ParquetDictionary> LeafReader::SoleDictionary() {
  if (!chunk_.is_dictionary_only) return nullptr;
  if (left_ == 0) {
    if (!pages_.Next()) return nullptr;
    left_ = pages_.header().value_count;
    is_loaded_ = false;
  }
  return pages_.dictionary();
}

size_t LeafReader::ReadEntries(size_t most, uint32_t* repetitions, uint32_t* definitions, Vector& values) {
  SCAUP_ASSERT(most <= kVectorSize && skipped_ == 0);
  if (left_ == 0) {
    if (!pages_.Next()) return 0;
    left_ = pages_.header().value_count;
    BeginPage();
  }
  const size_t count = std::min(most, left_);
  if (leaf_.repetition == 0) {
    std::fill_n(repetitions, count, 0);
  } else {
    repetitions_.Read(count, repetitions);
  }
  if (leaf_.definition == 0) {
    std::fill_n(definitions, count, 0);
  } else {
    definitions_.Read(count, definitions);
  }
  size_t value_count = 0;
  uint32_t highest_repetition = 0, highest_definition = 0;
  for (size_t i = 0; i < count; i++) {
    value_count += definitions[i] == leaf_.definition ? 1 : 0;
    highest_repetition = std::max(highest_repetition, repetitions[i]);
    highest_definition = std::max(highest_definition, definitions[i]);
  }
  if (highest_repetition > leaf_.repetition || highest_definition > leaf_.definition)
    ThrowParquetDamage("a page has levels that its column does not have");
  values.Reset();
  ReadValues(value_count, values.MutableData<std::byte>(), values);
  if (is_string_)
    values.KeepAlive(is_coded_ ? std::shared_ptr<const void>(pages_.dictionary()) : page_.buffer);
  left_ -= count;
  return count;
}

}  // namespace scaup
