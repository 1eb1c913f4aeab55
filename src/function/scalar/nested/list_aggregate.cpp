// Aggregate functions over the elements of each list: list_sum, list_max, list_aggregate(list, 'median') ...
#include <array>
#include <span>
#include <vector>

#include "common/throw.hpp"
#include "function/function_registry.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "vector/list_elements.hpp"

namespace scaup {
namespace {

constexpr std::string_view kPrefix = "list_";

struct AggregateData final : FunctionData {
  explicit AggregateData(ResolvedAggregate aggregate_in) : aggregate(std::move(aggregate_in)) {}
  ResolvedAggregate aggregate;
};

/// Passes the elements of the lists to the states of their rows.
void AddElements(const AggregateFunction& function, const AggregateCall& call, TypedView<StringRef> lists,
                 const LogicalType& element, std::span<std::byte* const> states) {
  ListElements elements(element);
  elements.Begin(lists, states.size());
  Vector values(element);
  std::array<sel_t, kVectorSize> rows;
  std::array<std::byte*, kVectorSize> state_of;
  while (true) {
    values.Reset();
    const size_t count = elements.Next(values, rows.data());
    if (count == 0) return;
    if (rows[0] == rows[count - 1]) {
      function.update_single(call, {&values, 1}, count, states[rows[0]]);
    } else {
      for (size_t i = 0; i < count; i++) state_of[i] = states[rows[i]];
      function.update(call, {&values, 1}, count, state_of.data());
    }
  }
}

void Aggregate(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  constexpr size_t kAlignment = 16;
  const ResolvedAggregate& aggregate = static_cast<const AggregateData&>(*call.data).aggregate;
  const AggregateFunction& function = aggregate.function;
  const size_t count = arguments.size();
  const auto lists = arguments.column(0).ViewAs<StringRef>(count);
  Arena arena(&call.context.memory);
  const AggregateCall aggregate_call{call.context, aggregate.data.get(), arena};
  const size_t state_bytes = (function.state_size + kAlignment - 1) / kAlignment * kAlignment;
  std::byte* const first = arena.Allocate(count * state_bytes, kAlignment);
  std::vector<std::byte*> states(count);
  for (size_t row = 0; row < count; row++) {
    states[row] = first + row * state_bytes;
    function.initialize(states[row]);
  }
  AddElements(function, aggregate_call, lists, arguments.column(0).type().element(), states);
  function.finalize(aggregate_call, states.data(), count, result, 0);
  for (size_t row = 0; !lists.all_valid() && row < count; row++) {
    if (!lists.IsValid(row)) result.SetNull(row);
  }
}

std::unique_ptr<FunctionData> BindNamed(ScalarFunction& function, const LogicalType& list,
                                        std::string_view name) {
  const FunctionRegistry& registry = FunctionRegistry::Builtin();
  const auto overloads = registry.AggregateOverloads(name);
  if (overloads.empty() || overloads.front().is_ordered_set) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "there is no aggregate function \"" + std::string(name) + "\" of one argument");
  }
  const LogicalType element = list.id() == TypeId::kList ? list.element() : LogicalType(TypeId::kVarchar);
  const BindArgument argument{element.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : element};
  ResolvedAggregate aggregate = ResolveAggregate(registry, name, {&argument, 1});
  function.argument_types[0] = LogicalType::List(aggregate.function.argument_types[0]);
  function.return_type = aggregate.function.return_type;
  return std::make_unique<AggregateData>(std::move(aggregate));
}

std::unique_ptr<FunctionData> BindByName(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const Value* name = arguments[1].constant;
  function.argument_types = {arguments[0].type, TypeId::kVarchar};
  if (arguments[1].type.id() == TypeId::kNull) return nullptr;  // a literal is typed first
  if (name == nullptr || name->is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               function.name + " needs the name of an aggregate function as a constant");
  }
  return BindNamed(function, arguments[0].type, name->GetString());
}

std::unique_ptr<FunctionData> BindByPrefix(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  return BindNamed(function, arguments[0].type, std::string_view(function.name).substr(kPrefix.size()));
}

}  // namespace

ScalarFunctionList ListAggregateFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarBind bind,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = kAnyType,
                    .kernel = &Aggregate,
                    .description = description,
                    .example = example,
                    .bind = bind,
                    .nulls = NullHandling::kSpecial,
                    .any_types = true});
  };
  const LogicalType any_list = AnyListType();
  for (const char* name : {"list_aggregate", "list_aggr"}) {
    add(name, {any_list, TypeId::kVarchar}, &BindByName,
        "What an aggregate function, given by name, makes of the elements.",
        "list_aggregate(ARRAY[1, 2, 6], 'median')");
  }
  add("list_sum", {any_list}, &BindByPrefix, "The sum of the elements.", "list_sum(ARRAY[1, 2, NULL])");
  add("list_avg", {any_list}, &BindByPrefix, "The average of the elements.", "list_avg(ARRAY[1, 2])");
  add("list_min", {any_list}, &BindByPrefix, "The least element.", "list_min(ARRAY[2, 1])");
  add("list_max", {any_list}, &BindByPrefix, "The greatest element.", "list_max(ARRAY[2, 1])");
  add("list_count", {any_list}, &BindByPrefix, "How many elements are not NULL.",
      "list_count(ARRAY[1, NULL])");
  add("list_median", {any_list}, &BindByPrefix, "The median of the elements.", "list_median(ARRAY[1, 2, 6])");
  add("list_bool_and", {any_list}, &BindByPrefix, "Whether all elements are true.",
      "list_bool_and(ARRAY[true, false])");
  add("list_bool_or", {any_list}, &BindByPrefix, "Whether an element is true.",
      "list_bool_or(ARRAY[true, false])");
  return list;
}

}  // namespace scaup
