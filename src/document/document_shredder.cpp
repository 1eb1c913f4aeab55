// Shreds documents into columns and the reservoir.
#include "document/document_shredder.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "common/byte_stream.hpp"
#include "document/value_conversion.hpp"
#include "type/number/int128.hpp"
#include "type/physical_type.hpp"

namespace scaup {

namespace {

std::string ToString(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Stores a value of a record in the layout of a flat vector of OwnTypeOf(type).
void StoreValue(AttributeType type, std::string_view value, std::byte* out) {
  switch (type) {
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: {
      const int64_t integer = LoadInteger(value);
      std::memcpy(out, &integer, sizeof(integer));
      break;
    }
    case AttributeType::kBoolean: *out = static_cast<std::byte>(LoadFixed<uint8_t>(value) & 1); break;
    case AttributeType::kHugeInteger: {
      const auto integer = LoadFixed<int128_t>(value);
      std::memcpy(out, &integer, sizeof(integer));
      break;
    }
    case AttributeType::kDouble: {
      const auto number = LoadFixed<double>(value);
      std::memcpy(out, &number, sizeof(number));
      break;
    }
    default: {
      const StringRef string(value);
      std::memcpy(out, &string, sizeof(string));
    }
  }
}

/// Sorts the values of one block by attribute (counting sort); within an attribute they stay in row order.
class BlockReservoir {
 public:
  explicit BlockReservoir(size_t attribute_count) : counts_(attribute_count) {}

  void Add(AttributeId id, std::string_view value) {
    if (counts_[id]++ == 0) present_.push_back(id);
    entries_.push_back({id, StringRef(value)});
  }
  void AddText(std::string_view text) { texts_.emplace_back(text); }

  void MoveTo(Reservoir& reservoir) {
    std::sort(present_.begin(), present_.end());
    ByteWriter directory;
    directory.WriteVarint(reservoir.values.size());
    directory.WriteVarint(texts_.size());
    directory.WriteVarint(present_.size());
    size_t next = reservoir.values.size() + texts_.size();
    int64_t previous = -1;
    for (const AttributeId id : present_) {
      directory.WriteVarint(static_cast<uint64_t>(id - previous));
      directory.WriteVarint(counts_[id]);
      previous = id;
      const size_t begin = next;
      next += counts_[id];
      counts_[id] = begin;  // from here on, the position of the attribute's next value
    }
    reservoir.values.insert(reservoir.values.end(), texts_.begin(), texts_.end());
    reservoir.values.resize(next);
    for (const Entry& entry : entries_) reservoir.values[counts_[entry.id]++] = entry.value;
    reservoir.directory.push_back(ToString(directory.bytes()));
    for (const AttributeId id : present_) counts_[id] = 0;
    present_.clear();
    entries_.clear();
    texts_.clear();
  }

 private:
  struct Entry {
    AttributeId id;
    StringRef value;
  };
  std::vector<size_t> counts_;  // by attribute
  std::vector<AttributeId> present_;
  std::vector<Entry> entries_;
  std::vector<StringRef> texts_;
};

}  // namespace

DocumentShredder::DocumentShredder(const AttributeDictionary& dictionary, const ShreddingPolicy& policy)
    : dictionary_(dictionary), attribute_count_(dictionary.attribute_count()), policy_(policy) {}

void DocumentShredder::Add(const StringRef* records, size_t count) {
  blocks_.push_back({records, count});
  for (size_t row = 0; row < count; row++) {
    const DocumentRecord record(records[row].view(), attribute_count_);
    const ShapeId shape = finder_.Find(record);
    // A new shape: records its attributes.
    if (shape + 1 == shape_begins_.size()) {
      for (size_t i = 0; i < record.size(); i++) shape_ids_.push_back(record.id(i));
      shape_begins_.push_back(shape_ids_.size());
    }
    shapes_of_rows_.push_back(static_cast<int32_t>(shape));
  }
}

void DocumentShredder::Analyze() {
  std::vector<uint32_t> rows_of_shapes(shape_begins_.size() - 1);
  counts_.resize(attribute_count_);
  for (const int32_t shape : shapes_of_rows_) rows_of_shapes[static_cast<size_t>(shape)]++;
  for (size_t shape = 0; shape < rows_of_shapes.size(); shape++) {
    for (size_t i = shape_begins_[shape]; i < shape_begins_[shape + 1]; i++)
      counts_[shape_ids_[i]] += rows_of_shapes[shape];
  }
  std::vector<bool> has_values(attribute_count_);
  for (AttributeId id = 0; id < attribute_count_; id++) {
    has_values[id] = counts_[id] != 0 && HasBytes(dictionary_.attribute(id).type);
    if (has_values[id] && uint64_t{counts_[id]} * 1000 >= uint64_t{policy_.density} * row_count())
      physical_.push_back(id);
  }
  if (policy_.cardinality > 1) DropOfFewValues();
  std::vector<uint32_t> place_of(attribute_count_, kNowhere);
  for (AttributeId id = 0; id < attribute_count_; id++) {
    if (has_values[id]) place_of[id] = kReservoir;
  }
  for (size_t i = 0; i < physical_.size(); i++) place_of[physical_[i]] = static_cast<uint32_t>(i);
  places_.reserve(shape_ids_.size());
  for (const AttributeId id : shape_ids_) places_.push_back(place_of[id]);
}

void DocumentShredder::DropOfFewValues() {
  std::vector<std::unordered_set<std::string_view>> values(physical_.size());
  size_t undecided = physical_.size();
  // Stops as soon as all attributes have reached the limit.
  for (auto block = blocks_.begin(); block != blocks_.end() && undecided != 0; ++block) {
    for (size_t row = 0; row < block->count; row++) {
      const DocumentRecord record(block->records[row].view(), attribute_count_);
      for (size_t i = 0; i < physical_.size(); i++) {
        if (values[i].size() == policy_.cardinality) continue;
        const size_t found = record.Find(physical_[i]);
        if (found == DocumentRecord::kNotFound || !values[i].insert(record.value(found)).second) continue;
        if (values[i].size() == policy_.cardinality) undecided--;
      }
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < physical_.size(); i++) {
    if (values[i].size() == policy_.cardinality) physical_[kept++] = physical_[i];
  }
  physical_.resize(kept);
}

Reservoir DocumentShredder::MakeReservoir() const {
  Reservoir reservoir;
  BlockReservoir sorted(attribute_count_);
  size_t first = 0;
  for (const Block& block : blocks_) {
    for (size_t row = 0; row < block.count; row++) {
      const DocumentRecord record(block.records[row].view(), attribute_count_);
      const auto places = PlacesOf(first + row);
      for (size_t i = 0; i < places.size(); i++) {
        if (places[i] == kReservoir) sorted.Add(record.id(i), record.value(i));
      }
      if (record.has_text()) sorted.AddText(record.text());
    }
    sorted.MoveTo(reservoir);
    first += block.count;
  }
  return reservoir;
}

std::vector<PhysicalAttribute> DocumentShredder::MakeColumns(size_t begin, size_t end) const {
  std::vector<PhysicalAttribute> columns;
  std::vector<size_t> widths;
  for (size_t i = begin; i < end; i++) {
    const AttributeType type = dictionary_.attribute(physical_[i]).type;
    widths.push_back(PhysicalSize(OwnTypeOf(type)));
    columns.push_back({physical_[i], type, std::vector<std::byte>(row_count() * widths.back()),
                       std::vector<ValidityWord>(blocks_.size() * kValidityWords)});
  }
  size_t first = 0;
  for (const Block& block : blocks_) {
    for (size_t in_block = 0; in_block < block.count; in_block++) {
      const size_t row = first + in_block;
      const DocumentRecord record(block.records[in_block].view(), attribute_count_);
      const auto places = PlacesOf(row);
      for (size_t i = 0; i < places.size(); i++) {
        if (places[i] < begin || places[i] >= end) continue;
        const size_t place = places[i] - begin;
        PhysicalAttribute& column = columns[place];
        StoreValue(column.type, record.value(i), column.values.data() + row * widths[place]);
        SetValid(column.validity.data(), row);
      }
    }
    first += block.count;
  }
  return columns;
}

}  // namespace scaup
