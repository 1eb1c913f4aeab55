// The metadata of shredded documents, and loading of their parts.
#include "storage/shredded/document_segment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "document/value_conversion.hpp"
#include "storage/row_group/row_group.hpp"
#include "storage/shredded/document_segment_reader.hpp"

namespace scaup {

LogicalType DocumentMetadata::TypeOf(const std::vector<StoredAttribute>& physical, size_t part) {
  if (part >= kFirstColumn) return OwnTypeOf(physical[part - kFirstColumn].type);
  return part == kShapesOfRows ? TypeId::kInteger : TypeId::kBlob;
}

void DocumentMetadata::Write(ByteWriter& writer) const {
  writer.WriteU8(kDocumentsMark);
  writer.WriteVarint(policy.density);
  writer.WriteVarint(policy.cardinality);
  writer.WriteVarint(shape_count);
  writer.WriteVarint(value_count);
  writer.WriteVarint(physical.size());
  int64_t previous = -1;
  for (const auto& [id, type] : physical) {
    writer.WriteVarint(static_cast<uint64_t>(id - previous));
    writer.WriteU8(static_cast<uint8_t>(type));
    previous = id;
  }
  // The ends allow a reader to load the metadata of single parts.
  // Parts are encoded first, as their ends stand before them.
  ByteWriter bodies, ends;
  for (size_t part = 0; part < parts.size(); part++) {
    parts[part].Write(PhysicalTypeOf(TypeOf(physical, part)), bodies);
    ends.WriteU32(static_cast<uint32_t>(bodies.size()));
  }
  writer.WriteBytes(ends.bytes());
  writer.WriteBytes(bodies.bytes());
}

DocumentSegment::DocumentSegment(std::shared_ptr<BlockStore> store, uint32_t row_count,
                                 std::vector<std::byte> metadata, std::vector<uint64_t> block_ids)
    : store_(std::move(store)),
      metadata_(std::move(metadata)),
      block_ids_(std::move(block_ids)),
      reservation_(store_->memory()),
      shapes_memory_(store_->memory()) {
  // Records are never NULL here, so their zone maps are known without values.
  zone_.row_count = row_count;
  full_zone_.row_count = kVectorSize;
  last_zone_.row_count = row_count % kVectorSize;
  ByteReader reader(metadata_, store_->file().path());
  if (reader.ReadU8("mark of documents") != kDocumentsMark) reader.Fail("mark of documents", "it is another");
  policy_.density = static_cast<uint32_t>(reader.ReadVarint("density of attributes"));
  policy_.cardinality = static_cast<uint32_t>(reader.ReadVarint("cardinality of attributes"));
  shape_count_ = reader.ReadVarint("shapes of documents");
  // Each limit below protects an allocation from damaged numbers.
  if (shape_count_ == 0 || shape_count_ > row_count)
    reader.Fail("shapes of documents", "there cannot be so many");
  value_count_ = reader.ReadVarint("values of documents");
  if (value_count_ > UINT32_MAX) reader.Fail("values of documents", "there cannot be so many");
  physical_.resize(reader.ReadCount("physical attributes", 2));
  int64_t previous = -1;
  for (StoredAttribute& attribute : physical_) {
    const uint64_t step = reader.ReadVarint("physical attribute");
    const uint8_t type = reader.ReadU8("type of an attribute");
    if (step == 0 || step >= UINT32_MAX - static_cast<uint64_t>(previous + 1))
      reader.Fail("physical attribute", "it is out of order");
    previous += static_cast<int64_t>(step);
    if (type == 0 || type >= kAttributeTypeCount || !HasBytes(static_cast<AttributeType>(type)))
      reader.Fail("type of an attribute", "it has no values");
    attribute = {static_cast<AttributeId>(previous), static_cast<AttributeType>(type)};
  }
  // Only the ends are read now; a part's metadata is decoded when it is needed.
  part_ends_.resize(DocumentMetadata::kFirstColumn + physical_.size());
  uint32_t end = 0;
  for (uint32_t& part_end : part_ends_) {
    part_end = reader.ReadU32("place of a part of documents");
    if (part_end < end) reader.Fail("place of a part of documents", "it ends before it begins");
    end = part_end;
  }
  if (end != reader.remaining()) reader.Fail("parts of documents", "they are cut");
  parts_begin_ = reader.position();
  parts_.resize(part_ends_.size());
  reservation_.Resize(size_bytes());
}

size_t DocumentSegment::size_bytes() const {
  return sizeof(*this) + metadata_.size() + block_ids_.size() * sizeof(uint64_t) +
         physical_.size() * sizeof(StoredAttribute) +
         part_ends_.size() * (sizeof(uint32_t) + sizeof(std::shared_ptr<const StoredSegment>));
}

size_t DocumentSegment::RowsOf(size_t part) const {
  switch (part) {
    case DocumentMetadata::kShapes: return shape_count_;
    case DocumentMetadata::kDirectory: return (row_count() + kVectorSize - 1) / kVectorSize;
    case DocumentMetadata::kValues: return value_count_;
    default: return row_count();
  }
}

std::optional<size_t> DocumentSegment::FindPhysical(AttributeId id) const {
  const auto found =
      std::lower_bound(physical_.begin(), physical_.end(), id,
                       [](const StoredAttribute& a, AttributeId wanted) { return a.id < wanted; });
  if (found == physical_.end() || found->id != id) return std::nullopt;
  return static_cast<size_t>(found - physical_.begin());
}

std::shared_ptr<const StoredSegment> DocumentSegment::part(size_t part) const {
  // Loading reads metadata that is in memory, so the lock is held briefly.
  const MutexLock lock(mutex_);
  if (!parts_[part]) parts_[part] = Load(part);
  return parts_[part];
}

std::shared_ptr<const StoredSegment> DocumentSegment::Load(size_t part) const {
  const std::string& path = store_->file().path();
  const size_t begin = part == 0 ? 0 : part_ends_[part - 1];
  const std::span<const std::byte> bytes(metadata_.data() + parts_begin_ + begin, part_ends_[part] - begin);
  ByteReader reader(bytes, path);
  const LogicalType type = DocumentMetadata::TypeOf(physical_, part);
  auto metadata = SegmentMetadata::Read(PhysicalTypeOf(type), static_cast<uint32_t>(RowsOf(part)), reader);
  reader.ExpectEnd("metadata of a part of documents");
  // A block that the row group does not hold could be reused.
  for (const Extent& extent : metadata.extents) {
    if (!std::binary_search(block_ids_.begin(), block_ids_.end(), extent.block.block_id))
      reader.Fail("documents of a row group", "they refer to a block that is none of the row group's");
  }
  return std::make_shared<const StoredSegment>(store_, type, std::move(metadata));
}

const DocumentShapes& DocumentSegment::shapes() const {
  // Before the lock, which part() takes itself.
  const auto encoded = part(DocumentMetadata::kShapes);
  const MutexLock lock(mutex_);
  // Another thread may have decoded them meanwhile.
  if (shapes_) return *shapes_;
  auto shapes = std::make_unique<DocumentShapes>();
  const auto reader = encoded->MakeReader(KernelsOf(BestKernelLevel()));
  Vector bytes(TypeId::kBlob);
  for (size_t block = 0; block * kVectorSize < shape_count_; block++) {
    const size_t count = std::min(kVectorSize, shape_count_ - block * kVectorSize);
    bytes.Release();
    reader->Read(block, count, bytes);
    const auto view = bytes.ViewAs<StringRef>(count);
    for (size_t i = 0; i < count; i++) shapes->Add(view[i].view());
  }
  shapes->Finish();
  // Precomputed per shape: reassembly needs it for every row.
  reservoir_ids_.clear();
  reservoir_begins_.assign(1, 0);
  for (ShapeId shape = 0; shape < shapes->size(); shape++) {
    for (const AttributeId id : (*shapes)[shape].attributes) {
      if (!FindPhysical(id)) reservoir_ids_.push_back(id);
    }
    reservoir_begins_.push_back(static_cast<uint32_t>(reservoir_ids_.size()));
  }
  shapes_memory_.Resize(shapes->size_bytes() + reservoir_ids_.size() * sizeof(AttributeId) +
                        reservoir_begins_.size() * sizeof(uint32_t));
  shapes_ = std::move(shapes);
  return *shapes_;
}

std::unique_ptr<SegmentReader> DocumentSegment::MakeReader(const KernelTable& kernels) const {
  return std::make_unique<DocumentSegmentReader>(
      std::static_pointer_cast<const DocumentSegment>(shared_from_this()), kernels);
}

SegmentSummary DocumentSegment::Summarize() const {
  SegmentSummary summary;
  summary.encoding = "documents";
  for (const Extent& extent : extents()) {
    summary.size_bytes += extent.size_bytes;
    summary.block_ids.push_back(extent.block.block_id);
  }
  return summary;
}

Extents DocumentSegment::extents() const {
  Extents all;
  for (size_t i = 0; i < part_ends_.size(); i++) {
    const Extents& extents = part(i)->metadata().extents;
    all.insert(all.end(), extents.begin(), extents.end());
  }
  return all;
}

// Readers begin with these parts; which others they need depends on the query.
void DocumentSegment::Prefetch() const {
  part(DocumentMetadata::kShapesOfRows)->Prefetch();
  part(DocumentMetadata::kDirectory)->Prefetch();
}

}  // namespace scaup
