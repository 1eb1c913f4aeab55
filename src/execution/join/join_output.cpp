// Join output: how each join type turns matches into rows.
#include "execution/join/join_output.hpp"

#include "common/throw.hpp"
#include "planner/node/join.hpp"

namespace scaup {

void NoteMatch(LogicalJoinType type, ProbeMatches& matches, sel_t row) {
  if (type == LogicalJoinType::kSingle && matches.matched[row]) ThrowSecondMatch();
  matches.matched[row] = true;
}

void ThrowSecondMatch() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kCardinalityViolation,
             "more than one row returned by a subquery used as an expression");
}

std::exception_ptr CollectRightSide(bool is_scalar, const std::function<void()>& collect) {
  try {
    collect();
  } catch (const Error& error) {
    // Only errors of the data depend on whether a row needs the value.
    const bool is_of_data = error.kind() == ErrorKind::kOutOfRange || error.kind() == ErrorKind::kConversion;
    if (!is_scalar || !is_of_data) throw;
    return std::current_exception();
  }
  return nullptr;
}

bool EmitAfterProbe(LogicalJoinType type, DataChunk& input, const ProbeMatches& matches, DataChunk& output) {
  const size_t count = input.size();
  output.batch_index = input.batch_index;
  if (type == LogicalJoinType::kMark) {
    for (size_t i = 0; i < input.column_count(); i++) output.column(i).Reference(input.column(i));
    Vector& mark = output.column(input.column_count());
    mark.Reset();
    uint8_t* out = mark.MutableData<uint8_t>();
    for (size_t row = 0; row < count; row++) {
      out[row] = matches.matched[row];
      if (!matches.matched[row] && matches.unknown[row]) mark.SetNull(row);
    }
    output.SetSize(count);
    return count != 0;
  }
  const bool wanted = type == LogicalJoinType::kSemi;
  if (!wanted && type != LogicalJoinType::kAnti && !KeepsLeft(type)) return false;
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t row = 0; row < count; row++) {
    selection->rows[kept] = static_cast<sel_t>(row);
    kept += matches.matched[row] == wanted;
  }
  if (kept == 0) return false;
  for (size_t i = 0; i < input.column_count(); i++) {
    if (kept == count) {
      output.column(i).Reference(input.column(i));
    } else {
      output.column(i).Slice(input.column(i), count, selection, kept);
    }
  }
  for (size_t i = input.column_count(); i < output.column_count(); i++) output.column(i).SetConstantNull();
  output.SetSize(kept);
  return true;
}

void SetLeftConstant(DataChunk& input, sel_t row, DataChunk& pairs) {
  for (size_t i = 0; i < input.column_count(); i++) {
    Vector& column = pairs.column(i);
    column.Reset();
    CopyRow(input.column(i).View(input.size()), row, column, 0);
    column.SetConstant();
  }
}

void SetLeftNull(DataChunk& output, size_t left_columns) {
  for (size_t i = 0; i < left_columns; i++) output.column(i).SetConstantNull();
}

}  // namespace scaup
