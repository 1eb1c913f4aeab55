// Run length encoding: the runs of equal values of a block, as values and lengths.
//
// A block has: uint16 number of runs, the value of each, the uint16 length of each.
#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {
namespace {

template <typename T>
size_t CountRuns(const T* values, size_t count) {
  size_t runs = count > 0;
  for (size_t i = 1; i < count; i++) runs += !SameBits(values[i], values[i - 1]);
  return runs;
}

template <typename T>
void AppendRuns(const T* values, size_t count, std::vector<std::byte>& bytes) {
  uint16_t lengths[kVectorSize];
  const size_t begin = bytes.size();
  // Reserves the place of the count, which is known only at the end.
  AppendNumber<uint16_t>(bytes, 0);
  uint16_t runs = 0;
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    while (next < count && SameBits(values[next], values[i])) next++;
    AppendNumber(bytes, values[i]);
    lengths[runs++] = static_cast<uint16_t>(next - i);
  }
  std::memcpy(bytes.data() + begin, &runs, sizeof(runs));
  AppendBytes(bytes, std::as_bytes(std::span(lengths, runs)));
}

/// Sets out[at, at + length) to `value`. Writes eight values at a time, and beyond the run if there is space.
template <typename T>
void WriteRun(T value, size_t length, size_t at, T* out) {
  if (at + (length + 7) / 8 * 8 > kVectorSize) {
    for (size_t i = at; i < at + length; i++) out[i] = value;
    return;
  }
  for (size_t i = at; i < at + length; i += 8) {
    for (size_t k = 0; k < 8; k++) out[i + k] = value;
  }
}

class RunLengthDecoder final : public SegmentDecoder {
 public:
  explicit RunLengthDecoder(PhysicalType type) : type_(type) {}
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>&, Vector& output) const override {
    // Read has checked that the lengths sum up to `count`, so no run leaves the vector.
    const Runs runs = Read(block, count);
    if (runs.count == 1) return DecodeConstant(type_, runs.values.data(), output);
    CheckDecodedValues(type_, runs.values.data(), runs.count);
    output.Reset();
    VisitBits(type_, [&]<typename T>() {
      T* out = output.MutableData<T>();
      size_t at = 0;
      for (size_t run = 0; run < runs.count; run++) {
        T value;
        std::memcpy(&value, runs.values.data() + run * sizeof(T), sizeof(T));
        WriteRun(value, runs.lengths[run], at, out);
        at += runs.lengths[run];
      }
    });
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const Runs runs = Read(block, count);
    const size_t size = PhysicalSize(type_);
    std::byte* out = output.MutableData<std::byte>() + offset * size;
    size_t run = 0, run_end = runs.lengths[0];
    for (const sel_t row : rows) {
      // Rows ascend, so the runs are passed over once.
      while (run_end <= row) run_end += runs.lengths[++run];
      CheckDecodedValues(type_, runs.values.data() + run * size, 1);
      std::memcpy(out, runs.values.data() + run * size, size);
      out += size;
    }
    return true;
  }
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    const Runs runs = Read(block, count);
    // The filter runs once per run rather than once per row.
    alignas(16) std::byte values[kVectorSize * 16];
    std::memcpy(values, runs.values.data(), runs.values.size());
    uint8_t passes[kVectorSize];
    EvaluateScanFilter(kernels, filter, type_, values, nullptr, runs.count, passes);
    size_t at = 0;
    for (size_t run = 0; run < runs.count; run++) {
      std::memset(mask + at, passes[run], runs.lengths[run]);
      at += runs.lengths[run];
    }
    return true;
  }

 private:
  struct Runs {
    size_t count;
    std::span<const std::byte> values;
    uint16_t lengths[kVectorSize];
  };

  Runs Read(std::span<const std::byte> block, size_t count) const {
    EncodedReader reader(block);
    Runs runs;
    runs.count = reader.Read<uint16_t>();
    if (runs.count == 0 || runs.count > count) ThrowCorruptEncoding("a block has a wrong number of runs");
    runs.values = reader.Take(runs.count * PhysicalSize(type_));
    const auto lengths = reader.Take(runs.count * sizeof(uint16_t));
    std::memcpy(runs.lengths, lengths.data(), lengths.size());
    size_t total = 0;
    for (size_t run = 0; run < runs.count; run++) total += runs.lengths[run];
    // Lengths that sum up to the count keep every later loop within bounds.
    if (total != count || !reader.rest().empty()) ThrowCorruptEncoding("the runs do not fill their block");
    return runs;
  }

  PhysicalType type_;
};

class RunLength final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kRunLength; }
  bool Supports(PhysicalType type) const override { return type != PhysicalType::kString; }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    FilledBlock filled;
    size_t runs = 0, values = CountValues(sample);
    for (const SegmentInput::Block& block : sample.blocks) {
      const std::byte* bytes = filled.Fill(sample.type, block);
      runs += VisitBits(sample.type, [&]<typename T>() {
        return CountRuns(reinterpret_cast<const T*>(bytes), block.count);
      });
    }
    // With runs shorter than two, other encodings are smaller.
    if (runs * 2 > values) return std::nullopt;
    const size_t size = sample.blocks.size() * 2 + runs * (PhysicalSize(sample.type) + 2);
    return CompressionEstimate{static_cast<double>(size) * ScaleOfSample(sample, block_count),
                               0.05 + 2.0 * static_cast<double>(runs) / static_cast<double>(values)};
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    CompressedSegment segment{.encoding = encoding()};
    FilledBlock filled;
    for (const SegmentInput::Block& block : input.blocks) {
      const std::byte* bytes = filled.Fill(input.type, block);
      VisitBits(input.type, [&]<typename T>() {
        AppendRuns(reinterpret_cast<const T*>(bytes), block.count, segment.bytes);
      });
      EndBlock(input, segment);
    }
    return segment;
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    if (!header.empty() || !Supports(type)) ThrowCorruptEncoding("runs have no header");
    return std::make_unique<RunLengthDecoder>(type);
  }
};

}  // namespace

const CompressionMethod& RunLengthMethod() {
  static const RunLength& method = *new RunLength;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
