// ColumnSegment: one column of a row group, in memory or in the file, and the interface of its reader.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "storage/file/extent.hpp"
#include "vector/filter/zone_map.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

class SegmentReader;

/// For more rows of a block than this, reading the whole block is faster than gathering them.
inline constexpr size_t kMostGatheredRows = kVectorSize / 8;

/// The summary of a segment that PRAGMA storage_info shows.
struct SegmentSummary {
  std::string_view encoding;
  uint64_t size_bytes = 0;
  std::vector<uint64_t> block_ids;  ///< in the file; empty for a segment in memory
};

/// The values of one column in a row group, in blocks of 1024. Immutable and thread-safe. Shared by row
/// groups, scans and the vectors that they return.
class ColumnSegment : public std::enable_shared_from_this<ColumnSegment> {
 public:
  virtual ~ColumnSegment() = default;
  /// Returns the zone map of all values.
  const ZoneMap& zone() const { return zone_; }
  virtual const ZoneMap& block_zone(size_t block) const = 0;
  virtual std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const = 0;
  virtual SegmentSummary Summarize() const = 0;
  /// Returns the location of the values in the file; nothing for a segment in memory.
  virtual Extents extents() const { return {}; }
  /// Announces that the whole segment will be read soon. Never fails.
  virtual void Prefetch() const {}

 protected:
  ZoneMap zone_;
};

/// Reads the blocks of one segment for one thread, and keeps the segment alive. Making a reader reads
/// nothing. The reading functions may read from the file and throw Error(kIo).
class SegmentReader {
 public:
  explicit SegmentReader(std::shared_ptr<const ColumnSegment> segment) : segment_(std::move(segment)) {}
  virtual ~SegmentReader() = default;
  const ColumnSegment& segment() const { return *segment_; }
  /// Makes `output`, which must have been released, the `count` values of a block, sharing memory where
  /// possible.
  virtual void Read(size_t block, size_t count, Vector& output) = 0;
  /// Copies some rows of the block, ascending, to `output` from row `offset` on; string bytes are copied too.
  /// `output` must be flat and reset for writing. Meant for few rows: each is read on its own where possible.
  virtual void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
                      size_t offset) = 0;
  /// Prefetches some of the memory that Gather of row `row` will read, without waiting for it. A caller that
  /// gathers a row of several columns calls this for all columns with step 0, then with step 1 and so on, so
  /// that their latencies overlap. Returns false once there is nothing left to prefetch.
  virtual bool PrefetchRow(size_t step, size_t block, size_t count, sel_t row) {
    (void)step, (void)block, (void)count, (void)row;
    return false;
  }
  /// Loads the `count` values of a block into the processor's caches if they lie in memory uncompressed.
  virtual void Fetch(size_t block, size_t count) { (void)block, (void)count; }
  /// Sets mask[row] to 1 if the row passes, else to 0. `filter` must not move as long as the reader lives.
  virtual void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) = 0;

 private:
  std::shared_ptr<const ColumnSegment> segment_;
};

}  // namespace scaup
