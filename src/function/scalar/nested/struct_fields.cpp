// Functions on all fields of structs: names, values, joined and changed structs, positions of values.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "vector/slot_vectors.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowNoStruct(const ScalarFunction& function, size_t argument, const LogicalType& type) {
  ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
             "argument " + std::to_string(argument + 1) + " of " + function.name +
                 " must be a struct, not a value of type " + PostgresTypeName(type));
}

void RequireStruct(const ScalarFunction& function, std::span<const BindArgument> arguments, size_t i) {
  if (arguments[i].type.id() != TypeId::kStruct || IsUnion(arguments[i].type))
    ThrowNoStruct(function, i, arguments[i].type);
}

/// Whether the fields have the names that ROW(...) gives them.
bool IsRow(const LogicalType& type) {
  const std::vector<StructField>& fields = type.fields();
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name != "f" + std::to_string(i + 1)) return false;
  }
  return true;
}

struct NamesData final : FunctionData {
  std::string slots;
};

void Names(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const std::string& names = static_cast<const NamesData&>(*call.data).slots;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result,
                                 [&](const StringRef&) { return result.AddString(names); });
}

std::unique_ptr<FunctionData> BindNames(ScalarFunction& function, std::span<const BindArgument> arguments) {
  RequireStruct(function, arguments, 0);
  function.argument_types[0] = arguments[0].type;
  auto data = std::make_unique<NamesData>();
  for (const StructField& field : arguments[0].type.fields()) AppendStringSlot(field.name, data->slots);
  return data;
}

/// Structs are slots without names, so that only the type changes.
void Values(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result,
                                 [&](const StringRef& fields) { return result.AddString(fields.view()); });
}

std::unique_ptr<FunctionData> BindValues(ScalarFunction& function, std::span<const BindArgument> arguments) {
  RequireStruct(function, arguments, 0);
  function.argument_types[0] = arguments[0].type;
  std::vector<StructField> fields = arguments[0].type.fields();
  for (size_t i = 0; i < fields.size(); i++) fields[i].name = "f" + std::to_string(i + 1);
  function.return_type = LogicalType::Struct(std::move(fields));
  return nullptr;
}

/// The sources of the fields of a result: an argument, and a field of it.
struct PickData final : FunctionData {
  struct Source {
    size_t argument;
    size_t field;
  };
  std::vector<LogicalType> types;  // of the arguments
  std::vector<Source> sources;
};

/// Makes structs of fields of several structs; those of a struct that is NULL are NULL.
void Pick(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const PickData&>(*call.data);
  const size_t count = arguments.size();
  std::vector<TypedView<StringRef>> views;
  for (Vector& argument : arguments.columns()) views.push_back(argument.ViewAs<StringRef>(count));
  std::vector<std::vector<std::string_view>> parts(views.size());
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    for (size_t i = 0; i < views.size(); i++) {
      parts[i].clear();
      if (!views[i].IsValid(row)) continue;
      std::string_view rest = views[i][row].view();
      for (const StructField& field : data.types[i].fields()) parts[i].push_back(TakeSlot(field.type, rest));
    }
    slots.clear();
    for (const auto& [argument, field] : data.sources) {
      if (views[argument].IsValid(row)) {
        slots += parts[argument][field];
      } else {
        AppendNullSlot(data.types[argument].fields()[field].type, slots);
      }
      account.Note(slots);
    }
    out[row] = result.AddString(slots);
  }
}

/// struct_concat, struct_insert: the fields of all arguments, whose names must differ.
std::unique_ptr<FunctionData> BindConcat(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = std::make_unique<PickData>();
  std::vector<StructField> fields;
  const bool are_rows = std::all_of(arguments.begin(), arguments.end(), [](const BindArgument& argument) {
    return argument.type.id() == TypeId::kStruct && !IsUnion(argument.type) && IsRow(argument.type);
  });
  for (size_t i = 0; i < arguments.size(); i++) {
    RequireStruct(function, arguments, i);
    function.argument_types[i] = arguments[i].type;
    data->types.push_back(arguments[i].type);
    for (size_t k = 0; k < arguments[i].type.fields().size(); k++) {
      const StructField& field = arguments[i].type.fields()[k];
      const bool is_taken = std::any_of(fields.begin(), fields.end(),
                                        [&](const StructField& other) { return other.name == field.name; });
      if (is_taken && !are_rows) {
        ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                   function.name + ": there is more than one field \"" + field.name +
                       "\"; struct_update replaces fields");
      }
      fields.push_back({are_rows ? "f" + std::to_string(fields.size() + 1) : field.name, field.type});
      data->sources.push_back({i, k});
    }
  }
  function.return_type = LogicalType::Struct(std::move(fields));
  return data;
}

/// struct_update: the fields of the first struct, where those of the second replace them or are added.
std::unique_ptr<FunctionData> BindUpdate(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = std::make_unique<PickData>();
  std::vector<StructField> fields;
  for (size_t i = 0; i < arguments.size(); i++) {
    RequireStruct(function, arguments, i);
    function.argument_types[i] = arguments[i].type;
    data->types.push_back(arguments[i].type);
    for (size_t k = 0; k < arguments[i].type.fields().size(); k++) {
      const StructField& field = arguments[i].type.fields()[k];
      const auto found = std::find_if(fields.begin(), fields.end(),
                                      [&](const StructField& other) { return other.name == field.name; });
      const auto place = static_cast<size_t>(found - fields.begin());
      if (found == fields.end()) {
        fields.push_back(field);
        data->sources.push_back({i, k});
      } else {
        fields[place].type = field.type;
        data->sources[place] = {i, k};
      }
    }
  }
  function.return_type = LogicalType::Struct(std::move(fields));
  return data;
}

/// The search of struct_position: values of one type in the fields that have it.
struct SoughtData final : FunctionData {
  LogicalType type;  // of the struct
  std::vector<bool> is_compared;
  SlotAppender append = nullptr;
};

/// The position of the field that a value equals, counted from 1; 0 if there is none.
int32_t PositionOf(const SoughtData& data, std::string_view fields, std::string_view sought) {
  for (size_t i = 0; i < data.is_compared.size(); i++) {
    const std::string_view slot = TakeSlot(data.type.fields()[i].type, fields);
    const bool is_equal = IsNullSlot(sought) ? IsNullSlot(slot) : data.is_compared[i] && slot == sought;
    if (is_equal) return static_cast<int32_t>(i + 1);
  }
  return 0;
}

/// Calls found(row, position), or result.SetNull(row) for a struct that is NULL.
template <typename Found>
void Seek(const ScalarCall& call, DataChunk& arguments, Vector& result, Found&& found) {
  const auto& data = static_cast<const SoughtData&>(*call.data);
  const auto structs = arguments.column(0).ViewAs<StringRef>(arguments.size());
  const UnifiedView values = arguments.column(1).View(arguments.size());
  std::string sought;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!structs.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    sought.clear();
    data.append(arguments.column(1).type(), values, row, sought);
    found(row, PositionOf(data, structs[row].view(), sought), IsNullSlot(sought));
  }
}

/// struct_contains: NULL is unknown, as in list_contains.
void ContainsValue(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Seek(call, arguments, result, [&](size_t row, int32_t position, bool is_null) {
    if (is_null) return result.SetNull(row);
    result.MutableData<uint8_t>()[row] = position > 0;
  });
}

void PositionOfValue(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Seek(call, arguments, result, [&](size_t row, int32_t position, bool) {
    if (position == 0) return result.SetNull(row);
    result.MutableData<int32_t>()[row] = position;
  });
}

/// Compares the value with those fields that have a type in common with it.
std::unique_ptr<FunctionData> BindSought(ScalarFunction& function, std::span<const BindArgument> arguments) {
  RequireStruct(function, arguments, 0);
  LogicalType type = arguments[1].type.id() == TypeId::kNull ? TypeId::kVarchar : arguments[1].type;
  std::vector<StructField> fields = arguments[0].type.fields();
  for (const StructField& field : fields) {
    if (const auto both = CommonType(type, field.type, Meeting::kSideBySide)) type = *both;
  }
  auto data = std::make_unique<SoughtData>();
  for (StructField& field : fields) {
    data->is_compared.push_back(CommonType(type, field.type, Meeting::kSideBySide) == type);
    if (data->is_compared.back()) field.type = type;
  }
  data->type = LogicalType::Struct(std::move(fields));
  data->append = FindSlotAppender(type);
  function.argument_types = {data->type, type};
  return data;
}

}  // namespace

ScalarFunctionList StructFieldFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& result,
                       ScalarKernel kernel, ScalarBind bind, const char* description, const char* example) {
    list.push_back(MakeNestedFunction(name, std::move(types), result, kernel, bind, description, example));
  };
  add("struct_keys", {kAnyType}, LogicalType::List(TypeId::kVarchar), &Names, &BindNames,
      "The names of a struct's fields.", "struct_keys({'a': 1, 'b': 2})");
  add("struct_values", {kAnyType}, kAnyType, &Values, &BindValues,
      "The struct with the names that ROW gives: f1, f2 and so on.", "struct_values({'a': 1, 'b': 2})");
  add("struct_concat", {}, kAnyType, &Pick, &BindConcat, "The fields of several structs in one.",
      "struct_concat({'a': 1}, {'b': 2})");
  list.back().varargs = kAnyType;
  add("struct_insert", {kAnyType, kAnyType}, kAnyType, &Pick, &BindConcat, "The struct with more fields.",
      "struct_insert({'a': 1}, b := 2)");
  add("struct_update", {kAnyType, kAnyType}, kAnyType, &Pick, &BindUpdate,
      "The struct with other values of some fields, or with more fields.",
      "struct_update({'a': 1, 'b': 2}, b := 'x')");
  for (const char* name : {"struct_contains", "struct_has"}) {
    add(name, {kAnyType, kAnyType}, TypeId::kBoolean, &ContainsValue, &BindSought,
        "Whether a field of the struct has this value.", "struct_contains(row(1, 2), 2)");
  }
  for (const char* name : {"struct_position", "struct_indexof"}) {
    add(name, {kAnyType, kAnyType}, TypeId::kInteger, &PositionOfValue, &BindSought,
        "Which field of the struct has this value, counted from 1; NULL if none.",
        "struct_position(row(1, 2), 2)");
  }
  return list;
}

}  // namespace scaup
