// Decodes ALP blocks: integers to doubles without conversion, two multiplications, then the exceptions.
#include <algorithm>

#include "common/throw.hpp"
#include "storage/compression/alp.hpp"
#include "storage/compression/alp_decimals.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

namespace {

/// The bits of this double, plus an integer below 2^52, are the bits of their sum as a double.
constexpr double kTwoTo52 = 4503599627370496.0;

template <typename T>
class AlpDecoder final : public SegmentDecoder {
 public:
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    output.Reset();
    T* values = output.MutableData<T>();
    const Block read = Read(block, count);
    if (read.is_raw) {
      std::memcpy(values, read.exceptions.data(), read.exceptions.size());
      return;
    }
    PackingBuffer integers;
    read.packed.Unpack(kernels, 3, BitsOf(kTwoTo52), integers.bytes);
    const DecimalScale scale(read.shape);
    kernels.scale_decimals[sizeof(T) == sizeof(double)](integers.bytes, read.least - kTwoTo52,
                                                        scale.from_power, scale.from_inverse, values);
    // Exceptions overwrite the fillers.
    for (size_t i = 0; i < read.exception_count; i++)
      std::memcpy(values + read.ExceptionRow(i, count), read.exceptions.data() + i * sizeof(T), sizeof(T));
  }

  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const Block read = Read(block, count);
    T* out = output.MutableData<T>() + offset;
    const DecimalScale scale(read.shape);
    for (size_t i = 0; i < rows.size(); i++) {
      if (read.is_raw) {
        std::memcpy(out + i, read.exceptions.data() + rows[i] * sizeof(T), sizeof(T));
      } else {
        const double digits = static_cast<double>(read.packed.At(rows[i])) + read.least;
        out[i] = static_cast<T>(digits * scale.from_power * scale.from_inverse);
      }
    }
    // Both lists ascend, but few exceptions hit the wanted rows, so each is searched.
    for (size_t i = 0; i < read.exception_count; i++) {
      const auto place = std::lower_bound(rows.begin(), rows.end(), read.ExceptionRow(i, count));
      if (place == rows.end() || *place != read.ExceptionRow(i, count)) continue;
      std::memcpy(out + (place - rows.begin()), read.exceptions.data() + i * sizeof(T), sizeof(T));
    }
    return true;
  }

 private:
  struct Block {
    bool is_raw = false;
    DecimalShape shape;
    double least = 0;
    PackedValues packed{{}, 0, 0};
    size_t exception_count = 0;
    std::span<const std::byte> rows;
    std::span<const std::byte> exceptions;  // all values of a raw block

    size_t ExceptionRow(size_t index, size_t count) const {
      uint16_t row;
      std::memcpy(&row, rows.data() + index * sizeof(row), sizeof(row));
      // The row comes from the file, so it is tested before it is used as an index.
      if (row >= count) ThrowCorruptEncoding("an exception outside its block");
      return row;
    }
  };

  static Block Read(std::span<const std::byte> block, size_t count) {
    Block read;
    EncodedReader reader(block);
    const auto exponent = reader.Read<uint8_t>();
    if (exponent == AlpLayout::kRawBlock) {
      if (reader.rest().size() != count * sizeof(T)) ThrowCorruptEncoding("raw numbers have a wrong size");
      read.is_raw = true;
      read.exceptions = reader.rest();
      return read;
    }
    const auto factor = reader.Read<uint8_t>();
    const auto width = reader.Read<uint8_t>();
    read.exception_count = reader.Read<uint16_t>();
    read.least = static_cast<double>(reader.Read<int64_t>());
    // The negated form also rejects NaN.
    if (exponent > DecimalShape::kMaxExponent || factor > exponent || width > AlpLayout::kMaxWidth ||
        !(read.least > -kMaxDecimalDigits && read.least < kMaxDecimalDigits) ||
        read.exception_count > count) {
      ThrowCorruptEncoding("impossible decimals");
    }
    read.shape = {exponent, factor};
    read.packed = PackedValues(reader.Take(PackedBytes(width, count)), width, count);
    read.rows = reader.Take(read.exception_count * sizeof(uint16_t));
    read.exceptions = reader.Take(read.exception_count * sizeof(T));
    if (!reader.rest().empty()) ThrowCorruptEncoding("a block of decimals has a wrong size");
    return read;
  }
};

}  // namespace

std::unique_ptr<SegmentDecoder> OpenAlp(PhysicalType type, std::span<const std::byte> header) {
  if (!header.empty()) ThrowCorruptEncoding("decimals have no header");
  if (type == PhysicalType::kFloat) return std::make_unique<AlpDecoder<float>>();
  if (type == PhysicalType::kDouble) return std::make_unique<AlpDecoder<double>>();
  ThrowCorruptEncoding("only floating-point numbers are kept as decimals");
}

}  // namespace scaup
