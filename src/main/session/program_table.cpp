// Runs table functions of the program: their input as results, and the rows of their steps as columns.
#include "main/session/program_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"
#include "execution/foreign/foreign_rows.hpp"
#include "main/session/program_call.hpp"
#include "main/session/program_column.hpp"

namespace scaup {

namespace {

constexpr size_t kUsualBatchRows = 65536;

std::vector<ResultColumn> ResultColumnsOf(const RowsColumns& columns) {
  std::vector<ResultColumn> result;
  for (size_t i = 0; i < columns.types.size(); i++) result.push_back({columns.names[i], columns.types[i]});
  return result;
}

RowsColumns RowsColumnsOf(const std::vector<ResultColumn>& columns) {
  RowsColumns result;
  for (const ResultColumn& column : columns) {
    result.names.push_back(column.name);
    result.types.push_back(column.type);
  }
  return result;
}

/// The parts of a call that its runs share.
struct TableCallParts {
  std::string name;
  std::shared_ptr<const TableFunctionDefinition> definition;
  std::shared_ptr<MemoryTracker> memory;
  std::optional<std::vector<ResultColumn>> input;
  std::vector<ResultColumn> columns;
};

}  // namespace

/// The rows of a run's input as results. Used by one thread.
class ProgramTableInput {
 public:
  ProgramTableInput(const TableCallParts& call, const FunctionContext& context)
      : call_(call), context_(context) {}
  void SetRows(ForeignRowsInput& rows) { rows_ = &rows; }

  const std::vector<ResultColumn>& columns() const {
    static const auto& none = *new std::vector<ResultColumn>();
    return call_.input ? *call_.input : none;
  }
  QueryResult Next(size_t most_rows) {
    if (most_rows == 0) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 fmt::format("table function {} asks for 0 rows at a time", call_.name));
    }
    return ResultOf(rows_->Next(most_rows));
  }
  QueryResult All() { return ResultOf(rows_->All()); }

 private:
  QueryResult ResultOf(MaterializedResult rows) const {
    auto data = std::make_shared<ResultData>();
    data->memory = call_.memory;
    data->columns = columns();
    data->rows = std::move(rows);
    data->time_zone = context_.time_zone;
    return ResultAccess::MakeResult(std::move(data));
  }

  const TableCallParts& call_;
  const FunctionContext& context_;
  ForeignRowsInput* rows_ = nullptr;
};

/// The rows of one step. Used by one thread.
class ProgramTableRows final : public ForeignRows {
 public:
  /// Borrows both.
  ProgramTableRows(const TableCallParts& call, const FunctionContext& context)
      : call_(call), context_(context) {}

  const std::vector<ResultColumn>& columns() const { return call_.columns; }
  void SetRowCount(size_t rows) {
    columns_.clear();
    outputs_.clear();
    row_count_ = rows;
    for (const ResultColumn& column : call_.columns) {
      columns_.push_back(std::make_unique<ProgramColumn>(call_.name, column.type, rows, context_));
      outputs_.push_back(std::unique_ptr<FunctionOutput>(new FunctionOutput(*columns_.back())));
    }
  }
  FunctionOutput& Column(size_t column) {
    if (column < outputs_.size()) return *outputs_[column];
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("table function {} sets column {} of {}: call SetRowCount first, and count from 0",
                           call_.name, column, outputs_.size()));
  }

  size_t row_count() const override { return row_count_; }
  void Read(size_t column, size_t begin, size_t count, Vector& output) const override {
    columns_[column]->Read(begin, count, output);
  }

 private:
  const TableCallParts& call_;
  const FunctionContext& context_;
  size_t row_count_ = 0;
  std::vector<std::unique_ptr<ProgramColumn>> columns_;
  std::vector<std::unique_ptr<FunctionOutput>> outputs_;
};

const std::vector<ResultColumn>& TableFunctionInput::columns() const { return input_.columns(); }
QueryResult TableFunctionInput::Next(size_t most_rows) { return input_.Next(most_rows); }
QueryResult TableFunctionInput::All() { return input_.All(); }

const std::vector<ResultColumn>& TableFunctionOutput::columns() const { return rows_.columns(); }
void TableFunctionOutput::SetRowCount(size_t rows) { rows_.SetRowCount(rows); }
FunctionOutput& TableFunctionOutput::Column(size_t column) { return rows_.Column(column); }

/// The steps of one run.
class ProgramTableRun final : public ForeignRowsRun {
 public:
  ProgramTableRun(const TableCallParts& call, const FunctionContext& context,
                  TableFunctionDefinition::Step step)
      : call_(call), context_(context), source_(call, context), step_(std::move(step)) {}

  std::unique_ptr<ForeignRows> Next(ForeignRowsInput& input) override {
    if (has_ended_) return nullptr;
    source_.SetRows(input);
    TableFunctionInput given(source_);
    auto rows = std::make_unique<ProgramTableRows>(call_, context_);
    TableFunctionOutput output(*rows);
    has_ended_ = !CallProgram(call_.name, &context_, call_.definition->has_effects,
                              [&] { return step_(given, output); });
    return rows;
  }

 private:
  const TableCallParts& call_;
  const FunctionContext& context_;
  ProgramTableInput source_;
  TableFunctionDefinition::Step step_;
  bool has_ended_ = false;
};

namespace {

/// Returns values as a result of one row.
QueryResult RowOf(const std::vector<Value>& values, const FunctionContext& context,
                  std::shared_ptr<MemoryTracker> memory) {
  std::vector<LogicalType> types;
  for (const Value& value : values)
    types.push_back(value.type().id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : value.type());
  const ResultMemory result_memory(context.memory);
  ResultAppender row(types, result_memory);
  DataChunk chunk(types);
  for (size_t i = 0; i < values.size(); i++) {
    // In the places of rows there are NULLs without a type.
    chunk.column(i).ReferenceValue(values[i].type().id() == TypeId::kNull ? Value(types[i]) : values[i]);
  }
  chunk.SetSize(1);
  row.Append(chunk);
  MaterializedResult rows;
  rows.row_count = 1;
  rows.columns = std::move(row.columns());
  rows.heaps.push_back(row.TakeHeap());
  return ResultOfArguments(std::move(rows), context, std::move(memory));
}

struct ProgramTableCall final : ForeignRowsCall {
  std::unique_ptr<ForeignRowsRun> Start(const FunctionContext& context,
                                        const std::vector<Value>& values) const override {
    TableFunctionDefinition::Step step =
        CallProgram(parts.name, &context, parts.definition->has_effects, [&] {
          return parts.definition->start({values, parts.input, RowOf(values, context, parts.memory)});
        });
    if (!step) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 fmt::format("table function {} has started without a step", parts.name));
    }
    return std::make_unique<ProgramTableRun>(parts, context, std::move(step));
  }

  TableCallParts parts;
};

class ProgramTable final : public RowsFunction {
 public:
  ProgramTable(std::string name, TableFunctionDefinition definition, std::shared_ptr<MemoryTracker> memory)
      : name_(std::move(name)),
        definition_(std::make_shared<const TableFunctionDefinition>(std::move(definition))),
        memory_(std::move(memory)) {
    for (const TableFunctionDefinition::Argument& argument : definition_->arguments) {
      parameters_.push_back({argument.name, argument.type, argument.is_rows, RowsColumnsOf(argument.columns),
                             argument.fallback});
    }
  }

  const std::string& name() const override { return name_; }
  const std::vector<Parameter>& parameters() const override { return parameters_; }
  bool needs_values() const override { return definition_->columns.empty(); }
  bool omits_nulls() const override { return definition_->omits_nulls; }

  std::shared_ptr<const BoundRowsCall> Bind(const FunctionContext&, RowsArguments arguments) const override {
    auto call = std::make_shared<ProgramTableCall>();
    call->parts = {name_, definition_, memory_, {}, definition_->columns};
    if (arguments.input) call->parts.input = ResultColumnsOf(*arguments.input);
    if (definition_->columns.empty()) {
      call->parts.columns = CallProgram(name_, nullptr, false, [&] {
        return definition_->bind({std::move(arguments.values), call->parts.input, {}});
      });
      CheckColumns(call->parts.columns);
    }
    call->columns = RowsColumnsOf(call->parts.columns);
    if (definition_->takes_batches)
      call->batch_rows = definition_->batch_rows == 0 ? kUsualBatchRows : definition_->batch_rows;
    return call;
  }

 private:
  void CheckColumns(const std::vector<ResultColumn>& columns) const {
    const bool is_whole = !columns.empty() && std::ranges::none_of(columns, [](const ResultColumn& column) {
      return column.name.empty() || column.type.id() == TypeId::kNull;
    });
    if (is_whole) return;
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("table function {} needs result columns, each with a name and a type", name_));
  }

  const std::string name_;
  const std::shared_ptr<const TableFunctionDefinition> definition_;
  const std::shared_ptr<MemoryTracker> memory_;
  std::vector<Parameter> parameters_;
};

[[noreturn]] void ThrowBadDefinition(const std::string& name, const char* what) {
  ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
             fmt::format("table function {} {}", name, what));
}

}  // namespace

RowsFunctionRef MakeProgramTable(std::string name, TableFunctionDefinition definition,
                                 std::shared_ptr<MemoryTracker> memory) {
  if (name.empty() || !definition.start)
    ThrowBadDefinition(name, "needs a name, and a function that starts runs");
  if (definition.columns.empty() == (definition.bind == nullptr))
    ThrowBadDefinition(name, "needs either columns, or a function that finds them");
  bool has_fallback = false;
  for (TableFunctionDefinition::Argument& argument : definition.arguments) {
    if (has_fallback && !argument.fallback)
      ThrowBadDefinition(name, "has arguments with values for calls without them before others");
    has_fallback = argument.fallback.has_value();
    if (argument.is_rows && has_fallback) ThrowBadDefinition(name, "needs its query in all calls");
  }
  return std::make_shared<ProgramTable>(std::move(name), std::move(definition), std::move(memory));
}

}  // namespace scaup
