// Structs and unions: ROW(...), union_value, and access to fields and members.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"
#include "type/type_name.hpp"
#include "vector/slot_vectors.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void MakeRow(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const std::vector<StructField>& fields = call.return_type.fields();
  std::vector<UnifiedView> views;
  std::vector<SlotAppender> appenders;
  for (size_t i = 0; i < fields.size(); i++) {
    views.push_back(arguments.column(i).View(count));
    appenders.push_back(FindSlotAppender(fields[i].type));
  }
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    slots.clear();
    for (size_t i = 0; i < fields.size(); i++) {
      appenders[i](fields[i].type, views[i], row, slots);
      account.Note(slots);
    }
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindRow(ScalarFunction& function, std::span<const BindArgument> arguments) {
  std::vector<StructField> fields;
  for (const BindArgument& argument : arguments) {
    const LogicalType type = argument.type.id() == TypeId::kNull ? TypeId::kVarchar : argument.type;
    fields.push_back({"f" + std::to_string(fields.size() + 1), type});
    function.argument_types[fields.size() - 1] = type;
  }
  function.return_type = LogicalType::Struct(std::move(fields));
  return nullptr;
}

struct FieldData final : FunctionData {
  size_t field = 0;
  LogicalType type;  // of the struct
};

void Extract(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const FieldData&>(*call.data);
  const std::vector<StructField>& fields = data.type.fields();
  const auto structs = arguments.column(0).ViewAs<StringRef>(arguments.size());
  const SlotLoader load = FindSlotLoader(call.return_type);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!structs.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    std::string_view slots = structs[row].view();
    for (size_t i = 0; i < data.field; i++) TakeSlot(fields[i].type, slots);
    load(call.return_type, TakeSlot(call.return_type, slots), result, row);
  }
}

[[noreturn]] void ThrowNoField(const LogicalType& type, const std::string& name) {
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
             "column \"" + name + "\" not found in type " + PostgresTypeName(type));
}

std::unique_ptr<FunctionData> BindExtract(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  const Value* name = arguments[1].constant;
  if (type.id() != TypeId::kStruct || IsUnion(type)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               "struct_extract needs a struct, not a value of type " + PostgresTypeName(type));
  }
  function.argument_types = {type, TypeId::kVarchar};
  if (arguments[1].type.id() == TypeId::kNull) return nullptr;  // a literal is typed first
  if (name == nullptr || name->is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "struct_extract needs the name of a field as a constant");
  }
  const auto& fields = type.fields();
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const StructField& field) { return field.name == name->GetString(); });
  if (found == fields.end()) ThrowNoField(type, name->GetString());
  auto data = std::make_unique<FieldData>();
  data->field = static_cast<size_t>(found - fields.begin());
  data->type = type;
  function.return_type = found->type;
  return data;
}

/// struct_extract_at(struct, position): the same by position, counted from 1.
std::unique_ptr<FunctionData> BindExtractAt(ScalarFunction& function,
                                            std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  const Value* const position = arguments[1].constant;
  if (type.id() != TypeId::kStruct || IsUnion(type)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               "struct_extract_at needs a struct, not a value of type " + PostgresTypeName(type));
  }
  function.argument_types[0] = type;
  if (arguments[1].type.id() == TypeId::kNull) return nullptr;  // a literal is typed first
  if (position == nullptr || position->is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "struct_extract_at needs the position of a field as a constant");
  }
  const int128_t place = position->GetInteger();
  const size_t field_count = type.fields().size();
  if (place < 1 || place > static_cast<int128_t>(field_count)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               "struct_extract_at: there is no field " + position->ToString() + "; positions are from 1 to " +
                   std::to_string(field_count));
  }
  auto data = std::make_unique<FieldData>();
  data->field = static_cast<size_t>(place - 1);
  data->type = type;
  function.return_type = type.fields()[data->field].type;
  return data;
}

// --- Unions

void MakeUnions(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string slots;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& field) {
    slots.clear();
    AppendFixedSlot(uint8_t{0}, slots);
    slots += field.view();
    return result.AddString(slots);
  });
}

/// union_value(name := value), whose argument the parser has made a struct.
std::unique_ptr<FunctionData> BindUnionValue(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  if (type.id() != TypeId::kStruct || IsUnion(type) || type.fields().size() != 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "union_value takes one argument with a name, that of the member, as in union_value(num := 1)");
  }
  function.argument_types[0] = type;
  function.return_type = UnionType(type.fields());
  return nullptr;
}

void RequireUnion(const ScalarFunction& function, const LogicalType& type) {
  if (IsUnion(type)) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
             function.name + " needs a union, not a value of type " + PostgresTypeName(type));
}

std::unique_ptr<FunctionData> BindUnionExtract(ScalarFunction& function,
                                               std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  const Value* name = arguments[1].constant;
  RequireUnion(function, type);
  function.argument_types = {type, TypeId::kVarchar};
  if (arguments[1].type.id() == TypeId::kNull) return nullptr;  // a literal is typed first
  if (name == nullptr || name->is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "union_extract needs the name of a member as a constant");
  }
  const std::optional<size_t> member = FindMember(type, name->GetString());
  if (!member) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               "there is no member \"" + name->GetString() + "\" in type " + type.ToString());
  }
  auto data = std::make_unique<FieldData>();
  data->field = *member + 1;
  data->type = type;
  function.return_type = type.fields()[data->field].type;
  return data;
}

struct UnionTypeData final : FunctionData {
  LogicalType type;
};

void TagNames(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& type = static_cast<const UnionTypeData&>(*call.data).type;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& bytes) {
    return result.AddString(UnionMembers(type)[ReadUnion(type, bytes.view()).member].name);
  });
}

std::unique_ptr<FunctionData> BindUnionTag(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  RequireUnion(function, arguments[0].type);
  function.argument_types[0] = arguments[0].type;
  auto data = std::make_unique<UnionTypeData>();
  data->type = arguments[0].type;
  return data;
}

void AddUnionFunctions(ScalarFunctionList& list) {
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& result,
                       ScalarKernel kernel, ScalarBind bind, const char* description, const char* example) {
    list.push_back(MakeNestedFunction(name, std::move(types), result, kernel, bind, description, example));
  };
  add("union_value", {kAnyType}, kAnyType, &MakeUnions, &BindUnionValue,
      "A union with one member, which a cast makes one with more.", "union_value(num := 1)");
  add("union_extract", {kAnyType, TypeId::kVarchar}, kAnyType, &Extract, &BindUnionExtract,
      "The value of a member of a union, as u.name; NULL if the union has another one.",
      "union_extract(union_value(num := 1), 'num')");
  add("union_tag", {kAnyType}, TypeId::kVarchar, &TagNames, &BindUnionTag,
      "The name of the member that a union has.", "union_tag(union_value(num := 1))");
}

}  // namespace

ScalarFunctionList StructFunctions() {
  ScalarFunctionList list;
  list.push_back({.name = "row",
                  .argument_types = {},
                  .return_type = kAnyType,
                  .kernel = &MakeRow,
                  .description = "The struct of the arguments, its fields named f1, f2 and so on.",
                  .example = "row(1, 'a')",
                  .varargs = kAnyType,
                  .bind = &BindRow,
                  .nulls = NullHandling::kSpecial,
                  .can_fail = false,
                  .any_types = true});
  list.push_back({.name = "struct_extract",
                  .argument_types = {kAnyType, TypeId::kVarchar},
                  .return_type = kAnyType,
                  .kernel = &Extract,
                  .description = "A field of a struct, as (s).name.",
                  .example = "struct_extract(struct_pack(a := 1, b := 2), 'b')",
                  .bind = &BindExtract,
                  .nulls = NullHandling::kSpecial,
                  .can_fail = false,
                  .any_types = true});
  list.push_back(list.back());
  list.back().name = "struct_extract_at";
  list.back().argument_types = {kAnyType, TypeId::kBigInt};
  list.back().description = "A field of a struct by its position, counted from 1.";
  list.back().example = "struct_extract_at({'a': 1, 'b': 2}, 2)";
  list.back().bind = &BindExtractAt;
  AddUnionFunctions(list);
  return list;
}

}  // namespace scaup
