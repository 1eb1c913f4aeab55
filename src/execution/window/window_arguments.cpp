// Window arguments: gathering and filtering arguments, and adding them to states.
#include "execution/window/window_arguments.hpp"

namespace scaup {

WindowArguments::WindowArguments(const WindowInput& input, const WindowFunctionSpecification& function,
                                 Arena& arena)
    : rows_(input.rows),
      function_(function.aggregate.function),
      arena_(arena),
      call_{input.context.functions, function.aggregate.data.get(), arena},
      columns_(function.aggregate.arguments) {
  for (size_t i = 0; i < columns_.size(); i++) specification_.arguments.push_back(i);
  if (function.aggregate.filter) {
    specification_.filter = columns_.size();
    columns_.push_back(*function.aggregate.filter);
  }
  std::vector<LogicalType> types;
  for (const size_t column : columns_) types.push_back(rows_.types()[column]);
  chunk_.Initialize(types);
  arguments_ = std::make_unique<AggregateArguments>(specification_, types);
}

std::byte* WindowArguments::MakeStates(size_t count) {
  std::byte* states = arena_.Allocate(count * function_.state_size, 16);
  for (size_t i = 0; i < count; i++) function_.initialize(states + i * function_.state_size);
  return states;
}

void WindowArguments::AddLoaded(size_t count, std::byte** states) {
  chunk_.SetSize(count);
  const size_t passing = arguments_->Load(chunk_);
  if (passing == 0) return;
  if (const sel_t* rows = arguments_->rows(); rows != nullptr) {
    std::byte* chosen[kVectorSize];
    for (size_t i = 0; i < passing; i++) chosen[i] = states[rows[i]];
    function_.update(call_, arguments_->chunk().columns(), passing, chosen);
  } else {
    function_.update(call_, arguments_->chunk().columns(), passing, states);
  }
}

void WindowArguments::AddRange(size_t begin, size_t count, std::byte** states) {
  arguments_->chunk().Release();  // Allows the columns to be written again.
  for (size_t i = 0; i < columns_.size(); i++) rows_.Read(columns_[i], begin, count, chunk_.column(i));
  AddLoaded(count, states);
}

void WindowArguments::AddRows(const uint64_t* rows, size_t count, std::byte** states) {
  arguments_->chunk().Release();
  for (size_t i = 0; i < columns_.size(); i++) rows_.Gather(columns_[i], rows, count, chunk_.column(i));
  AddLoaded(count, states);
}

void WindowArguments::AddRangeTo(size_t begin, size_t count, std::byte* state) {
  arguments_->chunk().Release();
  for (size_t i = 0; i < columns_.size(); i++) rows_.Read(columns_[i], begin, count, chunk_.column(i));
  chunk_.SetSize(count);
  const size_t passing = arguments_->Load(chunk_);
  if (passing != 0) function_.update_single(call_, arguments_->chunk().columns(), passing, state);
}

}  // namespace scaup
