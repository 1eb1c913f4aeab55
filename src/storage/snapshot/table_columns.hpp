// The columns of a table as a statement reads them: stored columns and paths of documents.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "document/document_projection.hpp"
#include "storage/row_group/row_group.hpp"
#include "storage/version/table_versions.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

struct ProjectionAttributes;

/// The stored column of a collection that holds the document records.
inline constexpr size_t kRecordColumn = 0;

/// The sources of a set of columns: stored columns, and projections of document records.
struct ColumnSources {
  struct Stored {
    size_t column;
    std::optional<size_t> place;  ///< position in the wanted columns; none if it is read for projections only
  };
  std::vector<Stored> stored;
  std::vector<size_t> projections;
  std::vector<size_t> projection_places;  ///< position in the wanted columns
  size_t records = 0;                     ///< index in `stored` of the records, if there are projections

  /// Returns the vector that receives the values of stored[index].
  Vector& TargetOf(size_t index, DataChunk& output, Vector& only_records) const {
    return stored[index].place ? output.column(*stored[index].place) : only_records;
  }
};

/// The stored columns of a table, followed by projections of the records in kRecordColumn. It tells readers
/// where the values of each column come from. A value type: immutable and cheap to copy.
class TableColumns {
 public:
  /// Makes a table without projections. Implicit, so that a vector of types can be passed wherever columns
  /// are wanted.
  TableColumns(std::vector<LogicalType> stored)  // NOLINT(google-explicit-constructor)
      : TableColumns(std::move(stored), {}, nullptr) {}
  TableColumns(std::vector<LogicalType> stored, std::vector<DocumentProjection> projections,
               std::shared_ptr<const AttributeDictionary> attributes);

  size_t size() const { return content_->types.size(); }
  size_t stored_count() const { return content_->stored_count; }
  /// Returns the type of a column.
  const LogicalType& operator[](size_t column) const { return content_->types[column]; }
  /// Returns whether kRecordColumn has records that projections read from.
  bool HasDocuments() const { return content_->attributes != nullptr; }
  bool IsStored(size_t column) const { return column < content_->stored_count; }
  /// Returns the stored column that `column` is, or is read from.
  size_t SourceOf(size_t column) const { return IsStored(column) ? column : kRecordColumn; }
  /// Returns the stored columns that `columns` and the columns of `filters` come from, without duplicates,
  /// ascending. Row numbers come from no stored column.
  std::vector<size_t> SourcesOfAll(std::span<const size_t> columns,
                                   std::span<const ScanFilter> filters) const;
  /// Returns the sources of `columns`. REQUIRES: no row numbers among them.
  ColumnSources SourcesOf(std::span<const size_t> columns) const;
  /// Makes a reader of projections. It can read all records that the table has at the time of this call.
  std::unique_ptr<DocumentReader> MakeReader(std::span<const size_t> projections) const;
  /// Returns the attributes of a projection, among those that the table has now.
  ProjectionAttributes AttributesOf(size_t projection) const;
  /// Returns whether the projection is the root path.
  bool IsOfWholeDocument(size_t projection) const;

  /// Returns whether none, some or all rows of a row group pass `filter`, judging by zone maps only. Versions
  /// are ignored. MatchBlock does the same for one of its blocks.
  ZoneMatch Match(const RowGroup& row_group, const ScanFilter& filter) const;
  ZoneMatch MatchBlock(const RowGroup& row_group, size_t block, const ScanFilter& filter) const;
  /// Returns whether updated values in the sought versions might pass `filter` although the row group's zone
  /// map excludes it.
  bool MayMatch(const VersionReader& versions, const ScanFilter& filter) const;

 private:
  struct Content {
    std::vector<LogicalType> types;
    size_t stored_count;
    std::vector<DocumentProjection> projections;
    std::shared_ptr<const AttributeDictionary> attributes;
  };
  /// Only stored columns have zone maps: those of projections would have to cover all attributes of their
  /// paths.
  bool HasZones(size_t column) const { return IsStored(column); }

  std::shared_ptr<const Content> content_;
};

}  // namespace scaup
