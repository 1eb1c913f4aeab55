// Substring search in all strings of a vector.
#pragma once

#include <span>
#include <string_view>

#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Searches many strings for the same bytes. Strings that are contiguous in memory, such as those of a block,
/// or that only their lengths separate, as in files, are searched in one pass. Stateless; borrows `wanted`.
class StringSearch {
 public:
  StringSearch(const KernelTable& kernels, std::string_view wanted) : kernels_(kernels), wanted_(wanted) {}

  /// Sets found[row] to 1 if the string is not NULL and contains the bytes, otherwise to 0, for rows [0,
  /// count). Every string contains the empty one.
  void Mark(const TypedView<StringRef>& strings, size_t count, uint8_t* found) const;
  /// Marks strings of the given lengths that are concatenated in `text`, up to its end.
  void MarkJoined(std::string_view text, std::span<const uint32_t> lengths, uint8_t* found) const;

 private:
  /// Strings that stand close together in memory: row i's is text[begins[i] .. ends[i]).
  struct Run {
    const char* text = nullptr;
    size_t row_count = 0;
    uint32_t rows[kVectorSize];
    size_t begins[kVectorSize];
    size_t ends[kVectorSize];
    /// Whether the string can be the next of the run.
    bool IsFollowedBy(const StringRef& string) const;
  };
  /// Calls mark(i) for those of the `count` strings that contain the bytes, ascending. String i stands in
  /// `text`, at the offsets begins(i) to ends(i), after string i - 1; what is in between may be read.
  template <typename Begins, typename Ends, typename MarkOne>
  void MarkRun(const char* text, size_t count, Begins&& begins, Ends&& ends, MarkOne&& mark) const;
  /// Marks strings [first, end) of a few KiB together.
  template <typename Begins, typename Ends, typename MarkOne>
  void MarkPiece(const char* text, size_t first, size_t end, Begins&& begins, Ends&& ends,
                 MarkOne&& mark) const;
  bool IsIn(std::string_view text) const;
  /// Whether all bytes match at a position where the probes of FunctionKernels::mark_places match.
  bool IsAt(const char* text) const;
  /// Marks inline strings. `references` is the array that `strings` views.
  void MarkInline(const StringRef* references, const TypedView<StringRef>& strings, size_t count,
                  uint8_t* found) const;

  const KernelTable& kernels_;
  std::string_view wanted_;
};

}  // namespace scaup
