// Calls scalar functions by name with single values, in every form of vector, for tests.
#include "scalar_harness.hpp"

#include <catch2/catch.hpp>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/database_listing.hpp"
#include "scaup/error.hpp"
#include "type/value_cast.hpp"
#include "vector/kernel_table.hpp"

namespace scaup::test {

namespace {

class NoListing final : public DatabaseListing {
 public:
  std::vector<std::string> Schemas() const override { return {}; }
  std::vector<TableListing> Tables() const override { return {}; }
};

}  // namespace

struct FunctionServices::Impl {
  NoListing listing;
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{1} << 30};
  TaskScheduler scheduler{1};
  Settings settings;
  std::atomic<bool> interrupted{false};
  FunctionContext context{*files,      memory, scheduler, settings, KernelsOf(BestKernelLevel()),
                          interrupted, listing};
};

FunctionServices::FunctionServices(int64_t now_micros) : impl_(std::make_unique<Impl>()) {
  impl_->context.now_micros = now_micros;
}
FunctionServices::~FunctionServices() = default;
const FunctionContext& FunctionServices::context() const { return impl_->context; }

namespace {

const FunctionContext& SharedContext() {
  static const FunctionServices services(1709210096000000);  // 2024-02-29 12:34:56
  return services.context();
}

enum class Form { kConstant, kFlat, kDictionary, kMixed };

/// Equal, or both NaN.
bool Same(const Value& a, const Value& b) {
  return a == b || (a.type() == b.type() && a.ToString() == b.ToString());
}

Value CastTo(const Value& value, const LogicalType& type) {
  Value result;
  INFO("cast of " << value.ToString() << " to " << type.ToString());
  if (!CastValue(value, type, result))
    throw Error(ErrorKind::kConversion, "22003", "argument does not convert");
  return result;
}

/// Rows 0 .. 4: the value at 0, 2 and 4, else NULL (or the value again).
Vector MakeColumn(const Value& value, Form form, bool is_first, bool with_nulls) {
  if (form == Form::kConstant || (form == Form::kMixed && !is_first)) return Vector(value);
  Vector flat(value.type());
  flat.Reset();
  for (size_t row = 0; row < 5; row++) {
    if (value.is_null() || (with_nulls && row % 2 == 1)) {
      flat.SetNull(row);
    } else {
      flat.SetValue(row, value);
    }
  }
  if (form != Form::kDictionary) return flat;
  auto selection = std::make_shared<SelectionVector>();
  for (sel_t row = 0; row < 5; row++) selection->rows[row] = 4 - row;
  Vector dictionary(value.type());
  dictionary.Slice(flat, 5, selection, 5);
  return dictionary;
}

Value Evaluate(const ResolvedScalar& resolved, const std::vector<Value>& arguments, Form form,
               bool with_nulls) {
  const ScalarFunction& function = resolved.function;
  REQUIRE(function.kernel != nullptr);
  REQUIRE(function.argument_types.size() == arguments.size());
  DataChunk chunk;
  chunk.Initialize(function.argument_types);
  for (size_t i = 0; i < arguments.size(); i++) {
    chunk.column(i) = MakeColumn(CastTo(arguments[i], function.argument_types[i]), form, i == 0, with_nulls);
  }
  chunk.SetSize(form == Form::kConstant ? 1 : 5);
  Vector result(function.return_type);
  result.Reset();
  function.kernel({SharedContext(), resolved.data.get(), function.return_type}, chunk, result);
  const Value value = result.GetValue(0);
  if (form != Form::kConstant && !arguments.empty()) {
    CHECK(Same(result.GetValue(2), value));
    CHECK(Same(result.GetValue(4), value));
    if (with_nulls && function.nulls == NullHandling::kPropagate) CHECK(result.GetValue(1).is_null());
  }
  CHECK((value.is_null() || value.type() == function.return_type));
  return value;
}

}  // namespace

Value Call(std::string_view name, const std::vector<Value>& arguments) {
  INFO("function " << name);
  std::vector<BindArgument> constants, columns;
  for (const Value& argument : arguments) {
    constants.push_back({argument.type(), &argument});
    columns.push_back({argument.type(), nullptr});
  }
  const FunctionRegistry& registry = FunctionRegistry::Builtin();
  const ResolvedScalar by_constant = ResolveScalar(registry, name, constants);
  const Value value = Evaluate(by_constant, arguments, Form::kConstant, false);
  CHECK(Same(Evaluate(by_constant, arguments, Form::kMixed, true), value));
  const ResolvedScalar by_column = ResolveScalar(registry, name, columns);
  const Value flat = Evaluate(by_column, arguments, Form::kFlat, false);
  CHECK(Same(Evaluate(by_column, arguments, Form::kFlat, true), flat));
  CHECK(Same(Evaluate(by_column, arguments, Form::kDictionary, true), flat));
  if (flat.type() == value.type()) CHECK(Same(flat, value));
  return value;
}

std::string Text(std::string_view name, const std::vector<Value>& arguments) {
  return Call(name, arguments).ToString();
}

std::string ErrorOf(std::string_view name, const std::vector<Value>& arguments) {
  try {
    Call(name, arguments);
  } catch (const Error& error) {
    return std::string(error.sqlstate()) + ": " + error.message();
  }
  return "";
}

ResolvedScalar Resolve(std::string_view name, const std::vector<LogicalType>& types) {
  std::vector<BindArgument> arguments;
  for (const LogicalType& type : types) arguments.push_back({type, nullptr});
  return ResolveScalar(FunctionRegistry::Builtin(), name, arguments);
}

Value Make(LogicalType type, std::string_view text) {
  Value value;
  REQUIRE(ParseValue(text, type, value));
  return value;
}

}  // namespace scaup::test
