// The versions of 1024 rows.
#include "storage/version/version_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

size_t RecordBytes(const VersionRecord& record) {
  size_t bytes = sizeof(VersionRecord) + 2 * sizeof(void*) + record.rows.size_bytes();
  for (const auto& image : record.images) bytes += sizeof(image) + image.before.size_bytes();
  return bytes;
}

const VersionRecord::Image* ImageOf(const VersionRecord& record, uint32_t column) {
  for (const auto& image : record.images) {
    if (image.column == column) return &image;
  }
  return nullptr;
}

/// Reserves space for more rows in an overlay, so that inserting them cannot fail.
void ReserveMore(ColumnOverlay& overlay, size_t count) {
  const size_t wanted = overlay.rows.size() + count;
  if (wanted > overlay.rows.capacity()) {
    const size_t capacity = std::max(wanted, overlay.rows.size() + overlay.rows.size() / 2);
    overlay.rows.reserve(capacity);
    overlay.is_dirty.reserve(capacity);
  }
  overlay.values.ReserveMore(count);
}

}  // namespace

void VersionBlock::CheckConflict(const VersionWriter& writer, const BlockRows& rows) const {
  // First writer wins: a change that the writer does not see, committed or not, is a conflict. Waiting for
  // the other transaction would not help, as the writer's snapshot could not see its result.
  for (const VersionRecord& record : records_) {
    if (writer.view.Sees(record.stamp->load()) || !rows.Meets(record.rows)) continue;
    ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
               fmt::format("could not serialize access: a row of table \"{}\" was {} by another transaction "
                           "meanwhile; run the transaction again",
                           writer.table_name, record.images.empty() ? "deleted" : "updated"));
  }
}

ColumnOverlay* VersionBlock::FindOverlay(uint32_t column) {
  return const_cast<ColumnOverlay*>(static_cast<const VersionBlock*>(this)->FindOverlay(column));
}

const ColumnOverlay* VersionBlock::FindOverlay(uint32_t column) const {
  for (const ColumnOverlay& overlay : overlays_) {
    if (overlay.column == column) return &overlay;
  }
  return nullptr;
}

ColumnOverlay& VersionBlock::RequireOverlay(uint32_t column, PhysicalType type) {
  if (ColumnOverlay* overlay = FindOverlay(column)) return *overlay;
  return overlays_.emplace_back(column, type);
}

void VersionBlock::DropEmptyOverlays() noexcept {
  std::erase_if(overlays_, [](const ColumnOverlay& overlay) { return overlay.rows.empty(); });
}

size_t VersionBlock::SizeBytes() const {
  size_t bytes = sizeof(*this) + record_bytes_ + (deleted_ ? kValidityWords * sizeof(ValidityWord) : 0);
  for (const ColumnOverlay& overlay : overlays_) {
    // Capacities rather than sizes, as reserved space is memory, too.
    bytes += sizeof(overlay) + overlay.rows.capacity() * (sizeof(uint16_t) + 1) + overlay.values.size_bytes();
  }
  return bytes;
}

VersionRecords::iterator VersionBlock::Link(VersionRecords record) {
  // splice moves the list node and cannot fail.
  record_bytes_ += record.front().size_bytes;
  records_.splice(records_.begin(), record);
  return records_.begin();
}

VersionRecords::iterator VersionBlock::Delete(const VersionWriter& writer, const std::vector<sel_t>& rows) {
  VersionRecords added(1);
  VersionRecord& record = added.front();
  record.stamp = writer.stamp;
  record.rows = BlockRows(rows);
  // Throws before anything changes.
  CheckConflict(writer, record.rows);
  record.size_bytes = RecordBytes(record);
  // Reserves for the bitmap whether or not it exists, so that the sum is an upper bound.
  memory_.Resize(SizeBytes() + record.size_bytes + kValidityWords * sizeof(ValidityWord));
  if (!deleted_) deleted_ = std::make_unique<ValidityWord[]>(kValidityWords);
  for (const sel_t row : record.rows) SetValid(deleted_.get(), row);
  return Link(std::move(added));
}

VersionRecords::iterator VersionBlock::Update(const VersionWriter& writer, const std::vector<sel_t>& rows,
                                              std::vector<ColumnChange> changes) {
  VersionRecords added(1);
  VersionRecord& record = added.front();
  record.stamp = writer.stamp;
  record.rows = BlockRows(rows);
  CheckConflict(writer, record.rows);
  record.images.reserve(changes.size());
  size_t growth = 0;
  // Everything that can fail happens here.
  try {
    for (ColumnChange& change : changes) {
      const size_t row_count = record.rows.size();
      growth += change.new_values.size_bytes() + change.old_values.size_bytes() + sizeof(ColumnOverlay) +
                2 * row_count * sizeof(sel_t);
      ReserveMore(RequireOverlay(change.column, change.new_values.type()), row_count);
      record.images.push_back({change.column, std::move(change.old_values)});
    }
    memory_.Resize(SizeBytes() + growth + sizeof(VersionRecord));
  } catch (...) {
    // New overlays would keep memory that is not accounted for, and the block from being empty.
    DropEmptyOverlays();
    throw;
  }
  // Nothing may fail from here on.
  for (size_t i = 0; i < changes.size(); i++) {
    ColumnOverlay& overlay = *FindOverlay(changes[i].column);
    ValueList& before = record.images[i].before;
    for (size_t k = 0; k < record.rows.size(); k++) {
      const auto place = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), record.rows[k]);
      const auto index = static_cast<size_t>(place - overlay.rows.begin());
      // A row without an overlay value gets one. Its before-image is the row group's value, which the writer
      // has read. Otherwise the overlay's value is the before-image, and is exchanged rather than copied.
      if (place == overlay.rows.end() || *place != record.rows[k]) {
        overlay.rows.insert(place, static_cast<uint16_t>(record.rows[k]));
        overlay.is_dirty.insert(overlay.is_dirty.begin() + static_cast<ptrdiff_t>(index), 1);
        overlay.values.Insert(index);
      } else {
        overlay.is_dirty[index] = 1;
        before.Exchange(k, overlay.values, index);
      }
      overlay.values.Exchange(index, changes[i].new_values, k);
    }
    // The zone map only widens. It must cover before-images too, which readers may still see.
    overlay.zone.Merge(changes[i].zone, overlay.values.type());
  }
  record.size_bytes = RecordBytes(record);
  const auto linked = Link(std::move(added));
  // The lists of new values go, but for their strings.
  memory_.Resize(std::min(SizeBytes(), memory_.size_bytes()));
  return linked;
}

void VersionBlock::TakeBack(VersionRecords::iterator record) noexcept {
  // Rows that were deleted by another record cannot be among these: the writer would have met a conflict.
  if (record->images.empty()) {
    for (const sel_t row : record->rows) SetInvalid(deleted_.get(), row);
    if (std::all_of(deleted_.get(), deleted_.get() + kValidityWords, [](auto word) { return word == 0; }))
      deleted_.reset();
  }
  // The rows stay in the overlay with their old values, which equal the row group's or an older version's.
  for (auto& image : record->images) {
    ColumnOverlay& overlay = *FindOverlay(image.column);
    for (size_t k = 0; k < record->rows.size(); k++) {
      const auto place = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), record->rows[k]);
      overlay.values.Exchange(static_cast<size_t>(place - overlay.rows.begin()), image.before, k);
    }
  }
  Forget(record);
}

void VersionBlock::Forget(VersionRecords::iterator record) noexcept {
  record_bytes_ -= record->size_bytes;
  records_.erase(record);
  // Never grows the reservation, which could fail: capacities may have grown since it was made.
  memory_.Resize(std::min(SizeBytes(), memory_.size_bytes()));
}

void VersionBlock::LoadDeleted(const std::vector<sel_t>& rows) {
  memory_.Resize(SizeBytes() + kValidityWords * sizeof(ValidityWord));
  if (!deleted_) deleted_ = std::make_unique<ValidityWord[]>(kValidityWords);
  for (const sel_t row : rows) SetValid(deleted_.get(), row);
}

bool VersionBlock::ReadDeleted(const ReadView& view, size_t begin, size_t end, uint8_t* mask) const {
  if (!deleted_) return false;
  // Starts with the current state and takes back deletions that the view does not see.
  ValidityWord gone[kValidityWords];
  std::memcpy(gone, deleted_.get(), sizeof(gone));
  for (const VersionRecord& record : records_) {
    if (!record.images.empty() || view.Sees(record.stamp->load())) continue;
    for (const sel_t row : record.rows) SetInvalid(gone, row);
  }
  bool any = false;
  for (size_t row = begin; row < end; row++) {
    // Skips words without deleted rows.
    if (row % 64 == 0 && gone[row / 64] == 0) {
      row += 63;
      continue;
    }
    if (!TestValid(gone, row)) continue;
    mask[row - begin] = 1;
    any = true;
  }
  return any;
}

void VersionBlock::ReadColumn(const ReadView& view, uint32_t column, size_t begin, size_t end, size_t offset,
                              sel_t* rows, Vector& values, size_t& count) const {
  const ColumnOverlay* overlay = FindOverlay(column);
  if (overlay == nullptr) return;
  // In the common case the view sees all changes to the column, and its values are the overlay's.
  const bool sees_newest = std::none_of(records_.begin(), records_.end(), [&](const VersionRecord& record) {
    return ImageOf(record, column) != nullptr && !view.Sees(record.stamp->load());
  });
  if (sees_newest) {
    const auto first = std::lower_bound(overlay->rows.begin(), overlay->rows.end(), begin);
    const auto last = std::lower_bound(first, overlay->rows.end(), end);
    const auto added = static_cast<size_t>(last - first);
    std::transform(first, last, rows + count,
                   [&](sel_t row) { return static_cast<sel_t>(row - begin + offset); });
    overlay->values.CopyRangeTo(static_cast<size_t>(first - overlay->rows.begin()), added, values, count);
    count += added;
    return;
  }
  struct Source {
    const ValueList* list;
    size_t index;
  };
  // Otherwise finds for each row the version to read, then copies the values in row order.
  std::array<Source, kVectorSize> sources;
  ValidityWord changed[kValidityWords] = {};
  const auto take = [&](const auto& list_rows, size_t first, const ValueList& list) {
    for (size_t k = first; k < list_rows.size() && list_rows[k] < end; k++) {
      SetValid(changed, list_rows[k]);
      sources[list_rows[k]] = {&list, k};
    }
  };
  const auto first = std::lower_bound(overlay->rows.begin(), overlay->rows.end(), begin);
  take(overlay->rows, static_cast<size_t>(first - overlay->rows.begin()), overlay->values);
  // Goes from the newest record to the oldest, so that the image of the oldest unseen record is the one that
  // stays.
  for (const VersionRecord& record : records_) {
    const VersionRecord::Image* image = ImageOf(record, column);
    if (image != nullptr && !view.Sees(record.stamp->load()))
      take(record.rows, record.rows.LowerBound(begin), image->before);
  }
  for (size_t word = begin / 64; word * 64 < end; word++) {
    for (ValidityWord bits = changed[word]; bits != 0; bits &= bits - 1) {
      const size_t row = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      rows[count] = static_cast<sel_t>(row - begin + offset);
      sources[row].list->CopyTo(sources[row].index, values, count++);
    }
  }
}

bool VersionBlock::HasUnseen(const ReadView& view, sel_t row, std::span<const size_t> columns) const {
  return std::any_of(records_.begin(), records_.end(), [&](const VersionRecord& record) {
    if (view.Sees(record.stamp->load()) || !record.rows.Contains(row)) return false;
    // A deletion concerns every column.
    return record.images.empty() || std::any_of(columns.begin(), columns.end(), [&](size_t column) {
             return ImageOf(record, static_cast<uint32_t>(column)) != nullptr;
           });
  });
}

bool VersionBlock::AnyVersion(sel_t row, std::span<const size_t> columns, Timestamp settled,
                              const HasValue& has_value) const {
  struct Place {
    const ValueList* list = nullptr;
    size_t index = 0;
  };
  std::vector<Place> values(columns.size());
  const auto has_all = [&] {
    for (size_t i = 0; i < values.size(); i++) {
      if (values[i].list != nullptr && !has_value(i, *values[i].list, values[i].index)) return false;
    }
    return true;
  };
  // Begins with the newest version, then goes back in time record by record.
  for (size_t i = 0; i < columns.size(); i++) {
    const ColumnOverlay* overlay = FindOverlay(static_cast<uint32_t>(columns[i]));
    if (overlay == nullptr) continue;
    const auto found = std::lower_bound(overlay->rows.begin(), overlay->rows.end(), row);
    if (found != overlay->rows.end() && *found == row)
      values[i] = {&overlay->values, static_cast<size_t>(found - overlay->rows.begin())};
  }
  if ((!deleted_ || !TestValid(deleted_.get(), row)) && has_all()) return true;
  for (const VersionRecord& record : records_) {
    if (!record.rows.Contains(row)) continue;
    const size_t place = record.rows.LowerBound(row);
    // Every transaction with a start of `settled` or later sees this record, so none sees its before-images.
    if (record.stamp->load() <= settled) return false;
    for (size_t i = 0; i < columns.size(); i++) {
      const VersionRecord::Image* image = ImageOf(record, static_cast<uint32_t>(columns[i]));
      if (image != nullptr) values[i] = {&image->before, place};
    }
    // Before the record, the row was there even if it is deleted now.
    if (has_all()) return true;
  }
  return false;
}

const ZoneMap* VersionBlock::OverlayZone(uint32_t column) const {
  const ColumnOverlay* overlay = FindOverlay(column);
  return overlay == nullptr ? nullptr : &overlay->zone;
}

size_t VersionBlock::CountDirty(size_t begin, size_t end, std::vector<uint32_t>& columns) const {
  size_t total = 0;
  for (const ColumnOverlay& overlay : overlays_) {
    const auto first = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), begin);
    const auto last = std::lower_bound(first, overlay.rows.end(), end);
    const auto count = std::count(overlay.is_dirty.begin() + (first - overlay.rows.begin()),
                                  overlay.is_dirty.begin() + (last - overlay.rows.begin()), uint8_t{1});
    if (count == 0) continue;
    total += static_cast<size_t>(count);
    if (std::find(columns.begin(), columns.end(), overlay.column) == columns.end())
      columns.push_back(overlay.column);
  }
  return total;
}

void VersionBlock::MarkClean(const ReadView& view, size_t begin, size_t end) noexcept {
  for (ColumnOverlay& overlay : overlays_) {
    const auto first = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), begin);
    const auto last = std::lower_bound(first, overlay.rows.end(), end);
    // First marks all as clean, then marks again what the view did not see and the row group therefore lacks.
    std::fill(overlay.is_dirty.begin() + (first - overlay.rows.begin()),
              overlay.is_dirty.begin() + (last - overlay.rows.begin()), uint8_t{0});
    for (const VersionRecord& record : records_) {
      if (ImageOf(record, overlay.column) == nullptr || view.Sees(record.stamp->load())) continue;
      for (const sel_t row : record.rows) {
        const auto place = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), row);
        overlay.is_dirty[static_cast<size_t>(place - overlay.rows.begin())] = 1;
      }
    }
  }
}

void VersionBlock::DropFrom(size_t begin) noexcept {
  for (ColumnOverlay& overlay : overlays_) {
    uint8_t keep[kVectorSize];
    const size_t count = overlay.rows.size();
    const auto first = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), begin);
    const auto kept = static_cast<size_t>(first - overlay.rows.begin());
    for (size_t i = 0; i < count; i++) keep[i] = i < kept;
    overlay.values.Keep({keep, count});
    overlay.rows.resize(kept);
    overlay.is_dirty.resize(kept);
  }
  DropEmptyOverlays();
  memory_.Resize(std::min(SizeBytes(), memory_.size_bytes()));
}

void VersionBlock::DropClean() noexcept {
  for (ColumnOverlay& overlay : overlays_) {
    if (std::find(overlay.is_dirty.begin(), overlay.is_dirty.end(), 0) == overlay.is_dirty.end()) continue;
    uint8_t keep[kVectorSize];
    std::copy(overlay.is_dirty.begin(), overlay.is_dirty.end(), keep);
    // Values that a record concerns must stay: the record may be rolled back, or its before-images may be
    // read in their place.
    for (const VersionRecord& record : records_) {
      if (ImageOf(record, overlay.column) == nullptr) continue;
      for (const sel_t row : record.rows) {
        const auto place = std::lower_bound(overlay.rows.begin(), overlay.rows.end(), row);
        keep[place - overlay.rows.begin()] = 1;
      }
    }
    size_t kept = 0;
    for (size_t i = 0; i < overlay.rows.size(); i++) {
      if (keep[i] == 0) continue;
      overlay.rows[kept] = overlay.rows[i];
      overlay.is_dirty[kept++] = overlay.is_dirty[i];
    }
    overlay.values.Keep({keep, overlay.rows.size()});
    overlay.rows.resize(kept);
    overlay.is_dirty.resize(kept);
  }
  DropEmptyOverlays();
  memory_.Resize(std::min(SizeBytes(), memory_.size_bytes()));
}

}  // namespace scaup
