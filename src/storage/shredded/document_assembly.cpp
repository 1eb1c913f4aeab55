// Reassembles shredded documents.
#include "storage/shredded/document_assembly.hpp"

#include <algorithm>

#include "document/value_conversion.hpp"
#include "storage/row_group/column_segment.hpp"
#include "storage/shredded/shape_rows.hpp"
#include "type/number/int128.hpp"

namespace scaup {

namespace {

constexpr uint32_t kNothing = UINT32_MAX;
/// For more rows than this, values are counted in all rows up to the last one, since most of these have some
/// of the attributes.
constexpr size_t kFewRows = 16;

}  // namespace

DocumentAssembly::DocumentAssembly(DocumentSegmentReader& reader)
    : reader_(reader),
      segment_(reader.segment_),
      next_value_(reader.shapes().attribute_end(), kNothing),
      is_looked_up_(reader.shapes().attribute_end()),
      is_counted_(reader.shapes().size()),
      column_of_(reader.shapes().attribute_end(), kNothing),
      columns_(segment_.physical().size()),
      is_read_(segment_.physical().size()) {
  for (uint32_t i = 0; i < columns_.size(); i++) {
    const AttributeId id = segment_.physical()[i].id;
    if (id < column_of_.size()) column_of_[id] = i;
  }
}

void DocumentAssembly::Run(std::span<const sel_t> rows, const std::vector<bool>* wanted, Vector& output,
                           size_t offset) {
  // Decides once for all parts, so that row positions mean the same everywhere.
  reads_all_ = rows.size() > kMostGatheredRows;
  rows_ = rows;
  FindItems(wanted);
  ReadColumns();
  // Values of physical attributes are read; now those in the reservoir.
  values_.clear();
  kept_count_ = 0;
  if (reads_all_) {
    ReadAllValues();
  } else {
    ReadItemValues();
  }
  WriteRecords(output, offset);
  // Vectors that share a block are released. Copied values are small, so their memory is reused.
  if (!reads_all_) return;
  for (auto& column : columns_) column.reset();
  kept_.clear();
}

void DocumentAssembly::FindItems(const std::vector<bool>* wanted) {
  items_.clear();
  found_.clear();
  const DocumentShapes& shapes = reader_.shapes();
  const auto* shapes_of_rows = reader_.shapes_of_rows_.Data<int32_t>();
  // Collects the values of each wanted row, and the attributes whose first value must be looked up.
  for (const sel_t row : rows_) {
    const DocumentShape shape = shapes[static_cast<ShapeId>(shapes_of_rows[row])];
    for (const AttributeId id : shape.attributes) {
      if (wanted != nullptr && (id >= wanted->size() || !(*wanted)[id])) continue;
      items_.push_back({id, column_of_[id], kNothing});
      if (column_of_[id] != kNothing || is_looked_up_[id] != 0) continue;
      is_looked_up_[id] = 1;
      looked_up_.push_back(id);
    }
    found_.push_back({items_.size(), kNothing});
  }
  // A row's value in the reservoir follows those of the rows before it, so values must be counted.
  FindFirstValues();
  CountValues();
  for (const AttributeId id : looked_up_) {
    next_value_[id] = kNothing;
    is_looked_up_[id] = 0;
  }
  looked_up_.clear();
}

void DocumentAssembly::FindFirstValues() {
  if (looked_up_.empty()) return;
  // The directory is passed over once if lookups ascend.
  std::sort(looked_up_.begin(), looked_up_.end());
  ReservoirDirectory& directory = reader_.Directory();
  for (const AttributeId id : looked_up_) {
    if (const auto entry = directory.Find(id)) next_value_[id] = entry->first_value;
  }
}

void DocumentAssembly::CountValues() {
  const DocumentShapes& shapes = reader_.shapes();
  const bool has_text = shapes.has_text();
  if (looked_up_.empty() && !has_text) return;
  const auto shapes_of_rows =
      std::span(reader_.shapes_of_rows_.Data<int32_t>(), reader_.count_).first(rows_.back() + size_t{1});
  // For few rows without texts, only rows that have any of the attributes need to be counted.
  sel_t few[kVectorSize];
  std::span<const sel_t> counted(IdentitySelection(), shapes_of_rows.size());
  if (!has_text && rows_.size() <= kFewRows) {
    MarkShapes(1);
    counted = {few, FindRowsOfShapes(shapes_of_rows, is_counted_.data(), few)};
    MarkShapes(0);
  }
  // Texts of documents that their attributes cannot restore come first in the reservoir.
  uint32_t next_text = has_text ? reader_.Directory().first_text() : 0;
  size_t item = 0, i = 0;
  for (const sel_t row : counted) {
    const auto shape = static_cast<ShapeId>(shapes_of_rows[row]);
    // Moves to the items of the first wanted row that is not before this one.
    while (rows_[i] < row) item = found_[i++].end;
    const bool is_wanted = rows_[i] == row;
    if (is_wanted) {
      for (; item < found_[i].end; item++) {
        const AttributeId id = items_[item].id;
        if (next_value_[id] != kNothing) items_[item].value = next_value_[id]++;
      }
      // An unwanted row only advances the counters.
    } else {
      for (const AttributeId id : segment_.ReservoirOf(shape))
        next_value_[id] += next_value_[id] != kNothing ? 1 : 0;
    }
    if (has_text && shapes[shape].has_text) {
      if (is_wanted) found_[i].text = next_text;
      next_text++;
    }
  }
}

void DocumentAssembly::MarkShapes(uint8_t mark) {
  for (const AttributeId id : looked_up_) {
    for (const ShapeId shape : reader_.shapes().With(id)) is_counted_[shape] = mark;
  }
}

void DocumentAssembly::ReadColumns() {
  // Only flags that were set are cleared, as documents may have many attributes.
  for (const uint32_t column : read_) is_read_[column] = 0;
  read_.clear();
  readers_.clear();
  for (const Item& item : items_) {
    if (item.column == kNothing || is_read_[item.column] != 0) continue;
    is_read_[item.column] = 1;
    read_.push_back(item.column);
    readers_.push_back(&reader_.PartReader(DocumentMetadata::kFirstColumn + item.column));
  }
  // For a single row the latency dominates.
  if (rows_.size() == 1) PrefetchColumns();
  for (size_t i = 0; i < read_.size(); i++) {
    std::optional<Vector>& column = columns_[read_[i]];
    if (!column) column.emplace(OwnTypeOf(segment_.physical()[read_[i]].type));
    if (reads_all_) {
      column->Release();
      readers_[i]->Read(reader_.block_, reader_.count_, *column);
      column->Flatten(reader_.count_);
    } else {
      column->Reset();
      readers_[i]->Gather(reader_.block_, reader_.count_, rows_, *column, 0);
    }
  }
}

void DocumentAssembly::PrefetchColumns() {
  bool has_more = true;
  for (size_t step = 0; has_more; step++) {
    has_more = false;
    for (SegmentReader* reader : readers_)
      has_more |= reader->PrefetchRow(step, reader_.block_, reader_.count_, rows_[0]);
  }
}

void DocumentAssembly::Keep(const Vector& vector, size_t begin, size_t end) {
  const auto* strings = vector.Data<StringRef>();
  values_.insert(values_.end(), strings + begin, strings + end);
  kept_count_++;
}

/// Reads all reservoir values of the block; items then refer to positions among these.
void DocumentAssembly::ReadAllValues() {
  ReservoirDirectory& directory = reader_.Directory();
  const uint32_t begin = directory.first_text(), end = directory.FindEnd();
  for (size_t first = begin; first < end;) {
    // The values of a block of documents may begin and end within blocks of the reservoir.
    const size_t block = first / kVectorSize, in_block = first % kVectorSize;
    const size_t block_rows = std::min(kVectorSize, segment_.value_count() - block * kVectorSize);
    const size_t last = std::min(block_rows, in_block + (end - first));
    if (kept_count_ == kept_.size()) kept_.emplace_back(TypeId::kBlob);
    Vector& vector = kept_[kept_count_];
    vector.Release();
    reader_.PartReader(DocumentMetadata::kValues).Read(block, block_rows, vector);
    vector.Flatten(block_rows);
    Keep(vector, in_block, last);
    first += last - in_block;
  }
  for (Item& item : items_) {
    if (item.value != kNothing) item.value -= begin;
  }
  for (Row& row : found_) {
    if (row.text != kNothing) row.text -= begin;
  }
}

/// Reads the reservoir values of the items only.
void DocumentAssembly::ReadItemValues() {
  places_.clear();
  for (Item& item : items_) {
    if (item.value != kNothing) places_.push_back(&item.value);
  }
  for (Row& row : found_) {
    if (row.text != kNothing) places_.push_back(&row.text);
  }
  // In ascending order, so that each reservoir block is visited once.
  std::sort(places_.begin(), places_.end(), [](const uint32_t* a, const uint32_t* b) { return *a < *b; });
  for (size_t begin = 0; begin < places_.size();) {
    listed_.clear();
    const size_t end = std::min(places_.size(), begin + kVectorSize);
    for (size_t i = begin; i < end; i++) listed_.push_back(*places_[i]);
    if (kept_count_ == kept_.size()) kept_.emplace_back(TypeId::kBlob);
    Vector& vector = kept_[kept_count_];
    vector.Reset();
    reader_.GatherListed(listed_, vector);
    for (size_t i = begin; i < end; i++) *places_[i] = static_cast<uint32_t>(i);
    Keep(vector, 0, end - begin);
    begin = end;
  }
}

std::string_view DocumentAssembly::ValueAt(uint32_t place) const {
  // A damaged file may have fewer values than its shapes promise.
  if (place >= values_.size()) ThrowBadRecord("it has a value that is not there");
  return values_[place].view();
}

void DocumentAssembly::AppendColumnValue(const Item& item, size_t row) {
  const Vector& column = *columns_[item.column];
  if (column.Validity() != nullptr && !TestValid(column.Validity(), row))
    ThrowBadRecord("it has an attribute without a value");
  const auto append = [&](const auto& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  // Columns have decoded values, which are encoded again as in records.
  switch (segment_.physical()[item.column].type) {
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: {
      char integer[sizeof(int64_t)];
      bytes_.append(integer, StoreInteger(column.Data<int64_t>()[row], integer));
      break;
    }
    case AttributeType::kBoolean: append(column.Data<uint8_t>()[row]); break;
    case AttributeType::kHugeInteger: append(column.Data<int128_t>()[row]); break;
    case AttributeType::kDouble: append(column.Data<double>()[row]); break;
    default: bytes_.append(column.Data<StringRef>()[row].view()); break;
  }
}

void DocumentAssembly::WriteRecords(Vector& output, size_t offset) {
  size_t next = 0;
  // Items are in row order, so one pass writes all records.
  for (size_t i = 0; i < rows_.size(); i++) {
    entries_.clear();
    bytes_.clear();
    for (; next < found_[i].end; next++) {
      const Item& item = items_[next];
      if (item.column != kNothing) {
        AppendColumnValue(item, reads_all_ ? rows_[i] : i);
      } else if (item.value != kNothing) {
        bytes_.append(ValueAt(item.value));
      }
      entries_.push_back({item.id, static_cast<uint32_t>(bytes_.size())});
    }
    const std::string_view text = found_[i].text == kNothing ? std::string_view() : ValueAt(found_[i].text);
    record_.clear();
    // Restores the record: entries are in document order, as the attributes of shapes are.
    writer_.Append(entries_, bytes_.data(), text, record_);
    output.MutableData<StringRef>()[offset + i] = output.AddString(record_);
  }
}

}  // namespace scaup
