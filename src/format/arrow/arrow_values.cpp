// Reads values of Arrow arrays whose position or form must be computed.
#include "format/arrow/arrow_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

void ThrowMalformedArrow(std::string_view column, std::string_view why) {
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
             fmt::format("column \"{}\" is no valid Arrow array: {}", column, why));
}

float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const int fraction = half & 0x3FF;
  float value;
  if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -value : value;
}

int64_t ArrowMicros(int64_t value, int64_t unit) {
  if (unit == kMicrosPerSecond) return value;
  if (unit > kMicrosPerSecond) {
    const int64_t divisor = unit / kMicrosPerSecond;
    return value / divisor - (value % divisor < 0 ? 1 : 0);
  }
  int64_t micros = 0;
  if (__builtin_mul_overflow(value, kMicrosPerSecond / unit, &micros)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDatetimeOverflow,
               "a time is too far away to be counted in microseconds");
  }
  return micros;
}

std::string_view ArrowString(const ArrowType& type, const ArrowArray& array, int64_t row) {
  const int64_t at = array.offset + row;
  const auto between = [&](int64_t begin, int64_t end) {
    if (begin < 0 || end < begin) ThrowMalformedArrow(type.name, "the offsets of its strings do not grow");
    if (begin == end) return std::string_view();
    if (end - begin > int64_t{UINT32_MAX}) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
                 "a string of column \"" + type.name + "\" has more than 4 GiB");
    }
    return std::string_view(ArrowBuffer<char>(array, 2) + begin, static_cast<size_t>(end - begin));
  };
  switch (type.kind) {
    case ArrowKind::kString32:
      return between(LoadArrowValue<int32_t>(array.buffers[1], at),
                     LoadArrowValue<int32_t>(array.buffers[1], at + 1));
    case ArrowKind::kString64:
      return between(LoadArrowValue<int64_t>(array.buffers[1], at),
                     LoadArrowValue<int64_t>(array.buffers[1], at + 1));
    case ArrowKind::kFixedBytes:
      return {ArrowBuffer<char>(array, 1) + at * type.width, static_cast<size_t>(type.width)};
    default: break;
  }
  const auto* view = ArrowBuffer<char>(array, 1) + at * 16;
  const auto length = LoadArrowValue<int32_t>(view, 0);
  if (length < 0) ThrowMalformedArrow(type.name, "a string has a negative length");
  if (length <= 12) return {view + 4, static_cast<size_t>(length)};
  const auto buffer = LoadArrowValue<int32_t>(view, 2), offset = LoadArrowValue<int32_t>(view, 3);
  if (buffer < 0 || buffer + 3 >= array.n_buffers)
    ThrowMalformedArrow(type.name, "a string lies in a buffer that is not there");
  const auto size = LoadArrowValue<int64_t>(array.buffers[array.n_buffers - 1], buffer);
  if (offset < 0 || offset > size - length) ThrowMalformedArrow(type.name, "a string ends behind its buffer");
  return {ArrowBuffer<char>(array, buffer + 2) + offset, static_cast<size_t>(length)};
}

std::pair<int64_t, int64_t> ArrowElements(const ArrowType& type, const ArrowArray& array, int64_t row) {
  const int64_t at = array.offset + row;
  int64_t begin = 0, count = 0;
  switch (type.kind) {
    case ArrowKind::kList32:
      begin = LoadArrowValue<int32_t>(array.buffers[1], at);
      count = LoadArrowValue<int32_t>(array.buffers[1], at + 1) - begin;
      break;
    case ArrowKind::kList64:
      begin = LoadArrowValue<int64_t>(array.buffers[1], at);
      count = LoadArrowValue<int64_t>(array.buffers[1], at + 1) - begin;
      break;
    case ArrowKind::kListView32:
      begin = LoadArrowValue<int32_t>(array.buffers[1], at);
      count = LoadArrowValue<int32_t>(array.buffers[2], at);
      break;
    case ArrowKind::kListView64:
      begin = LoadArrowValue<int64_t>(array.buffers[1], at);
      count = LoadArrowValue<int64_t>(array.buffers[2], at);
      break;
    default:
      begin = at * type.width;
      count = type.width;
      break;
  }
  if (begin < 0 || count < 0 || begin > array.children[0]->length - count)
    ThrowMalformedArrow(type.name, "a list has elements that are not there");
  return {begin, count};
}

namespace {

int64_t PositionAt(ArrowKind kind, const void* buffer, int64_t place) {
  switch (kind) {
    case ArrowKind::kInt8: return LoadArrowValue<int8_t>(buffer, place);
    case ArrowKind::kInt16: return LoadArrowValue<int16_t>(buffer, place);
    case ArrowKind::kInt32: return LoadArrowValue<int32_t>(buffer, place);
    case ArrowKind::kUint8: return LoadArrowValue<uint8_t>(buffer, place);
    case ArrowKind::kUint16: return LoadArrowValue<uint16_t>(buffer, place);
    case ArrowKind::kUint32: return LoadArrowValue<uint32_t>(buffer, place);
    default: return LoadArrowValue<int64_t>(buffer, place);  // no dictionary has 2^63 values
  }
}

/// The first run that ends after the position (binary search).
int64_t RunAt(const ArrowType& type, const ArrowArray& array, int64_t place) {
  const ArrowArray& ends = *array.children[0];
  int64_t low = 0, high = ends.length;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (PositionAt(type.children[0].kind, ends.buffers[1], ends.offset + middle) > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

int64_t ArrowTarget(const ArrowType& type, const ArrowArray& array, int64_t row) {
  const bool is_dictionary = type.kind == ArrowKind::kDictionary;
  const int64_t place = array.offset + row;
  const int64_t target =
      is_dictionary ? PositionAt(type.index, array.buffers[1], place) : RunAt(type, array, place);
  const int64_t end = is_dictionary ? array.dictionary->length : array.children[1]->length;
  if (target < 0 || target >= end) ThrowMalformedArrow(type.name, "it has no value for some of its rows");
  return target;
}

std::pair<size_t, int64_t> ArrowMember(const ArrowType& type, const ArrowArray& array, int64_t row) {
  const int64_t place = array.offset + row;
  const int8_t number = LoadArrowValue<int8_t>(array.buffers[0], place);
  const auto found = std::ranges::find(type.numbers, number);
  if (found == type.numbers.end())
    ThrowMalformedArrow(type.name, "a value of a union has the number of no member");
  const auto member = static_cast<size_t>(found - type.numbers.begin());
  const int64_t target =
      type.kind == ArrowKind::kDenseUnion ? LoadArrowValue<int32_t>(array.buffers[1], place) : place;
  if (target < 0 || target >= array.children[member]->length)
    ThrowMalformedArrow(type.name, "a member has no value for some of its rows");
  return {member, target};
}

bool IsArrowUnionNull(const ArrowType& type, const ArrowArray& array, int64_t row) {
  CheckStack();
  const auto [member, target] = ArrowMember(type, array, row);
  return IsArrowNull(type.children[member], *array.children[member], target);
}

}  // namespace scaup
