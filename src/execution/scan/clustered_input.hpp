// Clustered input: rows of a GROUP BY that come in batches whose keys lie in ranges of their own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// A column of an input, and the range of its values in each batch. Ranges have no more than their ends in
/// common with each other, as where a table was written in the column's order: so rows of one batch alone
/// have the values between them, and their groups are complete with the batch. Immutable.
class KeyClusters {
 public:
  /// The first of the columns [0, column_count) that is clustered so, and has so many values that one table
  /// of their groups would be large. `input` is prepared.
  static std::optional<KeyClusters> Find(QueryContext& context, const PhysicalOperator& input,
                                         SharedState& input_shared, size_t column_count);

  size_t column() const { return column_; }
  size_t batch_count() const { return ranges_.size(); }
  /// Which rows of a chunk have a value, or NULL, that other batches may have, too. `borders` and `inner` get
  /// their rows and those of the others. Returns how many the former are.
  size_t Split(DataChunk& chunk, sel_t* borders, sel_t* inner) const;

 private:
  KeyClusters(size_t column, std::vector<BatchRange> ranges) : column_(column), ranges_(std::move(ranges)) {}

  size_t column_;
  std::vector<BatchRange> ranges_;  // By batch.
};

/// Pulls such an input batch by batch. One thread at a time.
class ClusteredInput {
 public:
  /// All are borrowed.
  ClusteredInput(const KeyClusters& clusters, const PhysicalOperator& input, SharedState& input_shared,
                 LocalState& input_local);

  /// Calls inner(chunk) and border(chunk) with the rows of the next batch; false if there is none.
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
  bool has_chunk_ = false;  // Of the batch that comes next, or the end.
  DataChunk chunk_;
  DataChunk picked_;
};

}  // namespace scaup
