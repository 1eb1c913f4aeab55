// Functions, aggregates and table functions of the program, by pointers to functions in C.
#include <strings.h>

#include <limits>
#include <memory>
#include <string_view>

#include "edge.hpp"
#include "function_handles.hpp"
#include "handles.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;
using scaup::c::ThrowUsage;

namespace {

/// The context that the program gave with a function, and how it is given back. Shared by all calls.
struct ProgramContext {
  ProgramContext(void* context_in, void (*destroy_in)(void*)) : context(context_in), destroy(destroy_in) {}
  ProgramContext(const ProgramContext&) = delete;
  ProgramContext& operator=(const ProgramContext&) = delete;
  ~ProgramContext() {
    if (destroy != nullptr) destroy(context);
  }
  void* context;
  void (*destroy)(void*);
};
using SharedContext = std::shared_ptr<const ProgramContext>;

/// Takes ownership of a context. If there is no memory to share it, it is destroyed.
SharedContext ShareContext(void* context, void (*destroy)(void*)) {
  try {
    return std::make_shared<const ProgramContext>(context, destroy);
  } catch (...) {
    if (destroy != nullptr) destroy(context);
    throw;
  }
}

/// Begins to create a function: takes ownership of the context, and checks what all kinds of functions need.
/// `what` says which bodies `has_bodies` is about.
SharedContext BeginFunction(const scaup_connection* connection, const scaup_function* function,
                            bool has_bodies, const char* what, void* context, void (*destroy)(void*)) {
  SharedContext shared = ShareContext(context, destroy);
  Require(connection, "the connection");
  Require(function, "the function");
  if (!has_bodies) ThrowUsage("22004", std::string(what) + " is NULL");
  return shared;
}

/// Throws the error that a body has met; without one that it gave `code`.
[[noreturn]] void ThrowBodyError(const std::string& name, int code,
                                 std::initializer_list<const std::optional<scaup::Error>*> errors) {
  for (const auto* error : errors) {
    if (*error) throw scaup::Error(**error);
  }
  throw scaup::Error(scaup::ErrorKind::kIo, "38000",
                     "function " + name + " has failed with code " + std::to_string(code));
}

/// Returns the columns of "TABLE (id INTEGER, ...)"; none of "TABLE". nullopt for other types.
std::optional<std::vector<scaup::ResultColumn>> TableColumns(std::string_view type) {
  constexpr std::string_view kTable = "TABLE";
  while (!type.empty() && type.front() == ' ') type.remove_prefix(1);
  if (type.size() < kTable.size() || strncasecmp(type.data(), kTable.data(), kTable.size()) != 0)
    return std::nullopt;
  std::string_view rest = type.substr(kTable.size());
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  std::vector<scaup::ResultColumn> columns;
  if (rest.empty()) return columns;
  if (rest.front() != '(') return std::nullopt;
  const scaup::LogicalType record = scaup::ParseType("STRUCT" + std::string(rest));
  for (const scaup::StructField& field : record.fields()) columns.push_back({field.name, field.type});
  return columns;
}

/// Returns the types of the arguments of a function that returns values.
std::vector<scaup::LogicalType> ValueTypes(const scaup_function& function) {
  if (!function.has_result || !function.columns.empty())
    ThrowUsage("22023", "function " + function.name + " needs a type of its result, which is no TABLE");
  std::vector<scaup::LogicalType> types;
  for (const scaup_function::Argument& argument : function.arguments) {
    if (argument.is_rows)
      ThrowUsage("22023", "function " + function.name + " cannot take a table: table functions can");
    types.push_back(argument.type);
  }
  return types;
}

scaup::AggregateBodies::StateBody MakeStep(const std::string& name, const SharedContext& shared,
                                           scaup_aggregate_step step) {
  if (step == nullptr) return nullptr;
  return [=](const scaup::GroupedRows& groups, std::span<scaup::FunctionOutput* const> state) {
    scaup_result rows;
    rows.result = groups.rows;
    std::vector<scaup_output> outputs;
    std::vector<scaup_output*> columns;
    outputs.reserve(state.size());
    for (scaup::FunctionOutput* const column : state) columns.push_back(&outputs.emplace_back(column));
    const int code = step(shared->context, &rows, groups.offsets.get(), groups.group_count, columns.data());
    if (code == 0) return;
    for (const scaup_output& output : outputs) {
      if (output.error) throw scaup::Error(*output.error);
    }
    ThrowBodyError(name, code, {});
  };
}

/// A run of a table function, from its start to its destruction.
class TableRun {
 public:
  TableRun(SharedContext shared, scaup_table_end end) : shared_(std::move(shared)), end_(end) {}
  TableRun(const TableRun&) = delete;
  TableRun& operator=(const TableRun&) = delete;
  ~TableRun() {
    if (is_started_ && end_ != nullptr) end_(shared_->context, run_);
  }

  void Start(const std::string& name, scaup_table_start start, const scaup::QueryResult& row) {
    scaup_result values;
    values.result = row;
    scaup_output errors;
    const int code = start(shared_->context, &values, &run_, &errors);
    if (code != 0) ThrowBodyError(name, code, {&errors.error});
    is_started_ = true;
  }

  bool Step(const std::string& name, scaup_table_step step, scaup::TableFunctionInput& input,
            scaup::TableFunctionOutput& output) {
    scaup_table_input rows{input, std::nullopt};
    scaup_table_output made{output, {}, std::nullopt};
    bool has_more = true;
    const int code = step(shared_->context, run_, &rows, &made, &has_more);
    if (code == 0) return has_more;
    for (const scaup_output& column : made.columns) {
      if (column.error) throw scaup::Error(*column.error);
    }
    ThrowBodyError(name, code, {&made.error, &rows.error});
  }

 private:
  const SharedContext shared_;
  const scaup_table_end end_;
  void* run_ = nullptr;
  bool is_started_ = false;
};

bool BooleanOf(uint64_t value) {
  if (value > 1) ThrowUsage("22023", "the option is 0 or 1, not " + std::to_string(value));
  return value == 1;
}

void SetOption(scaup_function& function, scaup_function_option option, uint64_t value) {
  using Volatility = scaup::FunctionDefinition::Volatility;
  switch (option) {
    case SCAUP_FUNCTION_VOLATILITY:
      if (value > 2) ThrowUsage("22023", "a volatility is 0, 1 or 2, not " + std::to_string(value));
      function.volatility = static_cast<Volatility>(value);
      return;
    case SCAUP_FUNCTION_TAKES_NULLS: function.takes_nulls = BooleanOf(value); return;
    case SCAUP_FUNCTION_BATCH_ROWS:
      if (value > std::numeric_limits<uint32_t>::max())
        ThrowUsage("22023", "a batch has less than 2^32 rows");
      function.batch_rows = static_cast<size_t>(value);
      return;
    case SCAUP_FUNCTION_TAKES_ALL_ROWS: function.takes_all_rows = BooleanOf(value); return;
    case SCAUP_FUNCTION_IS_VARIADIC: function.is_variadic = BooleanOf(value); return;
    case SCAUP_FUNCTION_TAKES_BATCHES: function.takes_batches = BooleanOf(value); return;
    default: ThrowUsage("22023", "there is no option " + std::to_string(option) + " of functions");
  }
}

}  // namespace

scaup_status scaup_function_new(const char* name, scaup_function** out, scaup_error** error) {
  return Guard(error, [&] {
    RequireOutput(out);
    Require(name, "the function's name");
    auto made = std::make_unique<scaup_function>();
    made->name = name;
    *out = made.release();
  });
}

void scaup_function_free(scaup_function* function) { delete function; }

scaup_status scaup_function_add_argument(scaup_function* function, const char* name, const char* type,
                                         scaup_error** error) {
  return Guard(error, [&] {
    Require(function, "the function");
    Require(type, "the argument's type");
    scaup_function::Argument argument;
    if (name != nullptr) argument.name = name;
    if (auto columns = TableColumns(type)) {
      argument.is_rows = true;
      argument.columns = std::move(*columns);
    } else {
      argument.type = scaup::ParseType(type);
    }
    function->arguments.push_back(std::move(argument));
  });
}

scaup_status scaup_function_set_result(scaup_function* function, const char* type, scaup_error** error) {
  return Guard(error, [&] {
    Require(function, "the function");
    Require(type, "the result's type");
    std::optional<std::vector<scaup::ResultColumn>> columns = TableColumns(type);
    if (columns && columns->empty())
      ThrowUsage("22023", "a result has columns with names and types: TABLE (id INTEGER)");
    if (!columns) function->result = scaup::ParseType(type);
    function->columns = columns ? std::move(*columns) : std::vector<scaup::ResultColumn>();
    function->has_result = true;
  });
}

scaup_status scaup_function_add_state(scaup_function* function, const char* type, scaup_error** error) {
  return Guard(error, [&] {
    Require(function, "the function");
    function->state.push_back(scaup::ParseType(&Require(type, "the column's type")));
  });
}

scaup_status scaup_function_set_option(scaup_function* function, scaup_function_option option, uint64_t value,
                                       scaup_error** error) {
  return Guard(error, [&] { SetOption(Require(function, "the function"), option, value); });
}

scaup_status scaup_create_function(scaup_connection* connection, const scaup_function* function,
                                   scaup_function_body body, void* context, void (*destroy)(void* context),
                                   scaup_error** error) {
  return Guard(error, [&] {
    const SharedContext shared =
        BeginFunction(connection, function, body != nullptr, "the body", context, destroy);
    scaup::FunctionDefinition definition;
    definition.name = function->name;
    definition.arguments = ValueTypes(*function);
    definition.result = function->result;
    definition.is_variadic = function->is_variadic;
    definition.volatility = function->volatility;
    definition.takes_nulls = function->takes_nulls;
    definition.takes_all_rows = function->takes_all_rows;
    definition.batch_rows = function->batch_rows;
    definition.body = [shared, body, name = function->name](const scaup::QueryResult& arguments,
                                                            scaup::FunctionOutput& output) {
      scaup_result given;
      given.result = arguments;
      scaup_output made(&output);
      const int code = body(shared->context, &given, &made);
      if (code != 0) ThrowBodyError(name, code, {&made.error});
    };
    connection->connection.CreateFunction(std::move(definition));
  });
}

scaup_status scaup_create_aggregate(scaup_connection* connection, const scaup_function* function,
                                    scaup_aggregate_body body, scaup_aggregate_step accumulate,
                                    scaup_aggregate_step merge, void* context, void (*destroy)(void* context),
                                    scaup_error** error) {
  return Guard(error, [&] {
    const SharedContext shared =
        BeginFunction(connection, function, body != nullptr, "the body", context, destroy);
    scaup::AggregateDefinition definition;
    definition.name = function->name;
    definition.arguments = ValueTypes(*function);
    definition.result = function->result;
    definition.takes_nulls = function->takes_nulls;
    definition.batch_rows = function->batch_rows;
    definition.state = function->state;
    definition.accumulate = MakeStep(function->name, shared, accumulate);
    definition.merge = MakeStep(function->name, shared, merge);
    definition.body = [shared, body, name = function->name](const scaup::GroupedRows& groups,
                                                            scaup::FunctionOutput& output) {
      scaup_result rows;
      rows.result = groups.rows;
      scaup_output made(&output);
      const int code = body(shared->context, &rows, groups.offsets.get(), groups.group_count, &made);
      if (code != 0) ThrowBodyError(name, code, {&made.error});
    };
    connection->connection.CreateAggregate(std::move(definition));
  });
}

scaup_status scaup_create_table_function(scaup_connection* connection, const scaup_function* function,
                                         scaup_table_start start, scaup_table_step step, scaup_table_end end,
                                         void* context, void (*destroy)(void* context), scaup_error** error) {
  return Guard(error, [&] {
    const SharedContext shared = BeginFunction(connection, function, start != nullptr && step != nullptr,
                                               "the start or the step", context, destroy);
    if (function->columns.empty())
      ThrowUsage("22023", "table function " + function->name + " needs a result such as TABLE (id INTEGER)");
    scaup::TableFunctionDefinition definition;
    definition.name = function->name;
    for (const scaup_function::Argument& argument : function->arguments)
      definition.arguments.push_back({argument.name, argument.type, argument.is_rows, argument.columns, {}});
    definition.columns = function->columns;
    definition.takes_batches = function->takes_batches;
    definition.batch_rows = function->batch_rows;
    definition.has_effects = function->volatility == scaup::FunctionDefinition::Volatility::kVolatile;
    definition.start = [shared, start, step, end, name = function->name](
                           const scaup::TableCall& call) -> scaup::TableFunctionDefinition::Step {
      const auto run = std::make_shared<TableRun>(shared, end);
      run->Start(name, start, call.row);
      return [run, step, name](scaup::TableFunctionInput& input, scaup::TableFunctionOutput& output) {
        return run->Step(name, step, input, output);
      };
    };
    connection->connection.CreateTableFunction(std::move(definition));
  });
}

scaup_status scaup_remove_function(scaup_connection* connection, const char* name, bool* removed,
                                   scaup_error** error) {
  return Guard(error, [&] {
    Require(name, "the function's name");
    const bool was_there = Require(connection, "the connection").connection.RemoveFunction(name);
    if (removed != nullptr) *removed = was_there;
  });
}
