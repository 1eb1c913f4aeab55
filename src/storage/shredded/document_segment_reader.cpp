// Reads attributes of shredded documents.
#include "storage/shredded/document_segment_reader.hpp"

#include <algorithm>

#include "document/document_record.hpp"
#include "storage/shredded/document_assembly.hpp"
#include "storage/shredded/shape_rows.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

uint32_t LargestOf(const int32_t* ids, size_t count) {
  // Four maxima at a time, so that the comparisons are independent.
  uint32_t largest[4] = {};
  size_t row = 0;
  for (; row + 4 <= count; row += 4) {
    for (size_t i = 0; i < 4; i++) largest[i] = std::max(largest[i], static_cast<uint32_t>(ids[row + i]));
  }
  for (; row < count; row++) largest[0] = std::max(largest[0], static_cast<uint32_t>(ids[row]));
  return *std::max_element(largest, largest + 4);
}

}  // namespace

DocumentSegmentReader::DocumentSegmentReader(std::shared_ptr<const DocumentSegment> segment,
                                             const KernelTable& kernels)
    : SegmentReader(segment),
      segment_(*segment),
      kernels_(kernels),
      parts_(DocumentMetadata::kFirstColumn + segment_.physical().size()),
      shapes_of_rows_(TypeId::kInteger),
      directory_bytes_(TypeId::kBlob) {}

DocumentSegmentReader::~DocumentSegmentReader() = default;

const DocumentShapes& DocumentSegmentReader::shapes() const {
  if (shapes_ == nullptr) shapes_ = &segment_.shapes();
  return *shapes_;
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
  // Invalid until the block is read completely.
  block_ = SIZE_MAX;
  has_directory_ = false;
  shapes_of_rows_.Release();
  PartReader(DocumentMetadata::kShapesOfRows).Read(block, count, shapes_of_rows_);
  shapes_of_rows_.Flatten(count);
  const auto* ids = shapes_of_rows_.Data<int32_t>();
  // One test per block, so that shapes need no test per row.
  if (LargestOf(ids, count) >= shapes().size()) ThrowBadRecord("it has a shape that nobody knows");
  block_ = block;
  count_ = count;
}

ReservoirDirectory& DocumentSegmentReader::Directory() {
  if (has_directory_) return directory_;
  directory_bytes_.Reset();
  // The directory has one value per block of documents.
  const size_t block_count = (segment_.row_count() + kVectorSize - 1) / kVectorSize;
  const auto in_directory = static_cast<sel_t>(block_);
  PartReader(DocumentMetadata::kDirectory).Gather(0, block_count, {&in_directory, 1}, directory_bytes_, 0);
  directory_.Open(directory_bytes_.Data<StringRef>()->view(), segment_.value_count());
  has_directory_ = true;
  return directory_;
}

std::span<const sel_t> DocumentSegmentReader::FindRows(AttributeId attribute, size_t block, size_t count) {
  // The result is cached per attribute, as several filters and projections may use it.
  Seek(block, count);
  std::unique_ptr<Presence>& presence = presences_[attribute];
  if (!presence) {
    presence = std::make_unique<Presence>();
    presence->by_shape.resize(shapes().size());
    // Shapes of a row group are shared by its blocks, so this is done once.
    for (const ShapeId shape : shapes().With(attribute)) presence->by_shape[shape] = 1;
  }
  if (presence->block != block) {
    presence->row_count = FindRowsOfShapes(ShapesOf(block, count), presence->by_shape.data(), presence->rows);
    presence->block = block;
  }
  return {presence->rows, presence->row_count};
}

void DocumentSegmentReader::GatherListed(std::span<const uint32_t> listed, Vector& values) {
  // The list ascends, so its last entry is the largest.
  if (!listed.empty() && listed.back() >= segment_.value_count())
    ThrowBadRecord("it has a value that is not there");
  SegmentReader& reader = PartReader(DocumentMetadata::kValues);
  sel_t rows[kVectorSize];
  // Gathers from one reservoir block at a time.
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
  const auto entry = Directory().Find(attribute);
  // A damaged file may have fewer values than its shapes promise.
  if (!entry || entry->count <= places.back()) ThrowBadRecord("it has an attribute without a value");
  uint32_t listed[kVectorSize];
  for (size_t i = 0; i < places.size(); i++) listed[i] = entry->first_value + places[i];
  GatherListed({listed, places.size()}, values);
}

void DocumentSegmentReader::Assemble(size_t block, size_t count, std::span<const sel_t> rows,
                                     const std::vector<bool>* wanted, Vector& output, size_t offset) {
  if (rows.empty()) return;
  Seek(block, count);
  if (!assembly_) assembly_ = std::make_unique<DocumentAssembly>(*this);
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
  // Filters on whole records are rare, so they have no shortcut.
  EvaluateScanFilter(kernels_, filter, PhysicalType::kString, records.Data<std::byte>(), records.Validity(),
                     count, mask);
}

}  // namespace scaup
