// Filters evaluated on compressed blocks, against the values one by one.
#include <catch2/catch.hpp>

#include "../filter_reference.hpp"
#include "fixed_segment.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

Row ValuesOf(const FixedSegment& source, size_t block) {
  const size_t count = source.input.blocks[block].count;
  Vector vector(source.type);
  vector.ReferenceFlat(source.At(block, 0), nullptr, nullptr);
  Row values;
  for (size_t row = 0; row < count; row++) values.push_back(vector.GetValue(row));
  return values;
}

/// Values of the data and its bounds, neighbours of them, and values far off.
std::vector<Value> ConstantsFor(Random& random, const FixedSegment& source, const Row& values) {
  std::vector<Value> constants = {values[Below(random, values.size())], values[0]};
  const auto by_order = [](const Value& a, const Value& b) { return OrderOf(a, b) < 0; };
  constants.push_back(*std::min_element(values.begin(), values.end(), by_order));
  constants.push_back(*std::max_element(values.begin(), values.end(), by_order));
  for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{-100}, int64_t{100}, INT64_MAX, INT64_MIN}) {
    FixedSegment one(source.type);
    one.Add(1, [&](size_t) { return number; });
    constants.push_back(ValuesOf(one, 0)[0]);
  }
  if (source.input.type == PhysicalType::kInt128) {
    constants.push_back(Value::FromInteger(source.type, int128_t{1} << 126));
    constants.push_back(Value::FromInteger(source.type, -(int128_t{1} << 126)));
  }
  return constants;
}

bool MustFilter(Encoding encoding) {
  return encoding == Encoding::kConstant || encoding == Encoding::kRunLength ||
         encoding == Encoding::kFrameOfReference || encoding == Encoding::kDictionary;
}

TEST_CASE("filters on compressed blocks pass what the values pass", "[compression]") {
  Random random(11);
  for (const LogicalType& type : FixedTypes()) {
    for (const Shape shape : kShapes) {
      if (shape == Shape::kNulls) continue;  // What stands for a NULL is the method's choice.
      FixedSegment source(type);
      AddShape(random, source, shape, shape == Shape::kFew ? kVectorSize : 150 + Below(random, 100));
      const size_t count = source.input.blocks[0].count;
      const Row values = ValuesOf(source, 0);
      const std::vector<Value> constants = ConstantsFor(random, source, values);
      for (const CompressionMethod* method : AllCompressionMethods()) {
        if (!method->Supports(source.input.type)) continue;
        const auto compressed = method->Compress(source.input);
        if (!compressed) continue;
        const auto decoder = method->Open(source.input.type, compressed->header);
        const auto bytes = ExactCopy(BlockOf(*compressed, 0));
        for (const Value& constant : constants) {
          for (int op = 0; op < 7; op++) {
            ScanFilter filter{0, static_cast<ScanFilter::Op>(op), constant};
            const bool is_list = op == 6;
            if (is_list) {
              // A few constants, or all of them and others beside: compared, or found by a bitmap or hashes.
              std::vector<Value> list = {constant, constants[Below(random, constants.size())]};
              if (Below(random, 2) == 0) list = constants;
              filter = {0, ScanFilter::Op::kTest, {}, std::make_shared<InListTest>(type, std::move(list))};
            }
            // One byte more, which must stay as it is.
            std::vector<uint8_t> mask(count + 1, 7);
            const KernelLevel level = KernelLevels()[Below(random, KernelLevels().size())];
            const bool done = decoder->Filter(*bytes, count, KernelsOf(level), filter, mask.data());
            if (MustFilter(method->encoding()) &&
                !(is_list && method->encoding() == Encoding::kFrameOfReference))
              REQUIRE(done);
            if (!done) continue;
            INFO(EncodingName(method->encoding()) << ' ' << type.ToString() << " shape " << int(shape)
                                                  << " op " << op << " constant " << constant.ToString());
            for (size_t row = 0; row < count; row++) {
              if (mask[row] != static_cast<uint8_t>(Passes(values[row], filter))) REQUIRE(row == kVectorSize);
            }
            REQUIRE(mask[count] == 7);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace scaup
