// Statistics of the attributes of a collection, from which the optimizer estimates paths.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "document/projection_attributes.hpp"
#include "storage/filter/column_statistics.hpp"
#include "storage/row_group/row_group.hpp"

namespace scaup {

class DocumentShredder;
struct PhysicalAttribute;
struct Reservoir;

/// The statistics of each attribute: the number of documents that have it (row_count), bounds, and distinct
/// values. They only widen, so bounds hold for all documents that were ever added. Numbers stored as text
/// have bounds of type double. NULLs are not counted. A movable value; used by one thread at a time.
class AttributeStatistics {
 public:
  AttributeStatistics() = default;
  AttributeStatistics(AttributeStatistics&&) noexcept = default;
  AttributeStatistics& operator=(AttributeStatistics&&) noexcept = default;

  /// Returns how many documents were added, with or without attributes.
  uint64_t documents() const { return documents_; }
  /// Returns the statistics of an attribute; null if no document has it.
  const ColumnStatistics* Find(AttributeId id) const;
  /// Calls visit(id, documents) for each attribute that documents have, in ascending order.
  void ForEach(const std::function<void(AttributeId, uint64_t)>& visit) const;
  /// Returns the heap memory in bytes.
  size_t size_bytes() const;

  /// Adds a vector of records. Throws Error(kIo, XX001) for a damaged record.
  void AddRecords(Vector& records, size_t count, const AttributeDictionary& dictionary);
  /// Adds the documents of a row group.
  void AddRowGroup(const RowGroup& row_group, const AttributeDictionary& dictionary);
  // The next three functions add shredded documents: first the reservoir and the columns, then the counts.
  void AddReservoir(const Reservoir& reservoir, const AttributeDictionary& dictionary);
  /// Adds a column. `zone` covers all its rows; rows without a value are NULL.
  void AddColumn(const PhysicalAttribute& column, const ZoneMap& zone);
  /// Adds `documents` documents, of which counts[id] have attribute `id`.
  void AddCounts(size_t documents, std::span<const uint32_t> counts);
  void Merge(const AttributeStatistics& other, const AttributeDictionary& dictionary);

  /// Writes the bytes that docs/file-format.md describes. Read throws Error(kIo, XX001).
  void Write(const AttributeDictionary& dictionary, ByteWriter& writer) const;
  static AttributeStatistics Read(const AttributeDictionary& dictionary, ByteReader& reader);

 private:
  // Attributes that occur together have ids close to each other.
  static constexpr size_t kPageSize = 16;
  using Page = std::array<ColumnStatistics, kPageSize>;

  ColumnStatistics& Require(AttributeId id);
  /// Returns whether a document goes into sketches. Document 0 is the next one to be added.
  bool IsSketched(size_t document) const { return (documents_ + document) / kVectorSize % kSketchEvery == 0; }

  uint64_t documents_ = 0;
  std::vector<std::unique_ptr<Page>> pages_;  // null if no document has any of the attributes
};

/// Returns the statistics of a projection, like those of a column, over all documents that were added to any
/// of `parts`. `attributes` are those that `type` is read from.
ColumnStatistics StatisticsOf(const LogicalType& type, const ProjectionAttributes& attributes,
                              std::span<const AttributeStatistics* const> parts);

/// Returns the least or greatest value as text; for a long string its beginning and "...". Nullopt for
/// arrays, and if nothing is known.
std::optional<std::string> BoundText(AttributeType type, const ColumnStatistics& statistics,
                                     bool is_greatest);

}  // namespace scaup
