// Clustered input: rows for a GROUP BY that arrive in batches whose ranges of key values do not overlap.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// A clustered column of an input: the ranges of its values in any two batches have at most an end in common,
/// as in a table that was written in the column's order. A value strictly inside a batch's range is an inner
/// value: it occurs in no other batch, so its group is complete when the batch ends. A value at an end of the
/// range is a border value. Immutable.
class KeyClusters {
 public:
  /// Finds the first clustered column among columns [0, column_count). Returns nullopt if there is none, or
  /// if its values are so few that one hash table of all groups stays small. Called after Prepare of
  /// `input`.
  static std::optional<KeyClusters> Find(QueryContext& context, const PhysicalOperator& input,
                                         SharedState& input_shared, size_t column_count);

  size_t column() const { return column_; }
  size_t batch_count() const { return ranges_.size(); }
  /// Splits the rows of a chunk: `borders` gets the rows whose key is NULL or a border value, so that other
  /// batches may have it, too; `inner` gets all others. Returns the number of border rows. Both arrays have
  /// space for kVectorSize rows; if there are no border rows, they need not be written.
  size_t Split(DataChunk& chunk, sel_t* borders, sel_t* inner) const;

 private:
  KeyClusters(size_t column, std::vector<BatchRange> ranges) : column_(column), ranges_(std::move(ranges)) {}

  size_t column_;
  std::vector<BatchRange> ranges_;  // by batch
};

/// Pulls a clustered input batch by batch. Used by one thread at a time.
class ClusteredInput {
 public:
  /// Borrows all arguments.
  ClusteredInput(const KeyClusters& clusters, const PhysicalOperator& input, SharedState& input_shared,
                 LocalState& input_local);

  /// Calls inner(chunk) and border(chunk) with the rows of the next batch, and sets `batch` to its index. The
  /// chunks are valid during the call. Returns false if there is no further batch.
  template <typename Inner, typename Border>
  bool ReadBatch(QueryContext& context, Inner&& inner, Border&& border, uint64_t& batch) {
    if (!has_chunk_) Pull(context);
    if (chunk_.size() == 0) return false;
    batch = chunk_.batch_index;
    do {
      sel_t border_rows[kVectorSize], inner_rows[kVectorSize];
      const size_t border_count = clusters_.Split(chunk_, border_rows, inner_rows);
      if (border_count == 0) {
        inner(chunk_);
      } else {
        if (border_count < chunk_.size()) inner(Pick({inner_rows, chunk_.size() - border_count}));
        border(Pick({border_rows, border_count}));
      }
      Pull(context);
    } while (chunk_.size() != 0 && chunk_.batch_index == batch);
    return true;
  }

 private:
  void Pull(QueryContext& context);
  DataChunk& Pick(std::span<const sel_t> rows);

  const KeyClusters& clusters_;
  const PhysicalOperator& input_;
  SharedState& input_shared_;
  LocalState& input_local_;
  bool has_chunk_ = false;  // chunk_ is the first of the next batch, or empty at the end
  DataChunk chunk_;
  DataChunk picked_;
};

}  // namespace scaup
