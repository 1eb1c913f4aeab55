// Transforms CREATE FUNCTION and CREATE MACRO, and DROP, ALTER and COMMENT ON of functions.
#include "parser/transform/transform.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/schema_name.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

namespace {

using Create = ast::CreateFunctionStatement;

/// Returns the only text of AS, or of LANGUAGE and the like.
std::string TextOf(const StatementText& text, TreeNode argument, int64_t location) {
  if (const TreeNode single = argument["String"]) return std::string(single.Text("sval"));
  const std::vector<std::string> texts = argument["List"].Strings("items");
  if (texts.size() != 1) Refuse(text, "AS with two texts, which is for functions in C,", location);
  return texts[0];
}

void ReadParameter(const StatementText& text, TreeNode node, size_t name_token, Create& create) {
  ast::FunctionParameter& parameter = create.parameters.emplace_back();
  const std::string_view mode = node.Text("mode");
  parameter.position = text.Position(text.Location(name_token));
  if (mode != "FUNC_PARAM_IN" && mode != "FUNC_PARAM_DEFAULT" && mode != "FUNC_PARAM_TABLE")
    Refuse(text, "OUT, INOUT and VARIADIC of arguments", text.Location(name_token));
  parameter.name = node.Text("name");
  parameter.is_column = mode == "FUNC_PARAM_TABLE";
  const std::vector<std::string> names = node["argType"].Strings("names");
  // The dialect step gives arguments of macros without a type this one.
  if (create.is_macro && names == std::vector<std::string>{"any"}) return;
  parameter.type = TransformTypeName(text, node["argType"]);
  parameter.is_rows = text.HasMark(node["argType"].Integer("location"), TokenMark::kRowsArgument);
  parameter.has_type = true;
}

/// Reads the arguments and the columns of RETURNS TABLE, with the SQL of the defaults.
void ReadParameters(const StatementText& text, TreeNode body, Create& create) {
  const size_t open = text.FindForward(TokenType::kLeftParen);
  const std::vector<size_t> begins = text.ListItems(open + 1);
  size_t index = 0;
  for (const TreeNode& item : body.Items("parameters")) {
    const TreeNode node = item["FunctionParameter"];
    const size_t begin = index < begins.size() ? begins[index] : open;
    ReadParameter(text, node, begin, create);
    if (node["defexpr"]) {
      size_t last = (index + 1 < begins.size() ? begins[index + 1] - 1 : text.Closing(open)) - 1;
      size_t first = begin;
      while (first < last && !text.IsKeyword(first, "default") && !text.tokens[first].Is('=')) first++;
      create.parameters.back().default_text = text.Origin(first + 1, last);
    }
    index++;
  }
}

/// Reads SET batch_rows = n.
void ReadSet(const StatementText& text, TreeNode set, int64_t location, Create& create) {
  if (set.Text("name") != "batch_rows" || set.Text("kind") != "VAR_SET_VALUE")
    Refuse(text, "SET of functions, but for batch_rows,", location);
  create.batch_rows_position = text.Position(location);
  const std::vector<TreeNode> values = set.Items("args");
  const TreeNode number = values.size() == 1 ? values[0]["A_Const"]["ival"] : TreeNode();
  const int64_t rows = number ? number.Integer("ival") : 0;
  if (rows < 1) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kInvalidParameterValue,
               "batch_rows is a number of rows, 1 or more", create.batch_rows_position);
  }
  create.batch_rows = static_cast<uint64_t>(rows);
}

void ReadOption(const StatementText& text, TreeNode option, Create& create) {
  const std::string_view name = option.Text("defname");
  const int64_t location = option.Integer("location");
  const TreeNode argument = option["arg"];
  if (name == "as") {
    create.body = TextOf(text, argument, location);
    create.body_position = text.Position(text.Location(text.TokenIndex(location) + 1));
  } else if (name == "language") {
    create.language = TextOf(text, argument, location);
    create.language_position = text.Position(location);
  } else if (name == "volatility") {
    const std::string volatility = TextOf(text, argument, location);
    create.volatility = volatility == "immutable" ? Create::Volatility::kImmutable
                        : volatility == "stable"  ? Create::Volatility::kStable
                                                  : Create::Volatility::kVolatile;
  } else if (name == "strict") {
    create.is_strict = argument["Boolean"].Flag("boolval");
  } else if (name == "security") {
    if (argument["Boolean"].Flag("boolval")) Refuse(text, "SECURITY DEFINER", location);
  } else if (name == "set") {
    ReadSet(text, argument["VariableSetStmt"], location, create);
  } else if (name != "cost" && name != "rows" && name != "parallel" && name != "leakproof") {
    Refuse(text, "this option of CREATE FUNCTION", location);
  }
}

/// Takes the body of RETURN expression, and of BEGIN ATOMIC query; END, as SQL.
void ReadStandardBody(const StatementText& text, Create& create) {
  const size_t begin = text.FindKeyword("begin", 0);
  if (begin + 1 < text.tokens.size() && text.IsKeyword(begin + 1, "atomic")) {
    size_t last = text.tokens.size() - 2;
    while (last > begin && text.tokens[last].Is(';')) last--;
    create.body = text.Origin(begin + 2, last);
    create.body_position = text.Position(text.Location(begin + 2));
    return;
  }
  const size_t returned = text.FindKeyword("return", 0);
  create.body = "SELECT " + text.OriginBehind(returned);
  create.body_position = text.Position(text.Location(returned + 1));
}

/// Reads a function by its name and the types of its arguments. The tree has no locations.
ast::FunctionName FunctionNameOf(const StatementText& text, TreeNode object, std::string_view kind,
                                 int64_t location) {
  ast::FunctionName function;
  function.kind = kind == "OBJECT_AGGREGATE" ? ast::FunctionKind::kAggregate
                  : kind == "OBJECT_ROUTINE" ? ast::FunctionKind::kRoutine
                                             : ast::FunctionKind::kFunction;
  SetDottedName(text, object.Strings("objname"), location, function.name);
  if (object.Flag("args_unspecified")) return function;
  function.types.emplace();
  for (const TreeNode& type : object.Items("objargs"))
    function.types->push_back(TransformTypeName(text, type["TypeName"]));
  return function;
}

/// Returns the location of the name behind FUNCTION [IF EXISTS].
int64_t FirstName(const StatementText& text, size_t index) {
  if (text.IsKeyword(index, "if")) index += 2;
  return text.Location(index);
}

}  // namespace

ast::StatementPtr TransformCreateFunction(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<Create>();
  const size_t name = text.FindKeyword("function", 0) + 1;
  if (body.Flag("is_procedure")) Refuse(text, "CREATE PROCEDURE", text.Location(1));
  create->is_macro = text.is_macro;
  create->is_aggregate = text.is_aggregate;
  create->or_replace = body.Flag("replace");
  create->if_not_exists = text.if_not_exists;
  SetDottedName(text, body.Strings("funcname"), text.Location(name), create->name);
  if (text.is_temporary) {
    if (!create->name.schema.empty() && !IsTemporarySchema(create->name.schema)) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kInvalidTableDefinition,
                 "cannot create temporary function in non-temporary schema", create->name.position);
    }
    create->name.schema = kTemporarySchema;
  }
  ReadParameters(text, body, *create);
  if (const TreeNode returns = body["returnType"]) {
    create->returns_rows = returns.Flag("setof");
    for (const ast::FunctionParameter& parameter : create->parameters)
      create->returns_rows |= parameter.is_column;
    const bool is_table = !create->parameters.empty() && create->parameters.back().is_column;
    if (!is_table) create->returns = TransformTypeName(text, returns, true);
  }
  for (const TreeNode& option : body.Items("options")) ReadOption(text, option["DefElem"], *create);
  if (body["sql_body"]) {
    if (!create->body.empty())
      SyntaxErrorAt(text, "a function has one body: AS, or RETURN, or BEGIN ATOMIC", text.Location(name));
    ReadStandardBody(text, *create);
    if (create->language.empty()) create->language = "sql";
  }
  if (text.is_table_macro) create->returns_rows = true;
  return create;
}

ast::StatementPtr TransformDropFunction(const StatementText& text, TreeNode body) {
  auto drop = std::make_unique<ast::DropFunctionStatement>();
  drop->is_macro = text.is_macro;
  drop->if_exists = body.Flag("missing_ok");
  drop->cascade = body.Text("behavior") == "DROP_CASCADE";
  const std::vector<size_t> begins = text.ListItems(drop->if_exists ? 4 : 2);
  for (const TreeNode& object : body.Items("objects")) {
    const size_t index = std::min(drop->names.size(), begins.size() - 1);
    drop->names.push_back(FunctionNameOf(text, object["ObjectWithArgs"], body.Text("removeType"),
                                         text.Location(begins[index])));
  }
  return drop;
}

ast::StatementPtr TransformAlterFunction(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterFunctionStatement>();
  const std::string_view renamed = body.Text("renameType");
  alter->function = FunctionNameOf(text, body["object"]["ObjectWithArgs"],
                                   renamed.empty() ? body.Text("objectType") : renamed, FirstName(text, 2));
  if (const std::string_view name = body.Text("newname"); !name.empty()) alter->new_name = name;
  if (const std::string_view schema = body.Text("newschema"); !schema.empty())
    alter->new_schema = SchemaNamed(schema);
  return alter;
}

ast::StatementPtr TransformFunctionComment(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterFunctionStatement>();
  alter->function =
      FunctionNameOf(text, body["object"]["ObjectWithArgs"], body.Text("objtype"), text.Location(3));
  alter->comment = body.Text("comment");
  return alter;
}

}  // namespace scaup
