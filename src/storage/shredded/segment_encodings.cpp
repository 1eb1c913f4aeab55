// Chooses the class of a stored segment.
#include "storage/shredded/segment_encodings.hpp"

#include "storage/shredded/document_segment.hpp"

namespace scaup {

namespace {

LoadedSegment LoadDocuments(StoredColumn column) {
  auto documents = std::make_shared<const DocumentSegment>(column.store, column.row_count,
                                                           std::move(column.metadata), column.block_ids);
  const size_t size_bytes = documents->size_bytes();
  return {std::move(documents), size_bytes};
}

LoadedSegment LoadValues(const StoredColumn& column) {
  const std::string& path = column.store->file().path();
  ByteReader reader(column.metadata, path);
  auto metadata = SegmentMetadata::Read(PhysicalTypeOf(column.type), column.row_count, reader);
  reader.ExpectEnd("metadata of a column");
  // A block that the row group does not hold could be reused.
  CheckAreHeld(metadata.extents, column.block_ids, path);
  auto segment = std::make_shared<const StoredSegment>(column.store, column.type, std::move(metadata));
  const size_t size_bytes = segment->size_bytes();
  return {std::move(segment), size_bytes};
}

}  // namespace

LoadedSegment LoadSegment(StoredColumn column) {
  // No value encoding has the number of the mark.
  const bool has_documents = !column.metadata.empty() && column.metadata[0] == std::byte{kDocumentsMark};
  return has_documents ? LoadDocuments(std::move(column)) : LoadValues(column);
}

}  // namespace scaup
