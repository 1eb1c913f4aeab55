// Spilled asof: an ASOF JOIN over the sorted runs of both sides in temporary storage.
#pragma once

#include <memory>
#include <vector>

#include "execution/asof/asof_specification.hpp"
#include "execution/run/query_context.hpp"
#include "execution/sort/spilled_merge.hpp"

namespace scaup {

/// The spilled runs of one side, by hash partition.
using SpilledPartitions = std::vector<std::vector<SpilledRun>>;

/// Merges both sides of one hash partition after the other. Only the blocks that the merges read are in
/// memory, and the last right row. Owned by the operator's shared state; borrows all arguments. One thread at
/// a time.
class SpilledAsof {
 public:
  SpilledAsof(QueryContext& context, const AsofSpecification& specification,
              const std::vector<LogicalType>& left_types, const std::vector<LogicalType>& right_types,
              SpilledPartitions left, SpilledPartitions right, MemoryUse* use);

  size_t run_count() const { return run_count_; }
  /// Returns the next rows, which are valid until the next call; no rows at the end.
  void Next(DataChunk& output);

 private:
  /// The rows of one side in order, up to 1024 at a time.
  class Side {
   public:
    Side(const AsofSpecification& specification, const std::vector<LogicalType>& input_types);
    void Begin(QueryContext& context, std::vector<SpilledRun> runs, MemoryUse* use);
    void End();
    /// Reads the next rows if all rows are taken; false at the end.
    bool Load();
    const std::byte* key(size_t row) const { return keys_.data() + row * keys_schema_.encoder.key_bytes(); }
    StringRef string(size_t key, size_t row) { return rows.column(key).Data<StringRef>()[row]; }

    const SortSchema schema;  ///< of stored rows
    DataChunk rows;
    size_t next = 0;  ///< the first row that is not taken

   private:
    const SortSchema keys_schema_;
    std::unique_ptr<MergedChunks> merge_;
    std::vector<std::byte> keys_;  // Normalized keys of `rows`.
  };

  /// The right row that matches as long as no later one does: a row of right_.rows, or a copy.
  enum class Candidate { kNone, kInRows, kCopied };

  bool BeginPartition();
  /// Takes left rows with their matches until a chunk must be given out; false at the end of the partition.
  bool TakeRows();
  /// Makes the right rows before a left row the candidate, one after the other. Returns false if more right
  /// rows must be read first.
  bool Advance();
  /// Compares a right row with another row by all keys.
  int CompareRight(size_t right_row, const std::byte* key, Side& other, size_t other_row);
  bool IsMatch();
  void CopyCandidate();
  void Emit(DataChunk& output);

  QueryContext& context_;
  MemoryUse* const use_;
  const AsofSpecification& specification_;
  const SortKeyEncoder encoder_;   // Of all keys.
  const SortKeyEncoder equality_;  // Of the first ones.
  SpilledPartitions left_runs_;
  SpilledPartitions right_runs_;
  size_t run_count_ = 0;
  size_t next_partition_ = 0;
  bool is_in_partition_ = false;
  Side left_;
  Side right_;
  Candidate candidate_ = Candidate::kNone;
  size_t candidate_row_ = 0;  // In right_.rows.
  DataChunk copied_;          // One row.
  std::vector<std::byte> copied_key_;
  // The rows to give out: rows of left_.rows, and of right_.rows or copied_.
  SelectionRef left_selection_;
  SelectionRef right_selection_;
  std::vector<uint16_t> unmatched_;
  size_t taken_ = 0;
  Candidate source_ = Candidate::kNone;  // Where all matches of these rows are.
  uint64_t batch_count_ = 0;
};

}  // namespace scaup
