// DocumentAssembly: reassembles shredded documents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/shredded/document_segment_reader.hpp"

namespace scaup {

/// The work of DocumentSegmentReader::Assemble, with buffers that are reused by the next call. It has three
/// steps: go over the rows to learn which value belongs to which document; read the values, part by part;
/// write the records, row by row. Owned by the reader.
class DocumentAssembly {
 public:
  explicit DocumentAssembly(DocumentSegmentReader& reader);

  /// Assembles rows of the current block, ascending, at least one.
  void Run(std::span<const sel_t> rows, const std::vector<bool>* wanted, Vector& output, size_t offset);

 private:
  /// A value of a wanted row. If it has no column and no place in the reservoir, it has no bytes.
  struct Item {
    AttributeId id;
    uint32_t column;
    uint32_t value;
  };
  struct Row {
    size_t end;     // of its items
    uint32_t text;  // place in the reservoir, or none
  };

  void FindItems(const std::vector<bool>* wanted);
  /// Looks up the first reservoir value of each attribute that may have one.
  void FindFirstValues();
  /// Goes over the rows up to the last wanted one and counts values.
  void CountValues();
  /// Marks the shapes that have any of the attributes that were looked up.
  void MarkShapes(uint8_t mark);
  void ReadColumns();
  /// Prefetches what the columns will read for the row, overlapping the latencies of all columns.
  void PrefetchColumns();
  void ReadAllValues();
  void ReadItemValues();
  void Keep(const Vector& vector, size_t begin, size_t end);
  std::string_view ValueAt(uint32_t place) const;
  void AppendColumnValue(const Item& item, size_t row);
  void WriteRecords(Vector& output, size_t offset);

  DocumentSegmentReader& reader_;
  const DocumentSegment& segment_;
  std::vector<uint32_t> next_value_;   // by attribute: its next value of the current block in the reservoir
  std::vector<uint8_t> is_looked_up_;  // by attribute: whether it is among looked_up_
  std::vector<uint8_t> is_counted_;    // by shape: whether it has any of looked_up_
  std::vector<AttributeId> looked_up_;
  std::vector<uint32_t> column_of_;  // by attribute: index among the physical ones
  std::vector<std::optional<Vector>> columns_;
  std::vector<uint8_t> is_read_;         // by column: whether it is among read_
  std::vector<uint32_t> read_;           // columns that have values of this call
  std::vector<SegmentReader*> readers_;  // the readers of read_
  std::span<const sel_t> rows_;
  bool reads_all_ = false;  // columns are read for all rows of the block, not only rows_
  std::vector<Item> items_;
  std::vector<Row> found_;
  std::vector<StringRef> values_;
  std::vector<Vector> kept_;  // own the bytes of values_; more than kept_count_ are for reuse
  size_t kept_count_ = 0;
  std::vector<uint32_t*> places_;
  std::vector<uint32_t> listed_;
  std::vector<DocumentEntry> entries_;
  std::string bytes_, record_;
  DocumentRecordWriter writer_;
};

}  // namespace scaup
