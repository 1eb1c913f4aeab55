// Transforms type names, casts and typed literals.
#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

constexpr std::string_view kSystemSchema = "pg_catalog";

struct IntervalUnit {
  int64_t fields;  ///< PostgreSQL's mask of fields
  const char* name;
};
constexpr int64_t kMonth = 1 << 1, kYear = 1 << 2, kDay = 1 << 3, kHour = 1 << 10, kMinute = 1 << 11,
                  kSecond = 1 << 12, kAllFields = 0x7FFF;
constexpr IntervalUnit kIntervalUnits[] = {
    {kAllFields, ""},
    {kYear, "year"},
    {kMonth, "month"},
    {kDay, "day"},
    {kHour, "hour"},
    {kMinute, "minute"},
    {kSecond, "second"},
    {kYear | kMonth, "year to month"},
    {kDay | kHour, "day to hour"},
    {kDay | kHour | kMinute, "day to minute"},
    {kDay | kHour | kMinute | kSecond, "day to second"},
    {kHour | kMinute, "hour to minute"},
    {kHour | kMinute | kSecond, "hour to second"},
    {kMinute | kSecond, "minute to second"},
};

[[gnu::noinline]] bool IsSystemInterval(TreeNode type) {
  const std::vector<std::string> names = type.Strings("names");
  return names.size() == 2 && names[0] == kSystemSchema && names[1] == "interval";
}

/// Returns the fields of INTERVAL as words; none if there are all.
std::string UnitOf(const StatementText& text, const ast::TypeName& type, int64_t location) {
  if (type.modifiers.empty()) return "";
  for (const IntervalUnit& unit : kIntervalUnits)
    if (unit.fields == type.modifiers[0]) return unit.name;
  Refuse(text, "this unit of INTERVAL", location);
}

[[gnu::noinline]] ast::ExpressionPtr TransformInterval(const StatementText& text, TreeNode type,
                                                       std::string_view value) {
  auto interval = std::make_unique<ast::IntervalLiteral>();
  const int64_t location = type.Integer("location");
  interval->position = text.Position(location);
  interval->text = value;
  ast::TypeName name = TransformTypeName(text, type);
  interval->unit = UnitOf(text, name, location);
  if (name.modifiers.size() < 2) return interval;
  auto cast = std::make_unique<ast::Cast>();
  cast->position = interval->position;
  cast->type = std::move(name);
  cast->child = std::move(interval);
  return cast;
}

[[gnu::noinline]] std::unique_ptr<ast::Cast> StartCast(const StatementText& text, TreeNode type,
                                                       int64_t location) {
  auto cast = std::make_unique<ast::Cast>();
  cast->type = TransformTypeName(text, type);
  cast->position = location < 0 ? cast->type.position : text.Position(location);
  cast->is_try = location >= 0 && !text.tokens.empty() && text.tokens[text.TokenIndex(location)].is_try;
  return cast;
}

constexpr const char* kMapForm = "a map type is written MAP(KEY_TYPE, VALUE_TYPE)";

/// Transforms a field of STRUCT(a INTEGER), which the dialect step writes as struct(a :: INTEGER), or a
/// member of UNION(a INTEGER).
[[gnu::noinline]] ast::FieldType TransformStructField(const StatementText& text, TreeNode wrapped,
                                                      bool is_union) {
  const TreeNode cast = wrapped["TypeCast"];
  const std::vector<std::string> names = cast["arg"]["ColumnRef"].Strings("fields");
  if (names.size() != 1) {
    SyntaxErrorAt(text,
                  is_union ? "a union type is written UNION(name TYPE, ...)"
                           : "a struct type is written STRUCT(name TYPE, ...)",
                  LocationOf(wrapped));
  }
  return {names[0], TransformTypeName(text, cast["typeName"])};
}

/// Transforms a type of MAP(VARCHAR, INTEGER), which the dialect step writes as map(NULL :: VARCHAR, NULL ::
/// INTEGER).
[[gnu::noinline]] ast::FieldType TransformMapPart(const StatementText& text, TreeNode wrapped, size_t index) {
  const TreeNode cast = wrapped["TypeCast"];
  if (!cast["arg"]["A_Const"].Flag("isnull") || index > 1) SyntaxErrorAt(text, kMapForm, LocationOf(wrapped));
  return {index == 0 ? "key" : "value", TransformTypeName(text, cast["typeName"])};
}

}  // namespace

ast::TypeName TransformTypeName(const StatementText& text, TreeNode body, bool may_be_set) {
  ast::TypeName type;
  const int64_t location = body.Integer("location");
  type.position = text.Position(location);
  RefuseOtherFields(
      text, body, "a type name",
      {"names", "typmods", "typemod", "arrayBounds", "location", may_be_set ? "setof" : "names"}, location);
  type.names = body.Strings("names");
  if (type.names.size() > 1 && type.names[0] == kSystemSchema) type.names.erase(type.names.begin());
  if (type.names.size() == 2) type.names[0] = SchemaNamed(type.names[0]);
  const bool is_union = type.names.size() == 1 && type.names[0] == "union";
  const bool is_struct = is_union || (type.names.size() == 1 && type.names[0] == "struct");
  const bool is_map = type.names.size() == 1 && type.names[0] == "map";
  for (const TreeNode& modifier : body.Items("typmods")) {
    if (is_struct) {
      type.fields.push_back(TransformStructField(text, modifier, is_union));
      continue;
    }
    if (is_map) {
      type.fields.push_back(TransformMapPart(text, modifier, type.fields.size()));
      continue;
    }
    const auto [tag, constant] = modifier.Unwrap();
    if (tag != "A_Const" || !constant["ival"]) {
      SyntaxErrorAt(text, "type modifiers must be integer constants", LocationOf(modifier));
    }
    // The grammar writes BIT as BIT(1). Without a length it has none here.
    if (constant.Integer("location") < 0 && type.names.back() == "bit") continue;
    type.modifiers.push_back(IntegerAt(text, constant["ival"].Integer("ival"), constant.Integer("location")));
  }
  if (is_map && type.fields.size() == 1) SyntaxErrorAt(text, kMapForm, location);
  type.array_dimensions = body.Items("arrayBounds").size();
  return type;
}

ast::ExpressionPtr TransformTypeCast(const StatementText& text, TreeNode body) {
  const TreeNode type = body["typeName"];
  const TreeNode argument = body["arg"];
  const int64_t location = body.Integer("location");
  if (IsSystemInterval(type)) {
    const bool is_text = argument["A_Const"] && argument["A_Const"]["sval"];
    // A typed literal, or a cast of a text to some fields, which is the same.
    if (location < 0 || (is_text && !type.Items("typmods").empty()))
      return TransformInterval(text, type, argument.Body()["sval"].Text("sval"));
  }
  auto cast = StartCast(text, type, location);
  cast->child = TransformExpression(text, argument);
  return cast;
}

}  // namespace scaup
