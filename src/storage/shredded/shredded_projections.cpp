// Reads projections of shredded documents.
#include "storage/shredded/shredded_projections.hpp"

#include <algorithm>
#include <cstring>

#include "storage/row_group/column_segment.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// Returns row `row` of a flat vector in its record encoding.
std::string_view BytesAt(const Vector& values, size_t row) {
  if (values.physical_type() == PhysicalType::kString) return values.Data<StringRef>()[row].view();
  const size_t width = PhysicalSize(values.physical_type());
  return {reinterpret_cast<const char*>(values.Data<std::byte>()) + row * width, width};
}

// The zone map of an attribute that no document of the row group has.
ZoneMap ZoneOfNulls(size_t count) {
  ZoneMap zone;
  zone.row_count = zone.null_count = static_cast<uint32_t>(count);
  return zone;
}

}  // namespace

struct ShreddedProjections::Projection {
  using Kind = ProjectionAttributes::Kind;

  LogicalType type;
  ProjectionAttributes attributes;
  std::unique_ptr<DocumentReader> document_reader;  // null if values are enough
  /// The attributes that whole objects or paths with steps consist of; whole records need all.
  std::vector<bool> assembled;
  bool needs_all = false;

  // The state for the current row group.
  bool is_attached = false;
  bool is_assembled = false;
  std::vector<AttributeUse> uses;
  SegmentReader* column = nullptr;   // reads the values of one use unconverted; null if there is none
  std::vector<AttributeUse> others;  // all uses except the column's

  void Attach(DocumentSegmentReader& reader) {
    is_attached = true;
    column = nullptr;
    uses.clear();
    others.clear();
    // If no document has a member of the object, the values of its own path are enough.
    is_assembled = document_reader && (needs_all || HasAny(reader));
    if (is_assembled) return;
    for (const AttributeUse& use : attributes.uses) {
      if (reader.Has(use.id)) uses.push_back(use);
    }
    // Only one attribute can be the column, and only if its type needs no conversion.
    for (const AttributeUse& use : uses) {
      SegmentReader* own = column == nullptr && IsOwnType(type, use.type) ? reader.ColumnOf(use.id) : nullptr;
      if (own != nullptr) {
        column = own;
      } else {
        others.push_back(use);
      }
    }
  }
  bool HasAny(const DocumentSegmentReader& reader) const {
    for (AttributeId id = 0; id < attributes.members.size(); id++) {
      if (attributes.members[id] && reader.Has(id)) return true;
    }
    return false;
  }
  bool is_null() const { return !is_assembled && uses.empty(); }
  bool is_column() const { return column != nullptr && others.empty(); }
};

ShreddedProjections::ShreddedProjections(const TableColumns& columns, std::span<const size_t> projections,
                                         const KernelTable& kernels)
    : kernels_(kernels), projections_(projections.size()) {
  for (size_t i = 0; i < projections.size(); i++) {
    using Kind = Projection::Kind;
    Projection& projection = projections_[i];
    projection.type = columns[projections[i]];
    projection.attributes = columns.AttributesOf(projections[i]);
    const Kind kind = projection.attributes.kind;
    // Values of single attributes need no reassembled document.
    if (kind == Kind::kValues) continue;
    // Whole documents need all attributes, also those that appear later.
    projection.needs_all = kind == Kind::kWhole || columns.IsOfWholeDocument(projections[i]);
    projection.document_reader = columns.MakeReader(projections.subspan(i, 1));
    projection.assembled = projection.attributes.members;
    for (const AttributeUse& use : projection.attributes.uses) {
      if (use.id >= projection.assembled.size()) projection.assembled.resize(use.id + 1);
      projection.assembled[use.id] = true;
    }
  }
}

ShreddedProjections::~ShreddedProjections() = default;

void ShreddedProjections::Attach(DocumentSegmentReader* reader) {
  reader_ = reader;
  for (Projection& projection : projections_) projection.is_attached = false;
}

ShreddedProjections::Projection& ShreddedProjections::Find(size_t i) {
  Projection& projection = projections_[i];
  // Attached on first use: a filter may exclude the row group before its other projections are needed.
  if (!projection.is_attached) projection.Attach(*reader_);
  return projection;
}

void ShreddedProjections::Read(size_t i, size_t block, size_t count, Vector& output) {
  Projection& projection = Find(i);
  output.Release();
  if (projection.is_null()) return output.SetConstantNull();
  if (projection.is_assembled || projection.column == nullptr)
    return ReadValues(projection, block, count, {IdentitySelection(), count}, output);
  projection.column->Read(block, count, output);
  // Few rows have values of other types; these overwrite the column's NULLs.
  for (const AttributeUse& use : projection.others) {
    if (reader_->FindRows(use.id, block, count).empty()) continue;
    // The column's memory may be shared with the decoder.
    output.Unshare(count);
    ConvertedValues values(output);
    ReadUse(use, block, count, {IdentitySelection(), count}, values);
  }
  KeepBytes(output);
}

void ShreddedProjections::ReadRows(size_t i, size_t block, size_t count, const SelectionRef& selection,
                                   size_t selected, Vector& output) {
  Projection& projection = Find(i);
  output.Release();
  if (projection.is_null()) return output.SetConstantNull();
  const std::span<const sel_t> rows(selection->rows, selected);
  if (!projection.is_column()) return ReadValues(projection, block, count, rows, output);
  // Decoding the whole block is faster than picking many rows.
  if (selected > kMostGatheredRows) {
    Vector all(projection.type);
    projection.column->Read(block, count, all);
    return output.Slice(all, count, selection, selected);
  }
  output.Reset();
  projection.column->Gather(block, count, rows, output, 0);
}

void ShreddedProjections::ReadValues(Projection& projection, size_t block, size_t count,
                                     std::span<const sel_t> rows, Vector& output) {
  output.Reset();
  if (projection.is_assembled) return ReadAssembled(projection, block, count, rows, output);
  ConvertedValues values(output, rows.size());
  for (const AttributeUse& use : projection.uses) ReadUse(use, block, count, rows, values);
  values.Finish(nullptr);
  KeepBytes(output);
}

void ShreddedProjections::KeepBytes(Vector& output) {
  for (const Vector& kept : kept_) output.KeepAlive(kept.SharedMemory());
  kept_.clear();
}

void ShreddedProjections::ReadUse(const AttributeUse& use, size_t block, size_t count,
                                  std::span<const sel_t> rows, ConvertedValues& output) {
  if (SegmentReader* column = reader_->ColumnOf(use.id)) {
    Vector values(OwnTypeOf(use.type));
    // Physical attributes are columns with a row per document.
    const bool reads_all = rows.size() > kMostGatheredRows;
    if (reads_all) {
      column->Read(block, count, values);
      values.Flatten(count);
    } else {
      values.Reset();
      column->Gather(block, count, rows, values, 0);
    }
    for (size_t i = 0; i < rows.size(); i++) {
      const size_t row = reads_all ? rows[i] : i;
      if (values.Validity() == nullptr || TestValid(values.Validity(), row))
        converter_.Convert(use.conversion, use.type, BytesAt(values, row), i, output);
    }
    if (values.physical_type() == PhysicalType::kString) kept_.push_back(std::move(values));
    return;
  }
  sel_t places[kVectorSize], targets[kVectorSize];
  const std::span<const sel_t> found = reader_->FindRows(use.id, block, count);
  size_t wanted_count = 0;
  if (rows.size() == count) {  // all rows
    wanted_count = found.size();
    std::copy_n(IdentitySelection(), wanted_count, places);
    std::copy_n(found.data(), wanted_count, targets);
  }
  // Merges two ascending lists: the rows that have the attribute, and the wanted ones.
  for (size_t place = 0, i = 0; rows.size() != count && place < found.size() && i < rows.size();) {
    if (found[place] == rows[i]) {
      places[wanted_count] = static_cast<sel_t>(place++);
      targets[wanted_count++] = static_cast<sel_t>(i++);
    } else if (found[place] < rows[i]) {
      place++;
    } else {
      i++;
    }
  }
  // Such attributes, as null or {}, have the same value in every document.
  if (!HasBytes(use.type)) {
    for (size_t i = 0; i < wanted_count; i++)
      converter_.Convert(use.conversion, use.type, std::string_view(""), targets[i], output);
    return;
  }
  Vector values(TypeId::kBlob);
  values.Reset();
  reader_->GatherValues(use.id, block, count, {places, wanted_count}, values);
  for (size_t i = 0; i < wanted_count; i++)
    converter_.Convert(use.conversion, use.type, BytesAt(values, i), targets[i], output);
  if (wanted_count != 0) kept_.push_back(std::move(values));
}

void ShreddedProjections::ReadAssembled(Projection& projection, size_t block, size_t count,
                                        std::span<const sel_t> rows, Vector& output) {
  Vector records(TypeId::kBlob);
  records.Reset();
  reader_->Assemble(block, count, rows, projection.needs_all ? nullptr : &projection.assembled, records, 0);
  Vector* const outputs[] = {&output};
  projection.document_reader->Read(records, rows.size(), outputs);
}

std::optional<ZoneMatch> ShreddedProjections::Filter(size_t i, size_t block, size_t count,
                                                     const ScanFilter& filter, uint8_t* mask) {
  const Projection& projection = Find(i);
  const PhysicalType type = PhysicalTypeOf(projection.type);
  if (projection.is_null()) return MatchZone(ZoneOfNulls(count), filter, type);
  if (projection.is_assembled) return std::nullopt;
  // Without a column only the converted values count.
  const ZoneMatch match = projection.column == nullptr
                              ? ZoneMatch::kNone
                              : MatchZone(projection.column->segment().block_zone(block), filter, type);
  if (filter.is_null_test()) {
    // The zone map may know that all or none are NULL.
    if (projection.is_column() && match != ZoneMatch::kSome) return match;
    return FilterPresence(projection, block, count, filter.op == ScanFilter::Op::kIsNull, mask);
  }
  if (projection.is_column()) {
    if (match == ZoneMatch::kSome) projection.column->Filter(block, count, filter, mask);
    return match;
  }
  size_t other_count = 0;
  for (const AttributeUse& use : projection.others)
    other_count += reader_->FindRows(use.id, block, count).size();
  if (other_count == 0 && match == ZoneMatch::kNone) return match;
  // With many values to convert, the caller had better read the projection once and retain the values for
  // later.
  if (projection.column == nullptr && other_count > kMostGatheredRows) return std::nullopt;
  if (match == ZoneMatch::kSome) {
    projection.column->Filter(block, count, filter, mask);
  } else {
    std::memset(mask, match == ZoneMatch::kAll ? 1 : 0, count);
  }
  for (const AttributeUse& use : projection.others)
    FilterUse(use, projection.type, block, count, filter, mask);
  return ZoneMatch::kSome;
}

ZoneMatch ShreddedProjections::FilterPresence(const Projection& projection, size_t block, size_t count,
                                              bool wants_null, uint8_t* mask) {
  std::memset(mask, wants_null ? 1 : 0, count);
  bool has_some = false;
  for (const AttributeUse& use : projection.uses) {
    const std::span<const sel_t> rows = reader_->FindRows(use.id, block, count);
    has_some |= !rows.empty();
    for (const sel_t row : rows) mask[row] = wants_null ? 0 : 1;
  }
  if (has_some) return ZoneMatch::kSome;
  return wants_null ? ZoneMatch::kAll : ZoneMatch::kNone;
}

// Rows of other types are tested on their converted values.
void ShreddedProjections::FilterUse(const AttributeUse& use, const LogicalType& type, size_t block,
                                    size_t count, const ScanFilter& filter, uint8_t* mask) {
  const std::span<const sel_t> rows = reader_->FindRows(use.id, block, count);
  const size_t row_count = rows.size();
  // Rows without this attribute were decided before.
  if (row_count == 0) return;
  Vector values(type);
  values.Reset();
  ConvertedValues converted(values, row_count);
  ReadUse(use, block, count, rows, converted);
  converted.Finish(nullptr);
  uint8_t passes[kVectorSize];
  EvaluateScanFilter(kernels_, filter, values.physical_type(), values.Data<std::byte>(), values.Validity(),
                     row_count, passes);
  for (size_t i = 0; i < row_count; i++) {
    if (values.Validity() == nullptr || TestValid(values.Validity(), i)) mask[rows[i]] = passes[i];
  }
  kept_.clear();
}

ZoneMatch ShreddedProjections::Match(size_t i, const ScanFilter& filter) {
  const Projection& projection = Find(i);
  const PhysicalType type = PhysicalTypeOf(projection.type);
  if (projection.is_null()) return MatchZone(ZoneOfNulls(1), filter, type);
  // Converted values have no zone map.
  if (!projection.is_column()) return ZoneMatch::kSome;
  return MatchZone(projection.column->segment().zone(), filter, type);
}

}  // namespace scaup
