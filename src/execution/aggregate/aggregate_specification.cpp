// Aggregate specification: loading arguments and applying filters.
#include "execution/aggregate/aggregate_specification.hpp"

namespace scaup {

AggregateArguments::AggregateArguments(const AggregateSpecification& specification,
                                       const std::vector<LogicalType>& input_types)
    : specification_(specification) {
  std::vector<LogicalType> types;
  for (const size_t column : specification.arguments) types.push_back(input_types[column]);
  chunk_.Initialize(types);
}

/// Narrows the selection to the rows that pass the predicate.
template <typename TakesPart>
void AggregateArguments::Select(size_t& count, TakesPart&& takes_part) {
  const bool is_all = !selection_;
  if (is_all) selection_ = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const auto row = is_all ? static_cast<sel_t>(i) : selection_->rows[i];
    selection_->rows[kept] = row;
    kept += takes_part(row);
  }
  if (is_all && kept == count) selection_.reset();
  count = kept;
}

void AggregateArguments::SelectSource(DataChunk& input, size_t& count) {
  Vector& sources = input.column(input.column_count() - 1);
  const auto source = static_cast<int32_t>(*specification_.source);
  const auto view = sources.ViewAs<int32_t>(count);
  if (!sources.is_constant()) {
    Select(count, [&](size_t row) { return view[row] == source; });
  } else if (view[0] != source) {
    count = 0;
  }
}

size_t AggregateArguments::Load(DataChunk& input) {
  chunk_.Release();
  selection_.reset();
  size_t count = input.size();
  if (specification_.source) SelectSource(input, count);
  if (specification_.filter && count != 0) {
    const auto passes = input.column(*specification_.filter).ViewAs<uint8_t>(input.size());
    Select(count, [&](size_t row) { return passes.IsValid(row) && passes[row] != 0; });
  }
  for (size_t i = 0; i < specification_.arguments.size(); i++) {
    Vector& source = input.column(specification_.arguments[i]);
    if (selection_) {
      chunk_.column(i).Slice(source, input.size(), selection_, count);
    } else {
      chunk_.column(i).Reference(source);
    }
  }
  chunk_.SetSize(count);
  return count;
}

}  // namespace scaup
