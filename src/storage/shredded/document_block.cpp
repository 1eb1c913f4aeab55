// Reads projections of a block, from records or from shredded attributes.
#include "storage/shredded/document_block.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/throw.hpp"
#include "storage/snapshot/row_patch.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

DocumentBlock::DocumentBlock(const TableColumns& columns, std::vector<size_t> filtered,
                             std::span<const size_t> chosen, const KernelTable& kernels)
    : kernels_(kernels),
      filtered_(std::move(filtered)),
      chosen_(chosen.begin(), chosen.end()),
      filtered_reader_(columns.MakeReader(filtered_)),
      chosen_reader_(columns.MakeReader(chosen_)),
      filtered_shreds_(columns, filtered_, kernels),
      chosen_shreds_(columns, chosen_, kernels),
      records_(columns[kRecordColumn]),
      has_values_(filtered_.size()) {
  for (const size_t column : filtered_) {
    values_.emplace_back(columns[column]);
    filtered_patches_.push_back(std::make_unique<RowPatch>(columns[column]));
  }
  for (const size_t column : chosen_) chosen_patches_.push_back(std::make_unique<RowPatch>(columns[column]));
}

void DocumentBlock::Clear() {
  reader_ = nullptr;
  records_.Release();
  has_records_ = false;
  for (Vector& values : values_) values.Release();
  has_values_.assign(has_values_.size(), false);
  has_filtered_patches_ = false;
}

void DocumentBlock::Seek(SegmentReader& reader, size_t block, size_t row_count, const RowPatch* patch) {
  SCAUP_ASSERT(is_clear());
  reader_ = &reader;
  block_ = block;
  row_count_ = row_count;
  patch_ = patch != nullptr && patch->count != 0 ? patch : nullptr;
  // Attaching looks up attributes, so it is done once per row group.
  if (attached_ == &reader) return;
  attached_ = &reader;
  auto* shredded = dynamic_cast<DocumentSegmentReader*>(&reader);
  is_shredded_ = shredded != nullptr;
  filtered_shreds_.Attach(shredded);
  chosen_shreds_.Attach(shredded);
}

const Vector& DocumentBlock::Records() {
  // Read at most once per block, and only if something needs whole records.
  if (std::exchange(has_records_, true)) return records_;
  reader_->Read(block_, row_count_, records_);
  if (patch_ != nullptr) ApplyPatch(*patch_, row_count_, records_);
  return records_;
}

void DocumentBlock::ReadRecords(const SelectionRef& selection, size_t count, Vector& output) {
  SCAUP_ASSERT(!is_clear());
  if (!selection) return output.Reference(Records());
  // Records in memory are sliced for free. Shredded ones are reassembled, so only selected rows are read.
  if (!is_shredded_ || has_records_) return output.Slice(Records(), row_count_, selection, count);
  output.Reset();
  reader_->Gather(block_, row_count_, {selection->rows, count}, output, 0);
  if (patch_ == nullptr) return;
  const UnifiedView patch{patch_->values.Data<std::byte>(), IdentitySelection(), patch_->values.Validity()};
  // Both lists ascend.
  for (size_t i = 0, next = 0; i < count; i++) {
    while (next < patch_->count && patch_->rows[next] < selection->rows[i]) next++;
    if (next == patch_->count) break;
    if (patch_->rows[next] == selection->rows[i]) CopyRow(patch, next, output, i);
  }
}

size_t DocumentBlock::PlaceOf(size_t column) const {
  return static_cast<size_t>(std::find(filtered_.begin(), filtered_.end(), column) - filtered_.begin());
}

// Patched records are whole, even if the row group is shredded.
void DocumentBlock::ReadPatch(DocumentReader& reader, std::vector<std::unique_ptr<RowPatch>>& patches) const {
  std::vector<Vector*> outputs;
  for (const auto& projected : patches) {
    projected->count = patch_->count;
    std::memcpy(projected->rows, patch_->rows, patch_->count * sizeof(sel_t));
    projected->values.Reset();
    outputs.push_back(&projected->values);
  }
  reader.Read(patch_->values, patch_->count, outputs);
  for (Vector* values : outputs) values->Flatten(patch_->count);
}

const RowPatch& DocumentBlock::FilteredPatch(size_t place) {
  if (!std::exchange(has_filtered_patches_, true)) ReadPatch(*filtered_reader_, filtered_patches_);
  return *filtered_patches_[place];
}

void DocumentBlock::ReadAllFiltered() {
  std::vector<Vector*> outputs;
  for (Vector& values : values_) {
    values.Reset();
    outputs.push_back(&values);
  }
  // One pass over the records reads the projections of all filters.
  filtered_reader_->Read(Records(), row_count_, outputs);
  for (Vector& values : values_) values.Flatten(row_count_);
  has_values_.assign(has_values_.size(), true);
}

Vector& DocumentBlock::Filtered(size_t place) {
  if (has_values_[place]) return values_[place];
  if (!is_shredded_) {
    ReadAllFiltered();
  } else {
    filtered_shreds_.Read(place, block_, row_count_, values_[place]);
    // The patch overrides the row group's values.
    if (patch_ != nullptr) ApplyPatch(FilteredPatch(place), row_count_, values_[place]);
    values_[place].Flatten(row_count_);
    has_values_[place] = true;
  }
  return values_[place];
}

ZoneMatch DocumentBlock::Filter(const ScanFilter& filter, uint8_t* mask) {
  SCAUP_ASSERT(!is_clear());
  const size_t place = PlaceOf(filter.column);
  // If the values were read already, filtering them is cheapest.
  // Shredded attributes can be filtered in their encoded form.
  if (is_shredded_ && !has_values_[place]) {
    if (const auto match = filtered_shreds_.Filter(place, block_, row_count_, filter, mask)) {
      if (patch_ == nullptr) return *match;
      // The patch may change a uniform answer, so the mask must be complete.
      if (*match != ZoneMatch::kSome) std::memset(mask, *match == ZoneMatch::kAll ? 1 : 0, row_count_);
      const RowPatch& patch = FilteredPatch(place);
      uint8_t passes[kVectorSize];
      EvaluateScanFilter(kernels_, filter, patch.values.physical_type(), patch.values.Data<std::byte>(),
                         patch.values.Validity(), patch.count, passes);
      for (size_t i = 0; i < patch.count; i++) mask[patch.rows[i]] = passes[i];
      return ZoneMatch::kSome;
    }
  }
  const Vector& values = Filtered(place);
  EvaluateScanFilter(kernels_, filter, values.physical_type(), values.Data<std::byte>(), values.Validity(),
                     row_count_, mask);
  return ZoneMatch::kSome;
}

void DocumentBlock::ReadFiltered(size_t column, const SelectionRef& selection, size_t count, Vector& output) {
  SCAUP_ASSERT(!is_clear());
  const size_t place = PlaceOf(column);
  // A filter may have decided without reading the values; then only the remaining rows are read.
  if (selection && is_shredded_ && patch_ == nullptr && !has_values_[place])
    return filtered_shreds_.ReadRows(place, block_, row_count_, selection, count, output);
  const Vector& values = Filtered(place);
  if (!selection) return output.Reference(values);
  output.Slice(values, row_count_, selection, count);
}

void DocumentBlock::ReadChosen(const SelectionRef& selection, size_t count,
                               std::span<Vector* const> outputs) {
  if (is_shredded_) {
    if (patch_ != nullptr) ReadPatch(*chosen_reader_, chosen_patches_);
    for (size_t i = 0; i < outputs.size(); i++) {
      Vector& output = *outputs[i];
      // With a patch, all rows are read: patched rows are numbered within the block.
      if (patch_ == nullptr && selection) {
        chosen_shreds_.ReadRows(i, block_, row_count_, selection, count, output);
        continue;
      }
      Vector all(output.type());
      Vector& target = selection ? all : output;
      chosen_shreds_.Read(i, block_, row_count_, target);
      if (patch_ != nullptr) ApplyPatch(*chosen_patches_[i], row_count_, target);
      if (selection) output.Slice(all, row_count_, selection, count);
    }
    return;
  }
  for (Vector* output : outputs) output->Reset();
  const Vector& records = Records();
  if (!selection) return chosen_reader_->Read(records, row_count_, outputs);
  Vector chosen(records.type());
  // Only the selected records are parsed.
  chosen.Slice(records, row_count_, selection, count);
  chosen_reader_->Read(chosen, count, outputs);
}

}  // namespace scaup
