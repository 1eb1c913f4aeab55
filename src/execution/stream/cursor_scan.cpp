// Cursor scan: slices of materialized chunks, in their order or reversed.
#include "execution/stream/cursor_scan.hpp"

#include <algorithm>
#include <numeric>

#include "common/check.hpp"

namespace scaup {

namespace {

class CursorScanShared final : public SharedState {
 public:
  explicit CursorScanShared(std::shared_ptr<const MaterializedRows> rows,
                            const std::vector<LogicalType>& types)
      : reader(std::move(rows)), chunk(types) {}
  // Before the rows are released, what was read from them is.
  ~CursorScanShared() override { chunk.Release(); }
  KeptRowsReader reader;
  DataChunk chunk;
  uint64_t done = 0;  // rows returned
};

}  // namespace

CursorScan::CursorScan(std::vector<LogicalType> types, std::shared_ptr<const MaterializedRows> rows,
                       CursorRange range)
    : PhysicalOperator("Cursor Scan", std::move(types)),
      rows_(std::move(rows)),
      range_(range),
      columns_(this->types().size()) {
  SCAUP_ASSERT(range_.begin <= rows_->row_count() && range_.count <= rows_->row_count() - range_.begin);
  std::iota(columns_.begin(), columns_.end(), size_t{0});
}

std::unique_ptr<SharedState> CursorScan::MakeShared(QueryContext&) const {
  return std::make_unique<CursorScanShared>(rows_, types());
}

void CursorScan::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  auto& state = static_cast<CursorScanShared&>(shared);
  const uint64_t left = range_.count - state.done;
  if (left == 0) return;
  // The next row to return, and how many of its piece follow in the direction.
  const uint64_t next = range_.is_backward ? range_.begin + left - 1 : range_.begin + state.done;
  const size_t piece = next / kVectorSize;
  const size_t within = next % kVectorSize;
  state.chunk.Release();
  state.reader.Read(piece, columns_, state.chunk);
  const size_t after = range_.is_backward ? within + 1 : state.chunk.size() - within;
  const size_t count = static_cast<size_t>(std::min<uint64_t>(left, after));
  if (!range_.is_backward) {
    output.SliceRange(state.chunk, within, count);
  } else {
    auto reversed = std::make_shared<SelectionVector>();
    for (size_t i = 0; i < count; i++) reversed->rows[i] = static_cast<sel_t>(within - i);
    output.Slice(state.chunk, reversed, count);
  }
  output.batch_index = state.done;
  state.done += count;
}

}  // namespace scaup
