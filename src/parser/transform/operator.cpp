// Transforms A_Expr nodes: operators, LIKE, BETWEEN, IN, NULLIF, comparisons with lists.
#include "parser/transform/transform.hpp"

#include "common/throw.hpp"

namespace scaup {

using ast::ExpressionPtr;

namespace {

/// Makes an operator without operands. If `symbol` is null, the node has its own.
[[gnu::noinline]] std::unique_ptr<ast::Operator> StartOperator(const StatementText& text, TreeNode body,
                                                               const char* symbol) {
  auto result = std::make_unique<ast::Operator>();
  result->position = text.Position(body.Integer("location"));
  result->symbol = symbol != nullptr ? std::string(symbol) : OperatorSymbol(text, body, "name");
  return result;
}

// --- Rows: (a, b) op (c, d) becomes comparisons of their values.

[[gnu::noinline]] ExpressionPtr CompareValues(const StatementText& text, TreeNode body,
                                              const std::string& symbol, TreeNode left, TreeNode right) {
  auto comparison = std::make_unique<ast::Operator>();
  comparison->position = text.Position(body.Integer("location"));
  comparison->symbol = symbol;
  comparison->left = TransformExpression(text, left);
  comparison->right = TransformExpression(text, right);
  return comparison;
}

[[gnu::noinline]] ExpressionPtr Join(const StatementText& text, TreeNode body, ast::ExpressionKind kind,
                                     std::vector<ExpressionPtr> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  auto conjunction = std::make_unique<ast::Conjunction>(kind);
  conjunction->position = text.Position(body.Integer("location"));
  conjunction->children = std::move(parts);
  return conjunction;
}

/// Makes a < c OR (a = c AND b < d) OR ...: the first values that differ decide.
[[gnu::noinline]] ExpressionPtr OrderRows(const StatementText& text, TreeNode body, const std::string& symbol,
                                          const std::vector<TreeNode>& left,
                                          const std::vector<TreeNode>& right) {
  const std::string strict = symbol.substr(0, 1);
  std::vector<ExpressionPtr> ways;
  for (size_t decides = 0; decides < left.size(); decides++) {
    std::vector<ExpressionPtr> parts;
    for (size_t i = 0; i < decides; i++) parts.push_back(CompareValues(text, body, "=", left[i], right[i]));
    const bool is_last = decides + 1 == left.size();
    parts.push_back(CompareValues(text, body, is_last ? symbol : strict, left[decides], right[decides]));
    ways.push_back(Join(text, body, ast::ExpressionKind::kAnd, std::move(parts)));
  }
  return Join(text, body, ast::ExpressionKind::kOr, std::move(ways));
}

[[gnu::noinline]] ExpressionPtr CompareRows(const StatementText& text, TreeNode body,
                                            const std::string& symbol, TreeNode left_row,
                                            TreeNode right_row) {
  const std::vector<TreeNode> left = left_row.Items("args"), right = right_row.Items("args");
  if (left.size() != right.size())
    SyntaxErrorAt(text, "unequal number of entries in row expressions", body.Integer("location"));
  if (left.empty()) Refuse(text, "a comparison of empty rows", body.Integer("location"));
  if (symbol == "<" || symbol == "<=" || symbol == ">" || symbol == ">=")
    return OrderRows(text, body, symbol, left, right);
  const bool any_decides = symbol == "<>" || symbol == "is distinct from";
  if (!any_decides && symbol != "=" && symbol != "is not distinct from")
    Refuse(text, "the operator " + symbol + " between rows", body.Integer("location"));
  std::vector<ExpressionPtr> parts;
  for (size_t i = 0; i < left.size(); i++)
    parts.push_back(CompareValues(text, body, symbol, left[i], right[i]));
  return Join(text, body, any_decides ? ast::ExpressionKind::kOr : ast::ExpressionKind::kAnd,
              std::move(parts));
}

/// (a, b) IN ((1, 2), (3, 4))
[[gnu::noinline]] ExpressionPtr RowInList(const StatementText& text, TreeNode body, TreeNode row,
                                          bool negated) {
  std::vector<ExpressionPtr> parts;
  for (const TreeNode& item : body["rexpr"]["List"].Items("items")) {
    const TreeNode other = item["RowExpr"];
    if (!other) Refuse(text, "a row compared with what is no row", body.Integer("location"));
    parts.push_back(CompareRows(text, body, negated ? "<>" : "=", row, other));
  }
  return Join(text, body, negated ? ast::ExpressionKind::kAnd : ast::ExpressionKind::kOr, std::move(parts));
}

/// (a, b) op (SELECT x, y ...)
[[gnu::noinline]] ExpressionPtr CompareWithSubquery(const StatementText& text, TreeNode body, TreeNode row,
                                                    TreeNode link) {
  auto subquery = std::make_unique<ast::Subquery>();
  subquery->position = text.Position(body.Integer("location"));
  subquery->subquery = ast::Subquery::Kind::kRow;
  subquery->symbol = OperatorSymbol(text, body, "name");
  subquery->rest = TransformExpressions(text, row, "args");
  if (subquery->rest.empty()) Refuse(text, "a comparison of an empty row", body.Integer("location"));
  subquery->child = std::move(subquery->rest.front());
  subquery->rest.erase(subquery->rest.begin());
  subquery->query = TransformQuery(text, link["subselect"]);
  return subquery;
}

[[gnu::noinline]] ExpressionPtr MakeOperator(const StatementText& text, TreeNode body, const char* symbol) {
  const TreeNode left_row = body["lexpr"]["RowExpr"], right_row = body["rexpr"]["RowExpr"];
  if (left_row && right_row)
    return CompareRows(text, body,
                       symbol != nullptr ? std::string(symbol) : OperatorSymbol(text, body, "name"), left_row,
                       right_row);
  // With IS DISTINCT FROM, the subquery is a single value, as in PostgreSQL.
  const TreeNode link = body["rexpr"]["SubLink"];
  if (left_row && symbol == nullptr && link && link.Text("subLinkType") == "EXPR_SUBLINK")
    return CompareWithSubquery(text, body, left_row, link);
  auto result = StartOperator(text, body, symbol);
  result->left = TransformOptional(text, body["lexpr"]);
  result->right = TransformExpression(text, body["rexpr"]);
  return result;
}

[[gnu::noinline]] ExpressionPtr MakeBetween(const StatementText& text, TreeNode body, std::string_view kind) {
  auto between = std::make_unique<ast::Between>();
  between->position = text.Position(body.Integer("location"));
  between->negated = kind.starts_with("AEXPR_NOT_");
  between->symmetric = kind.ends_with("_SYM");
  between->child = TransformExpression(text, body["lexpr"]);
  const std::vector<TreeNode> bounds = body["rexpr"]["List"].Items("items");
  SCAUP_CHECK(bounds.size() == 2);
  between->low = TransformExpression(text, bounds[0]);
  between->high = TransformExpression(text, bounds[1]);
  return between;
}

[[gnu::noinline]] ExpressionPtr MakeInList(const StatementText& text, TreeNode body, TreeNode list_node,
                                           std::string_view key, bool negated) {
  auto list = std::make_unique<ast::InList>();
  list->position = text.Position(body.Integer("location"));
  list->negated = negated;
  list->child = TransformExpression(text, body["lexpr"]);
  list->values = TransformExpressions(text, list_node, key);
  return list;
}

/// Returns true for !~~ of NOT LIKE and <> of NOT IN.
[[gnu::noinline]] bool IsNegated(const StatementText& text, TreeNode body) {
  const std::string symbol = OperatorSymbol(text, body, "name");
  return symbol.starts_with('!') || symbol == "<>";
}

/// Returns whether the pattern is a call that the grammar has added: for ESCAPE, and always for SIMILAR TO.
[[gnu::noinline]] bool IsEscapeCall(TreeNode wrapped, std::string_view name) {
  const std::vector<std::string> names = wrapped["FuncCall"].Strings("funcname");
  return names.size() == 2 && names[0] == "pg_catalog" && names[1] == name;
}

[[gnu::noinline]] ExpressionPtr MakeLike(const StatementText& text, TreeNode body, ast::Like::Kind kind) {
  auto like = std::make_unique<ast::Like>();
  like->position = text.Position(body.Integer("location"));
  like->like = kind;
  like->negated = IsNegated(text, body);
  like->child = TransformExpression(text, body["lexpr"]);
  const TreeNode pattern = body["rexpr"];
  if (!IsEscapeCall(pattern, kind == ast::Like::Kind::kSimilar ? "similar_to_escape" : "like_escape")) {
    like->pattern = TransformExpression(text, pattern);
    return like;
  }
  const std::vector<TreeNode> arguments = pattern["FuncCall"].Items("args");
  SCAUP_CHECK(!arguments.empty());
  like->pattern = TransformExpression(text, arguments[0]);
  if (arguments.size() > 1) like->escape = TransformExpression(text, arguments[1]);
  return like;
}

[[gnu::noinline]] ExpressionPtr MakeIn(const StatementText& text, TreeNode body) {
  if (const TreeNode row = body["lexpr"]["RowExpr"]) return RowInList(text, body, row, IsNegated(text, body));
  return MakeInList(text, body, body["rexpr"]["List"], "items", IsNegated(text, body));
}

[[gnu::noinline]] ExpressionPtr MakeNullIf(const StatementText& text, TreeNode body) {
  auto call = MakeCall(text, "nullif", body.Integer("location"));
  call->argument_names.resize(2);
  call->arguments.push_back(TransformExpression(text, body["lexpr"]));
  call->arguments.push_back(TransformExpression(text, body["rexpr"]));
  return call;
}

/// x = ANY (ARRAY[a, b]) is x IN (a, b); x <> ALL (ARRAY[a, b]) is x NOT IN (a, b).
[[gnu::noinline]] ExpressionPtr MakeArrayComparison(const StatementText& text, TreeNode body, bool is_any) {
  const TreeNode array = body["rexpr"]["A_ArrayExpr"];
  const std::vector<TreeNode> elements = array.Items("elements");
  const bool is_list = !elements.empty() && elements[0].Tag() != "A_ArrayExpr";
  if (!is_list || OperatorSymbol(text, body, "name") != (is_any ? "=" : "<>"))
    return TransformArrayComparison(text, body, is_any);
  return MakeInList(text, body, array, "elements", !is_any);
}

}  // namespace

std::string OperatorSymbol(const StatementText& text, TreeNode body, std::string_view key) {
  std::vector<std::string> names = body.Strings(key);
  SCAUP_CHECK(!names.empty());
  if (names.size() > 2 || (names.size() == 2 && names[0] != "pg_catalog")) {
    Refuse(text, "an operator of a schema", body.Integer("location"));
  }
  return std::move(names.back());
}

ExpressionPtr TransformOperator(const StatementText& text, TreeNode body) {
  const std::string_view kind = body.Text("kind");
  if (kind == "AEXPR_OP") return MakeOperator(text, body, nullptr);
  if (kind == "AEXPR_DISTINCT") return MakeOperator(text, body, "is distinct from");
  if (kind == "AEXPR_NOT_DISTINCT") return MakeOperator(text, body, "is not distinct from");
  if (kind == "AEXPR_LIKE") return MakeLike(text, body, ast::Like::Kind::kLike);
  if (kind == "AEXPR_ILIKE") return MakeLike(text, body, ast::Like::Kind::kILike);
  if (kind == "AEXPR_SIMILAR") return MakeLike(text, body, ast::Like::Kind::kSimilar);
  if (kind == "AEXPR_IN") return MakeIn(text, body);
  if (kind.find("BETWEEN") != std::string_view::npos) return MakeBetween(text, body, kind);
  if (kind == "AEXPR_OP_ANY") return MakeArrayComparison(text, body, true);
  if (kind == "AEXPR_OP_ALL") return MakeArrayComparison(text, body, false);
  if (kind == "AEXPR_NULLIF") return MakeNullIf(text, body);
  Refuse(text, kind, body.Integer("location"));
}

}  // namespace scaup
