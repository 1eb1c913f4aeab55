// Segments of fixed-width values in many distributions, for the tests of compression.
#pragma once

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../vector/kernel_levels.hpp"
#include "../../vector/random_values.hpp"
#include "storage/compression/compression.hpp"

namespace scaup::test {

/// A segment with its memory.
struct FixedSegment {
  explicit FixedSegment(const LogicalType& logical_type) : type(logical_type) {
    input.type = PhysicalTypeOf(logical_type);
  }

  /// Appends a block; `value(i)` is turned into the type, and is NULL where `is_null(i)`.
  void Add(size_t count, const std::function<int128_t(size_t)>& value,
           const std::function<bool(size_t)>& is_null = nullptr) {
    const size_t size = PhysicalSize(input.type);
    auto cells = std::make_unique<Cell[]>((count * size + 15) / 16);
    auto* bytes = reinterpret_cast<std::byte*>(cells.get());
    for (size_t i = 0; i < count; i++) Store(value(i), bytes + i * size);
    SegmentInput::Block block{bytes, nullptr, static_cast<uint32_t>(count)};
    if (is_null) {
      auto words = std::make_unique<ValidityWord[]>(kValidityWords);
      SetAllValid(words.get(), kVectorSize);
      for (size_t i = 0; i < count; i++) {
        if (is_null(i) && i != count / 2) SetInvalid(words.get(), i);  // Never all of them.
      }
      block.validity = words.get();
      validities.push_back(std::move(words));
    }
    blocks.push_back(std::move(cells));
    input.blocks.push_back(block);
  }

  void Store(int128_t value, std::byte* out) const {
    const auto low = static_cast<int64_t>(value);
    const auto copy = [&](auto typed) { std::memcpy(out, &typed, sizeof(typed)); };
    switch (input.type) {
      case PhysicalType::kBool: return copy(static_cast<uint8_t>(value & 1));
      // Numbers past the exact range stand for NaNs with payloads and for -0.0.
      case PhysicalType::kFloat:
        if (value > (int128_t{1} << 60)) return copy(static_cast<uint32_t>(0x7fc00000u | (low & 0xffff)));
        return value == std::numeric_limits<int64_t>::min() ? copy(-0.0f) : copy(static_cast<float>(low) / 8);
      case PhysicalType::kDouble:
        if (value > (int128_t{1} << 60)) return copy(uint64_t{0x7ff8000000000000u} | (low & 0xffff));
        return value == std::numeric_limits<int64_t>::min() ? copy(-0.0) : copy(static_cast<double>(low) / 8);
      case PhysicalType::kInterval:
        return copy(Interval{static_cast<int32_t>(low % 3), static_cast<int32_t>(low % 40), low});
      default: std::memcpy(out, &value, PhysicalSize(input.type));  // Little-endian: the low bytes.
    }
  }

  bool IsValid(size_t block, size_t row) const {
    const ValidityWord* words = input.blocks[block].validity;
    return words == nullptr || TestValid(words, row);
  }
  const std::byte* At(size_t block, size_t row) const {
    return input.blocks[block].values + row * PhysicalSize(input.type);
  }

  LogicalType type;
  SegmentInput input;

 private:
  struct alignas(16) Cell {
    std::byte bytes[16];
  };
  std::vector<std::unique_ptr<Cell[]>> blocks;
  std::vector<std::unique_ptr<ValidityWord[]>> validities;
};

inline const std::vector<LogicalType>& FixedTypes() {
  static const std::vector<LogicalType> types = {
      TypeId::kBoolean,   TypeId::kTinyInt,  TypeId::kSmallInt, TypeId::kInteger,  TypeId::kBigInt,
      TypeId::kHugeInt,   TypeId::kReal,     TypeId::kDouble,   TypeId::kInterval, TypeId::kUTinyInt,
      TypeId::kUSmallInt, TypeId::kUInteger, TypeId::kUBigInt};
  return types;
}

enum class Shape { kConstant, kSequential, kRandom, kSmall, kSorted, kRuns, kFew, kNulls, kExtremes, kWide };
inline const Shape kShapes[] = {Shape::kConstant, Shape::kSequential, Shape::kRandom, Shape::kSmall,
                                Shape::kSorted,   Shape::kRuns,       Shape::kFew,    Shape::kNulls,
                                Shape::kExtremes, Shape::kWide};

/// Appends a block of that shape to `segment`.
inline void AddShape(Random& random, FixedSegment& segment, Shape shape, size_t count, size_t start = 0) {
  int128_t last = static_cast<int128_t>(start) * 3 - 500;
  switch (shape) {
    case Shape::kConstant: return segment.Add(count, [&](size_t) { return 77; });
    case Shape::kSequential: return segment.Add(count, [&](size_t i) { return last + static_cast<int>(i); });
    case Shape::kRandom: return segment.Add(count, [&](size_t) { return static_cast<int64_t>(random()); });
    case Shape::kSmall:
      return segment.Add(count, [&](size_t) { return static_cast<int>(Below(random, 100)) - 50; });
    case Shape::kSorted:
      return segment.Add(count, [&](size_t) { return last += static_cast<int>(Below(random, 9)); });
    case Shape::kRuns:
      return segment.Add(count, [&](size_t) {
        if (Chance(random, 10)) last = static_cast<int32_t>(random());
        return last;
      });
    case Shape::kFew:
      return segment.Add(count,
                         [&](size_t) { return static_cast<int128_t>(Below(random, 7)) * 1000003 * 1000003; });
    case Shape::kNulls:
      return segment.Add(
          count, [&](size_t i) { return static_cast<int>(i * 5 + Below(random, 4)); },
          [&](size_t) { return Chance(random, 40); });
    case Shape::kExtremes:
      return segment.Add(count, [&](size_t i) {
        const bool low = i % 2 == 0 || Chance(random, 20);
        return low ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
      });
    case Shape::kWide:
      return segment.Add(count, [&](size_t) {
        return (int128_t{1} << 100) + static_cast<int128_t>(random() >> Below(random, 64));
      });
  }
}

inline std::span<const std::byte> BlockOf(const CompressedSegment& segment, size_t block) {
  const size_t begin = block == 0 ? 0 : segment.block_ends[block - 1];
  return std::span(segment.bytes).subspan(begin, segment.block_ends[block] - begin);
}

/// A copy in memory of exactly that size, so that the sanitizer sees a step past its end.
inline std::shared_ptr<std::vector<std::byte>> ExactCopy(std::span<const std::byte> bytes) {
  auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
  copy->shrink_to_fit();
  return copy;
}

/// A block of which each read is a piece of its own.
class BlockInPieces final : public BlockBytes {
 public:
  explicit BlockInPieces(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t size() const override { return bytes_.size(); }

 private:
  std::span<const std::byte> ReadRange(size_t begin, size_t size_bytes) override {
    pieces_.push_back(ExactCopy(bytes_.subspan(begin, size_bytes)));
    return *pieces_.back();
  }
  std::span<const std::byte> bytes_;
  std::vector<std::shared_ptr<std::vector<std::byte>>> pieces_;
};

/// Some rows of a block, ascending.
inline std::vector<sel_t> SomeRows(Random& random, size_t count) {
  std::vector<sel_t> rows;
  const size_t one_in = 1 + Below(random, 300);
  for (size_t row = 0; row < count; row++) {
    if (Below(random, one_in) == 0) rows.push_back(static_cast<sel_t>(row));
  }
  if (rows.empty()) rows.push_back(static_cast<sel_t>(Below(random, count)));
  return rows;
}

}  // namespace scaup::test
