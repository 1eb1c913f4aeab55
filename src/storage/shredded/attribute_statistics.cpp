// Statistics of attributes, gathered from records or from shredded documents.
#include "storage/shredded/attribute_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/hash.hpp"
#include "document/document_record.hpp"
#include "document/document_shredder.hpp"
#include "document/value_conversion.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "type/number/int128.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

/// At least this many values of each attribute go into its sketch, so that rare attributes are sketched
/// completely.
constexpr uint64_t kAlwaysSketched = 64;

/// How many values ahead to prefetch: consecutive reservoir values are scattered over the records.
constexpr size_t kPrefetched = 16;

/// Returns the type of an attribute's bounds. Attributes without bytes have no bounds; kInterval stands for
/// that.
PhysicalType BoundsTypeOf(AttributeType type) {
  if (!HasBytes(type)) return PhysicalType::kInterval;
  // Texts of numbers are not in numeric order.
  return type == AttributeType::kNumber ? PhysicalType::kDouble : PhysicalTypeOf(OwnTypeOf(type));
}

uint64_t HashOf(int64_t value) { return HashInteger(static_cast<uint64_t>(value)); }
uint64_t HashOf(uint8_t value) { return HashInteger(value); }
uint64_t HashOf(const int128_t& value) {
  return CombineHashes(HashInteger(static_cast<uint64_t>(value)),
                       HashInteger(static_cast<uint64_t>(value >> 64)));
}
uint64_t HashOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return HashInteger(bits);
}
uint64_t HashOf(const StringRef& value) { return HashBytes(value.data(), value.size()); }

void WidenInteger(ZoneMap& zone, const int128_t& value) {
  const bool is_first = zone.row_count == 0;
  if (is_first || (zone.has_bounds && value < zone.minimum.integer)) zone.minimum.integer = value;
  if (is_first || (zone.has_bounds && value > zone.maximum.integer)) zone.maximum.integer = value;
  zone.has_bounds |= is_first;
  zone.row_count = 1;  // only tells whether there are values
}
void WidenReal(ZoneMap& zone, double value) {
  const bool is_first = zone.row_count == 0;
  if (is_first || (zone.has_bounds && value < zone.minimum.real)) zone.minimum.real = value;
  if (is_first || (zone.has_bounds && value > zone.maximum.real)) zone.maximum.real = value;
  // NaN has no place between bounds, so it ends them.
  zone.has_bounds = (zone.has_bounds || is_first) && value == value;
  zone.row_count = 1;
}

// Big-endian, so that integer order is the order of the bytes.
int128_t PrefixOf(std::string_view bytes) {
  uint64_t prefix = 0;
  if (bytes.size() >= sizeof(prefix)) {
    std::memcpy(&prefix, bytes.data(), sizeof(prefix));
  } else {
    std::memcpy(&prefix, bytes.data(), bytes.size());
  }
  return static_cast<int128_t>(__builtin_bswap64(prefix));
}

bool HasPrefixBounds(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kLongIntegerArray ||
         (type >= AttributeType::kBooleanArray && type <= AttributeType::kArray);
}

/// Returns whether a string's first four bytes prove that it lies between the bounds, which holds for most
/// strings. The bytes of long strings are far away in memory.
bool IsInnerPrefix(const StringRef& value, const ZoneMap& zone) {
  const uint32_t first = value.PrefixAsNumber();
  return zone.has_bounds && first > static_cast<uint64_t>(zone.minimum.integer) >> 32 &&
         first < static_cast<uint64_t>(zone.maximum.integer) >> 32;
}

/// Adds a value in its record encoding. Does not count a document.
void AddValue(AttributeType type, std::string_view value, bool is_sketched, ColumnStatistics& statistics) {
  const bool adds_hash = is_sketched || statistics.sampled_rows < kAlwaysSketched;
  uint64_t hash = 0;
  switch (type) {
    case AttributeType::kNull:
    case AttributeType::kEmptyObject:
    case AttributeType::kEmptyArray: return;  // they have a single value
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: {
      const int64_t integer = LoadInteger(value);
      WidenInteger(statistics.zone, integer);
      if (adds_hash) hash = HashOf(integer);
      break;
    }
    case AttributeType::kBoolean: {
      const auto boolean = static_cast<uint8_t>(LoadFixed<uint8_t>(value) & 1);
      WidenInteger(statistics.zone, boolean);
      if (adds_hash) hash = HashOf(boolean);
      break;
    }
    case AttributeType::kHugeInteger: {
      const auto integer = LoadFixed<int128_t>(value);
      WidenInteger(statistics.zone, integer);
      if (adds_hash) hash = HashOf(integer);
      break;
    }
    case AttributeType::kDouble: {
      const auto number = LoadFixed<double>(value);
      WidenReal(statistics.zone, number);
      if (adds_hash) hash = HashOf(number);
      break;
    }
    case AttributeType::kNumber:
      WidenReal(statistics.zone, LoadDouble(type, value));
      if (adds_hash) hash = HashBytes(value.data(), value.size());
      break;
    case AttributeType::kString:
    case AttributeType::kBooleanArray:
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray:
    case AttributeType::kDoubleArray:
    case AttributeType::kStringArray:
    case AttributeType::kArray:
      WidenInteger(statistics.zone, PrefixOf(value));
      if (adds_hash) hash = HashBytes(value.data(), value.size());
      break;
  }
  if (!adds_hash) return;
  statistics.sketch.Add(hash);
  statistics.sampled_rows++;
}

/// Sketches the rows of a block that have a value.
template <typename T>
void SketchBlock(const std::byte* values, const ValidityWord* validity, size_t count,
                 ColumnStatistics& statistics) {
  uint64_t hashes[kVectorSize];
  size_t sampled = 0;
  for (size_t row = 0; row < count; row++) {
    if (!TestValid(validity, row)) continue;
    T value;
    std::memcpy(&value, values + row * sizeof(T), sizeof(T));
    hashes[sampled++] = HashOf(value);
  }
  statistics.sketch.AddAll({hashes, sampled});
  statistics.sampled_rows += sampled;
}

void SketchBlock(PhysicalType type, const std::byte* values, const ValidityWord* validity, size_t count,
                 ColumnStatistics& statistics) {
  switch (type) {
    case PhysicalType::kBool: return SketchBlock<uint8_t>(values, validity, count, statistics);
    case PhysicalType::kInt64: return SketchBlock<int64_t>(values, validity, count, statistics);
    case PhysicalType::kInt128: return SketchBlock<int128_t>(values, validity, count, statistics);
    case PhysicalType::kDouble: return SketchBlock<double>(values, validity, count, statistics);
    default: return SketchBlock<StringRef>(values, validity, count, statistics);
  }
}

/// Returns the first eight bytes of a string, cut to whole characters, with "..." if more may follow.
std::string PrefixText(uint64_t prefix) {
  std::string text(sizeof(prefix), '\0');
  prefix = __builtin_bswap64(prefix);
  std::memcpy(text.data(), &prefix, sizeof(prefix));
  const size_t end = text.find('\0');
  if (end != std::string::npos) return text.substr(0, end);
  const auto is_inner = [&](size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; };
  size_t last = text.size() - 1;  // where the last character begins
  while (last > 0 && is_inner(last)) last--;
  const int ones = std::countl_one(static_cast<unsigned char>(text[last]));
  if (last + static_cast<size_t>(std::max(ones, 1)) > text.size()) text.resize(last);
  return text + "...";
}

/// Converts a zone map for a projection of `type`. The result has no bounds if the conversion changes the
/// order.
ZoneMap ConvertZone(const LogicalType& type, const AttributeUse& use, ZoneMap zone) {
  const PhysicalType from = BoundsTypeOf(use.type);
  if (type.id() == TypeId::kDouble) {
    if (from == PhysicalType::kDouble || !zone.has_bounds) return zone;
    const int128_t least = zone.minimum.integer, greatest = zone.maximum.integer;
    zone.minimum.real = Int128ToDouble(least);
    zone.maximum.real = Int128ToDouble(greatest);
    return zone;
  }
  const bool is_same = IsOwnType(type, use.type) && use.type != AttributeType::kNumber;
  const bool is_wider = type.id() == TypeId::kHugeInt && OwnTypeOf(use.type).id() == TypeId::kBigInt;
  // Otherwise the projection is text, whose order is another.
  if (!is_same && !is_wider) zone.has_bounds = false;
  return zone;
}

}  // namespace

ColumnStatistics& AttributeStatistics::Require(AttributeId id) {
  const size_t page = id / kPageSize;
  if (page >= pages_.size()) pages_.resize(page + 1);
  if (!pages_[page]) pages_[page] = std::make_unique<Page>();
  return (*pages_[page])[id % kPageSize];
}

const ColumnStatistics* AttributeStatistics::Find(AttributeId id) const {
  const size_t page = id / kPageSize;
  if (page >= pages_.size() || !pages_[page]) return nullptr;
  const ColumnStatistics& found = (*pages_[page])[id % kPageSize];
  return found.row_count == 0 ? nullptr : &found;
}

void AttributeStatistics::ForEach(const std::function<void(AttributeId, uint64_t)>& visit) const {
  for (size_t page = 0; page < pages_.size(); page++) {
    if (!pages_[page]) continue;
    for (size_t i = 0; i < kPageSize; i++) {
      const uint64_t documents = (*pages_[page])[i].row_count;
      if (documents != 0) visit(static_cast<AttributeId>(page * kPageSize + i), documents);
    }
  }
}

size_t AttributeStatistics::size_bytes() const {
  size_t size_bytes = pages_.capacity() * sizeof(pages_[0]);
  for (const auto& page : pages_) {
    if (!page) continue;
    size_bytes += sizeof(Page);
    for (const ColumnStatistics& statistics : *page) size_bytes += statistics.sketch.size_bytes();
  }
  return size_bytes;
}

void AttributeStatistics::AddRecords(Vector& records, size_t count, const AttributeDictionary& dictionary) {
  const size_t attribute_count = dictionary.attribute_count();
  const UnifiedView view = records.View(count);
  const auto typed = view.As<StringRef>();
  for (size_t row = 0; row < count; row++) {
    // A batch of 1024 documents is either sketched or not.
    const bool is_sketched = IsSketched(0);
    documents_++;
    if (!view.IsValid(row)) continue;
    const DocumentRecord record(typed[row].view(), attribute_count);
    for (size_t i = 0; i < record.size(); i++) {
      const AttributeId id = record.id(i);
      ColumnStatistics& statistics = Require(id);
      AddValue(dictionary.attribute(id).type, record.value(i), is_sketched, statistics);
      statistics.row_count++;
    }
  }
}

void AttributeStatistics::AddRowGroup(const RowGroup& row_group, const AttributeDictionary& dictionary) {
  const auto reader = row_group.column(kRecordColumn)->MakeReader(KernelsOf(BestKernelLevel()));
  for (size_t block = 0; block < row_group.block_count(); block++) {
    Vector records(TypeId::kBlob);
    reader->Read(block, row_group.BlockRows(block), records);
    AddRecords(records, row_group.BlockRows(block), dictionary);
  }
}

void AttributeStatistics::AddReservoir(const Reservoir& reservoir, const AttributeDictionary& dictionary) {
  for (size_t block = 0; block < reservoir.directory.size(); block++) {
    ByteReader reader(std::as_bytes(std::span(reservoir.directory[block])), "documents");
    const bool is_sketched = IsSketched(block * kVectorSize);
    // The layout is described in docs/file-format.md; ReservoirDirectory reads the same.
    size_t next = reader.ReadVarint("first value");
    next += reader.ReadVarint("number of texts");
    const size_t attribute_count = reader.ReadVarint("number of attributes");
    AttributeId id = UINT32_MAX;
    for (size_t i = 0; i < attribute_count; i++) {
      id += static_cast<AttributeId>(reader.ReadVarint("attribute"));
      const size_t end = next + reader.ReadVarint("number of values");
      const AttributeType type = dictionary.attribute(id).type;
      ColumnStatistics& statistics = Require(id);
      // For values that are neither sketched nor can widen the bounds, a look at the prefix is enough.
      const bool is_alike =
          !is_sketched && statistics.sampled_rows >= kAlwaysSketched && HasPrefixBounds(type);
      // Values of an attribute are consecutive, so the type is looked up once.
      for (; next < end; next++) {
        if (next + kPrefetched < reservoir.values.size())
          __builtin_prefetch(reservoir.values[next + kPrefetched].data());
        if (is_alike && IsInnerPrefix(reservoir.values[next], statistics.zone)) continue;
        AddValue(type, reservoir.values[next].view(), is_sketched, statistics);
      }
    }
  }
}

void AttributeStatistics::AddColumn(const PhysicalAttribute& column, const ZoneMap& zone) {
  // Documents are counted by AddCounts, not here.
  ColumnStatistics& statistics = Require(column.id);
  const PhysicalType type = PhysicalTypeOf(OwnTypeOf(column.type));
  const size_t width = PhysicalSize(type);
  const size_t row_count = column.values.size() / width;
  const bool is_text = column.type == AttributeType::kNumber;
  // Numbers as text need conversion; for all others the zone map gives the bounds.
  if (!is_text) {
    ZoneMap added = zone;
    added.row_count = zone.null_count < zone.row_count ? 1 : 0;
    added.null_count = 0;
    // Row counts of zone maps have 32 bits; here they only tell whether there are values.
    statistics.zone.Merge(added, type);
    statistics.zone.row_count = std::min(statistics.zone.row_count, uint32_t{1});
  }
  for (size_t first = 0; first < row_count; first += kVectorSize) {
    const size_t count = std::min(kVectorSize, row_count - first);
    const std::byte* values = column.values.data() + first * width;
    const ValidityWord* validity = column.validity.data() + first / 64;
    if (is_text) {
      const auto* strings = reinterpret_cast<const StringRef*>(values);
      for (size_t row = 0; row < count; row++) {
        if (TestValid(validity, row))
          AddValue(column.type, strings[row].view(), IsSketched(first), statistics);
      }
    } else if (IsSketched(first)) {
      SketchBlock(type, values, validity, count, statistics);
    }
  }
}

void AttributeStatistics::AddCounts(size_t documents, std::span<const uint32_t> counts) {
  for (AttributeId id = 0; id < counts.size(); id++) {
    if (counts[id] != 0) Require(id).row_count += counts[id];
  }
  documents_ += documents;
}

void AttributeStatistics::Merge(const AttributeStatistics& other, const AttributeDictionary& dictionary) {
  documents_ += other.documents_;
  for (size_t page = 0; page < other.pages_.size(); page++) {
    if (!other.pages_[page]) continue;
    for (size_t i = 0; i < kPageSize; i++) {
      const ColumnStatistics& added = (*other.pages_[page])[i];
      if (added.row_count == 0) continue;
      const auto id = static_cast<AttributeId>(page * kPageSize + i);
      ColumnStatistics& statistics = Require(id);
      statistics.Merge(added, BoundsTypeOf(dictionary.attribute(id).type));
      statistics.zone.row_count = std::min(statistics.zone.row_count, uint32_t{1});
    }
  }
}

void AttributeStatistics::Write(const AttributeDictionary& dictionary, ByteWriter& writer) const {
  writer.WriteVarint(documents_);
  const auto end = static_cast<AttributeId>(pages_.size() * kPageSize);
  size_t count = 0;
  // Two passes: the count comes first in the file.
  for (AttributeId id = 0; id < end; id++) count += Find(id) != nullptr ? 1 : 0;
  writer.WriteVarint(count);
  AttributeId next = 0;
  for (AttributeId id = 0; id < end; id++) {
    const ColumnStatistics* statistics = Find(id);
    if (statistics == nullptr) continue;
    writer.WriteVarint(id - next);
    next = id + 1;
    statistics->Write(BoundsTypeOf(dictionary.attribute(id).type), writer);
  }
}

AttributeStatistics AttributeStatistics::Read(const AttributeDictionary& dictionary, ByteReader& reader) {
  AttributeStatistics result;
  result.documents_ = reader.ReadVarint("statistics of attributes");
  const size_t count = reader.ReadCount("statistics of attributes", 7);
  const size_t end = dictionary.attribute_count();
  size_t next = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t step = reader.ReadVarint("statistics of attributes");
    // Compared by subtraction, since a damaged step could overflow.
    if (step >= end - next) reader.Fail("statistics of attributes", "there is no such attribute");
    const auto id = static_cast<AttributeId>(next + step);
    next = id + 1;
    result.Require(id) = ColumnStatistics::Read(BoundsTypeOf(dictionary.attribute(id).type), reader);
  }
  return result;
}

std::optional<std::string> BoundText(AttributeType type, const ColumnStatistics& statistics,
                                     bool is_greatest) {
  if (!statistics.zone.has_bounds) return std::nullopt;
  const ZoneBound& bound = is_greatest ? statistics.zone.maximum : statistics.zone.minimum;
  switch (type) {
    case AttributeType::kBoolean: return bound.integer != 0 ? "true" : "false";
    case AttributeType::kInteger:
    case AttributeType::kLongInteger:
    case AttributeType::kHugeInteger: return ToString(bound.integer);
    case AttributeType::kDouble:
    case AttributeType::kNumber: {
      std::string text;
      AppendDouble(bound.real, text);
      return text;
    }
    case AttributeType::kString: return PrefixText(static_cast<uint64_t>(bound.integer));
    case AttributeType::kNull:
    case AttributeType::kEmptyObject:
    case AttributeType::kEmptyArray:
    case AttributeType::kBooleanArray:
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray:
    case AttributeType::kDoubleArray:
    case AttributeType::kStringArray:
    case AttributeType::kArray: break;
  }
  return std::nullopt;
}

ColumnStatistics StatisticsOf(const LogicalType& type, const ProjectionAttributes& attributes,
                              std::span<const AttributeStatistics* const> parts) {
  using Kind = ProjectionAttributes::Kind;
  // Nothing is known of paths with steps and of whole documents.
  if (attributes.kind == Kind::kSteps || attributes.kind == Kind::kWhole) return ColumnStatistics::Unknown();
  const PhysicalType physical = PhysicalTypeOf(type);
  ColumnStatistics result;
  uint64_t present = 0;
  for (const AttributeStatistics* part : parts) {
    result.row_count += part->documents();
    // A projection converts the attributes of all types at its path; a document usually has one of them.
    for (const AttributeUse& use : attributes.uses) {
      const ColumnStatistics* statistics = part->Find(use.id);
      if (statistics == nullptr) continue;
      present += statistics->row_count;
      ZoneMap zone = ConvertZone(type, use, statistics->zone);
      zone.row_count = 1;
      result.zone.Merge(zone, physical);
      result.sampled_rows += statistics->sampled_rows;
      result.sketch.Merge(statistics->sketch);
    }
  }
  if (attributes.kind == Kind::kObject) {
    // Documents with a member have the object. How many distinct objects there are is unknown.
    uint64_t most = 0;
    for (AttributeId id = 0; id < attributes.members.size(); id++) {
      if (!attributes.members[id]) continue;
      uint64_t with_member = 0;
      for (const AttributeStatistics* part : parts) {
        const ColumnStatistics* statistics = part->Find(id);
        with_member += statistics == nullptr ? 0 : statistics->row_count;
      }
      most = std::max(most, with_member);
    }
    present += most;
    result.sampled_rows = 0;
  }
  // Documents without the path give NULL.
  result.null_count = result.row_count - std::min(present, result.row_count);
  return result;
}

}  // namespace scaup
