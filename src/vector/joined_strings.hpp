// Strings of a vector that are contiguous in memory, so that they can be processed in one pass.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "common/check.hpp"
#include "vector/function_kernels.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Rows [begin, end) of a vector. `text` is the concatenation of the strings that are not inline.
struct JoinedStrings {
  size_t begin;
  size_t end;
  std::string_view text;
  /// The OR of all bytes of the inline strings.
  uint64_t inline_bits;

  bool inline_are_ascii() const { return (inline_bits & 0x8080808080808080ULL) == 0; }
};

/// Whether the StringRefs themselves are contiguous. Views of flat vectors share one identity selection.
inline bool AreFlat(const TypedView<StringRef>& strings) { return strings.selection == IdentitySelection(); }

/// Calls visit(JoinedStrings) for consecutive row ranges that cover [0, count). For a block that was read as
/// it is, there is mostly a single range. REQUIRES: no NULLs.
template <typename Visit>
void VisitJoinedStrings(const FunctionKernels& kernels, const TypedView<StringRef>& strings, size_t count,
                        Visit&& visit) {
  SCAUP_ASSERT(strings.all_valid());
  if (count != 0 && AreFlat(strings) && kernels.are_joined(strings.data, count)) {
    const char* begin = strings[0].data();
    const StringRef& last = strings[count - 1];
    return visit(JoinedStrings{0, count, {begin, last.data() + last.size()}, 0});
  }
  JoinedStrings joined{0, 0, {}, 0};
  const char* next = nullptr;  // where contiguous text would continue
  for (size_t row = 0; row < count; row++) {
    const StringRef& string = strings[row];
    if (string.is_inline()) {
      const auto words = std::bit_cast<std::array<uint64_t, 2>>(string);
      constexpr uint64_t kPrefixBytes = ~uint64_t{0} << 32;  // the length is in the lower half
      joined.inline_bits |= (words[0] & kPrefixBytes) | words[1];
      continue;
    }
    const char* data = string.data();
    if (data != next) {
      if (next != nullptr) {
        joined.end = row;
        visit(joined);
        joined = {row, row, {}, 0};
      }
      joined.text = {data, 0};
    }
    joined.text = {joined.text.data(), joined.text.size() + string.size()};
    next = data + string.size();
  }
  joined.end = count;
  visit(joined);
}

}  // namespace scaup
