// Makes maps: MAP {k: v}, map(keys, values), map_from_entries, map_concat.
#include <unordered_map>

#include "common/throw.hpp"
#include "function/scalar/nested/map_binding.hpp"
#include "function/text_account.hpp"
#include "type/type_name.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {
namespace {

/// The map of alternating keys and values.
void PackMap(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType &key = MapKeyType(call.return_type), &mapped = MapValueType(call.return_type);
  const size_t count = arguments.size();
  const SlotAppender append_key = FindSlotAppender(key), append_value = FindSlotAppender(mapped);
  std::vector<UnifiedView> views;
  for (Vector& argument : arguments.columns()) views.push_back(argument.View(count));
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    slots.clear();
    for (size_t i = 0; i + 1 < views.size(); i += 2) {
      slots += kSlotValue;
      append_key(key, views[i], row, slots);
      append_value(mapped, views[i + 1], row, slots);
      account.Note(slots);
    }
    CheckMapKeys(call.return_type, slots);
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindPack(ScalarFunction& function, std::span<const BindArgument> arguments) {
  if (arguments.size() % 2 != 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               function.name + " takes keys and values in turn, as in " + function.name + "('a', 1, 'b', 2)");
  }
  LogicalType key, mapped;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    key = MapPartType(function, arguments, key, arguments[i].type);
    mapped = MapPartType(function, arguments, mapped, arguments[i + 1].type);
  }
  // A map without entries, or of NULLs alone, takes its types from what it is used for.
  if (key.id() == TypeId::kNull && !arguments.empty()) key = TypeId::kVarchar;
  if (mapped.id() == TypeId::kNull && !arguments.empty()) mapped = TypeId::kVarchar;
  for (size_t i = 0; i < arguments.size(); i++) function.argument_types[i] = i % 2 == 0 ? key : mapped;
  function.return_type = LogicalType::Map(key, mapped);
  return nullptr;
}

/// The map of a list of keys and one of values.
void ZipMap(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType &key = MapKeyType(call.return_type), &mapped = MapValueType(call.return_type);
  const size_t count = arguments.size();
  const auto values = arguments.column(1).ViewAs<StringRef>(count);
  TextAccount account(call.context);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view keys, std::string& slots) {
    if (!values.IsValid(row)) return false;
    std::string_view rest = values[row].view();
    while (!keys.empty() && !rest.empty()) {
      const std::string_view slot = TakeSlot(key, keys);
      AppendMapEntry(slot, TakeSlot(mapped, rest), slots);
      account.Note(slots);
    }
    if (!keys.empty() || !rest.empty()) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                 "a map needs as many keys as values, but the lists of them differ in length");
    }
    CheckMapKeys(call.return_type, slots);
    return true;
  });
}

std::unique_ptr<FunctionData> BindZipMap(ScalarFunction& function, std::span<const BindArgument> arguments) {
  LogicalType parts[2];
  for (size_t i = 0; i < 2; i++) {
    parts[i] =
        arguments[i].type.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : arguments[i].type.element();
    function.argument_types[i] = LogicalType::List(parts[i]);
  }
  function.return_type = LogicalType::Map(parts[0], parts[1]);
  return nullptr;
}

/// A map's bytes are those of the list of its entries.
void FromEntries(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view list, std::string& slots) {
                CheckMapKeys(call.return_type, list);
                slots = list;
                return true;
              });
}

std::unique_ptr<FunctionData> BindFromEntries(ScalarFunction& function,
                                              std::span<const BindArgument> arguments) {
  LogicalType type = arguments[0].type;
  if (type.id() == TypeId::kNull)
    type = LogicalType::List(LogicalType::Map(TypeId::kVarchar, TypeId::kVarchar).element());
  const LogicalType entry = IsPlainList(type) ? type.element() : TypeId::kNull;
  if (entry.id() != TypeId::kStruct || entry.fields().size() != 2) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedFunction,
        "map_from_entries needs a list of structs of two fields, the key and the value, not a value of "
        "type " +
            PostgresTypeName(arguments[0].type));
  }
  function.argument_types[0] = type;
  function.return_type = LogicalType::Map(entry.fields()[0].type, entry.fields()[1].type);
  return nullptr;
}

/// The entries of all maps: of a key that comes in several, the last value, at the place of the first.
void ConcatMaps(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::vector<TypedView<StringRef>> maps;
  for (Vector& argument : arguments.columns()) maps.push_back(argument.ViewAs<StringRef>(count));
  auto* out = result.MutableData<StringRef>();
  std::vector<MapEntry> entries;
  std::unordered_map<std::string_view, size_t> places;
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    entries.clear();
    places.clear();
    bool is_null = true;
    for (const auto& map : maps) {
      if (!map.IsValid(row)) continue;
      is_null = false;
      for (std::string_view bytes = map[row].view(); !bytes.empty();) {
        const MapEntry entry = TakeMapEntry(call.return_type, bytes);
        const auto [place, is_new] = places.try_emplace(entry.key, entries.size());
        if (is_new) {
          entries.push_back(entry);
        } else {
          entries[place->second].value = entry.value;
        }
      }
    }
    if (is_null) {
      result.SetNull(row);
      continue;
    }
    slots.clear();
    for (const MapEntry& entry : entries) {
      AppendMapEntry(entry.key, entry.value, slots);
      account.Note(slots);
    }
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindConcatMaps(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  LogicalType common;
  for (const BindArgument& argument : arguments)
    common = MapPartType(function, arguments, common, argument.type);
  if (common.id() == TypeId::kNull) common = LogicalType::Map(TypeId::kVarchar, TypeId::kVarchar);
  function.argument_types.assign(arguments.size(), common);
  function.return_type = common;
  return nullptr;
}

}  // namespace

ScalarFunctionList MapMakeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel, ScalarBind bind,
                       const char* description, const char* example) -> ScalarFunction& {
    list.push_back(MakeNestedFunction(name, std::move(types), kAnyType, kernel, bind, description, example));
    list.back().can_fail = true;
    return list.back();
  };
  const LogicalType any_list = LogicalType::List(kAnyType);
  const char* pack = "The map of keys and values in turn, as MAP {'a': 1, 'b': 2}.";
  add(kMapPackFunction, {}, &PackMap, &BindPack, pack, "map_pack('a', 1, 'b', 2)").varargs = kAnyType;
  add(kMapPackFunction, {}, &PackMap, &BindPack, "The map without entries, as MAP {}.", "map_pack()");
  add("map", {}, &PackMap, &BindPack, "The map without entries, as MAP {}.", "map()");
  add("map", {any_list, any_list}, &ZipMap, &BindZipMap,
      "The map of a list of keys, unique and not NULL, and one of values.",
      "map(ARRAY['a', 'b'], ARRAY[1, 2])");
  add("map_from_entries", {kAnyType}, &FromEntries, &BindFromEntries,
      "The map of a list of structs of key and value.", "map_from_entries(ARRAY[('a', 1), ('b', 2)])");
  add("map_concat", {AnyMapType()}, &ConcatMaps, &BindConcatMaps,
      "The entries of all maps; of a key that several have, the value of the last one.",
      "map_concat(MAP {'a': 1, 'b': 2}, MAP {'b': 3})")
      .varargs = AnyMapType();
  return list;
}

}  // namespace scaup
