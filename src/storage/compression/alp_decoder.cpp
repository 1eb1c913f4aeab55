// Reads ALP's blocks: integers to doubles without a conversion, then two multiplications, then the
// exceptions.
#include "common/throw.hpp"
#include "storage/compression/alp.hpp"
#include "storage/compression/alp_decimals.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

namespace {

/// As the bits of a double, 2^52 plus an integer below 2^52 is that sum as a double.
constexpr double kTwoTo52 = 4503599627370496.0;

template <typename T>
class Decoder final : public SegmentDecoder {
 public:
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    output.Reset();
    T* values = output.MutableData<T>();
    EncodedReader reader(block);
    const auto exponent = reader.Read<uint8_t>();
    if (exponent == AlpLayout::kRawBlock) {
      if (reader.rest().size() != count * sizeof(T)) ThrowCorruptEncoding("raw numbers have a wrong size");
      std::memcpy(values, reader.rest().data(), reader.rest().size());
      return;
    }
    const auto factor = reader.Read<uint8_t>();
    const auto width = reader.Read<uint8_t>();
    const size_t exception_count = reader.Read<uint16_t>();
    const auto least = static_cast<double>(reader.Read<int64_t>());
    if (exponent > DecimalShape::kMaxExponent || factor > exponent || width > AlpLayout::kMaxWidth ||
        !(least > -kMaxDecimalDigits && least < kMaxDecimalDigits) || exception_count > count) {
      ThrowCorruptEncoding("impossible decimals");
    }
    const PackedValues packed(reader.Take(PackedBytes(width, count)), width, count);
    const auto rows = reader.Take(exception_count * sizeof(uint16_t));
    const auto exceptions = reader.Take(exception_count * sizeof(T));
    if (!reader.rest().empty()) ThrowCorruptEncoding("a block of decimals has a wrong size");

    PackingBuffer integers;
    packed.Unpack(kernels, 3, BitsOf(kTwoTo52), integers.bytes);
    const DecimalScale scale({exponent, factor});
    kernels.scale_decimals[sizeof(T) == sizeof(double)](integers.bytes, least - kTwoTo52, scale.from_power,
                                                        scale.from_inverse, values);
    for (size_t i = 0; i < exception_count; i++) {
      uint16_t row;
      std::memcpy(&row, rows.data() + i * sizeof(row), sizeof(row));
      if (row >= count) ThrowCorruptEncoding("an exception outside its block");
      std::memcpy(values + row, exceptions.data() + i * sizeof(T), sizeof(T));
    }
  }
};

}  // namespace

std::unique_ptr<SegmentDecoder> OpenAlp(PhysicalType type, std::span<const std::byte> header) {
  if (!header.empty()) ThrowCorruptEncoding("decimals have no header");
  if (type == PhysicalType::kFloat) return std::make_unique<Decoder<float>>();
  if (type == PhysicalType::kDouble) return std::make_unique<Decoder<double>>();
  ThrowCorruptEncoding("only floating-point numbers are kept as decimals");
}

}  // namespace scaup
