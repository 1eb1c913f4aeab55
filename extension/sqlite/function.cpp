// Calls functions and aggregates of the program from the engine's statements.
#include "function.hpp"

#include "error.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {

/// Says that code of the program runs, as long as this lives.
class RunningCall {
 public:
  explicit RunningCall(FunctionState& state) : state_(state), lock_(state.mutex) { state_.running++; }
  ~RunningCall() { state_.running--; }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

 private:
  FunctionState& state_;
  std::lock_guard<std::mutex> lock_;
};

sqlite3_context MakeContext(FunctionState& state, const CreatedFunction& function) {
  sqlite3_context context;
  context.db = state.db;
  context.user_data = function.user_data;
  return context;
}

void CheckResult(const sqlite3_context& context) {
  if (context.error_code != SQLITE_OK) throw MakeFunctionError(context.error_code, context.error_message);
}

void CallWith(std::vector<sqlite3_value>& values, CreatedFunction::Call call, sqlite3_context& context) {
  std::vector<sqlite3_value*> pointers;
  for (sqlite3_value& value : values) pointers.push_back(&value);
  call(&context, static_cast<int>(pointers.size()), pointers.data());
}

void CallScalar(FunctionState& state, const CreatedFunction& function, const QueryResult& arguments,
                FunctionOutput& output) {
  RunningCall running(state);
  for (size_t row = 0; row < output.row_count(); row++) {
    std::vector<sqlite3_value> values(arguments.column_count());
    for (size_t i = 0; i < values.size(); i++) {
      if (!arguments.IsNull(i, row)) values[i].value = DecodeValue(arguments.GetString(i, row));
    }
    sqlite3_context context = MakeContext(state, function);
    CallWith(values, function.call, context);
    CheckResult(context);
    output.SetValue(row, MakeDynamic(context.result));
  }
}

/// Takes the values of one row out of what sqlite_row() has made.
std::vector<sqlite3_value> SplitRow(std::string_view bytes) {
  std::vector<sqlite3_value> values;
  while (!bytes.empty()) {
    const size_t colon = bytes.find(':');
    const size_t length = std::stoul(std::string(bytes.substr(0, colon)));
    values.emplace_back();
    values.back().value = DecodeValue(bytes.substr(colon + 1, length));
    bytes.remove_prefix(colon + 1 + length);
  }
  return values;
}

SqliteValue Aggregate(FunctionState& state, const CreatedFunction& function, const Value& rows) {
  sqlite3_context context = MakeContext(state, function);
  if (!rows.is_null()) {
    for (const Value& row : rows.GetElements()) {
      std::vector<sqlite3_value> values = SplitRow(row.GetString());
      CallWith(values, function.step, context);
      if (context.error_code != SQLITE_OK) break;
    }
  }
  SqliteValue result;
  if (context.error_code == SQLITE_OK && function.value != nullptr && context.has_memory) {
    function.value(&context);
    result = context.result;
  }
  const int code = context.error_code;
  const std::string message = context.error_message;
  // The program frees what it has made of the rows here, so this is called after errors, too.
  function.final(&context);
  if (code != SQLITE_OK) throw MakeFunctionError(code, message);
  // SQLite, too, takes a window's rows from xValue alone, and does not look at how xFinal ends.
  if (function.value != nullptr) return result;
  CheckResult(context);
  return context.result;
}

void CallAggregate(FunctionState& state, const CreatedFunction& function, const QueryResult& arguments,
                   FunctionOutput& output) {
  RunningCall running(state);
  for (size_t row = 0; row < output.row_count(); row++)
    output.SetValue(row, MakeDynamic(Aggregate(state, function, arguments.GetValue(0, row))));
}

}  // namespace

std::string FunctionRegistry::EngineName(const CreatedFunction& function) {
  const std::string count = function.argument_count < 0 ? "any" : std::to_string(function.argument_count);
  return "sqlite_created_" + count + "_" + function.name;
}

void FunctionRegistry::Add(Connection& engine, FunctionState& state,
                           std::shared_ptr<CreatedFunction> function) {
  FunctionDefinition definition;
  definition.name = EngineName(*function);
  definition.result = DynamicType();
  // A function with constants is not called before the statement runs: its errors belong to sqlite3_step().
  definition.volatility = function->is_deterministic || function->is_aggregate()
                              ? FunctionDefinition::Volatility::kStable
                              : FunctionDefinition::Volatility::kVolatile;
  definition.takes_nulls = true;
  const std::shared_ptr<CreatedFunction> shared = function;
  if (function->is_aggregate()) {
    definition.arguments = {LogicalType::List(TypeId::kBlob)};
    definition.body = [shared, &state](const QueryResult& arguments, FunctionOutput& output) {
      CallAggregate(state, *shared, arguments, output);
    };
    engine.CreateFunction(definition);
  } else {
    definition.body = [shared, &state](const QueryResult& arguments, FunctionOutput& output) {
      CallScalar(state, *shared, arguments, output);
    };
    const int count = function->argument_count;
    if (count <= 0) engine.CreateFunction(definition);
    if (count != 0) {
      definition.arguments.assign(count < 0 ? 1 : static_cast<size_t>(count), TypeId::kBlob);
      definition.is_variadic = count < 0;
      engine.CreateFunction(definition);
    }
  }
  functions_[{function->name, function->argument_count}] = std::move(function);
}

void FunctionRegistry::Remove(const std::string& name, int argument_count) {
  functions_.erase({name, argument_count});
}

const CreatedFunction* FunctionRegistry::Find(const std::string& name, int argument_count) const {
  auto found = functions_.find({name, argument_count});
  if (found == functions_.end()) found = functions_.find({name, -1});
  return found == functions_.end() ? nullptr : found->second.get();
}

bool FunctionRegistry::HasName(const std::string& name) const {
  const auto found = functions_.lower_bound({name, -1});
  return found != functions_.end() && found->first.first == name;
}

}  // namespace scaup::sqlite
