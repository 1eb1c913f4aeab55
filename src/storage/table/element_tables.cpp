// ElementTables: the objects in arrays of a collection's documents as rows that follow every change.
#include "storage/table/element_tables.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "document/document_projection.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/snapshot/row_group_reader.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table/table_documents.hpp"
#include "type/packed_value.hpp"

namespace scaup {

namespace {

/// Returns the projection of the arrays at a path; nullopt if no document ever had an array with objects
/// there.
std::optional<DocumentProjection> ArraysAt(const AttributeDictionary& attributes, const std::string& name) {
  const auto path = attributes.FindPath(name);
  if (!path || !attributes.FindAttribute(*path, AttributeType::kArray)) return std::nullopt;
  return DocumentProjection{*path, LogicalType::List(TypeId::kJson)};
}

/// Builds the rows of an element table. Used by one thread.
class ElementRows {
 public:
  explicit ElementRows(const Table& elements)
      : parser_(elements.attributes()),
        builder_(elements.types(), elements.memory()),
        chunk_(elements.types()) {
    chunk_.ResetForWriting();
  }

  /// Adds the objects among the slots of an array. Other elements only count as positions.
  void Add(std::string_view slots, RowNumber document) {
    for (int64_t position = 0; !slots.empty(); position++) {
      const std::string_view slot = TakeSlot(TypeId::kJson, slots);
      if (IsNullSlot(slot)) continue;
      const std::string_view text = ReadStringSlot(slot, text_);
      if (!text.starts_with('{')) continue;
      record_.clear();
      JsonFault fault;
      SCAUP_CHECK(parser_.Parse(text, record_, fault));
      Vector& records = chunk_.column(kRecordColumn);
      records.MutableData<StringRef>()[row_] = records.AddString(record_);
      chunk_.column(kElementDocumentColumn).MutableData<int64_t>()[row_] = static_cast<int64_t>(document);
      chunk_.column(kElementPositionColumn).MutableData<int64_t>()[row_] = position;
      if (++row_ == kVectorSize) TakeChunk();
    }
  }
  /// Adds the elements of the arrays that a scan returns together with the row numbers of their documents.
  void AddAll(TableScan& scan) {
    TableScan::Position position;
    DataChunk chunk({LogicalType::List(TypeId::kJson), TypeId::kBigInt});
    for (; scan.Next(position, chunk); chunk.Release()) {
      if (chunk.size() == 0) continue;
      const auto arrays = chunk.column(0).ViewAs<StringRef>(chunk.size());
      const auto numbers = chunk.column(1).ViewAs<int64_t>(chunk.size());
      for (size_t i = 0; i < chunk.size(); i++) {
        if (arrays.IsValid(i)) Add(arrays[i].view(), static_cast<RowNumber>(numbers[i]));
      }
    }
  }

  void InsertInto(Table& elements, const TableWrite& write) {
    // The last chunk may be partial.
    TakeChunk();
    builder_.Finish();
    auto row_groups = builder_.TakeFinished();
    AttributeStatistics attributes;
    for (const auto& row_group : row_groups) attributes.AddRowGroup(*row_group, *elements.attributes());
    elements.Insert(write, std::move(row_groups), builder_.statistics(), attributes);
  }

 private:
  void TakeChunk() {
    if (row_ == 0) return;
    chunk_.SetSize(row_);
    builder_.Append(chunk_);
    chunk_.ResetForWriting();
    row_ = 0;
  }

  DocumentParser parser_;
  RowGroupBuilder builder_;
  DataChunk chunk_;
  size_t row_ = 0;
  std::string record_, text_;
};

/// Scans the arrays at a path and the row numbers of their documents.
TableScan ScanArrays(const Table& collection, TableView view, const DocumentProjection& arrays) {
  const size_t stored_count = collection.types().size();
  return {std::move(view),
          TableColumns(collection.types(), {arrays}, collection.attributes()),
          {{stored_count, kRowNumberColumn}, {}},
          KernelsOf(BestKernelLevel()),
          kBlocksPerRowGroup};
}

/// Deletes the rows of an element table that belong to these documents; `documents` ascend.
void DeleteElementsOf(Table& elements, const TableWrite& write, std::span<const RowNumber> documents) {
  // Local documents have numbers far from all others, so a range over both would read most of the table.
  const auto first_local = std::lower_bound(documents.begin(), documents.end(), kFirstLocalRow);
  const auto count = static_cast<size_t>(first_local - documents.begin());
  std::vector<RowNumber> found;
  for (const auto part : {documents.first(count), documents.subspan(count)}) {
    if (part.empty()) continue;
    const auto bound = [](RowNumber row) { return Value::BigInt(static_cast<int64_t>(row)); };
    // The bounds let the scan skip blocks; the exact documents are tested below.
    TableScanSpecification specification{
        {kRowNumberColumn, kElementDocumentColumn},
        {{{kElementDocumentColumn, ScanFilter::Op::kGreaterEqual, bound(part.front())},
          {kElementDocumentColumn, ScanFilter::Op::kLessEqual, bound(part.back())}}}};
    TableScan scan(elements.UnloggedView(write.transaction), elements.types(), std::move(specification),
                   KernelsOf(BestKernelLevel()), kBlocksPerRowGroup);
    TableScan::Position position;
    DataChunk chunk({TypeId::kBigInt, TypeId::kBigInt});
    for (; scan.Next(position, chunk); chunk.Release()) {
      if (chunk.size() == 0) continue;
      const auto numbers = chunk.column(0).ViewAs<int64_t>(chunk.size());
      const auto owners = chunk.column(1).ViewAs<int64_t>(chunk.size());
      for (size_t i = 0; i < chunk.size(); i++) {
        if (std::binary_search(part.begin(), part.end(), static_cast<RowNumber>(owners[i])))
          found.push_back(static_cast<RowNumber>(numbers[i]));
      }
    }
  }
  // Delete requires ascending rows.
  std::sort(found.begin(), found.end());
  elements.Delete(write, found);
}

}  // namespace

/// Stops the maintenance of an element table when its drop commits or its creation is rolled back.
class ElementTables::ElementsUndo final : public UndoEntry {
 public:
  ElementsUndo(std::shared_ptr<Table> collection, std::shared_ptr<Table> elements, bool is_drop)
      : collection_(std::move(collection)), elements_(std::move(elements)), is_drop_(is_drop) {}
  void Commit(Timestamp, Timestamp) noexcept override {
    if (is_drop_) Remove();
  }
  void Rollback() noexcept override {
    if (!is_drop_) Remove();
  }

 private:
  void Remove() noexcept { collection_->documents()->elements().Remove(elements_); }

  std::shared_ptr<Table> collection_, elements_;
  bool is_drop_;
};

void ElementTables::Attach(const TableWrite& write, const std::shared_ptr<Table>& elements) {
  collection_.locks().BeginRuleChange(write);
  // Space is reserved before the undo entry exists, so that nothing fails between it and the change.
  auto undo = std::make_unique<ElementsUndo>(collection_.shared_from_this(), elements, false);
  {
    MutexLock lock(mutex_);
    tables_.reserve(tables_.size() + 1);
  }
  write.transaction.AddUndo(std::move(undo));
  MutexLock lock(mutex_);
  tables_.push_back(elements);
}

void ElementTables::Remove(const std::shared_ptr<Table>& elements) noexcept {
  MutexLock lock(mutex_);
  std::erase(tables_, elements);
}

void ElementTables::Detach(const TableWrite& write, const std::shared_ptr<Table>& elements) {
  collection_.locks().BeginRuleChange(write);
  // The table is maintained until the commit, as the drop may be rolled back.
  write.transaction.AddUndo(std::make_unique<ElementsUndo>(collection_.shared_from_this(), elements, true));
}

void ElementTables::Fill(const TableWrite& write, Table& elements) {
  const auto arrays = ArraysAt(*collection_.attributes(), elements.element_source()->path);
  if (!arrays) return;
  TableScan scan = ScanArrays(collection_, collection_.UnloggedView(write.transaction), *arrays);
  ElementRows rows(elements);
  rows.AddAll(scan);
  rows.InsertInto(elements, write);
}

std::vector<std::shared_ptr<Table>> ElementTables::MaintainedBy(const Transaction& transaction) const {
  std::vector<std::shared_ptr<Table>> maintained;
  // The log has the rows of element tables as well.
  if (transaction.is_replay()) return maintained;
  {
    MutexLock lock(mutex_);
    maintained = tables_;
  }
  // A table that this transaction drops needs no maintenance.
  std::erase_if(maintained, [&](const std::shared_ptr<Table>& elements) {
    return elements->locks().IsDroppedBy(transaction);
  });
  return maintained;
}

void ElementTables::Insert(const TableWrite& write,
                           const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                           RowNumber first_row) {
  for (const auto& elements : MaintainedBy(write.transaction)) {
    const auto arrays = ArraysAt(*collection_.attributes(), elements->element_source()->path);
    if (!arrays) continue;
    // The new rows are not in the table yet, so they are scanned as a snapshot of their own.
    auto inserted = std::make_shared<TableSnapshot>();
    inserted->next_row = first_row;
    for (const auto& row_group : row_groups) inserted->Append(row_group);
    TableScan scan = ScanArrays(collection_, TableView::Of(std::move(inserted)), *arrays);
    ElementRows rows(*elements);
    rows.AddAll(scan);
    rows.InsertInto(*elements, write);
  }
}

void ElementTables::Delete(const TableWrite& write, std::span<const RowNumber> rows) {
  for (const auto& elements : MaintainedBy(write.transaction)) DeleteElementsOf(*elements, write, rows);
}

void ElementTables::Update(const TableWrite& write, std::span<const RowNumber> rows,
                           const Vector& old_records, const Vector& new_records) {
  for (const auto& elements : MaintainedBy(write.transaction)) {
    const auto arrays = ArraysAt(*collection_.attributes(), elements->element_source()->path);
    if (!arrays) continue;
    Vector before(arrays->type), after(arrays->type);
    DocumentReader reader(collection_.attributes(), {*arrays});
    for (auto [records, output] : {std::pair{&old_records, &before}, std::pair{&new_records, &after}}) {
      output->Reset();
      reader.Read(*records, rows.size(), std::span<Vector* const>(&output, 1));
    }
    const auto old_arrays = before.ViewAs<StringRef>(rows.size());
    const auto new_arrays = after.ViewAs<StringRef>(rows.size());
    const auto slots = [](const TypedView<StringRef>& of, size_t i) {
      return of.IsValid(i) ? of[i].view() : std::string_view();
    };
    std::vector<RowNumber> changed;
    ElementRows added(*elements);
    for (size_t i = 0; i < rows.size(); i++) {
      const std::string_view array = slots(new_arrays, i);
      // Most updates leave the array as it is.
      if (slots(old_arrays, i) == array) continue;
      changed.push_back(rows[i]);
      added.Add(array, rows[i]);
    }
    if (changed.empty()) continue;
    DeleteElementsOf(*elements, write, changed);
    added.InsertInto(*elements, write);
  }
}

void NumberDocuments(const Table& elements, const Transaction& transaction, TableChanges& changes,
                     std::vector<std::shared_ptr<const RowGroup>>& rows) {
  // Replayed rows already have final numbers.
  if (transaction.is_replay()) return;
  const auto collection = elements.element_source()->collection.lock();
  SCAUP_CHECK(collection);
  const TableChanges* numbers = ChangesOf(*collection, transaction);
  // Without local document numbers, nothing needs to be replaced.
  const ZoneMap& written = changes.statistics[kElementDocumentColumn].zone;
  if (numbers == nullptr || !written.has_bounds || written.maximum.integer < int128_t{kFirstLocalRow}) return;
  const std::vector<LogicalType>& types = elements.types();
  std::vector<size_t> columns(types.size());
  for (size_t i = 0; i < columns.size(); i++) columns[i] = i;
  RowGroupBuilder builder(types, elements.memory());
  DataChunk chunk(types);
  for (const auto& row_group : rows) {
    RowGroupReader reader(types, columns, *row_group, KernelsOf(BestKernelLevel()));
    for (size_t block = 0; block < row_group->block_count(); block++) {
      chunk.Release();
      reader.Read(block, chunk);
      Vector& documents = chunk.column(kElementDocumentColumn);
      const auto local = documents.ViewAs<int64_t>(chunk.size());
      Vector numbered(types[kElementDocumentColumn]);
      numbered.Reset();
      for (size_t i = 0; i < chunk.size(); i++) {
        const auto row = static_cast<RowNumber>(local[i]);
        numbered.MutableData<int64_t>()[i] =
            static_cast<int64_t>(IsLocalRow(row) ? numbers->FinalNumberOf(row) : row);
      }
      documents.Reference(numbered);
      builder.Append(chunk);
    }
  }
  builder.Finish();
  // The statistics had local numbers, which would widen the bounds for good.
  changes.statistics[kElementDocumentColumn] = builder.statistics()[kElementDocumentColumn];
  rows = builder.TakeFinished();
}

}  // namespace scaup
