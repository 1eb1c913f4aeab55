// Calls of foreign functions: gathers arguments, leaves out rows with NULLs, and puts results in their
// places.
#include "execution/foreign/foreign_function.hpp"

#include <array>
#include <numeric>

#include "common/check.hpp"

namespace scaup {

namespace {

constexpr uint32_t kOmitted = UINT32_MAX;

}  // namespace

void ReferenceRows(const BytewiseColumn& column, size_t begin, size_t count, Vector& output) {
  const size_t width = PhysicalSize(output.physical_type());
  output.ReferenceFlat(column.values + begin * width, nullptr, column.owner);
  if (column.nulls == nullptr) return;
  std::array<ValidityWord, kValidityWords> words;
  words.fill(~ValidityWord{0});
  for (size_t row = 0; row < count; row++) {
    if (column.nulls[begin + row] != 0) SetInvalid(words.data(), row);
  }
  output.SetValidity(words.data());
}

bool IsForeignCall(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.kernel == CallForeign;
}

// Removes the rows that have a NULL from the chunk.
void ForeignArguments::OmitNulls(DataChunk& chunk) {
  const size_t count = chunk.size();
  bool has_nulls = false;
  std::vector<uint8_t> is_null(count);
  for (Vector& column : chunk.columns()) {
    const UnifiedView view = column.View(count);
    if (view.validity == nullptr && column.type().id() != TypeId::kNull) continue;
    for (size_t row = 0; row < count; row++) {
      is_null[row] |= static_cast<uint8_t>(column.type().id() == TypeId::kNull || !view.IsValid(row));
      has_nulls = has_nulls || is_null[row] != 0;
    }
  }
  if (!has_nulls && rows_.empty()) return;
  if (rows_.empty()) {
    rows_.resize(row_count_);
    std::iota(rows_.begin(), rows_.end(), 0);
  }
  auto next = static_cast<uint32_t>(given_.row_count());
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t row = 0; row < count; row++) {
    rows_.push_back(is_null[row] != 0 ? kOmitted : next);
    if (is_null[row] != 0) continue;
    selection->rows[kept++] = static_cast<sel_t>(row);
    next++;
  }
  if (kept != count) chunk.Slice(selection, kept);
}

void ForeignArguments::Append(DataChunk& chunk) {
  const size_t count = chunk.size();
  if (function_.omits_nulls()) OmitNulls(chunk);
  if (chunk.size() != 0) given_.Append(chunk);
  row_count_ += count;
}

void ForeignArguments::Call(const FunctionContext& context) {
  if (given_.row_count() == 0) return;
  MaterializedResult arguments;
  arguments.row_count = given_.row_count();
  arguments.columns = std::move(given_.columns());
  arguments.heaps.push_back(given_.TakeHeap());
  results_ = function_.Call(context, std::move(arguments));
}

void ForeignArguments::Read(size_t begin, size_t count, Vector& output) {
  SCAUP_ASSERT(results_ || given_.row_count() == 0);
  if (rows_.empty()) return results_->Read(begin, count, output);
  size_t first = 0, given = 0;
  for (size_t row = begin; row < begin + count; row++) {
    if (rows_[row] != kOmitted && given++ == 0) first = rows_[row];
  }
  if (given == count) return results_->Read(first, count, output);
  output.Reset();
  if (given == 0) return output.SetConstantNull();
  Vector dense(output.type());
  dense.AccountStrings(output.string_memory());
  results_->Read(first, given, dense);
  const UnifiedView view = dense.View(given);
  for (size_t row = 0, next = 0; row < count; row++) {
    if (rows_[begin + row] == kOmitted) {
      output.SetNull(row);
    } else {
      CopyRow(view, next++, output, row);
    }
  }
}

void CallForeign(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ResultMemory memory(call.context.memory);
  const std::vector<LogicalType> types = arguments.types();
  const size_t count = arguments.size();
  ForeignArguments given(*static_cast<const ForeignFunctionData&>(*call.data).function, types, memory);
  DataChunk chunk(types);
  chunk.Reference(arguments);
  given.Append(chunk);
  given.Call(call.context);
  given.Read(0, count, result);
}

}  // namespace scaup
