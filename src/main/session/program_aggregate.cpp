// Calls the bodies of an aggregate with the rows of groups as a result.
#include "main/session/program_aggregate.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"
#include "execution/foreign/foreign_aggregate.hpp"
#include "main/session/program_call.hpp"
#include "main/session/program_column.hpp"

namespace scaup {

class ProgramAggregate final : public ForeignAggregate {
 public:
  ProgramAggregate(ProgramAggregateParts parts, std::shared_ptr<MemoryTracker> memory)
      : ForeignAggregate(!parts.takes_nulls, parts.batch_rows == 0 ? kUsualRows : parts.batch_rows),
        parts_(std::move(parts)),
        memory_(std::move(memory)) {}

  const std::vector<LogicalType>& StateTypes() const override { return parts_.bodies().state; }

  std::unique_ptr<ForeignColumn> Finish(const FunctionContext& context,
                                        GroupedArguments groups) const override {
    auto results = std::make_unique<ProgramColumn>(parts_.name, parts_.result, groups.group_count, context);
    FunctionOutput output(*results);
    const GroupedRows rows = RowsOf(std::move(groups), context);
    CallProgram(parts_.name, &context, false, [&] { parts_.bodies().body(rows, output); });
    return results;
  }

  Columns Accumulate(const FunctionContext& context, GroupedArguments groups) const override {
    return MakeStates(parts_.bodies().accumulate, context, std::move(groups));
  }
  Columns Merge(const FunctionContext& context, GroupedArguments groups) const override {
    return MakeStates(parts_.bodies().merge, context, std::move(groups));
  }

 private:
  GroupedRows RowsOf(GroupedArguments groups, const FunctionContext& context) const {
    return {ResultOfArguments(std::move(groups.rows), context, memory_), groups.group_count,
            std::move(groups.offsets)};
  }

  Columns MakeStates(const AggregateBodies::StateBody& body, const FunctionContext& context,
                     GroupedArguments groups) const {
    Columns columns;
    std::vector<std::unique_ptr<FunctionOutput>> outputs;
    std::vector<FunctionOutput*> state;
    for (const LogicalType& type : StateTypes()) {
      auto column = std::make_unique<ProgramColumn>(parts_.name, type, groups.group_count, context);
      std::unique_ptr<FunctionOutput> output(new FunctionOutput(*column));
      outputs.push_back(std::move(output));
      state.push_back(outputs.back().get());
      columns.push_back(std::move(column));
    }
    const GroupedRows rows = RowsOf(std::move(groups), context);
    CallProgram(parts_.name, &context, false, [&] { body(rows, state); });
    return columns;
  }

  const ProgramAggregateParts parts_;
  const std::shared_ptr<MemoryTracker> memory_;
};

AggregateFunction MakeProgramAggregate(ProgramAggregateParts parts, std::shared_ptr<MemoryTracker> memory) {
  std::string name = parts.name;
  std::vector<LogicalType> arguments = parts.arguments;
  LogicalType result = parts.result;
  auto function = std::make_shared<ProgramAggregate>(std::move(parts), std::move(memory));
  return MakeForeignAggregate(std::move(name), std::move(arguments), std::move(result), std::move(function));
}

AggregateFunction MakeProgramAggregate(std::string name, AggregateDefinition definition,
                                       std::shared_ptr<MemoryTracker> memory) {
  if (name.empty() || definition.arguments.empty() || !definition.body) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "an aggregate needs a name, an argument and a body");
  }
  const bool has_state = !definition.state.empty();
  if (has_state != (definition.accumulate != nullptr) || has_state != (definition.merge != nullptr)) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("aggregate {} needs all of state, accumulate and merge, or none of them", name));
  }
  ProgramAggregateParts parts;
  parts.name = std::move(name);
  parts.arguments = std::move(definition.arguments);
  parts.result = std::move(definition.result);
  parts.takes_nulls = definition.takes_nulls;
  parts.batch_rows = definition.batch_rows;
  const auto bodies = std::make_shared<const AggregateBodies>(std::move(definition));
  parts.bodies = [bodies]() -> const AggregateBodies& { return *bodies; };
  return MakeProgramAggregate(std::move(parts), std::move(memory));
}

}  // namespace scaup
