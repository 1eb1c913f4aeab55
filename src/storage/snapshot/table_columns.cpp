// Maps the columns of a table to their stored sources.
#include "storage/snapshot/table_columns.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "document/projection_attributes.hpp"

namespace scaup {

TableColumns::TableColumns(std::vector<LogicalType> stored, std::vector<DocumentProjection> projections,
                           std::shared_ptr<const AttributeDictionary> attributes) {
  const size_t stored_count = stored.size();
  for (const DocumentProjection& projection : projections) stored.push_back(projection.type);
  // Shared, so that a copy costs one reference count.
  content_ = std::make_shared<const Content>(
      Content{std::move(stored), stored_count, std::move(projections), std::move(attributes)});
}

std::vector<size_t> TableColumns::SourcesOfAll(std::span<const size_t> columns,
                                               std::span<const ScanFilter> filters) const {
  std::vector<size_t> sources;
  for (const size_t column : columns) {
    if (column != kRowNumberColumn) sources.push_back(SourceOf(column));
  }
  for (const ScanFilter& filter : filters) sources.push_back(SourceOf(filter.column));
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

ColumnSources TableColumns::SourcesOf(std::span<const size_t> columns) const {
  SCAUP_ASSERT(std::find(columns.begin(), columns.end(), kRowNumberColumn) == columns.end());
  ColumnSources sources;
  // Vectors are referenced by position while sources are added.
  sources.stored.reserve(columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    if (IsStored(columns[i])) {
      sources.stored.push_back({columns[i], i});
    } else {
      sources.projections.push_back(columns[i]);
      sources.projection_places.push_back(i);
    }
  }
  if (sources.projections.empty()) return sources;
  const auto records = std::find_if(sources.stored.begin(), sources.stored.end(),
                                    [](const auto& stored) { return stored.column == kRecordColumn; });
  sources.records = static_cast<size_t>(records - sources.stored.begin());
  // Records that no one asked for are read all the same, into a vector that only projections use.
  if (records == sources.stored.end()) sources.stored.push_back({kRecordColumn, std::nullopt});
  return sources;
}

std::unique_ptr<DocumentReader> TableColumns::MakeReader(std::span<const size_t> projections) const {
  std::vector<DocumentProjection> wanted;
  for (const size_t column : projections)
    wanted.push_back(content_->projections[column - content_->stored_count]);
  return std::make_unique<DocumentReader>(content_->attributes, std::move(wanted));
}

ProjectionAttributes TableColumns::AttributesOf(size_t projection) const {
  return scaup::AttributesOf(*content_->attributes,
                             content_->projections[projection - content_->stored_count]);
}

bool TableColumns::IsOfWholeDocument(size_t projection) const {
  return content_->projections[projection - content_->stored_count].path == kRootPath;
}

ZoneMatch TableColumns::Match(const RowGroup& row_group, const ScanFilter& filter) const {
  if (!HasZones(filter.column)) return ZoneMatch::kSome;
  const PhysicalType type = PhysicalTypeOf((*this)[filter.column]);
  return MatchZone(row_group.column(filter.column)->zone(), filter, type);
}

ZoneMatch TableColumns::MatchBlock(const RowGroup& row_group, size_t block, const ScanFilter& filter) const {
  if (!HasZones(filter.column)) return ZoneMatch::kSome;
  const PhysicalType type = PhysicalTypeOf((*this)[filter.column]);
  return MatchZone(row_group.column(filter.column)->block_zone(block), filter, type);
}

bool TableColumns::MayMatch(const VersionReader& versions, const ScanFilter& filter) const {
  return !HasZones(filter.column) || versions.MayMatch(filter, PhysicalTypeOf((*this)[filter.column]));
}

}  // namespace scaup
