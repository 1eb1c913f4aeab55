// The columns of a table as a statement reads them: those that are stored, and paths of documents.
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

/// The stored column of a collection whose values are the records of documents.
inline constexpr size_t kRecordColumn = 0;

/// The sources of some columns of a table: stored ones, and projections of records.
struct ColumnSources {
  struct Stored {
    size_t column;
    std::optional<size_t> place;  ///< among the columns that are wanted; none: read for projections alone
  };
  std::vector<Stored> stored;
  std::vector<size_t> projections;
  std::vector<size_t> projection_places;  ///< among the columns that are wanted
  size_t records = 0;                     ///< where in `stored` the records are, if there are projections

  /// Where the values of stored[index] are to be put.
  Vector& TargetOf(size_t index, DataChunk& output, Vector& only_records) const {
    return stored[index].place ? output.column(*stored[index].place) : only_records;
  }
};

/// The stored columns, then projections of the records in kRecordColumn. Who reads a table asks here where a
/// column comes from. A value, cheap to copy; immutable.
class TableColumns {
 public:
  /// The stored columns alone: a vector of their types is good wherever columns are asked for.
  TableColumns(std::vector<LogicalType> stored)  // NOLINT(google-explicit-constructor)
      : TableColumns(std::move(stored), {}, nullptr) {}
  TableColumns(std::vector<LogicalType> stored, std::vector<DocumentProjection> projections,
               std::shared_ptr<const AttributeDictionary> attributes);

  size_t size() const { return content_->types.size(); }
  size_t stored_count() const { return content_->stored_count; }
  /// The type of a column.
  const LogicalType& operator[](size_t column) const { return content_->types[column]; }
  /// Whether column kRecordColumn has records that projections are read out of.
  bool HasDocuments() const { return content_->attributes != nullptr; }
  bool IsStored(size_t column) const { return column < content_->stored_count; }
  /// The stored column that a column is, or is read out of.
  size_t SourceOf(size_t column) const { return IsStored(column) ? column : kRecordColumn; }
  /// The stored columns that some columns and those of filters come from, each once, ascending. Row numbers
  /// come from none.
  std::vector<size_t> SourcesOfAll(std::span<const size_t> columns,
                                   std::span<const ScanFilter> filters) const;
  /// REQUIRES: no row numbers among them.
  ColumnSources SourcesOf(std::span<const size_t> columns) const;
  /// Reads projections out of records: those that the table had when this was called, or before.
  std::unique_ptr<DocumentReader> MakeReader(std::span<const size_t> projections) const;
  /// The attributes of a projection, out of those that the table has now.
  ProjectionAttributes AttributesOf(size_t projection) const;
  /// Whether it is of the root path.
  bool IsOfWholeDocument(size_t projection) const;

  /// Whether no row, maybe some rows, or all rows of a row group pass, or of one of its blocks, as far as
  /// zones tell. Versions are not looked at.
  ZoneMatch Match(const RowGroup& row_group, const ScanFilter& filter) const;
  ZoneMatch MatchBlock(const RowGroup& row_group, size_t block, const ScanFilter& filter) const;
  /// Whether values in the versions that were sought might pass, though the row group's zone excludes it.
  bool MayMatch(const VersionReader& versions, const ScanFilter& filter) const;

 private:
  struct Content {
    std::vector<LogicalType> types;
    size_t stored_count;
    std::vector<DocumentProjection> projections;
    std::shared_ptr<const AttributeDictionary> attributes;
  };
  /// Zones are kept of stored columns alone: those of projections would have to know all attributes of their
  /// paths.
  bool HasZones(size_t column) const { return IsStored(column); }

  std::shared_ptr<const Content> content_;
};

}  // namespace scaup
