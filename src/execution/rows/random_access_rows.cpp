// Random access rows: reads through a small cache of pieces with least-recently-used replacement.
#include "execution/rows/random_access_rows.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Pins the memory of the pieces in which the strings of a vector lie.
class KeptMemory {
 public:
  void Add(const RowsPiece& piece) {
    if (kept_.empty() || kept_.back() != piece.memory()) kept_.push_back(piece.memory());
  }
  void GiveTo(Vector& strings) {
    strings.KeepAlive(std::make_shared<const std::vector<std::shared_ptr<const void>>>(std::move(kept_)));
  }

 private:
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace

RowsPiece RandomAccessRows::Piece(size_t index) const {
  if (rows_->is_in_memory()) return rows_->Piece(index);
  const MutexLock lock(mutex_);
  Held* oldest = held_;
  for (Held& held : held_) {
    if (held.last_use != 0 && held.index == index) {
      held.last_use = ++use_count_;
      return held.piece;
    }
    if (held.last_use < oldest->last_use) oldest = &held;
  }
  RowsPiece piece = rows_->Piece(index);
  // Only pieces read from storage are cached: caching a piece in memory would pin its block, which could then
  // not be spilled.
  if (piece.is_read()) *oldest = {piece, index, ++use_count_};
  return piece;
}

void RandomAccessRows::Read(size_t column, uint64_t begin, size_t count, Vector& target) const {
  const size_t first = begin % kVectorSize;
  if (first == 0) return Piece(begin / kVectorSize).ReadColumn(column, target);
  target.Reset();
  KeptMemory kept;
  for (size_t done = 0; done < count;) {
    const RowsPiece piece = Piece((begin + done) / kVectorSize);
    const size_t row = (begin + done) % kVectorSize;
    const size_t part = std::min(count - done, piece.row_count() - row);
    piece.CopyRange(column, row, part, target, done);
    kept.Add(piece);
    done += part;
  }
  if (target.physical_type() == PhysicalType::kString) kept.GiveTo(target);
}

void RandomAccessRows::Gather(size_t column, const uint64_t* rows, size_t count, Vector& result) const {
  SCAUP_ASSERT(count <= kVectorSize);
  KeptMemory kept;
  sel_t in_piece[kVectorSize];
  for (size_t done = 0; done < count;) {
    // Neighbouring rows mostly lie in the same piece.
    const uint64_t index = rows[done] / kVectorSize;
    size_t end = done;
    for (; end < count && rows[end] / kVectorSize == index; end++)
      in_piece[end - done] = static_cast<sel_t>(rows[end] % kVectorSize);
    const RowsPiece piece = Piece(index);
    piece.Gather(column, in_piece, end - done, result, done);
    kept.Add(piece);
    done = end;
  }
  if (result.physical_type() == PhysicalType::kString) kept.GiveTo(result);
}

}  // namespace scaup
