// bit_count of integers and of bytes; get_bit, set_bit, get_byte and set_byte of a BLOB.
#include <fmt/format.h>

#include <bit>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr const char* kArraySubscriptError = "2202E";

template <typename T>
void CountBits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, int64_t>(arguments.column(0), arguments.size(), result, [](T value) -> int64_t {
    return std::popcount(static_cast<std::make_unsigned_t<T>>(value));
  });
}

void CountBitsOfBytes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result,
                               [](const StringRef& bytes) -> int64_t {
                                 int64_t count = 0;
                                 for (const char byte : bytes.view()) {
                                   count += std::popcount(static_cast<unsigned char>(byte));
                                 }
                                 return count;
                               });
}

/// Checks that `index` is below `size`.
size_t CheckIndex(int64_t index, uint64_t size) {
  if (index < 0 || static_cast<uint64_t>(index) >= size) {
    ThrowError(ErrorKind::kOutOfRange, kArraySubscriptError,
               fmt::format("index {} out of valid range, 0..{}", index, static_cast<int64_t>(size) - 1));
  }
  return static_cast<size_t>(index);
}

/// Bits are counted from the lowest bit of the first byte.
void GetBit(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int64_t, int32_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& bytes, int64_t index) -> int32_t {
        const size_t bit = CheckIndex(index, uint64_t{bytes.size()} * 8);
        return static_cast<unsigned char>(bytes.data()[bit / 8]) >> (bit % 8) & 1;
      });
}

void GetByte(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int32_t, int32_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& bytes, int32_t index) -> int32_t {
        return static_cast<unsigned char>(bytes.data()[CheckIndex(index, bytes.size())]);
      });
}

void SetBit(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string changed;
  MapTernary<StringRef, int64_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& bytes, int64_t index, int32_t value) {
        const size_t bit = CheckIndex(index, uint64_t{bytes.size()} * 8);
        if (value != 0 && value != 1) {
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, "new bit must be 0 or 1");
        }
        changed = bytes.view();
        const auto mask = static_cast<unsigned char>(1u << (bit % 8));
        const auto old = static_cast<unsigned char>(changed[bit / 8]);
        changed[bit / 8] = static_cast<char>(value == 1 ? old | mask : old & ~mask);
        return result.AddString(changed);
      });
}

/// Sets a byte. For a value outside 0 .. 255 its lowest byte counts, as in PostgreSQL.
void SetByte(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string changed;
  MapTernary<StringRef, int32_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& bytes, int32_t index, int32_t value) {
        changed = bytes.view();
        changed[CheckIndex(index, bytes.size())] = static_cast<char>(value);
        return result.AddString(changed);
      });
}

}  // namespace

ScalarFunctionList BitFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> argument_types, TypeId type,
                       ScalarKernel kernel, const char* description, const char* example,
                       bool can_fail = true) {
    list.push_back({.name = name,
                    .argument_types = std::move(argument_types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  constexpr TypeId kBlob = TypeId::kBlob, kInteger = TypeId::kInteger, kBigInt = TypeId::kBigInt;
  const char* count = "How many bits are set.";
  add("bit_count", {TypeId::kTinyInt}, kBigInt, &CountBits<int8_t>, count, "bit_count(7)", false);
  add("bit_count", {TypeId::kSmallInt}, kBigInt, &CountBits<int16_t>, count, "bit_count(7)", false);
  add("bit_count", {kInteger}, kBigInt, &CountBits<int32_t>, count, "bit_count(7)", false);
  add("bit_count", {kBigInt}, kBigInt, &CountBits<int64_t>, count, "bit_count(7)", false);
  add("bit_count", {TypeId::kUTinyInt}, kBigInt, &CountBits<int8_t>, count, "bit_count(7)", false);
  add("bit_count", {TypeId::kUSmallInt}, kBigInt, &CountBits<int16_t>, count, "bit_count(7)", false);
  add("bit_count", {TypeId::kUInteger}, kBigInt, &CountBits<int32_t>, count, "bit_count(7)", false);
  add("bit_count", {TypeId::kUBigInt}, kBigInt, &CountBits<int64_t>, count, "bit_count(7)", false);
  add("bit_count", {kBlob}, kBigInt, &CountBitsOfBytes, count, "bit_count('\\x1234'::BLOB)", false);
  add("get_bit", {kBlob, kBigInt}, kInteger, &GetBit, "A bit of a BLOB, counted from the least of byte 0.",
      "get_bit('\\x1234'::BLOB, 4)");
  add("get_byte", {kBlob, kInteger}, kInteger, &GetByte, "A byte of a BLOB, counted from 0.",
      "get_byte('\\x1234'::BLOB, 1)");
  add("set_bit", {kBlob, kBigInt, kInteger}, kBlob, &SetBit, "A BLOB with a bit set to 0 or 1.",
      "set_bit('\\x1234'::BLOB, 0, 1)");
  add("set_byte", {kBlob, kInteger, kInteger}, kBlob, &SetByte, "A BLOB with a byte set.",
      "set_byte('\\x1234'::BLOB, 1, 255)");
  return list;
}

}  // namespace scaup
