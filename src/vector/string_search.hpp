// Which strings of a vector have a few given bytes in them.
#pragma once

#include <span>
#include <string_view>

#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Looks for the same bytes in many strings: in one pass over all that lie side by side, as those of a block
/// do. Keeps nothing; borrows `wanted`.
class StringSearch {
 public:
  StringSearch(const KernelTable& kernels, std::string_view wanted) : kernels_(kernels), wanted_(wanted) {}

  /// found[row] = 1 where `strings` is not NULL and has the bytes in it, else 0, for rows [0, count). No
  /// bytes are in every string.
  void Mark(const TypedView<StringRef>& strings, size_t count, uint8_t* found) const;
  /// Marks strings of these lengths that stand one after the other in `text`, up to its end.
  void MarkJoined(std::string_view text, std::span<const uint32_t> lengths, uint8_t* found) const;

 private:
  /// Strings that follow one another in memory: row i's is [ends[i - 1], ends[i]) from `text` on.
  struct Run {
    const char* text = nullptr;
    size_t row_count = 0;
    uint32_t rows[kVectorSize];
    size_t ends[kVectorSize];
    size_t size() const { return row_count == 0 ? 0 : ends[row_count - 1]; }
  };
  /// Calls mark(i) for those of the `count` strings that have the bytes in them, ascending. String i ends
  /// where ends(i) says, from `text` on, and the next begins there.
  template <typename Ends, typename MarkOne>
  void MarkRun(const char* text, size_t count, Ends&& ends, MarkOne&& mark) const;
  /// Marks strings that are some KB together, from `begin` on.
  template <typename Ends, typename MarkOne>
  void MarkPiece(const char* text, size_t begin, size_t first, size_t end, Ends&& ends, MarkOne&& mark) const;
  bool IsIn(std::string_view text) const;
  /// Whether the bytes begin at a place where the probes of FunctionKernels::mark_places do.
  bool IsAt(const char* text) const;
  /// Marks strings that their references hold themselves, when these stand in an array from `references` on.
  void MarkInline(const StringRef* references, const TypedView<StringRef>& strings, size_t count,
                  uint8_t* found) const;

  const KernelTable& kernels_;
  std::string_view wanted_;
};

}  // namespace scaup
