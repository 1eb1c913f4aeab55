// Puts documents that are kept attribute by attribute together again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/shredded/document_segment_reader.hpp"

namespace scaup {

/// One call of DocumentSegmentReader::Assemble, and memory for the next one. First it goes over the rows, to
/// learn which value is whose; then it reads the values, part by part; then it writes the records, row by
/// row. Belongs to the reader.
class DocumentAssembly {
 public:
  explicit DocumentAssembly(DocumentSegmentReader& reader);

  /// Assembles rows of the present block, ascending, at least one.
  void Run(std::span<const sel_t> rows, const std::vector<bool>* wanted, Vector& output, size_t offset);

 private:
  /// A value of a wanted row. Neither in a column nor in the reservoir: it has no bytes.
  struct Item {
    AttributeId id;
    uint32_t column;
    uint32_t value;
  };
  struct Row {
    size_t end;     // Of its items.
    uint32_t text;  // In the reservoir, or none.
  };

  void FindItems(const std::vector<bool>* wanted);
  /// Looks up where the reservoir has the first value of each attribute that may be there.
  void FindFirstValues();
  /// Goes over the rows above the last one and counts values.
  void CountValues();
  /// Marks the shapes that have any attribute that was looked up.
  void MarkShapes(uint8_t mark);
  void ReadColumns();
  /// Has what the columns of the present row will look at on its way, for all of them at once.
  void PrefetchColumns();
  void ReadAllValues();
  void ReadItemValues();
  void Keep(const Vector& vector, size_t begin, size_t end);
  std::string_view ValueAt(uint32_t place) const;
  void AppendColumnValue(const Item& item, size_t row);
  void WriteRecords(Vector& output, size_t offset);

  DocumentSegmentReader& reader_;
  const DocumentSegment& segment_;
  std::vector<uint32_t> next_value_;   // By attribute: of the present block, in the reservoir.
  std::vector<uint8_t> is_looked_up_;  // By attribute: is among looked_up_.
  std::vector<uint8_t> is_counted_;    // By shape: has some of looked_up_.
  std::vector<AttributeId> looked_up_;
  std::vector<uint32_t> column_of_;  // By attribute: among the physical ones.
  std::vector<std::optional<Vector>> columns_;
  std::vector<uint8_t> is_read_;         // By column: is among read_.
  std::vector<uint32_t> read_;           // Columns that have values of this run,
  std::vector<SegmentReader*> readers_;  // and who reads them.
  std::span<const sel_t> rows_;
  bool reads_all_ = false;  // Columns have all rows of the block, not those in rows_ alone.
  std::vector<Item> items_;
  std::vector<Row> found_;
  std::vector<StringRef> values_;
  std::vector<Vector> kept_;  // Have the bytes of values_; more than kept_count_ for reuse.
  size_t kept_count_ = 0;
  std::vector<uint32_t*> places_;
  std::vector<uint32_t> listed_;
  std::vector<DocumentEntry> entries_;
  std::string bytes_, record_;
  DocumentRecordWriter writer_;
};

}  // namespace scaup
