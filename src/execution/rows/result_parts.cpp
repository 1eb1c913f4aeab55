// Result parts: pulling rows on demand, or reading them from materialized rows.
#include "execution/rows/result_parts.hpp"

#include <algorithm>
#include <numeric>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Appends the rows [begin, begin + count) of a chunk.
void AppendRange(DataChunk& chunk, size_t begin, size_t count, ResultAppender& part) {
  if (count == chunk.size()) return part.Append(chunk);
  DataChunk range(chunk.types());
  range.SliceRange(chunk, begin, count);
  part.Append(range);
}

}  // namespace

ResultParts::ResultParts(QueryContext& context, const PhysicalOperator& root, SharedState& shared)
    : context_(context), root_(root), shared_(shared), chunk_(root.types()), columns_(root.types().size()) {
  std::iota(columns_.begin(), columns_.end(), size_t{0});
}

void ResultParts::Keep() {
  SCAUP_ASSERT(!is_kept_ && local_ == nullptr);
  OperatorProfile profile;
  kept_ = KeptRowsReader(MaterializedRows::Collect(context_, root_, shared_, profile));
  is_kept_ = true;
}

MaterializedResult ResultParts::Next(size_t most_rows) {
  SCAUP_ASSERT(most_rows != 0);
  const ResultMemory memory(context_);
  ResultAppender part(root_.types(), memory);
  if (is_kept_) {
    AppendKept(part, most_rows);
  } else {
    AppendPulled(part, most_rows);
  }
  MaterializedResult rows;
  rows.row_count = part.row_count();
  rows.columns = std::move(part.columns());
  rows.heaps.push_back(part.TakeHeap());
  return rows;
}

void ResultParts::AppendPulled(ResultAppender& part, size_t most_rows) {
  if (!local_) local_ = root_.MakeLocal(context_, shared_);
  while (part.row_count() < most_rows) {
    if (next_in_chunk_ == chunk_.size()) {
      next_in_chunk_ = 0;
      root_.Next(context_, shared_, *local_, chunk_);
      if (chunk_.size() == 0) return;
    }
    const size_t count = std::min(chunk_.size() - next_in_chunk_, most_rows - part.row_count());
    AppendRange(chunk_, next_in_chunk_, count, part);
    next_in_chunk_ += count;
  }
  // Between two calls only rows that are not yet returned occupy memory.
  if (next_in_chunk_ != chunk_.size()) return;
  chunk_.Release();
  next_in_chunk_ = 0;
}

void ResultParts::AppendKept(ResultAppender& part, size_t most_rows) {
  const uint64_t row_count = kept_.rows().row_count();
  uint64_t row = next_kept_;
  while (part.row_count() < most_rows && row < row_count) {
    chunk_.Release();
    kept_.Read(row / kVectorSize, columns_, chunk_);
    const size_t begin = row % kVectorSize;
    const size_t count = std::min(chunk_.size() - begin, most_rows - part.row_count());
    AppendRange(chunk_, begin, count, part);
    row += count;
  }
  chunk_.Release();
  kept_.Release();
  // Advanced last: if anything above throws, the same rows can be requested again.
  next_kept_ = row;
}

}  // namespace scaup
