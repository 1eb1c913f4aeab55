// What hash, range and nested-loop joins share: how each join type turns matches into rows.
#pragma once

#include <exception>
#include <functional>

#include "planner/node/join.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// True where right rows without a match come out, after all that have one.
constexpr bool KeepsRight(LogicalJoinType type) {
  return type == LogicalJoinType::kRight || type == LogicalJoinType::kFull ||
         type == LogicalJoinType::kRightAnti;
}
/// True where left rows without a match come out with NULLs.
constexpr bool KeepsLeft(LogicalJoinType type) {
  return type == LogicalJoinType::kLeft || type == LogicalJoinType::kFull || type == LogicalJoinType::kSingle;
}
/// True where the left columns come first and each row has those of a left row: who does not want a left row
/// does not want what is made of it.
constexpr bool IsMadeOfLeftRows(LogicalJoinType type) {
  return type == LogicalJoinType::kInner || type == LogicalJoinType::kLeft ||
         type == LogicalJoinType::kSingle || type == LogicalJoinType::kSemi ||
         type == LogicalJoinType::kAnti || type == LogicalJoinType::kMark;
}

/// True where left rows without a match have a part in the output.
constexpr bool KeepsUnmatchedLeft(LogicalJoinType type) {
  return KeepsLeft(type) || type == LogicalJoinType::kAnti || type == LogicalJoinType::kMark;
}

/// True where what comes out for a left row depends on all of its partners together.
constexpr bool RemembersLeft(LogicalJoinType type) {
  return KeepsUnmatchedLeft(type) || type == LogicalJoinType::kSemi;
}

/// The matches of the rows of one left chunk.
struct ProbeMatches {
  bool matched[kVectorSize];
  bool unknown[kVectorSize];  ///< kMark: no match, but a comparison with NULL

  void Reset(size_t count) {
    for (size_t i = 0; i < count; i++) matched[i] = unknown[i] = false;
  }
};

/// Notes that left row `row` matched; kSingle throws Error(21000) at the second match.
void NoteMatch(LogicalJoinType type, ProbeMatches& matches, sel_t row);
/// That error.
[[noreturn]] void ThrowSecondMatch();
/// Calls `collect`, which makes a join's right side ready. Where that side is a scalar subquery, returns the
/// error of its second row, which only a left row raises; null where there is none.
std::exception_ptr CollectRightSide(bool is_scalar, const std::function<void()>& collect);
/// After all pairs of `input` are known: the left rows that the join type adds (unmatched ones with NULLs on
/// the right, those that a semi or anti join keeps, all with their mark). False if there are none.
bool EmitAfterProbe(LogicalJoinType type, DataChunk& input, const ProbeMatches& matches, DataChunk& output);
/// Makes the left columns of `pairs` constants: the values of a row of `input`.
void SetLeftConstant(DataChunk& input, sel_t row, DataChunk& pairs);
/// Makes the first `left_columns` columns of `output` NULL: an unmatched right row's left side.
void SetLeftNull(DataChunk& output, size_t left_columns);

}  // namespace scaup
