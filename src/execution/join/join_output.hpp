// Join output: how each join type turns matches into rows, for hash, range and nested-loop joins.
#pragma once

#include <exception>
#include <functional>

#include "planner/node/join.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// True if unmatched right rows are emitted, after all matched rows.
constexpr bool KeepsRight(LogicalJoinType type) {
  return type == LogicalJoinType::kRight || type == LogicalJoinType::kFull ||
         type == LogicalJoinType::kRightAnti;
}
/// True if unmatched left rows are emitted with NULLs.
constexpr bool KeepsLeft(LogicalJoinType type) {
  return type == LogicalJoinType::kLeft || type == LogicalJoinType::kFull || type == LogicalJoinType::kSingle;
}
/// True if the left columns come first and each output row contains a left row. A filter on left columns can
/// then be applied to the left input.
constexpr bool IsMadeOfLeftRows(LogicalJoinType type) {
  return type == LogicalJoinType::kInner || type == LogicalJoinType::kLeft ||
         type == LogicalJoinType::kSingle || type == LogicalJoinType::kSemi ||
         type == LogicalJoinType::kAnti || type == LogicalJoinType::kMark;
}

/// True if unmatched left rows contribute to the output.
constexpr bool KeepsUnmatchedLeft(LogicalJoinType type) {
  return KeepsLeft(type) || type == LogicalJoinType::kAnti || type == LogicalJoinType::kMark;
}

/// True if the output for a left row depends on all of its partners together.
constexpr bool RemembersLeft(LogicalJoinType type) {
  return KeepsUnmatchedLeft(type) || type == LogicalJoinType::kSemi;
}

/// The matches of the rows of one left chunk.
struct ProbeMatches {
  bool matched[kVectorSize];
  bool unknown[kVectorSize];  ///< kMark: no match, but a comparison yielded NULL

  void Reset(size_t count) {
    for (size_t i = 0; i < count; i++) matched[i] = unknown[i] = false;
  }
};

/// Records that left row `row` has matched; kSingle throws Error(21000) at the second match.
void NoteMatch(LogicalJoinType type, ProbeMatches& matches, sel_t row);
/// Throws the error of a second match.
[[noreturn]] void ThrowSecondMatch();
/// Calls `collect`, which prepares a join's right side. If that side is a scalar subquery, returns the error
/// that its rows raise, which is to be thrown for the first left row; null if there is none.
std::exception_ptr CollectRightSide(bool is_scalar, const std::function<void()>& collect);
/// Emits the left rows that the join type adds once all pairs of `input` are known: unmatched rows with
/// NULLs, the rows that a semi or anti join selects, or all rows with their mark. False if there are none.
bool EmitAfterProbe(LogicalJoinType type, DataChunk& input, const ProbeMatches& matches, DataChunk& output);
/// Makes the left columns of `pairs` constants with the values of a row of `input`.
void SetLeftConstant(DataChunk& input, sel_t row, DataChunk& pairs);
/// Makes the first `left_columns` columns of `output` NULL, for unmatched right rows.
void SetLeftNull(DataChunk& output, size_t left_columns);

}  // namespace scaup
