// Names of catalog objects and their OIDs.
#include "function/scalar/catalog/object_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/throw.hpp"
#include "type/pg_type.hpp"
#include "type/schema_name.hpp"
#include "type/text/identifier_text.hpp"
#include "type/text/temporary_name.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr const char* kAlwaysSearchedSchema = "pg_catalog";

/// PostgreSQL's OIDs of its own relations and functions that clients ask for by name.
struct SystemObject {
  const char* name;
  int64_t oid;
};
constexpr SystemObject kSystemRelations[] = {
    {"pg_tablespace", 1213},
    {"pg_type", 1247},
    {"pg_attribute", 1249},
    {"pg_proc", 1255},
    {"pg_class", 1259},
    {"pg_authid", 1260},
    {"pg_auth_members", 1261},
    {"pg_database", 1262},
    {"pg_foreign_server", 1417},
    {"pg_user_mapping", 1418},
    {"pg_foreign_data_wrapper", 2328},
    {"pg_shdescription", 2396},
    {"pg_aggregate", 2600},
    {"pg_am", 2601},
    {"pg_attrdef", 2604},
    {"pg_cast", 2605},
    {"pg_constraint", 2606},
    {"pg_conversion", 2607},
    {"pg_depend", 2608},
    {"pg_description", 2609},
    {"pg_index", 2610},
    {"pg_inherits", 2611},
    {"pg_language", 2612},
    {"pg_largeobject", 2613},
    {"pg_namespace", 2615},
    {"pg_opclass", 2616},
    {"pg_operator", 2617},
    {"pg_rewrite", 2618},
    {"pg_trigger", 2620},
    {"pg_opfamily", 2753},
    {"pg_foreign_table", 3118},
    {"pg_extension", 3079},
    {"pg_policy", 3256},
    {"pg_statistic_ext", 3381},
    {"pg_collation", 3456},
    {"pg_event_trigger", 3466},
    {"pg_enum", 3501},
    {"pg_range", 3541},
    {"pg_ts_dict", 3600},
    {"pg_ts_parser", 3601},
    {"pg_ts_config", 3602},
    {"pg_ts_template", 3764},
    {"pg_subscription", 6100},
    {"pg_publication", 6104},
};
constexpr SystemObject kSystemFunctions[] = {{"array_subscript_handler", 6179}};

constexpr std::string_view kSpaces = " \t\n\r\f";

/// Returns whether the space at a place stands before or after a part of a name.
bool IsEdge(std::string_view text, size_t place) {
  const size_t before = text.find_last_not_of(kSpaces, place);
  const size_t after = text.find_first_not_of(kSpaces, place);
  return before == std::string_view::npos || after == std::string_view::npos || text[before] == '.' ||
         text[after] == '.';
}

/// The functions of types, which stand in pg_type only.
template <typename Visit>
void VisitTypeFunctions(const Visit& visit) {
  const auto add = [&](const PgTypeFunctions& functions) {
    const std::pair<const char*, int64_t> parts[] = {{"in", functions.input},
                                                     {"out", functions.output},
                                                     {"recv", functions.receive},
                                                     {"send", functions.send}};
    for (const auto& [end, oid] : parts) {
      if (oid != 0) visit(std::string(kAlwaysSearchedSchema), std::string(functions.stem) + end, oid);
    }
  };
  for (const PgTypeFunctions& functions : AllPgTypeFunctions()) add(functions);
  add(kPgListFunctions);
  add(kPgEnumFunctions);
}

/// All objects of a kind that have names, in the order in which names without a schema are looked up.
template <typename Visit>
void VisitObjects(ObjectNumber kind, const PgObjects& objects, const Visit& visit) {
  const auto add = [&](PgObjectKind of, const std::string& schema, const std::string& name) {
    visit(schema, name, objects.Oid(of, schema, name));
  };
  switch (kind) {
    case ObjectNumber::kClass:
      for (const SystemObject& relation : kSystemRelations)
        visit(std::string(kAlwaysSearchedSchema), std::string(relation.name), relation.oid);
      for (const TableListing& table : objects.tables()) {
        add(PgObjectKind::kTable, table.schema, table.name);
        for (const IndexListing& index : table.indexes) add(PgObjectKind::kIndex, table.schema, index.name);
      }
      for (const ViewListing& view : objects.views()) add(PgObjectKind::kView, view.schema, view.name);
      for (const SequenceListing& sequence : objects.sequences())
        add(PgObjectKind::kSequence, sequence.schema, sequence.name);
      return;
    case ObjectNumber::kProcedure:
      for (const SystemObject& function : kSystemFunctions)
        visit(std::string(kAlwaysSearchedSchema), std::string(function.name), function.oid);
      VisitTypeFunctions(visit);
      for (const FunctionListing& function : objects.functions())
        visit(function.schema, function.name,
              objects.Oid(PgObjectKind::kFunction, function.schema, function.signature));
      return;
    case ObjectNumber::kType:
      for (const PgType& type : AllPgTypes()) {
        visit(std::string(kAlwaysSearchedSchema), std::string(type.name), type.oid);
        if (type.list_oid != 0)
          visit(std::string(kAlwaysSearchedSchema), std::string("_") + type.name, type.list_oid);
      }
      for (const TypeListing& type : objects.types()) {
        add(PgObjectKind::kType, type.schema, type.name);
        visit(type.schema, "_" + type.name, objects.Oid(PgObjectKind::kTypeList, type.schema, type.name));
      }
      for (const DomainListing& domain : objects.domains())
        add(PgObjectKind::kType, domain.schema, domain.name);
      return;
    case ObjectNumber::kNamespace:
      for (const std::string& schema : objects.schemas())
        visit(std::string(), schema, objects.Oid(PgObjectKind::kSchema, "", schema));
      return;
    case ObjectNumber::kRole: visit(std::string(), std::string(kPgOwner), kPgOwnerOid); return;
    case ObjectNumber::kNone: return;
  }
}

/// Returns the OID of a built-in type by any of its SQL names: "int", "varchar(10)", "text[]".
std::optional<int64_t> FindSqlType(std::string_view text) {
  std::string name;
  for (const char c : text) name.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  const bool is_list = name.ends_with("[]");
  while (name.ends_with("[]")) name.resize(name.size() - 2);
  const size_t bracket = name.find('(');
  if (bracket != std::string::npos && name.ends_with(')')) name.resize(bracket);
  constexpr std::string_view kPrefix = "pg_catalog.";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  const auto found = TypeFromName(name);
  // Names of texts are several types: text, varchar and name.
  for (const PgType& type : AllPgTypes()) {
    if (name == type.name || name == type.display_name || (name == "char" && type.oid == 1042))
      return is_list ? type.list_oid : type.oid;
  }
  if (!found) return std::nullopt;
  const PgType& type = PgTypeOf(*found);
  return is_list ? type.list_oid : type.oid;
}

/// Tells which objects are meant by their names alone: those in the first schema of the search path that has
/// the name. The objects of a function's name are overloads, of which none hides another.
class Visibility {
 public:
  Visibility(ObjectNumber kind, const PgObjects& objects)
      : searched_(objects.searched()), has_overloads_(kind == ObjectNumber::kProcedure) {
    if (has_overloads_) return;
    VisitObjects(kind, objects, [&](const std::string& schema, const std::string& name, int64_t) {
      const size_t place = PlaceOf(schema);
      const auto [first, is_new] = first_.try_emplace(name, place);
      if (!is_new) first->second = std::min(first->second, place);
    });
  }
  bool IsVisible(std::string_view schema, const std::string& name) const {
    if (schema.empty()) return true;  // what is in no schema
    const size_t place = PlaceOf(schema);
    if (place == searched_.size()) return false;
    const auto first = first_.find(name);
    return first == first_.end() || first->second == place;
  }
  /// Returns the name as SQL needs it.
  std::string WrittenName(std::string_view schema, const std::string& name) const {
    if (IsVisible(schema, name)) return IdentifierText(name);
    return IdentifierText(schema) + "." + IdentifierText(name);
  }

 private:
  size_t PlaceOf(std::string_view schema) const {
    const auto is_it = [&](const std::string& one) { return SchemaNamed(one) == SchemaNamed(schema); };
    return static_cast<size_t>(std::find_if(searched_.begin(), searched_.end(), is_it) - searched_.begin());
  }

  const std::vector<std::string>& searched_;
  const bool has_overloads_;
  std::unordered_map<std::string, size_t> first_;
};

std::optional<int64_t> FindNumber(ObjectNumber kind, const PgObjects& objects, std::string_view text) {
  int64_t number = 0;
  const auto digits = std::from_chars(text.data(), text.data() + text.size(), number);
  if (digits.ec == std::errc() && digits.ptr == text.data() + text.size() && number >= 0) return number;
  if (text == "-") return 0;
  if (kind == ObjectNumber::kType) {
    if (const auto built_in = FindSqlType(text)) return built_in;
  }
  std::string_view base = text;
  const bool is_list = kind == ObjectNumber::kType && base.ends_with("[]");
  if (is_list) base.remove_suffix(2);
  // The arguments after the name of a function tell overloads apart, which have the name in common.
  if (kind == ObjectNumber::kProcedure) base = base.substr(0, base.find('('));
  auto wanted = ParseObjectName(base);
  if (!wanted) return std::nullopt;
  if (is_list) wanted->name.insert(0, "_");
  const Visibility visibility(kind, objects);
  std::optional<int64_t> found;
  VisitObjects(kind, objects, [&](const std::string& schema, const std::string& name, int64_t oid) {
    const bool fits =
        (kind == ObjectNumber::kNamespace ? SchemaNamed(name) == SchemaNamed(wanted->name)
                                          : name == wanted->name) &&
        (wanted->schema.empty() ? visibility.IsVisible(schema, name) : SchemaNamed(schema) == wanted->schema);
    if (fits && !found) found = oid;
  });
  return found;
}

[[noreturn]] void ThrowUnknown(ObjectNumber kind, std::string_view text) {
  const auto parsed = ParseObjectName(text);
  const std::string name = !parsed                  ? std::string(text)
                           : parsed->schema.empty() ? parsed->name
                                                    : parsed->schema + "." + parsed->name;
  switch (kind) {
    case ObjectNumber::kClass:
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedTable,
                 fmt::format("relation \"{}\" does not exist", name));
    case ObjectNumber::kProcedure:
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("function \"{}\" does not exist", name));
    case ObjectNumber::kNamespace:
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidSchemaName,
                 fmt::format("schema \"{}\" does not exist", name));
    default: break;
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
             fmt::format("{} \"{}\" does not exist", kind == ObjectNumber::kRole ? "role" : "type", name));
}

struct ObjectData final : FunctionData {
  ObjectNumber kind{};
  bool is_try = false;
};

void NumbersOfNames(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = *static_cast<const ObjectData*>(call.data);
  const PgObjects objects(call.context.listing);
  const auto texts = arguments.column(0).ViewAs<StringRef>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const auto number = texts.IsValid(row) ? FindNumber(data.kind, objects, texts[row].view()) : std::nullopt;
    if (number) {
      result.MutableData<int64_t>()[row] = *number;
    } else if (texts.IsValid(row) && !data.is_try) {
      ThrowUnknown(data.kind, texts[row].view());
    } else {
      result.SetNull(row);
    }
  }
}

void NamesOfNumbers(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = *static_cast<const ObjectData*>(call.data);
  const PgObjects objects(call.context.listing);
  const Visibility visibility(data.kind, objects);
  std::unordered_map<int64_t, std::string> names;
  VisitObjects(data.kind, objects, [&](const std::string& schema, const std::string& name, int64_t oid) {
    names.try_emplace(oid, visibility.WrittenName(schema, name));
  });
  const auto name_of = [&](int64_t number) {
    if (data.kind == ObjectNumber::kType) {
      if (const auto built_in = FormatPgType(number, std::nullopt)) return *built_in;
      if (const auto made = objects.TypeName(number)) return *made;
    }
    const auto found = names.find(number);
    if (found != names.end()) return found->second;
    return number == 0 ? std::string("-") : std::to_string(number);
  };
  MapUnary<int64_t, StringRef>(arguments.column(0), arguments.size(), result,
                               [&](int64_t number) { return result.AddString(name_of(number)); });
}

BoundFunction Make(std::string name, ObjectNumber kind, bool is_try, TypeId from, TypeId to,
                   ScalarKernel kernel) {
  auto data = std::make_shared<ObjectData>();
  data->kind = kind;
  data->is_try = is_try;
  return {ScalarFunction{.name = std::move(name),
                         .argument_types = {from},
                         .return_type = to,
                         .kernel = kernel,
                         .description = "Converts between the name and the OID of an object.",
                         .example = "",
                         .volatility = Volatility::kStable,
                         .can_fail = to == TypeId::kBigInt && !is_try},
          std::move(data)};
}

}  // namespace

std::optional<ParsedObjectName> ParseObjectName(std::string_view text) {
  std::vector<std::string> parts(1);
  bool is_quoted = false;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '"') {
      // Two quotes within quotes are one of the name.
      if (is_quoted && i + 1 < text.size() && text[i + 1] == '"')
        parts.back().push_back(text[++i]);
      else
        is_quoted = !is_quoted;
    } else if (c == '.' && !is_quoted) {
      parts.emplace_back();
    } else if (kSpaces.find(c) != std::string_view::npos && !is_quoted && IsEdge(text, i)) {
      continue;
    } else {
      parts.back().push_back(!is_quoted && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  if (is_quoted || parts.size() > 2 || parts.back().empty()) return std::nullopt;
  return ParsedObjectName{parts.size() == 2 ? std::string(SchemaNamed(parts[0])) : "", parts.back()};
}

// Calls with different data are different calls, and functions are compared by their names.

BoundFunction ObjectNumberFunction(ObjectNumber kind, bool is_try) {
  SCAUP_CHECK(kind != ObjectNumber::kNone);
  return Make(fmt::format("{} {}", is_try ? "find" : "number of", ObjectNumberName(kind)), kind, is_try,
              TypeId::kVarchar, TypeId::kBigInt, &NumbersOfNames);
}

BoundFunction ObjectNameFunction(ObjectNumber kind) {
  SCAUP_CHECK(kind != ObjectNumber::kNone);
  return Make(fmt::format("name of {}", ObjectNumberName(kind)), kind, false, TypeId::kBigInt,
              TypeId::kVarchar, &NamesOfNumbers);
}

std::unordered_map<int64_t, bool> VisibleObjects(ObjectNumber kind, const PgObjects& objects) {
  std::unordered_map<int64_t, bool> visible;
  const Visibility visibility(kind, objects);
  VisitObjects(kind, objects, [&](const std::string& schema, const std::string& name, int64_t oid) {
    visible.try_emplace(oid, visibility.IsVisible(schema, name));
  });
  return visible;
}

}  // namespace scaup
