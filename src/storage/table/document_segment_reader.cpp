// Reads attributes of documents, and puts documents together again.
#include "storage/table/document_segment_reader.hpp"

#include <algorithm>
#include <optional>

#include "common/throw.hpp"
#include "document/value_conversion.hpp"
#include "storage/table/scan_filter_kernels.hpp"
#include "type/int128.hpp"

namespace scaup {

namespace {

constexpr uint32_t kNothing = UINT32_MAX;
/// More rows of a block than this are read with all the others.
constexpr size_t kMostPicked = kVectorSize / 8;
/// So many rows are looked at one by one.
constexpr size_t kVeryFewRows = 2;

/// Reads varints as ByteWriter writes them, of which most have one byte.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes)
      : next_(reinterpret_cast<const uint8_t*>(bytes.data())), end_(next_ + bytes.size()) {}
  size_t remaining() const { return static_cast<size_t>(end_ - next_); }
  uint64_t Read() {
    if (next_ != end_ && *next_ < 0x80) return *next_++;
    return ReadLong();
  }

 private:
  uint64_t ReadLong() {
    uint64_t value = 0;
    for (unsigned shift = 0; next_ != end_ && shift < 63; shift += 7) {
      const uint8_t byte = *next_++;
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    ThrowBadRecord("the directory of its block is cut");
  }
  const uint8_t* next_;
  const uint8_t* end_;
};

}  // namespace

/// One call of Assemble, and memory for the next one. First it goes over the rows, to learn which value is
/// whose; then it reads the values, part by part; then it writes the records, row by row.
class DocumentSegmentReader::Assembly {
 public:
  explicit Assembly(DocumentSegmentReader& reader)
      : reader_(reader),
        segment_(reader.segment_),
        next_value_(reader.shapes().attribute_end(), kNothing),
        column_of_(reader.shapes().attribute_end(), kNothing),
        columns_(segment_.physical().size()) {
    for (uint32_t i = 0; i < columns_.size(); i++) {
      const AttributeId id = segment_.physical()[i].id;
      if (id < column_of_.size()) column_of_[id] = i;
    }
  }

  void Run(std::span<const sel_t> rows, const std::vector<bool>* wanted, Vector& output, size_t offset) {
    reads_all_ = rows.size() > kMostPicked;
    rows_ = rows;
    FindItems(wanted);
    ReadColumns();
    if (reads_all_) {
      ReadAllValues();
    } else {
      ReadItemValues();
    }
    WriteRecords(output, offset);
    for (auto& column : columns_) column.reset();
    kept_.clear();
  }

 private:
  /// A value of a wanted row. Neither in a column nor in the reservoir: it has no bytes.
  struct Item {
    AttributeId id;
    uint32_t column;
    uint32_t value;
  };
  struct Row {
    size_t end;     // Of its items.
    uint32_t text;  // In the reservoir, or kNothing.
  };

  static bool IsWanted(const std::vector<bool>* wanted, AttributeId id) {
    return wanted == nullptr || (id < wanted->size() && (*wanted)[id]);
  }

  /// For very few rows: which of its values an attribute of a row has is counted for each alone.
  void FindFewItems(const std::vector<bool>* wanted) {
    const DocumentShapes& shapes = reader_.shapes();
    const auto* shapes_of_rows = reader_.shapes_of_rows_.Data<int32_t>();
    for (const sel_t row : rows_) {
      const DocumentShape shape = shapes[static_cast<ShapeId>(shapes_of_rows[row])];
      for (const AttributeId id : shape.attributes) {
        if (!IsWanted(wanted, id)) continue;
        uint32_t value = kNothing;
        if (column_of_[id] == kNothing) {
          if (const DirectoryEntry* entry = reader_.FindEntry(id))
            value = entry->first_value + reader_.CountBefore(id, row);
        }
        items_.push_back({id, column_of_[id], value});
      }
      uint32_t text = kNothing;
      if (shape.has_text) {
        text = reader_.first_text_;
        for (size_t before = 0; before < row; before++)
          text += shapes[static_cast<ShapeId>(shapes_of_rows[before])].has_text ? 1 : 0;
      }
      found_.push_back({items_.size(), text});
    }
  }

  void FindItems(const std::vector<bool>* wanted) {
    items_.clear();
    found_.clear();
    if (rows_.size() <= kVeryFewRows) return FindFewItems(wanted);
    for (const DirectoryEntry& entry : reader_.directory_) {
      if (entry.id < next_value_.size()) next_value_[entry.id] = entry.first_value;
    }
    const DocumentShapes& shapes = reader_.shapes();
    const auto* shapes_of_rows = reader_.shapes_of_rows_.Data<int32_t>();
    uint32_t next_text = reader_.first_text_;
    for (size_t row = 0; found_.size() < rows_.size(); row++) {
      const auto shape_id = static_cast<ShapeId>(shapes_of_rows[row]);
      const DocumentShape shape = shapes[shape_id];
      if (rows_[found_.size()] == row) {
        for (const AttributeId id : shape.attributes) {
          if (!IsWanted(wanted, id)) continue;
          const uint32_t column = column_of_[id];
          const uint32_t value =
              column != kNothing || next_value_[id] == kNothing ? kNothing : next_value_[id]++;
          items_.push_back({id, column, value});
        }
        found_.push_back({items_.size(), shape.has_text ? next_text : kNothing});
      } else {
        for (const AttributeId id : reader_.segment_.ReservoirOf(shape_id))
          next_value_[id] += next_value_[id] != kNothing ? 1 : 0;
      }
      next_text += shape.has_text ? 1 : 0;
    }
    for (const DirectoryEntry& entry : reader_.directory_) {
      if (entry.id < next_value_.size()) next_value_[entry.id] = kNothing;
    }
  }

  void ReadColumns() {
    for (const Item& item : items_) {
      if (item.column == kNothing || columns_[item.column]) continue;
      SegmentReader& reader = reader_.PartReader(DocumentMetadata::kFirstColumn + item.column);
      Vector& column = columns_[item.column].emplace(OwnTypeOf(segment_.physical()[item.column].type));
      if (reads_all_) {
        reader.Read(reader_.block_, reader_.count_, column);
        column.Flatten(reader_.count_);
      } else {
        column.Reset();
        reader.Gather(reader_.block_, reader_.count_, rows_, column, 0);
      }
    }
  }

  void Keep(Vector&& vector, size_t begin, size_t end) {
    const auto* strings = vector.Data<StringRef>();
    values_.insert(values_.end(), strings + begin, strings + end);
    kept_.push_back(std::move(vector));
  }

  /// Makes values_ all of the block's, and items the places in it.
  void ReadAllValues() {
    values_.clear();
    const uint32_t begin = reader_.first_text_, end = reader_.value_end_;
    for (size_t first = begin; first < end;) {
      const size_t block = first / kVectorSize, in_block = first % kVectorSize;
      const size_t block_rows = std::min(kVectorSize, segment_.value_count() - block * kVectorSize);
      const size_t last = std::min(block_rows, in_block + (end - first));
      Vector vector(TypeId::kBlob);
      reader_.PartReader(DocumentMetadata::kValues).Read(block, block_rows, vector);
      vector.Flatten(block_rows);
      Keep(std::move(vector), in_block, last);
      first += last - in_block;
    }
    for (Item& item : items_) {
      if (item.value != kNothing) item.value -= begin;
    }
    for (Row& row : found_) {
      if (row.text != kNothing) row.text -= begin;
    }
  }

  /// Makes values_ those of the items.
  void ReadItemValues() {
    std::vector<uint32_t*> places;
    for (Item& item : items_) {
      if (item.value != kNothing) places.push_back(&item.value);
    }
    for (Row& row : found_) {
      if (row.text != kNothing) places.push_back(&row.text);
    }
    std::sort(places.begin(), places.end(), [](const uint32_t* a, const uint32_t* b) { return *a < *b; });
    values_.clear();
    std::vector<uint32_t> listed;
    for (size_t begin = 0; begin < places.size();) {
      listed.clear();
      const size_t end = std::min(places.size(), begin + kVectorSize);
      for (size_t i = begin; i < end; i++) listed.push_back(*places[i]);
      Vector vector(TypeId::kBlob);
      vector.Reset();
      reader_.GatherListed(listed, vector);
      for (size_t i = begin; i < end; i++) *places[i] = static_cast<uint32_t>(i);
      Keep(std::move(vector), 0, end - begin);
      begin = end;
    }
  }

  std::string_view ValueAt(uint32_t place) const {
    if (place >= values_.size()) ThrowBadRecord("it has a value that is not there");
    return values_[place].view();
  }

  void AppendColumnValue(const Item& item, size_t row) {
    const Vector& column = *columns_[item.column];
    if (column.Validity() != nullptr && !TestValid(column.Validity(), row))
      ThrowBadRecord("it has an attribute without a value");
    const auto append = [&](const auto& value) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    switch (segment_.physical()[item.column].type) {
      case AttributeType::kInteger: {
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

  void WriteRecords(Vector& output, size_t offset) {
    size_t next = 0;
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
      writer_.Append(entries_, bytes_.data(), text, record_);
      output.MutableData<StringRef>()[offset + i] = output.AddString(record_);
    }
  }

  DocumentSegmentReader& reader_;
  const DocumentSegment& segment_;
  std::vector<uint32_t> next_value_;  // By attribute: of the present block, in the reservoir.
  std::vector<uint32_t> column_of_;   // By attribute: among the physical ones.
  std::vector<std::optional<Vector>> columns_;
  std::span<const sel_t> rows_;
  bool reads_all_ = false;  // Columns have all rows of the block, not those in rows_ alone.
  std::vector<Item> items_;
  std::vector<Row> found_;
  std::vector<StringRef> values_;
  std::vector<Vector> kept_;  // Have the bytes of values_.
  std::vector<DocumentEntry> entries_;
  std::string bytes_, record_;
  DocumentRecordWriter writer_;
};

DocumentSegmentReader::DocumentSegmentReader(std::shared_ptr<const DocumentSegment> segment,
                                             const KernelTable& kernels)
    : SegmentReader(segment),
      segment_(*segment),
      kernels_(kernels),
      parts_(DocumentMetadata::kFirstColumn + segment_.physical().size()),
      shapes_of_rows_(TypeId::kInteger) {}

DocumentSegmentReader::~DocumentSegmentReader() = default;

const DocumentShapes& DocumentSegmentReader::shapes() const {
  if (shapes_ == nullptr) shapes_ = &segment_.shapes();
  return *shapes_;
}

const std::vector<uint8_t>& DocumentSegmentReader::FlagsOf(AttributeId attribute) {
  const auto [found, is_new] = flags_.try_emplace(attribute);
  if (is_new) {
    found->second.resize(shapes().size());
    for (const ShapeId shape : shapes().With(attribute)) found->second[shape] = 1;
  }
  return found->second;
}

SegmentReader& DocumentSegmentReader::PartReader(size_t part) {
  if (!parts_[part]) parts_[part] = segment_.part(part)->MakeReader(kernels_);
  return *parts_[part];
}

SegmentReader* DocumentSegmentReader::ColumnOf(AttributeId attribute) {
  const auto physical = segment_.FindPhysical(attribute);
  return physical ? &PartReader(DocumentMetadata::kFirstColumn + *physical) : nullptr;
}

void DocumentSegmentReader::Seek(size_t block, size_t count) {
  if (block == block_) return;
  block_ = SIZE_MAX;
  has_directory_ = false;
  shapes_of_rows_.Release();
  PartReader(DocumentMetadata::kShapesOfRows).Read(block, count, shapes_of_rows_);
  shapes_of_rows_.Flatten(count);
  const auto* ids = shapes_of_rows_.Data<int32_t>();
  uint32_t largest = 0;
  for (size_t row = 0; row < count; row++) largest = std::max(largest, static_cast<uint32_t>(ids[row]));
  if (largest >= shapes().size()) ThrowBadRecord("it has a shape that nobody knows");
  block_ = block;
  count_ = count;
}

void DocumentSegmentReader::SeekDirectory() {
  if (has_directory_) return;
  directory_.clear();
  Vector encoded(TypeId::kBlob);
  encoded.Reset();
  const size_t block_count = (segment_.row_count() + kVectorSize - 1) / kVectorSize;
  const auto in_directory = static_cast<sel_t>(block_);
  PartReader(DocumentMetadata::kDirectory).Gather(0, block_count, {&in_directory, 1}, encoded, 0);
  const std::string_view bytes = encoded.Data<StringRef>()->view();
  VarintReader reader(bytes);
  uint64_t next = reader.Read();
  const auto advance = [&](uint64_t count) {
    if (next > segment_.value_count() || count > segment_.value_count() - next)
      ThrowBadRecord("its block has more values than there are");
    next += count;
  };
  advance(0);
  first_text_ = static_cast<uint32_t>(next);
  advance(reader.Read());
  const uint64_t attribute_count = reader.Read();
  if (attribute_count > reader.remaining() / 2) ThrowBadRecord("the directory of its block is cut");
  directory_.resize(attribute_count);
  uint64_t id = UINT64_MAX;
  for (DirectoryEntry& entry : directory_) {
    const uint64_t step = reader.Read();
    if (step == 0 || step > UINT32_MAX || id + step >= UINT32_MAX)
      ThrowBadRecord("the directory of its block is out of order");
    id += step;
    const uint64_t count = reader.Read();
    entry = {static_cast<AttributeId>(id), static_cast<uint32_t>(next), static_cast<uint32_t>(count)};
    advance(count);
  }
  if (reader.remaining() != 0) ThrowBadRecord("the directory of its block has more than attributes");
  value_end_ = static_cast<uint32_t>(next);
  has_directory_ = true;
}

size_t DocumentSegmentReader::FindRows(AttributeId attribute, size_t block, size_t count, sel_t* rows) {
  Seek(block, count);
  const std::vector<uint8_t>& flags = FlagsOf(attribute);
  const auto* shapes_of_rows = shapes_of_rows_.Data<int32_t>();
  size_t found = 0;
  for (size_t row = 0; row < count; row++) {
    rows[found] = static_cast<sel_t>(row);
    found += flags[static_cast<size_t>(shapes_of_rows[row])];
  }
  return found;
}

uint32_t DocumentSegmentReader::CountBefore(AttributeId attribute, size_t row) {
  const std::vector<uint8_t>& flags = FlagsOf(attribute);
  const auto* shapes_of_rows = shapes_of_rows_.Data<int32_t>();
  uint32_t count = 0;
  for (size_t before = 0; before < row; before++) count += flags[static_cast<size_t>(shapes_of_rows[before])];
  return count;
}

const DocumentSegmentReader::DirectoryEntry* DocumentSegmentReader::FindEntry(AttributeId attribute) const {
  const auto entry =
      std::lower_bound(directory_.begin(), directory_.end(), attribute,
                       [](const DirectoryEntry& a, AttributeId wanted) { return a.id < wanted; });
  return entry == directory_.end() || entry->id != attribute ? nullptr : &*entry;
}

void DocumentSegmentReader::GatherListed(std::span<const uint32_t> listed, Vector& values) {
  SegmentReader& reader = PartReader(DocumentMetadata::kValues);
  sel_t rows[kVectorSize];
  for (size_t begin = 0; begin < listed.size();) {
    const size_t block = listed[begin] / kVectorSize;
    size_t end = begin;
    while (end < listed.size() && listed[end] / kVectorSize == block) {
      rows[end - begin] = static_cast<sel_t>(listed[end] % kVectorSize);
      end++;
    }
    const size_t block_rows = std::min(kVectorSize, segment_.value_count() - block * kVectorSize);
    reader.Gather(block, block_rows, {rows, end - begin}, values, begin);
    begin = end;
  }
}

void DocumentSegmentReader::GatherValues(AttributeId attribute, size_t block, size_t count,
                                         std::span<const sel_t> places, Vector& values) {
  if (places.empty()) return;
  Seek(block, count);
  SeekDirectory();
  const DirectoryEntry* entry = FindEntry(attribute);
  if (entry == nullptr || entry->count <= places.back())
    ThrowBadRecord("it has an attribute without a value");
  uint32_t listed[kVectorSize];
  for (size_t i = 0; i < places.size(); i++) listed[i] = entry->first_value + places[i];
  GatherListed({listed, places.size()}, values);
}

void DocumentSegmentReader::Assemble(size_t block, size_t count, std::span<const sel_t> rows,
                                     const std::vector<bool>* wanted, Vector& output, size_t offset) {
  if (rows.empty()) return;
  Seek(block, count);
  SeekDirectory();
  if (!assembly_) assembly_ = std::make_unique<Assembly>(*this);
  assembly_->Run(rows, wanted, output, offset);
}

void DocumentSegmentReader::Read(size_t block, size_t count, Vector& output) {
  output.Reset();
  Assemble(block, count, {IdentitySelection(), count}, nullptr, output, 0);
}

void DocumentSegmentReader::Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
                                   size_t offset) {
  Assemble(block, count, rows, nullptr, output, offset);
}

void DocumentSegmentReader::Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) {
  Vector records(TypeId::kBlob);
  Read(block, count, records);
  EvaluateScanFilter(kernels_, filter, PhysicalType::kString, records.Data<std::byte>(), records.Validity(),
                     count, mask);
}

}  // namespace scaup
