// Access to the entries of maps: m[k], map_extract, map_keys, map_values, map_entries, map_contains,
// cardinality.
#include "common/throw.hpp"
#include "function/scalar/nested/map_binding.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

LogicalType MapPartType(const ScalarFunction& function, std::span<const BindArgument> arguments,
                        const LogicalType& a, const LogicalType& b) {
  const auto both = CommonType(a, b, Meeting::kSideBySide);
  if (both) return *both;
  std::string given;
  for (const BindArgument& argument : arguments)
    given += (given.empty() ? "" : ", ") + PostgresTypeName(argument.type);
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedFunction,
      "function " + function.name + "(" + given + ") does not exist; cast keys and values to one type each");
}

namespace {

struct MapCallData final : FunctionData {
  explicit MapCallData(LogicalType map_in) : map(std::move(map_in)) {}
  LogicalType map;
};
const LogicalType& MapTypeOf(const ScalarCall& call) {
  return static_cast<const MapCallData&>(*call.data).map;
}

/// Finds the value of a key; empty if the map does not have it.
std::string_view FindValue(const LogicalType& map, std::string_view bytes, std::string_view key) {
  while (!bytes.empty()) {
    const MapEntry entry = TakeMapEntry(map, bytes);
    if (entry.key == key) return entry.value;
  }
  return {};
}

/// Calls visit(row, map, slot) with the second argument's slot, for every row in which the map is not NULL;
/// sets the others to NULL.
template <typename Visit>
void ForEachMap(const LogicalType& part, DataChunk& arguments, Vector& result, Visit&& visit) {
  const size_t count = arguments.size();
  const auto maps = arguments.column(0).ViewAs<StringRef>(count);
  const UnifiedView parts = arguments.column(1).View(count);
  const SlotAppender append = FindSlotAppender(part);
  std::string slot;
  for (size_t row = 0; row < count; row++) {
    if (!maps.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    slot.clear();
    append(part, parts, row, slot);
    visit(row, maps[row].view(), std::string_view(slot));
  }
}

void ValueOfKey(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& map = MapTypeOf(call);
  const SlotLoader load = FindSlotLoader(MapValueType(map));
  ForEachMap(MapKeyType(map), arguments, result,
             [&](size_t row, std::string_view bytes, std::string_view key) {
               const std::string_view value = FindValue(map, bytes, key);
               if (value.empty()) {
                 result.SetNull(row);
               } else {
                 load(MapValueType(map), value, result, row);
               }
             });
}

void ListOfKey(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& map = MapTypeOf(call);
  auto* out = result.MutableData<StringRef>();
  ForEachMap(MapKeyType(map), arguments, result,
             [&](size_t row, std::string_view bytes, std::string_view key) {
               out[row] = result.AddString(FindValue(map, bytes, key));
             });
}

/// Whether a map has a key, or a value: NULL for a NULL one.
template <bool kIsKey>
void MapContains(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& map = MapTypeOf(call);
  auto* out = result.MutableData<uint8_t>();
  ForEachMap(kIsKey ? MapKeyType(map) : MapValueType(map), arguments, result,
             [&](size_t row, std::string_view bytes, std::string_view wanted) {
               if (IsNullSlot(wanted)) return result.SetNull(row);
               bool has = false;
               while (!bytes.empty() && !has) {
                 const MapEntry entry = TakeMapEntry(map, bytes);
                 has = (kIsKey ? entry.key : entry.value) == wanted;
               }
               out[row] = has ? 1 : 0;
             });
}

/// Whether a map has a key with a value, which may be NULL.
void MapContainsEntry(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& map = MapTypeOf(call);
  const UnifiedView values = arguments.column(2).View(arguments.size());
  const SlotAppender append = FindSlotAppender(MapValueType(map));
  auto* out = result.MutableData<uint8_t>();
  std::string wanted;
  ForEachMap(MapKeyType(map), arguments, result,
             [&](size_t row, std::string_view bytes, std::string_view key) {
               wanted.clear();
               append(MapValueType(map), values, row, wanted);
               out[row] = FindValue(map, bytes, key) == wanted ? 1 : 0;
             });
}

template <bool kIsKey>
void MapParts(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& map = MapTypeOf(call);
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view bytes, std::string& slots) {
                while (!bytes.empty()) {
                  const MapEntry entry = TakeMapEntry(map, bytes);
                  slots += kIsKey ? entry.key : entry.value;
                }
                return true;
              });
}

void MapEntries(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MakeStrings(arguments.column(0), arguments.size(), result,
              [](size_t, std::string_view bytes, std::string& slots) {
                slots = bytes;
                return true;
              });
}

void CountEntries(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& entry = MapTypeOf(call).element();
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& bytes) {
    return static_cast<int32_t>(CountSlots(entry, bytes.view()));
  });
}

/// The type of a key or value that is looked for: that of the map's if a constant has the same value in it,
/// as 1 has in SMALLINT; otherwise the common one, to which the map is cast.
LogicalType SoughtType(const ScalarFunction& function, std::span<const BindArgument> arguments, size_t index,
                       const LogicalType& own) {
  const BindArgument& sought = arguments[index];
  Value cast, back;
  if (sought.constant != nullptr && !sought.constant->is_null() && own.IsNumeric() &&
      sought.type.IsNumeric() && CastValue(*sought.constant, own, cast) &&
      CastValue(cast, sought.type, back) && back == *sought.constant)
    return own;
  return MapPartType(function, arguments, own, sought.type);
}

/// Resolves the types of a call whose first argument is a map, and further ones, if any, are a key and a
/// value, or a value alone.
LogicalType BindMapArguments(ScalarFunction& function, std::span<const BindArgument> arguments,
                             bool has_key = true) {
  LogicalType map = arguments[0].type;
  if (map.id() == TypeId::kNull) map = AnyMapType();
  LogicalType key = MapKeyType(map), mapped = MapValueType(map);
  const size_t value_index = has_key ? 2 : 1;
  if (has_key && arguments.size() > 1) key = SoughtType(function, arguments, 1, key);
  if (arguments.size() > value_index) mapped = SoughtType(function, arguments, value_index, mapped);
  if (arguments[0].type.id() == TypeId::kNull) {
    if (key.id() == TypeId::kNull) key = TypeId::kVarchar;
    if (mapped.id() == TypeId::kNull) mapped = TypeId::kVarchar;
  }
  map = LogicalType::Map(key, mapped);
  function.argument_types[0] = map;
  if (has_key && arguments.size() > 1) function.argument_types[1] = key;
  if (arguments.size() > value_index) function.argument_types[value_index] = mapped;
  return map;
}

/// The return type of a function of maps.
enum class MapResult : uint8_t { kValue, kValues, kKeys, kEntries, kOther };

template <MapResult kResult, bool kHasKey = true>
std::unique_ptr<FunctionData> BindMap(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType map = BindMapArguments(function, arguments, kHasKey);
  switch (kResult) {
    case MapResult::kValue: function.return_type = MapValueType(map); break;
    case MapResult::kValues: function.return_type = LogicalType::List(MapValueType(map)); break;
    case MapResult::kKeys: function.return_type = LogicalType::List(MapKeyType(map)); break;
    case MapResult::kEntries: function.return_type = LogicalType::List(map.element()); break;
    case MapResult::kOther: break;
  }
  return std::make_unique<MapCallData>(map);
}

}  // namespace

ScalarFunctionList MapAccessFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& return_type,
                       ScalarKernel kernel, ScalarBind bind, const char* description, const char* example) {
    list.push_back(
        MakeNestedFunction(name, std::move(types), return_type, kernel, bind, description, example));
  };
  const LogicalType map = AnyMapType(), truth = TypeId::kBoolean;
  add("map_extract_value", {map, kAnyType}, kAnyType, &ValueOfKey, &BindMap<MapResult::kValue>,
      "The value of a key, as m[k]; NULL if there is none.", "map_extract_value(MAP {'a': 1}, 'a')");
  for (const char* name : {"map_extract", "element_at"}) {
    add(name, {map, kAnyType}, kAnyType, &ListOfKey, &BindMap<MapResult::kValues>,
        "The list of the value of a key; empty if there is none.", "map_extract(MAP {'a': 1}, 'a')");
  }
  add("map_keys", {map}, kAnyType, &MapParts<true>, &BindMap<MapResult::kKeys>, "The keys of a map.",
      "map_keys(MAP {'a': 1, 'b': 2})");
  add("map_values", {map}, kAnyType, &MapParts<false>, &BindMap<MapResult::kValues>, "The values of a map.",
      "map_values(MAP {'a': 1, 'b': 2})");
  add("map_entries", {map}, kAnyType, &MapEntries, &BindMap<MapResult::kEntries>,
      "The entries of a map, as structs of key and value.", "map_entries(MAP {'a': 1, 'b': 2})");
  add("map_contains", {map, kAnyType}, truth, &MapContains<true>, &BindMap<MapResult::kOther>,
      "Whether a map has a key.", "map_contains(MAP {'a': 1}, 'a')");
  add("map_contains_value", {map, kAnyType}, truth, &MapContains<false>, &BindMap<MapResult::kOther, false>,
      "Whether a map has a value.", "map_contains_value(MAP {'a': 1}, 1)");
  add("map_contains_entry", {map, kAnyType, kAnyType}, truth, &MapContainsEntry, &BindMap<MapResult::kOther>,
      "Whether a map has a key with a value.", "map_contains_entry(MAP {'a': 1}, 'a', 1)");
  add("cardinality", {map}, TypeId::kInteger, &CountEntries, &BindMap<MapResult::kOther>,
      "How many entries a map has.", "cardinality(MAP {'a': 1, 'b': 2})");
  return list;
}

}  // namespace scaup
