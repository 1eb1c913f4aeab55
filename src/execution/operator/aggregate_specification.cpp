// Loads the arguments of aggregates, applying their filters.
#include "execution/operator/aggregate_specification.hpp"

namespace scaup {

AggregateArguments::AggregateArguments(const AggregateSpecification& specification,
                                       const std::vector<LogicalType>& input_types)
    : specification_(specification) {
  std::vector<LogicalType> types;
  for (const size_t column : specification.arguments) types.push_back(input_types[column]);
  chunk_.Initialize(types);
}

size_t AggregateArguments::Load(DataChunk& input) {
  chunk_.Release();
  selection_.reset();
  size_t count = input.size();
  if (specification_.filter) {
    selection_ = std::make_shared<SelectionVector>();
    const auto passes = input.column(*specification_.filter).ViewAs<uint8_t>(count);
    size_t kept = 0;
    for (size_t row = 0; row < count; row++) {
      selection_->rows[kept] = static_cast<sel_t>(row);
      kept += passes.IsValid(row) && passes[row] != 0;
    }
    if (kept == count) selection_.reset();
    count = kept;
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
