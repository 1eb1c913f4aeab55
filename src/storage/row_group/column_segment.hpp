// One column of a row group, wherever it is kept, and how it is read.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "storage/file/extent.hpp"
#include "storage/filter/zone_map.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

class SegmentReader;

/// The line of PRAGMA storage_info for a segment.
struct SegmentSummary {
  std::string_view encoding;
  uint64_t size_bytes = 0;
  std::vector<uint64_t> block_ids;  ///< of the file; empty in memory
};

/// The values of one column in a row group, in blocks of 1024. Immutable and thread-safe; shared by row
/// groups, scans and the vectors that they give out.
class ColumnSegment : public std::enable_shared_from_this<ColumnSegment> {
 public:
  virtual ~ColumnSegment() = default;
  /// The zone of all values.
  const ZoneMap& zone() const { return zone_; }
  virtual const ZoneMap& block_zone(size_t block) const = 0;
  virtual std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const = 0;
  virtual SegmentSummary Summarize() const = 0;
  /// Where its values are in the file; nothing in memory.
  virtual Extents extents() const { return {}; }
  /// Says that all of it will be read soon. Never fails.
  virtual void Prefetch() const {}

 protected:
  ZoneMap zone_;
};

/// Reads the blocks of one segment for one thread, and keeps it alive. Making one reads nothing.
class SegmentReader {
 public:
  explicit SegmentReader(std::shared_ptr<const ColumnSegment> segment) : segment_(std::move(segment)) {}
  virtual ~SegmentReader() = default;
  const ColumnSegment& segment() const { return *segment_; }
  /// Makes `output` (after Release) the `count` values of a block, sharing memory where it can.
  /// All may read from the file and throw Error(kIo).
  virtual void Read(size_t block, size_t count, Vector& output) = 0;
  /// Puts some rows of the block, which ascend, into `output` from row `offset` on, which is flat, and was
  /// reset for writing; bytes of strings are copied. For few rows: each is picked alone where it can be.
  virtual void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
                      size_t offset) = 0;
  /// Fetches some of the memory that Gather of row `row` looks at, and does not wait for it. Who gathers
  /// rows of several columns calls this for all of them with step 0, then with step 1 and so on, and the
  /// columns wait together. False once there is nothing left to fetch.
  virtual bool PrefetchRow(size_t step, size_t block, size_t count, sel_t row) {
    (void)step, (void)block, (void)count, (void)row;
    return false;
  }
  /// Brings the `count` values of a block into the caches, where they lie in memory as they are.
  virtual void Fetch(size_t block, size_t count) { (void)block, (void)count; }
  /// mask[row] = 1 where the row passes, else 0. `filter` stays where it is as long as the reader lives.
  virtual void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) = 0;

 private:
  std::shared_ptr<const ColumnSegment> segment_;
};

}  // namespace scaup
