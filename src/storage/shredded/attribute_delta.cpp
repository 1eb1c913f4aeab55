// Counts the attributes of documents that come or go: by shapes if they are shredded, else by records.
#include "storage/shredded/attribute_delta.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "common/throw.hpp"
#include "document/document_record.hpp"
#include "storage/shredded/document_segment_reader.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

namespace {

std::unique_ptr<SegmentReader> ReadRecords(const RowGroup& row_group) {
  return row_group.column(kRecordColumn)->MakeReader(KernelsOf(BestKernelLevel()));
}

/// Calls visit(record) for each document of a block; if `is_wanted` is not null, only for rows where it is
/// set.
template <typename Visit>
void VisitRecords(SegmentReader& reader, size_t block, size_t count, const uint8_t* is_wanted, Visit&& visit,
                  size_t attribute_count) {
  Vector records(TypeId::kBlob);
  reader.Read(block, count, records);
  const auto typed = records.ViewAs<StringRef>(count);
  for (size_t row = 0; row < count; row++) {
    if (is_wanted != nullptr && is_wanted[row] == 0) continue;
    if (typed.IsValid(row)) visit(DocumentRecord(typed[row].view(), attribute_count));
  }
}

/// Finds the order in which attributes first occur in the documents.
class FirstSight {
 public:
  FirstSight(std::unordered_set<AttributeId> wanted, size_t attribute_count)
      : wanted_(std::move(wanted)), attribute_count_(attribute_count) {}
  bool has_all() const { return wanted_.empty(); }
  const std::vector<AttributeId>& found() const { return found_; }

  void Add(const RowGroup& row_group) {
    const auto reader = ReadRecords(row_group);
    auto* shredded = dynamic_cast<DocumentSegmentReader*>(reader.get());
    // Shapes list attributes in document order, so no document needs to be read.
    if (shredded != nullptr) return AddShapes(row_group, *shredded);
    for (size_t block = 0; block < row_group.block_count() && !has_all(); block++) {
      const auto visit = [&](const DocumentRecord& record) {
        // In the order of the document's text, not of the ids.
        for (size_t place = 0; place < record.size() && !has_all(); place++)
          Meet(record.id(record.InOrder(place)));
      };
      VisitRecords(*reader, block, row_group.BlockRows(block), nullptr, visit, attribute_count_);
    }
  }

 private:
  void Meet(AttributeId id) {
    if (wanted_.erase(id) != 0) found_.push_back(id);
  }
  // A shape needs to be looked at once, at its first row; the search ends when all shapes were seen.
  void AddShapes(const RowGroup& row_group, DocumentSegmentReader& reader) {
    const DocumentShapes& shapes = reader.documents().shapes();
    std::vector<bool> was_met(shapes.size());
    size_t left = shapes.size();
    for (size_t block = 0; block < row_group.block_count() && left != 0 && !has_all(); block++) {
      for (const int32_t shape : reader.ShapesOf(block, row_group.BlockRows(block))) {
        const auto index = static_cast<size_t>(shape);
        if (was_met[index]) continue;
        was_met[index] = true;
        left--;
        for (const AttributeId id : shapes[static_cast<ShapeId>(shape)].attributes) Meet(id);
      }
    }
  }

  std::unordered_set<AttributeId> wanted_;
  std::vector<AttributeId> found_;
  size_t attribute_count_;
};

/// Counts the attributes of all documents of a row group.
void CountRowGroup(const RowGroup& row_group, size_t attribute_count, AttributeDelta& delta) {
  const auto reader = ReadRecords(row_group);
  if (const auto* shredded = dynamic_cast<DocumentSegmentReader*>(reader.get())) {
    // Nothing was deleted or updated yet, so the shapes' own counts hold.
    const DocumentShapes& shapes = shredded->documents().shapes();
    for (ShapeId shape = 0; shape < shapes.size(); shape++) {
      for (const AttributeId id : shapes[shape].attributes) delta.Add(id, shapes[shape].document_count);
    }
    return;
  }
  for (size_t block = 0; block < row_group.block_count(); block++) {
    VisitRecords(
        *reader, block, row_group.BlockRows(block), nullptr,
        [&](const DocumentRecord& record) { delta.AddRecord(record, 1); }, attribute_count);
  }
}

/// The documents that are deleted from one row group.
class DeletedDocuments {
 public:
  DeletedDocuments(const TableView& view, const TableView::Part& part, size_t row_group,
                   size_t attribute_count, AttributeDelta& delta)
      : row_group_(*part.snapshot->row_groups[row_group]),
        first_row_(part.snapshot->first_rows[row_group]),
        attribute_count_(attribute_count),
        delta_(delta),
        versions_(part.versions, view.reader),
        patch_(TypeId::kBlob),
        reader_(ReadRecords(row_group_)),
        shredded_(dynamic_cast<DocumentSegmentReader*>(reader_.get())),
        shape_counts_(shredded_ == nullptr ? 0 : shredded_->documents().shapes().size()) {}

  /// Processes and removes the rows of its row group from the front of `rows`.
  void Take(std::span<const RowNumber>& rows) {
    const RowNumber end = first_row_ + row_group_.row_count();
    while (!rows.empty() && rows.front() < end) {
      const size_t block = (rows.front() - first_row_) / kVectorSize;
      const RowNumber block_first = first_row_ + block * kVectorSize;
      uint8_t is_wanted[kVectorSize] = {};
      size_t count = 0;
      while (count < rows.size() && rows[count] < std::min(end, block_first + kVectorSize))
        is_wanted[rows[count++] - block_first] = 1;
      CountBlock(block, is_wanted);
      rows = rows.subspan(count);
    }
    // Shapes are expanded to attributes once, after all blocks.
    const auto shape_count = static_cast<ShapeId>(shape_counts_.size());
    for (ShapeId shape = 0; shape < shape_count; shape++) {
      if (shape_counts_[shape] == 0) continue;
      for (const AttributeId id : shredded_->documents().shapes()[shape].attributes)
        delta_.Add(id, -shape_counts_[shape]);
    }
  }

 private:
  void CountBlock(size_t block, uint8_t* is_wanted) {
    const size_t count = row_group_.BlockRows(block);
    const auto subtract = [&](const DocumentRecord& record) { delta_.AddRecord(record, -1); };
    // For documents that were updated in place, the row group's shapes do not hold.
    if (versions_.Seek(first_row_ + block * kVectorSize, count)) {
      versions_.Read(static_cast<uint32_t>(kRecordColumn), patch_);
      const auto* records = patch_.values.Data<StringRef>();
      for (size_t i = 0; i < patch_.count; i++) {
        uint8_t& wanted = is_wanted[patch_.rows[i]];
        const bool is_there = patch_.values.Validity() == nullptr || TestValid(patch_.values.Validity(), i);
        if (wanted != 0 && is_there) subtract(DocumentRecord(records[i].view(), attribute_count_));
        wanted = 0;
      }
    }
    if (shredded_ == nullptr)
      return VisitRecords(*reader_, block, count, is_wanted, subtract, attribute_count_);
    const auto shapes = shredded_->ShapesOf(block, count);
    for (size_t row = 0; row < count; row++) {
      if (is_wanted[row] != 0) shape_counts_[static_cast<size_t>(shapes[row])]++;
    }
  }

  const RowGroup& row_group_;
  RowNumber first_row_;
  size_t attribute_count_;
  AttributeDelta& delta_;
  VersionReader versions_;
  RowPatch patch_;
  std::unique_ptr<SegmentReader> reader_;
  DocumentSegmentReader* shredded_;
  std::vector<int64_t> shape_counts_;
};

}  // namespace

AttributeDelta AttributesOfInserted(const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                                    const AttributeStatistics* statistics, size_t attribute_count,
                                    const std::function<bool(AttributeId)>& is_known) {
  AttributeDelta counted;
  if (statistics != nullptr) {
    statistics->ForEach(
        [&](AttributeId id, uint64_t documents) { counted.Add(id, static_cast<int64_t>(documents)); });
  } else {
    for (const auto& row_group : row_groups) CountRowGroup(*row_group, attribute_count, counted);
  }
  std::unordered_set<AttributeId> unknown;
  for (const auto& [id, documents] : counted.entries()) {
    if (!is_known(id)) unknown.insert(id);
  }
  // A single unknown attribute needs no order.
  if (unknown.size() < 2) return counted;
  FirstSight first_sight(std::move(unknown), attribute_count);
  for (size_t i = 0; i < row_groups.size() && !first_sight.has_all(); i++) first_sight.Add(*row_groups[i]);
  // Adds the unknown ones first, in order; the counts follow for all.
  AttributeDelta ordered;
  for (const AttributeId id : first_sight.found()) ordered.Add(id, 0);
  for (const auto& [id, documents] : counted.entries()) ordered.Add(id, documents);
  return ordered;
}

AttributeDelta AttributesOfDeleted(const TableView& view, std::span<const RowNumber> rows,
                                   size_t attribute_count) {
  AttributeDelta delta;
  while (!rows.empty()) {
    const TableView::Part& part = view.parts[IsLocalRow(rows.front()) ? view.parts.size() - 1 : 0];
    const size_t row_group = part.snapshot->FindRowGroup(rows.front());
    DeletedDocuments(view, part, row_group, attribute_count, delta).Take(rows);
  }
  return delta;
}

AttributeDelta AttributesOfChanged(Vector& old_records, Vector& new_records, size_t count,
                                   size_t attribute_count) {
  AttributeDelta delta;
  const auto before = old_records.ViewAs<StringRef>(count);
  const auto after = new_records.ViewAs<StringRef>(count);
  for (size_t row = 0; row < count; row++) {
    std::optional<DocumentRecord> old_record, new_record;
    if (before.IsValid(row)) old_record.emplace(before[row].view(), attribute_count);
    if (after.IsValid(row)) new_record.emplace(after[row].view(), attribute_count);
    // Most updates change values only; then both records have the same attributes.
    if (old_record && new_record && old_record->head() == new_record->head()) continue;
    // Attributes that both records have cancel out.
    if (new_record) delta.AddRecord(*new_record, 1);
    if (old_record) delta.AddRecord(*old_record, -1);
  }
  return delta;
}

}  // namespace scaup
