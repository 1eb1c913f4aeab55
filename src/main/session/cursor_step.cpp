// The arithmetic of FETCH's directions.
#include "main/session/cursor_step.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

using Direction = ast::FetchStatement::Direction;

void RequireScroll(const Cursor& cursor, bool goes_back) {
  if (!goes_back || !cursor.no_scroll) return;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             "cursor can only scan forward: declare it with SCROLL instead of NO SCROLL to go back");
}

/// Returns |count| without overflow.
uint64_t Magnitude(int64_t count) {
  return count < 0 ? uint64_t{0} - static_cast<uint64_t>(count) : static_cast<uint64_t>(count);
}

CursorStep Forward(const Cursor& cursor, uint64_t count) {
  const uint64_t row_count = cursor.rows->row_count();
  const uint64_t left = row_count - std::min(row_count, cursor.position);
  if (count <= left) return {{cursor.position, count, false}, cursor.position + count};
  return {{row_count - left, left, false}, row_count + 1};
}

CursorStep Backward(const Cursor& cursor, uint64_t count) {
  // The rows before the present one.
  const uint64_t left = cursor.position == 0 ? 0 : cursor.position - 1;
  if (count <= left) return {{left - count, count, true}, cursor.position - count};
  return {{0, left, true}, 0};
}

/// Goes to a row from 1, or before the first or after the last row.
CursorStep To(const Cursor& cursor, uint64_t row) {
  const uint64_t end = cursor.rows->row_count() + 1;
  if (row == 0 || row >= end) return {{}, std::min(row, end)};
  return {{row - 1, 1, false}, row};
}

/// Forward or backward by no row: the present row once more, if there is one.
CursorStep Stay(const Cursor& cursor, const ast::FetchStatement& fetch) {
  const CursorStep step = To(cursor, cursor.position);
  // The row is reread by going back before it, which MOVE need not do.
  const bool goes_back = step.rows.count != 0 || fetch.direction == Direction::kBackward;
  RequireScroll(cursor, goes_back && !fetch.is_move);
  return step;
}

CursorStep Absolute(const Cursor& cursor, int64_t count) {
  const uint64_t end = cursor.rows->row_count() + 1;
  const uint64_t rows = Magnitude(count);
  if (count >= 0) {
    RequireScroll(cursor, rows <= cursor.position && cursor.position != 0);
    return To(cursor, rows);
  }
  RequireScroll(cursor, true);
  return To(cursor, rows < end ? end - rows : 0);
}

CursorStep Relative(const Cursor& cursor, int64_t count) {
  const uint64_t rows = Magnitude(count);
  if (count > 0) {
    const uint64_t left = cursor.rows->row_count() + 1 - cursor.position;
    return To(cursor, cursor.position + std::min(rows, left));
  }
  RequireScroll(cursor, true);
  return To(cursor, cursor.position - std::min(rows, cursor.position));
}

}  // namespace

CursorStep StepOf(const Cursor& cursor, const ast::FetchStatement& fetch) {
  if (fetch.direction == Direction::kAbsolute) return Absolute(cursor, fetch.count);
  if (fetch.count == 0) return Stay(cursor, fetch);
  if (fetch.direction == Direction::kRelative) return Relative(cursor, fetch.count);
  // A negative count turns the direction round.
  const bool is_forward = (fetch.direction == Direction::kForward) == (fetch.count > 0);
  if (is_forward) return Forward(cursor, Magnitude(fetch.count));
  // MOVE BACKWARD ALL only rewinds, which is nothing where the cursor has not moved.
  const bool rewinds = fetch.is_move && fetch.count == ast::FetchStatement::kAll;
  RequireScroll(cursor, !rewinds || cursor.position != 0);
  return Backward(cursor, Magnitude(fetch.count));
}

}  // namespace scaup
