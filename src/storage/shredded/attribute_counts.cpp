// Counts attributes, by shapes where documents are shredded.
#include "storage/shredded/attribute_counts.hpp"

#include <memory>

#include "document/value_conversion.hpp"
#include "storage/shredded/document_segment_reader.hpp"
#include "storage/snapshot/table_columns.hpp"

namespace scaup {

namespace {

class Counter {
 public:
  Counter(const TableView& view, const TableLayout& layout, const KernelTable& kernels)
      : view_(view), layout_(layout), kernels_(kernels), patch_(TypeId::kBlob) {
    counts_.attributes.resize(layout.attributes->attribute_count());
    counts_.paths.resize(layout.attributes->path_count());
    // Zero is no group's number.
    last_bunch_.resize(counts_.paths.size());
  }

  void Add(const TableView::Part& part, const RowGroup& row_group, RowNumber first) {
    VersionReader versions(part.versions, view_.reader);
    const auto reader = row_group.column(kRecordColumn)->MakeReader(kernels_);
    auto* shredded = dynamic_cast<DocumentSegmentReader*>(reader.get());
    std::vector<uint64_t> of_shapes(shredded == nullptr ? 0 : shredded->documents().shapes().size());
    for (size_t block = 0; block < row_group.block_count(); block++) {
      const size_t count = row_group.BlockRows(block);
      uint8_t leave_out[kVectorSize] = {};
      // Updated and deleted rows are counted apart; what is left is as the row group says.
      if (versions.Seek(first + block * kVectorSize, count)) {
        versions.ReadDeleted(leave_out);
        versions.Read(static_cast<uint32_t>(kRecordColumn), patch_);
        AddPatch(leave_out);
      }
      // Shapes are counted first and expanded to attributes once per row group.
      if (shredded != nullptr) {
        const auto shapes = shredded->ShapesOf(block, count);
        for (size_t row = 0; row < count; row++) {
          if (leave_out[row] == 0) of_shapes[static_cast<size_t>(shapes[row])]++;
        }
      } else {
        Vector records(TypeId::kBlob);
        reader->Read(block, count, records);
        const auto typed = records.ViewAs<StringRef>(count);
        for (size_t row = 0; row < count; row++) {
          if (leave_out[row] == 0) AddRecord(typed[row].view());
        }
      }
    }
    if (shredded != nullptr) AddShapes(shredded->documents(), of_shapes);
  }
  AttributeCounts Take() { return std::move(counts_); }

 private:
  /// Counts updated documents, and excludes them from what follows.
  void AddPatch(uint8_t* leave_out) {
    const auto* records = patch_.values.Data<StringRef>();
    for (size_t i = 0; i < patch_.count; i++) {
      uint8_t& is_out = leave_out[patch_.rows[i]];
      if (is_out == 0) AddRecord(records[i].view());
      is_out = 1;
    }
  }
  void AddRecord(std::string_view bytes) {
    const DocumentRecord record(bytes, counts_.attributes.size());
    bunch_++;
    for (size_t i = 0; i < record.size(); i++) {
      counts_.attributes[record.id(i)].documents++;
      AddPath(record.id(i), 1);
    }
    counts_.documents++;
  }
  /// Counts the path of an attribute and the paths above it, each once per group of equal documents.
  void AddPath(AttributeId id, uint64_t documents) {
    PathId path = layout_.attributes->attribute(id).path;
    // Stops at the first path that this group has counted, since those above it were counted with it.
    for (; last_bunch_[path] != bunch_; path = layout_.attributes->ParentOf(path)) {
      last_bunch_[path] = bunch_;
      counts_.paths[path] += documents;
      if (path == kRootPath) break;
    }
  }
  void AddShapes(const DocumentSegment& segment, const std::vector<uint64_t>& of_shapes) {
    const DocumentShapes& shapes = segment.shapes();
    for (ShapeId shape = 0; shape < of_shapes.size(); shape++) {
      counts_.documents += of_shapes[shape];
      if (of_shapes[shape] == 0) continue;
      bunch_++;
      for (const AttributeId id : shapes[shape].attributes) {
        // Shapes come from the file and may be damaged.
        if (id >= counts_.attributes.size()) ThrowBadRecord("it has an attribute that nobody knows");
        AttributeCounts::Count& count = counts_.attributes[id];
        count.documents += of_shapes[shape];
        AddPath(id, of_shapes[shape]);
        // Attributes such as null have no values that could be stored anywhere.
        if (!HasBytes(layout_.attributes->attribute(id).type)) continue;
        (segment.FindPhysical(id) ? count.physical : count.reservoir) += of_shapes[shape];
      }
    }
  }

  const TableView& view_;
  const TableLayout& layout_;
  const KernelTable& kernels_;
  RowPatch patch_;
  AttributeCounts counts_;
  uint64_t bunch_ = 0;                // number of the current group of equal documents
  std::vector<uint64_t> last_bunch_;  // by path: the last group that it was counted for
};

}  // namespace

AttributeCounts CountAttributes(const TableView& view, const TableLayout& layout, const KernelTable& kernels,
                                const std::function<void()>& check_interrupt) {
  Counter counter(view, layout, kernels);
  for (const TableView::Part& part : view.parts) {
    for (size_t i = 0; i < part.snapshot->row_groups.size(); i++) {
      check_interrupt();
      counter.Add(part, *part.snapshot->row_groups[i], part.snapshot->first_rows[i]);
    }
  }
  return counter.Take();
}

}  // namespace scaup
