// Transforms expressions: dispatch by node, and simple nodes.
#include "parser/transform/transform.hpp"

#include "common/running_call.hpp"
#include "common/stack_bound.hpp"

namespace scaup {

using ast::ExpressionPtr;

namespace {

ExpressionPtr TransformColumn(const StatementText& text, TreeNode body) {
  std::vector<std::string> names;
  bool is_star = false;
  for (const TreeNode& field : body.Items("fields")) {
    if (field.Tag() == "A_Star") {
      is_star = true;
    } else {
      names.emplace_back(field["String"].Text("sval"));
    }
  }
  const size_t position = text.Position(body.Integer("location"));
  if (is_star) {
    auto star = std::make_unique<ast::Star>();
    star->position = position;
    star->qualifier = std::move(names);
    return star;
  }
  auto column = std::make_unique<ast::Column>();
  column->position = position;
  column->names = std::move(names);
  return column;
}

ExpressionPtr TransformParameter(const StatementText& text, TreeNode body) {
  auto parameter = std::make_unique<ast::Parameter>();
  parameter->position = text.Position(body.Integer("location"));
  parameter->index = static_cast<size_t>(body.Integer("number")) - 1;
  return parameter;
}

ExpressionPtr TransformBoolean(const StatementText& text, TreeNode body) {
  const std::string_view operation = body.Text("boolop");
  const size_t position = text.Position(body.Integer("location"));
  if (operation == "NOT_EXPR") {
    auto negation = std::make_unique<ast::Not>();
    negation->position = position;
    negation->child = TransformExpression(text, body.Items("args").front());
    return negation;
  }
  auto conjunction = std::make_unique<ast::Conjunction>(operation == "AND_EXPR" ? ast::ExpressionKind::kAnd
                                                                                : ast::ExpressionKind::kOr);
  conjunction->position = position;
  conjunction->children = TransformExpressions(text, body, "args");
  return conjunction;
}

ExpressionPtr TransformNullTest(const StatementText& text, TreeNode body) {
  auto test = std::make_unique<ast::IsNull>();
  test->position = text.Position(body.Integer("location"));
  test->negated = body.Text("nulltesttype") == "IS_NOT_NULL";
  test->child = TransformExpression(text, body["arg"]);
  return test;
}

ExpressionPtr TransformBooleanTest(const StatementText& text, TreeNode body) {
  using Test = ast::BooleanTest::Test;
  auto test = std::make_unique<ast::BooleanTest>();
  test->position = text.Position(body.Integer("location"));
  const std::string_view type = body.Text("booltesttype");
  test->negated = type.starts_with("IS_NOT_");
  test->test = type.ends_with("TRUE") ? Test::kTrue : type.ends_with("FALSE") ? Test::kFalse : Test::kUnknown;
  test->child = TransformExpression(text, body["arg"]);
  return test;
}

ExpressionPtr TransformCase(const StatementText& text, TreeNode body) {
  auto result = std::make_unique<ast::Case>();
  result->position = text.Position(body.Integer("location"));
  result->argument = TransformOptional(text, body["arg"]);
  for (const TreeNode& when : body.Items("args")) {
    const TreeNode branch = when["CaseWhen"];
    ast::Case::Branch& target = result->branches.emplace_back();
    target.condition = TransformExpression(text, branch["expr"]);
    target.result = TransformExpression(text, branch["result"]);
  }
  result->otherwise = TransformOptional(text, body["defresult"]);
  return result;
}

ExpressionPtr TransformSubLink(const StatementText& text, TreeNode body) {
  using Kind = ast::Subquery::Kind;
  const int64_t location = body.Integer("location");
  if (text.HasMark(location, TokenMark::kStarList))
    return TransformStarList(text, body["subselect"]["SelectStmt"]);
  const std::string_view type = body.Text("subLinkType");
  auto subquery = std::make_unique<ast::Subquery>();
  subquery->position = text.Position(location);
  if (type == "EXPR_SUBLINK") {
    subquery->subquery = Kind::kScalar;
  } else if (type == "EXISTS_SUBLINK") {
    subquery->subquery = Kind::kExists;
  } else if (type == "ARRAY_SUBLINK") {
    subquery->subquery = Kind::kArray;
  } else if (type == "ANY_SUBLINK" || type == "ALL_SUBLINK") {
    subquery->subquery = type == "ANY_SUBLINK" ? Kind::kAny : Kind::kAll;
    if (const TreeNode row = body["testexpr"]["RowExpr"]) {
      subquery->rest = TransformExpressions(text, row, "args");
      if (subquery->rest.empty()) Refuse(text, "an empty row", location);
      subquery->child = std::move(subquery->rest.front());
      subquery->rest.erase(subquery->rest.begin());
    } else {
      subquery->child = TransformExpression(text, body["testexpr"]);
    }
    subquery->symbol = body["operName"] ? OperatorSymbol(text, body, "operName") : "=";
  } else {
    Refuse(text, type, location);
  }
  subquery->query = TransformQuery(text, body["subselect"]);
  return subquery;
}

ExpressionPtr RefuseDefault(const StatementText& text, TreeNode body) {
  SyntaxErrorAt(text, "DEFAULT is not allowed in this context", body.Integer("location"));
}

using Transformer = ExpressionPtr (*)(const StatementText&, TreeNode);
struct Entry {
  std::string_view tag;
  Transformer transform;
};

ExpressionPtr TransformCollate(const StatementText& text, TreeNode body) {
  auto collate = std::make_unique<ast::Collate>();
  collate->collation = *TransformCollation(text, body);
  collate->position = collate->collation.position;
  collate->child = TransformExpression(text, body["arg"]);
  return collate;
}

/// Frequent nodes come first, because the list is searched linearly.
constexpr Entry kTransformers[] = {
    {"ColumnRef", TransformColumn},
    {"A_Const", TransformLiteral},
    {"A_Expr", TransformOperator},
    {"FuncCall", TransformFunctionCall},
    {"TypeCast", TransformTypeCast},
    {"BoolExpr", TransformBoolean},
    {"ParamRef", TransformParameter},
    {"SubLink", TransformSubLink},
    {"CaseExpr", TransformCase},
    {"NullTest", TransformNullTest},
    {"CoalesceExpr", TransformCoalesce},
    {"BooleanTest", TransformBooleanTest},
    {"MinMaxExpr", TransformMinMax},
    {"SQLValueFunction", TransformValueFunction},
    {"GroupingFunc", TransformGroupingCall},
    {"NamedArgExpr", TransformNamedArgument},
    {"A_ArrayExpr", TransformArray},
    {"A_Indirection", TransformIndirection},
    {"RowExpr", TransformRow},
    {"CollateClause", TransformCollate},
    {"SetToDefault", RefuseDefault},
};

struct Refusal {
  std::string_view tag;
  std::string_view construct;
};
constexpr Refusal kRefusals[] = {
    {"XmlExpr", "XML"},
    {"XmlSerialize", "XML"},
    {"CurrentOfExpr", "WHERE CURRENT OF"},
    {"MultiAssignRef", "an assignment to a row"},
};

/// Returns the location of the first part of a node that has no location of its own.
int64_t InnerLocation(TreeNode body) {
  for (const char* part : {"arg", "lexpr", "rexpr"}) {
    if (const TreeNode inner = body[part]) return LocationOf(inner);
  }
  return -1;
}

[[noreturn, gnu::noinline]] void RefuseNode(const StatementText& text, TreeNode wrapped) {
  const auto [tag, body] = wrapped.Unwrap();
  const int64_t location = body["location"] ? body.Integer("location") : InnerLocation(body);
  for (const Refusal& refusal : kRefusals) {
    if (refusal.tag == tag) Refuse(text, refusal.construct, location);
  }
  Refuse(text, tag, location);
}

}  // namespace

int64_t LocationOf(TreeNode wrapped) {
  for (TreeNode body = wrapped.Body(); body; body = body["arg"].Body()) {
    if (const int64_t location = body.Integer("location"); location > 0) return location;
    if (const TreeNode type = body["typeName"]) return type.Integer("location");
  }
  return -1;
}

ExpressionPtr TransformExpression(const StatementText& text, TreeNode wrapped) {
  CheckStack();
  RunningCall::CheckInterrupt();
  const auto [tag, body] = wrapped.Unwrap();
  for (const Entry& entry : kTransformers) {
    if (entry.tag == tag) return entry.transform(text, body);
  }
  RefuseNode(text, wrapped);
}

std::optional<ast::Collation> TransformCollation(const StatementText& text, TreeNode body) {
  if (!body) return std::nullopt;
  return ast::Collation{body.Strings("collname"), text.Position(body.Integer("location"))};
}

ExpressionPtr TransformOptional(const StatementText& text, TreeNode wrapped) {
  return wrapped ? TransformExpression(text, wrapped) : nullptr;
}

std::vector<ExpressionPtr> TransformExpressions(const StatementText& text, TreeNode body,
                                                std::string_view key) {
  const std::vector<TreeNode> wrapped = body.Items(key);
  std::vector<ExpressionPtr> expressions;
  expressions.reserve(wrapped.size());
  for (const TreeNode& node : wrapped) expressions.push_back(TransformExpression(text, node));
  return expressions;
}

}  // namespace scaup
