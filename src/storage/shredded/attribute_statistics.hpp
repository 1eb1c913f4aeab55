// Statistics of the attributes of a collection: what the optimizer knows of its paths, wherever their values
// are.
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

/// Statistics of each attribute that some documents have: how many (row_count), bounds, distinct values. They
/// only widen, so bounds hold for all documents that were ever added. Bounds of numbers that are stored as
/// text are those of doubles; NULLs are not counted. A value that moves; one thread at a time.
class AttributeStatistics {
 public:
  AttributeStatistics() = default;
  AttributeStatistics(AttributeStatistics&&) noexcept = default;
  AttributeStatistics& operator=(AttributeStatistics&&) noexcept = default;

  /// How many documents were added, whatever they have.
  uint64_t documents() const { return documents_; }
  /// Null: no document has it.
  const ColumnStatistics* Find(AttributeId id) const;
  /// Calls visit(id, documents) for each attribute that documents have, ascending.
  void ForEach(const std::function<void(AttributeId, uint64_t)>& visit) const;
  /// Bytes in memory besides its own.
  size_t size_bytes() const;

  /// Adds a vector of records. Throws Error(kIo, XX001) where one is damaged.
  void AddRecords(Vector& records, size_t count, const AttributeDictionary& dictionary);
  /// Adds the documents of a row group as it is.
  void AddRowGroup(const RowGroup& row_group, const AttributeDictionary& dictionary);
  // The same of documents that were taken apart: reservoir and columns, then the numbers of documents.
  void AddReservoir(const Reservoir& reservoir, const AttributeDictionary& dictionary);
  /// `zone`: of all its rows; those without a value are NULL.
  void AddColumn(const PhysicalAttribute& column, const ZoneMap& zone);
  /// `counts`: by attribute, how many of `documents` have it.
  void AddCounts(size_t documents, std::span<const uint32_t> counts);
  void Merge(const AttributeStatistics& other, const AttributeDictionary& dictionary);

  /// Byte layout in docs/file-format.md. Reading throws Error(kIo, XX001).
  void Write(const AttributeDictionary& dictionary, ByteWriter& writer) const;
  static AttributeStatistics Read(const AttributeDictionary& dictionary, ByteReader& reader);

 private:
  // Attributes that are met together have ids that are near to each other.
  static constexpr size_t kPageSize = 16;
  using Page = std::array<ColumnStatistics, kPageSize>;

  ColumnStatistics& Require(AttributeId id);
  /// Whether a document goes into sketches; the first one that is added next has the number 0.
  bool IsSketched(size_t document) const { return (documents_ + document) / kVectorSize % kSketchEvery == 0; }

  uint64_t documents_ = 0;
  std::vector<std::unique_ptr<Page>> pages_;  // Null: of attributes that no document has.
};

/// Statistics of a projection, as of a column, of all documents that were added to any of `parts`.
/// `attributes`: those that `type` is read of.
ColumnStatistics StatisticsOf(const LogicalType& type, const ProjectionAttributes& attributes,
                              std::span<const AttributeStatistics* const> parts);

/// The least or greatest value as text, as far as it is known: of long strings the beginning and "...".
/// Nullopt where nothing is known, and of arrays.
std::optional<std::string> BoundText(AttributeType type, const ColumnStatistics& statistics,
                                     bool is_greatest);

}  // namespace scaup
