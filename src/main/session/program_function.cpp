// Calls the body of a function with its arguments as a result.
#include "main/session/program_function.hpp"

#include <utility>

#include "main/session/program_call.hpp"
#include "main/session/program_column.hpp"

namespace scaup {

namespace {

ForeignFunction::Rules RulesOf(const FunctionDefinition& definition) {
  ForeignFunction::Rules rules;
  rules.omits_nulls = !definition.takes_nulls;
  rules.takes_constants = definition.takes_constants;
  rules.is_immutable = definition.volatility == FunctionDefinition::Volatility::kImmutable;
  if (definition.takes_all_rows) {
    rules.most_rows = ForeignFunction::kAllRows;
  } else if (definition.batch_rows != 0) {
    rules.most_rows = definition.batch_rows;
  }
  return rules;
}

}  // namespace

class ProgramFunction final : public ForeignFunction {
 public:
  ProgramFunction(std::string name, FunctionDefinition definition, std::shared_ptr<MemoryTracker> memory)
      : ForeignFunction(RulesOf(definition)),
        name_(std::move(name)),
        definition_(std::move(definition)),
        memory_(std::move(memory)) {}

  std::unique_ptr<ForeignColumn> Call(const FunctionContext& context,
                                      ForeignCallArguments arguments) const override {
    auto results =
        std::make_unique<ProgramColumn>(name_, definition_.result, arguments.rows.row_count, context);
    FunctionOutput output(*results);
    const FunctionArguments given = Describe(std::move(arguments), context);
    const bool has_effects = definition_.volatility == FunctionDefinition::Volatility::kVolatile;
    CallProgram(name_, &context, has_effects, [&] { definition_.body(given, output); });
    return results;
  }

 private:
  FunctionArguments Describe(ForeignCallArguments arguments, const FunctionContext& context) const {
    FunctionArguments given;
    std::vector<size_t> columns, constants;
    for (size_t i = 0; i < arguments.is_constant.size(); i++)
      (arguments.is_constant[i] ? constants : columns).push_back(i);
    static_cast<QueryResult&>(given) =
        ResultOfArguments(std::move(arguments.rows), context, memory_, columns);
    if (!constants.empty())
      given.constants = ResultOfArguments(std::move(arguments.constants), context, memory_, constants);
    given.is_constant = std::move(arguments.is_constant);
    return given;
  }

  const std::string name_;
  const FunctionDefinition definition_;
  const std::shared_ptr<MemoryTracker> memory_;
};

size_t FunctionOutput::row_count() const { return column_.row_count(); }
const LogicalType& FunctionOutput::type() const { return column_.type(); }
void* FunctionOutput::Data() { return column_.Data(); }
void FunctionOutput::SetText(size_t row, std::string_view text) { column_.SetText(row, text); }
void FunctionOutput::SetValue(size_t row, const Value& value) { column_.SetValue(row, value); }
void FunctionOutput::SetNull(size_t row) { column_.SetNull(row); }
void FunctionOutput::SetColumn(ColumnView column) { column_.SetColumn(std::move(column)); }
void FunctionOutput::SetArrow(ArrowSchema* schema, ArrowArray* array) { column_.SetArrow(schema, array); }

namespace {

Volatility VolatilityOf(FunctionDefinition::Volatility volatility) {
  switch (volatility) {
    case FunctionDefinition::Volatility::kImmutable: return Volatility::kImmutable;
    case FunctionDefinition::Volatility::kStable: return Volatility::kStable;
    case FunctionDefinition::Volatility::kVolatile: return Volatility::kVolatile;
  }
  return Volatility::kVolatile;
}

}  // namespace

ScalarFunction MakeProgramFunction(std::string name, FunctionDefinition definition,
                                   std::shared_ptr<MemoryTracker> memory) {
  ScalarFunction function{.name = name,
                          .argument_types = definition.arguments,
                          .return_type = definition.result,
                          .kernel = &CallForeign,
                          .description = "A function of the program.",
                          .example = ""};
  if (definition.is_variadic) {
    function.varargs = definition.arguments.back();  // at least one
    function.argument_types.pop_back();
  }
  function.nulls = definition.takes_nulls ? NullHandling::kSpecial : NullHandling::kPropagate;
  function.volatility = VolatilityOf(definition.volatility);
  function.data = std::make_shared<ForeignFunctionData>(
      std::make_shared<ProgramFunction>(std::move(name), std::move(definition), std::move(memory)));
  return function;
}

}  // namespace scaup
