// Projections of a block: one pass for filters, one for the rows that passed.
#include "storage/table/document_block.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

DocumentBlock::DocumentBlock(const TableColumns& columns, std::vector<size_t> filtered,
                             std::span<const size_t> chosen)
    : filtered_(std::move(filtered)),
      filtered_reader_(columns.MakeReader(filtered_)),
      chosen_reader_(columns.MakeReader(chosen)),
      records_(columns[kRecordColumn]) {
  for (const size_t column : filtered_) values_.emplace_back(columns[column]);
}

void DocumentBlock::Clear() {
  records_.Release();
  has_records_ = false;
  for (Vector& values : values_) values.Release();
  has_values_ = false;
}

Vector& DocumentBlock::Filtered(size_t column, size_t row_count) {
  if (!std::exchange(has_values_, true)) {
    std::vector<Vector*> outputs;
    for (Vector& values : values_) {
      values.Reset();
      outputs.push_back(&values);
    }
    filtered_reader_->Read(records_, row_count, outputs);
    for (Vector& values : values_) values.Flatten(row_count);
  }
  const auto place = std::find(filtered_.begin(), filtered_.end(), column) - filtered_.begin();
  return values_[static_cast<size_t>(place)];
}

void DocumentBlock::ReadChosen(size_t row_count, const SelectionRef& selection, size_t count,
                               std::span<Vector* const> outputs) {
  for (Vector* output : outputs) output->Reset();
  if (!selection) return chosen_reader_->Read(records_, row_count, outputs);
  Vector chosen(records_.type());
  chosen.Slice(records_, row_count, selection, count);
  chosen_reader_->Read(chosen, count, outputs);
}

}  // namespace scaup
