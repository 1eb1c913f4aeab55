// Calls of the program's code: arguments as results, exceptions as errors.
#include "main/session/program_call.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"

namespace scaup {

QueryResult ResultOfArguments(MaterializedResult arguments, const FunctionContext& context,
                              std::shared_ptr<MemoryTracker> memory, const std::vector<size_t>& numbers) {
  auto data = std::make_shared<ResultData>();
  data->memory = std::move(memory);
  for (size_t i = 0; i < arguments.columns.size(); i++) {
    const size_t number = numbers.empty() ? i : numbers[i];
    data->columns.push_back({fmt::format("argument{}", number + 1), arguments.columns[i].type});
  }
  data->rows = std::move(arguments);
  data->time_zone = context.time_zone;
  return ResultAccess::MakeResult(std::move(data));
}

namespace {

constinit thread_local const RunningFunction* innermost_function = nullptr;

}  // namespace

RunningFunction::RunningFunction(const std::string& name, const FunctionContext* context,
                                 bool has_effects) noexcept
    : name_(name),
      inner_(context == nullptr ? nullptr : context->inner),
      has_effects_(has_effects),
      deadline_micros_(context == nullptr ? 0 : context->deadline_micros),
      outer_(std::exchange(innermost_function, this)) {}

RunningFunction::~RunningFunction() { innermost_function = outer_; }

const RunningFunction* RunningFunction::Innermost() noexcept { return innermost_function; }

void ThrowProgramError(const std::string& name, const std::exception& error) {
  ThrowError(ErrorKind::kIo, "38000", fmt::format("function {} failed: {}", name, error.what()));
}

}  // namespace scaup
