// Rounds over the rows of ever fewer partitions.
#include "execution/write/partitioned_copy.hpp"

#include <algorithm>
#include <array>

#include "common/hash.hpp"
#include "common/stack_bound.hpp"

namespace scaup {

namespace {

/// Files that are open at once; each takes a descriptor and some memory.
constexpr size_t kMostOpenFiles = 64, kLeastOpenFiles = 4, kBytesPerOpenFile = size_t{1} << 20;
constexpr size_t kBuckets = 16;
/// Rows that wait in open files for others may take this part of the memory.
constexpr size_t kShareOfMemory = 6;
constexpr uint32_t kUnknown = UINT32_MAX;

size_t MostOpenFiles(const MemoryTracker& memory) {
  return std::clamp(memory.limit_bytes() / kBytesPerOpenFile, kLeastOpenFiles, kMostOpenFiles);
}

size_t BucketBytes(const MemoryTracker& memory) {
  return std::clamp<size_t>(memory.limit_bytes() / 2048, size_t{32} << 10, size_t{4} << 20);
}

}  // namespace

/// One pass over rows: destinations are the files that are open, and behind them the buckets.
class PartitionedCopy::Round {
 public:
  Round(PartitionedCopy& copy, uint64_t depth)
      : copy_(copy),
        depth_(depth),
        most_files_(MostOpenFiles(copy.context_.functions.memory)),
        rows_(most_files_ + kBuckets) {}

  void Append(DataChunk& chunk) {
    const uint32_t* const partitions = copy_.numbers_.Find(chunk);
    destinations_.resize(copy_.numbers_.partition_count(), kUnknown);
    for (size_t row = 0; row < chunk.size(); row++) AddRow(partitions[row], static_cast<sel_t>(row));
    DataChunk part(copy_.types_);
    for (const uint32_t destination : used_) {
      Rows& rows = rows_[destination];
      if (rows.count == chunk.size()) {
        AppendTo(destination, chunk);
      } else {
        part.Slice(chunk, rows.selection, rows.count);
        AppendTo(destination, part);
      }
      rows = Rows();
    }
    used_.clear();
    LimitMemory();
  }

  void Finish() {
    CheckStack();
    for (OpenFolder& open : open_) open.writer->Finish();
    open_.clear();
    for (std::unique_ptr<SpillableRows>& bucket : buckets_) {
      if (bucket == nullptr) continue;
      bucket->Finish();
      Round next(copy_, depth_ + 1);
      next.AppendAll(*bucket);
      bucket.reset();
      next.Finish();
    }
  }

 private:
  struct OpenFolder {
    std::unique_ptr<FolderWriter> writer;
    size_t buffered_bytes = 0;
  };
  /// The rows of a chunk for a destination.
  struct Rows {
    SelectionRef selection;
    size_t count = 0;
  };

  void AddRow(uint32_t partition, sel_t row) {
    uint32_t& destination = destinations_[partition];
    if (destination == kUnknown) destination = FindDestination(partition);
    Rows& rows = rows_[destination];
    if (rows.selection == nullptr) {
      rows.selection = std::make_shared<SelectionVector>();
      used_.push_back(destination);
    }
    rows.selection->rows[rows.count++] = row;
  }

  uint32_t FindDestination(uint32_t partition) {
    if (open_.size() < most_files_) {
      open_.push_back({std::make_unique<FolderWriter>(copy_.files_, copy_.numbers_.FolderOf(partition))});
      return static_cast<uint32_t>(open_.size() - 1);
    }
    // Each round spreads the partitions of a bucket over all buckets.
    const uint64_t hash = HashInteger(HashInteger(partition) + depth_);
    return static_cast<uint32_t>(most_files_ + hash % kBuckets);
  }

  void AppendTo(uint32_t destination, DataChunk& chunk) {
    if (destination >= most_files_) {
      std::unique_ptr<SpillableRows>& bucket = buckets_[destination - most_files_];
      if (bucket == nullptr) {
        bucket = std::make_unique<SpillableRows>(copy_.context_, copy_.types_, failure_,
                                                 BucketBytes(copy_.context_.functions.memory));
      }
      bucket->Append(chunk);
      return;
    }
    OpenFolder& open = open_[destination];
    open.writer->Append(chunk);
    buffered_bytes_ -= open.buffered_bytes;
    open.buffered_bytes = open.writer->buffered_bytes();
    buffered_bytes_ += open.buffered_bytes;
  }

  /// Writes the rows of the files that have most, until half of the memory is free.
  void LimitMemory() {
    const size_t most_bytes = copy_.context_.functions.memory.limit_bytes() / kShareOfMemory;
    if (buffered_bytes_ < most_bytes) return;
    while (buffered_bytes_ > most_bytes / 2) {
      OpenFolder& most = *std::ranges::max_element(open_, {}, &OpenFolder::buffered_bytes);
      most.writer->Flush();
      buffered_bytes_ -= most.buffered_bytes;
      most.buffered_bytes = 0;
    }
  }

  void AppendAll(const SpillableRows& bucket) {
    for (size_t i = 0; i < bucket.piece_count(); i++) {
      copy_.context_.functions.CheckInterrupt();
      const RowsPiece piece = bucket.Piece(i);
      DataChunk chunk(bucket.types());
      for (size_t column = 0; column < chunk.column_count(); column++)
        piece.ReadColumn(column, chunk.column(column));
      chunk.SetSize(piece.row_count());
      Append(chunk);
    }
  }

  PartitionedCopy& copy_;
  const uint64_t depth_;
  const size_t most_files_;
  std::vector<uint32_t> destinations_;  // by partition
  std::vector<OpenFolder> open_;
  std::shared_ptr<SpillFailure> failure_ = std::make_shared<SpillFailure>();
  std::array<std::unique_ptr<SpillableRows>, kBuckets> buckets_;
  std::vector<Rows> rows_;      // by destination
  std::vector<uint32_t> used_;  // destinations of the rows of a chunk
  size_t buffered_bytes_ = 0;
};

PartitionedCopy::PartitionedCopy(QueryContext& context, CopyFiles& files,
                                 const std::vector<std::string>& names, const std::vector<LogicalType>& types)
    : context_(context),
      files_(files),
      types_(types),
      numbers_(context.functions, names, types, files.options().partition_columns),
      first_round_(std::make_unique<Round>(*this, 0)) {}

PartitionedCopy::~PartitionedCopy() = default;

void PartitionedCopy::Append(DataChunk& chunk) { first_round_->Append(chunk); }

void PartitionedCopy::Finish() { first_round_->Finish(); }

}  // namespace scaup
