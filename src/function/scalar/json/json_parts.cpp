// Functions of what DuckDB's paths lead to: json_extract, json_extract_string, json_value, json_type,
// json_exists, json_keys, json_array_length. A path with a wildcard, and a list of paths, give lists.
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_layout.hpp"
#include "function/scalar/json/json_path.hpp"
#include "function/scalar/json/json_steps.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

using Part = std::optional<std::string_view>;

bool IsContainerText(std::string_view json) {
  const JsonKind kind = JsonKindOf(json);
  return kind == JsonKind::kArray || kind == JsonKind::kObject;
}

// Makers of results from a part. Those whose result is a text or a list append its bytes to `out` and
// return false for NULL.

struct AsJson {
  static LogicalType Type() { return TypeId::kJson; }
  static bool Make(const Part& part, std::string& out) {
    if (part) AppendCompactJson(*part, out);
    return part.has_value();
  }
};

struct AsText {
  static LogicalType Type() { return TypeId::kVarchar; }
  static bool Make(const Part& part, std::string& out) {
    if (!part) return false;
    if (!IsContainerText(*part)) return AppendJsonAsText(*part, out);
    AppendCompactJson(*part, out);
    return true;
  }
};

struct AsScalar {
  static LogicalType Type() { return TypeId::kVarchar; }
  static bool Make(const Part& part, std::string& out) {
    if (!part || IsContainerText(*part) || JsonKindOf(*part) == JsonKind::kNull) return false;
    out += *part;
    return true;
  }
};

/// The name of the type that a number has in DuckDB.
const char* NumberKind(std::string_view number) {
  const bool is_negative = number[0] == '-';
  if (is_negative) number.remove_prefix(1);
  constexpr std::string_view kMost[] = {"18446744073709551615", "9223372036854775808"};
  const std::string_view most = kMost[is_negative];
  const bool is_integer = number.find_first_of(".eE") == std::string_view::npos;
  const bool fits = number.size() < most.size() || (number.size() == most.size() && number <= most);
  if (!is_integer || !fits) return "DOUBLE";
  return is_negative ? "BIGINT" : "UBIGINT";
}

struct AsKind {
  static LogicalType Type() { return TypeId::kVarchar; }
  static bool Make(const Part& part, std::string& out) {
    if (!part) return false;
    switch (JsonKindOf(*part)) {
      case JsonKind::kNull: out += "NULL"; break;
      case JsonKind::kBoolean: out += "BOOLEAN"; break;
      case JsonKind::kNumber: out += NumberKind(*part); break;
      case JsonKind::kString: out += "VARCHAR"; break;
      case JsonKind::kArray: out += "ARRAY"; break;
      case JsonKind::kObject: out += "OBJECT"; break;
    }
    return true;
  }
};

/// The names of an object's members; of other values none.
struct AsKeys {
  static LogicalType Type() { return LogicalType::List(TypeId::kVarchar); }
  static bool Make(const Part& part, std::string& out) {
    if (!part) return false;
    if (JsonKindOf(*part) != JsonKind::kObject) return true;
    std::string name;
    for (JsonIterator members(*part); members.Next();) {
      name.clear();
      AppendJsonUnescaped(members.quoted_name(), name);
      AppendStringSlot(name, out);
    }
    return true;
  }
};

struct AsExists {
  using Fixed = uint8_t;
  static LogicalType Type() { return TypeId::kBoolean; }
  static std::optional<Fixed> Get(const Part& part) { return part.has_value(); }
};

/// How many elements an array has; 0 for other values.
struct AsLength {
  using Fixed = int64_t;
  static LogicalType Type() { return TypeId::kBigInt; }
  static std::optional<Fixed> Get(const Part& part) {
    if (!part) return std::nullopt;
    return JsonKindOf(*part) == JsonKind::kArray ? static_cast<int64_t>(JsonLength(*part)) : 0;
  }
};

template <typename As>
concept IsFixed = requires {
  typename As::Fixed;
};

/// Puts what a function makes of a part into a row.
template <typename As>
void PutInRow(const Part& part, size_t row, std::string& bytes, Vector& result) {
  if constexpr (IsFixed<As>) {
    const auto value = As::Get(part);
    if (!value) return result.SetNull(row);
    result.MutableData<typename As::Fixed>()[row] = *value;
  } else {
    bytes.clear();
    if (!As::Make(part, bytes)) return result.SetNull(row);
    result.MutableData<StringRef>()[row] = result.AddString(bytes);
  }
}

/// Appends the same as an element of a list.
template <typename As>
void PutInList(const LogicalType& type, const Part& part, std::string& bytes, std::string& slots) {
  if constexpr (IsFixed<As>) {
    const auto value = As::Get(part);
    value ? AppendFixedSlot(*value, slots) : AppendNullSlot(type, slots);
  } else {
    bytes.clear();
    if (!As::Make(part, bytes)) {
      AppendNullSlot(type, slots);
    } else if (type.IsNested()) {
      AppendNestedSlot(type, bytes, slots);
    } else {
      AppendStringSlot(bytes, slots);
    }
  }
}

template <typename As>
void Whole(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  std::string bytes;
  for (size_t row = 0; row < count; row++) {
    values.IsValid(row) ? PutInRow<As>(TrimJson(values[row].view()), row, bytes, result)
                        : result.SetNull(row);
  }
}

/// Takes paths apart, once per run of rows that share one.
class StepsReader {
 public:
  const JsonSteps& Read(std::string_view path) {
    if (!last_ || *last_ != path) {
      steps_ = JsonSteps::Parse(path);
      last_ = path;
    }
    return steps_;
  }

 private:
  std::optional<std::string> last_;
  JsonSteps steps_;
};

void RequireOneValue(const JsonSteps& steps, std::string_view path) {
  if (!steps.has_wildcard()) return;
  ThrowError(
      ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
      "the JSON path \"" + std::string(path) +
          "\" leads to any number of values; such a path must be a constant, and not in a list of paths");
}

template <typename As>
void AtPath(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto paths = arguments.column(1).ViewAs<StringRef>(count);
  StepsReader reader;
  std::string bytes;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !paths.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const JsonSteps& steps = reader.Read(paths[row].view());
    RequireOneValue(steps, paths[row].view());
    PutInRow<As>(steps.Find(values[row].view()), row, bytes, result);
  }
}

template <typename As>
void AtIndex(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto indexes = arguments.column(1).ViewAs<int64_t>(count);
  std::string bytes;
  for (size_t row = 0; row < count; row++) {
    if (values.IsValid(row) && indexes.IsValid(row)) {
      PutInRow<As>(JsonElement(values[row].view(), indexes[row]), row, bytes, result);
    } else {
      result.SetNull(row);
    }
  }
}

template <typename As>
void AtWildcard(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = call.return_type.element();
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto paths = arguments.column(1).ViewAs<StringRef>(count);
  StepsReader reader;
  std::vector<std::string_view> found;
  std::string bytes, slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !paths.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    reader.Read(paths[row].view()).FindAll(values[row].view(), found);
    slots.clear();
    for (const std::string_view part : found) {
      PutInList<As>(element, part, bytes, slots);
      account.Note(slots);
    }
    result.MutableData<StringRef>()[row] = result.AddString(slots);
  }
}

/// A list of paths: an element for each.
template <typename As>
void AtPaths(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& element = call.return_type.element();
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto lists = arguments.column(1).ViewAs<StringRef>(count);
  std::vector<std::optional<JsonSteps>> paths;
  std::optional<std::string> last;
  std::string bytes, slots;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !lists.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (!last || *last != lists[row].view()) {
      paths.clear();
      for (const auto& path : ReadTexts(lists[row].view())) {
        paths.emplace_back();
        if (path) RequireOneValue(paths.back().emplace(JsonSteps::Parse(*path)), *path);
      }
      last = lists[row].view();
    }
    slots.clear();
    for (const auto& path : paths) {
      path ? PutInList<As>(element, path->Find(values[row].view()), bytes, slots)
           : AppendNullSlot(element, slots);
    }
    result.MutableData<StringRef>()[row] = result.AddString(slots);
  }
}

/// Any value that may be JSON: JSON, JSONB, or text, which is checked.
void BindDocument(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  if (!IsJson(type) && type.id() != TypeId::kVarchar && type.id() != TypeId::kNull) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "function " + function.name + "(" + PostgresTypeName(type) +
                   ", ...) does not exist; it takes JSON, which to_json makes of any value");
  }
  function.argument_types[0] = TypeId::kJson;
}

template <typename As>
std::unique_ptr<FunctionData> BindWhole(ScalarFunction& function, std::span<const BindArgument> arguments) {
  BindDocument(function, arguments);
  return nullptr;
}

/// Chooses the kernel by the path: an index, a list of paths, a constant one with a wildcard, or any other.
template <typename As>
std::unique_ptr<FunctionData> BindParts(ScalarFunction& function, std::span<const BindArgument> arguments) {
  BindDocument(function, arguments);
  const LogicalType& type = arguments[1].type;
  const Value* const path = arguments[1].constant;
  function.return_type = As::Type();
  if (type.IsInteger()) {
    function.argument_types[1] = TypeId::kBigInt;
    function.kernel = &AtIndex<As>;
    return nullptr;
  }
  if (type.id() == TypeId::kList) {
    function.argument_types[1] = LogicalType::List(TypeId::kVarchar);
    function.kernel = &AtPaths<As>;
    function.return_type = LogicalType::List(As::Type());
    return nullptr;
  }
  function.argument_types[1] = TypeId::kVarchar;
  const bool is_text = path != nullptr && !path->is_null() && path->type().id() == TypeId::kVarchar;
  if (is_text && JsonSteps::Parse(path->GetString()).has_wildcard()) {
    function.kernel = &AtWildcard<As>;
    function.return_type = LogicalType::List(As::Type());
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList JsonPartFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, const LogicalType& type, ScalarKernel kernel,
                       ScalarBind bind, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, kAnyType),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = bind,
                    .any_types = true});
  };
  const LogicalType json = TypeId::kJson, text = TypeId::kVarchar;
  const char* extract =
      "What a path, an index or each of a list of paths leads to. Paths: $.a[0], $.a[*], $..a, /a/0, a.";
  add("json_extract", 2, json, &AtPath<AsJson>, &BindParts<AsJson>, extract,
      "json_extract('{\"a\": [1, {\"b\": 2}]}', '$.a[1].b')");
  add("json_extract_string", 2, text, &AtPath<AsText>, &BindParts<AsText>,
      "The same as text, without quotes.", "json_extract_string('{\"a\": \"x\"}', '$.a')");
  add("json_value", 2, text, &AtPath<AsScalar>, &BindParts<AsScalar>,
      "The scalar that a path leads to, as JSON; NULL for arrays, objects and null.",
      "json_value('{\"a\": 1.5}', '$.a')");
  add("json_exists", 2, TypeId::kBoolean, &AtPath<AsExists>, &BindParts<AsExists>,
      "Whether a path leads to a value.", "json_exists('{\"a\": null}', '$.a')");
  const char* kind = "The type of a value: OBJECT, ARRAY, VARCHAR, UBIGINT, BIGINT, DOUBLE, BOOLEAN or NULL.";
  add("json_type", 1, text, &Whole<AsKind>, &BindWhole<AsKind>, kind, "json_type('[1]')");
  add("json_type", 2, text, &AtPath<AsKind>, &BindParts<AsKind>, "The same of what a path leads to.",
      "json_type('[1, -1, 1.5]', '$[*]')");
  const LogicalType texts = LogicalType::List(text);
  add("json_keys", 1, texts, &Whole<AsKeys>, &BindWhole<AsKeys>, "The names of an object's members.",
      "json_keys('{\"a\": 1, \"b\": 2}')");
  add("json_keys", 2, texts, &AtPath<AsKeys>, &BindParts<AsKeys>, "The same of what a path leads to.",
      "json_keys('{\"a\": {\"b\": 2}}', '$.a')");
  add("json_array_length", 2, TypeId::kBigInt, &AtPath<AsLength>, &BindParts<AsLength>,
      "How many elements the array has that a path leads to; 0 for other values.",
      "json_array_length('{\"a\": [1, 2]}', '$.a')");
  // The types are given, so that a literal as the only argument is JSON.
  list.back().argument_types = {json, text};
  list.back().any_types = false;
  return list;
}

}  // namespace scaup
