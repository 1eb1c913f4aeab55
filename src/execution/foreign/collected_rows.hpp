// Collected rows: the rows of a group within the state of an aggregate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/arena.hpp"
#include "execution/rows/materialized_result.hpp"
#include "function/aggregate_function.hpp"

namespace scaup {

/// The layout of the columns of collected rows. Immutable; shared by threads.
class CollectedLayout {
 public:
  struct Column {
    LogicalType type;
    PhysicalType physical;
    size_t width;        ///< bytes of a value
    size_t offset;       ///< of the value in a row
    size_t null_offset;  ///< likewise, of the byte that says whether it is NULL; unused without has_nulls()
  };

  /// With `has_nulls`, rows may have NULLs.
  CollectedLayout(const std::vector<LogicalType>& types, bool has_nulls);

  const std::vector<Column>& columns() const { return columns_; }
  bool has_nulls() const { return has_nulls_; }
  size_t row_bytes() const { return row_bytes_; }

 private:
  std::vector<Column> columns_;
  bool has_nulls_;
  size_t row_bytes_ = 0;
};

/// Rows of vectors.
struct SelectedRows {
  std::span<Vector> columns;
  size_t size;        ///< of the vectors
  const sel_t* rows;  ///< the selected ones; null: the first `count`
  size_t count;       ///< of the selected rows, at most 1024
};

/// Rows within a state. Trivially copyable. The rows are in runs of up to 4096, in the arena of the state.
/// The values of a row lie side by side, so that a row that is added to one of many groups touches few
/// places. Join links the runs of other rows without copying them, because the memory of a source state lives
/// as long as the target. The strings are in the arena, too.
class CollectedRows {
 public:
  uint64_t count() const { return count_; }

  /// Adds the selected row i to *targets[i]. Strings are copied.
  static void Add(const CollectedLayout& layout, const SelectedRows& rows, CollectedRows* const* targets,
                  Arena& arena);
  /// Adds all selected rows to these.
  void AddAll(const CollectedLayout& layout, const SelectedRows& rows, Arena& arena);
  /// Adds the rows of other ones behind these.
  void Join(const CollectedRows& other, Arena& arena);
  /// Forgets the rows, and uses the memory of those that were not joined again. Nobody may have joined these
  /// rows.
  void Clear();
  /// Passes the rows on in order, and forgets them and their memory.
  void TakeAll(const CollectedLayout& layout, std::byte* state, RetainedRowsOutput& output);

  /// Writes the rows of all `groups`, one after the other, to columns of their types. Strings are copied to
  /// `heap`.
  static void Gather(const CollectedLayout& layout, std::span<const CollectedRows* const> groups,
                     std::vector<MaterializedColumn>& columns, ResultHeap& heap);

 private:
  struct Run;
  class Writer;
  static Run* MakeRun(const CollectedLayout& layout, uint32_t capacity, Arena& arena);
  void NewRun(const CollectedLayout& layout, Arena& arena);
  uint32_t last_size() const;
  template <typename Visit>
  void VisitBackwards(Visit&& visit) const;

  std::byte* next_ = nullptr;  // The place of the next row in the last run, if that has space.
  uint32_t space_ = 0;         // The rows for which it has.
  uint64_t count_ = 0;
  Run* last_ = nullptr;
  Run* free_ = nullptr;  // Full runs without rows, linked by `previous`.
};

}  // namespace scaup
