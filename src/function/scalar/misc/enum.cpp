// enum_first, enum_last, enum_range and enum_code: the labels of an enum and their positions.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/packed_value.hpp"
#include "type/type_name.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Returns the values from one position to another as a list.
std::string RangeOf(int64_t first, int64_t last) {
  std::string slots;
  for (int64_t i = first; i <= last; i++) AppendFixedSlot(static_cast<int16_t>(i), slots);
  return slots;
}

int64_t LastOf(const LogicalType& type) { return static_cast<int64_t>(type.label_count()) - 1; }

template <bool kLast>
void End(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int16_t>()[0] = static_cast<int16_t>(kLast ? LastOf(call.return_type) : 0);
  result.SetConstant();
}

void WholeRange(const ScalarCall& call, DataChunk&, Vector& result) {
  const std::string all = RangeOf(0, LastOf(call.return_type.element()));
  result.MutableData<StringRef>()[0] = result.AddString(all);
  result.SetConstant();
}

/// A range with bounds; NULL stands for the first or last label.
void PartRange(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const int64_t last = LastOf(call.return_type.element());
  const auto begins = arguments.column(0).ViewAs<int16_t>(arguments.size());
  const auto ends = arguments.column(1).ViewAs<int16_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const std::string range =
        RangeOf(begins.IsValid(row) ? begins[row] : 0, ends.IsValid(row) ? ends[row] : last);
    result.MutableData<StringRef>()[row] = result.AddString(range);
  }
}

/// The position of a label, from 0.
void CodeOf(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int16_t, int32_t>(arguments.column(0), arguments.size(), result,
                             [](int16_t position) { return int32_t{position}; });
}

[[noreturn]] void ThrowNoFunction(const ScalarFunction& function, std::span<const BindArgument> arguments) {
  std::string types;
  for (const BindArgument& argument : arguments)
    types += (types.empty() ? "" : ", ") + PostgresTypeName(argument.type);
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             "function " + function.name + "(" + types +
                 ") does not exist; it takes values of one enum, such as NULL::mood");
}

std::unique_ptr<FunctionData> BindEnum(ScalarFunction& function, std::span<const BindArgument> arguments) {
  LogicalType type;
  for (const BindArgument& argument : arguments) {
    if (argument.type.id() == TypeId::kNull) continue;
    const bool fits =
        argument.type.id() == TypeId::kEnum && (type.id() == TypeId::kNull || type == argument.type);
    if (!fits) ThrowNoFunction(function, arguments);
    type = argument.type;
  }
  if (type.id() == TypeId::kNull) ThrowNoFunction(function, arguments);
  if (function.return_type.id() == TypeId::kInteger) {
    function.argument_types.assign(arguments.size(), type);
    return nullptr;
  }
  const bool is_range = function.return_type.id() == TypeId::kList;
  if (!is_range && type.label_count() == 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               "enum " + type.ToString() + " contains no values; ALTER TYPE ... ADD VALUE adds one");
  }
  function.argument_types.assign(arguments.size(), type);
  function.return_type = is_range ? LogicalType::List(type) : type;
  return nullptr;
}

}  // namespace

ScalarFunctionList EnumFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, const LogicalType& type, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, kAnyType),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = &BindEnum,
                    .nulls = NullHandling::kSpecial,
                    .can_fail = false,
                    .any_types = true});
  };
  const LogicalType values = LogicalType::List(TypeId::kNull);
  add("enum_first", 1, kAnyType, &End<false>, "The first label of the argument's enum.",
      "enum_first(NULL::mood)");
  add("enum_last", 1, kAnyType, &End<true>, "The last label of the argument's enum.",
      "enum_last(NULL::mood)");
  add("enum_range", 1, values, &WholeRange, "All labels of the argument's enum.", "enum_range(NULL::mood)");
  add("enum_range", 2, values, &PartRange, "The labels from one to another; NULL is the first or last.",
      "enum_range(NULL, 'ok'::mood)");
  add("enum_range_boundary", 2, values, &PartRange,
      "The labels from one to another; NULL is the first or last.", "enum_range_boundary(NULL, 'ok'::mood)");
  add("enum_code", 1, TypeId::kInteger, &CodeOf, "The position of a label in its enum, from 0.",
      "enum_code('ok'::mood)");
  return list;
}

}  // namespace scaup
