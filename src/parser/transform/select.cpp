// Transforms SELECT, VALUES, set operations and WITH.
#include "parser/transform/transform.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

using ast::SelectStatement;

namespace {

ast::SetOperation OperationOf(TreeNode body) {
  const std::string_view operation = body.Text("op");
  if (operation == "SETOP_UNION") return ast::SetOperation::kUnion;
  if (operation == "SETOP_INTERSECT") return ast::SetOperation::kIntersect;
  if (operation == "SETOP_EXCEPT") return ast::SetOperation::kExcept;
  return ast::SetOperation::kNone;
}

/// Returns the leftmost plain SELECT or VALUES of nested set operations.
TreeNode Leftmost(TreeNode body) {
  while (!body["withClause"] && OperationOf(body) != ast::SetOperation::kNone) body = body["larg"];
  return body;
}

/// Returns the position of a query's keyword. libpg_query omits it, so it is found before the query's first
/// part.
[[gnu::noinline]] size_t BeginOfQuery(const StatementText& text, TreeNode whole) {
  const TreeNode body = Leftmost(whole);
  int64_t location = -1;
  TokenType keyword = TokenType::kSelect;
  if (const TreeNode with = body["withClause"]) {
    location = with.Items("ctes").front()["CommonTableExpr"].Integer("location");
    keyword = TokenType::kWith;
  } else if (const auto rows = body.Items("valuesLists"); !rows.empty()) {
    const auto first = rows.front()["List"].Items("items");
    location = first.empty() ? -1 : LocationOf(first.front());
    keyword = TokenType::kValues;
  } else if (const auto targets = body.Items("targetList"); !targets.empty()) {
    location = targets.front()["ResTarget"].Integer("location");
    if (location < 0) {  // TABLE t
      location = LocationOf(body.Items("fromClause").front());
      keyword = TokenType::kTable;
    }
  }
  size_t index = text.FindBackward(location, keyword);
  // The first part may begin inside of brackets, as in VALUES ((1) + 2). Then use its own position.
  return index < text.tokens.size() ? text.tokens[index].origin : text.Position(location);
}

bool IsPlainOperand(TreeNode body) {
  return !body["sortClause"] && !body["limitCount"] && !body["limitOffset"] && !body["withClause"] &&
         !body["lockingClause"] && !body["intoClause"];
}

/// Returns whether a UNION was written BY NAME: its left side ends with the operand that marks this.
bool IsByName(const StatementText& text, TreeNode body) {
  if (OperationOf(body) != ast::SetOperation::kUnion || OperationOf(body["larg"]) == ast::SetOperation::kNone)
    return false;
  const std::vector<TreeNode> items = body["larg"]["rarg"].Items("targetList");
  const TreeNode name = items.empty() ? TreeNode() : items[0]["ResTarget"]["val"]["ColumnRef"];
  return name && text.HasMark(name.Integer("location"), TokenMark::kUnionByName);
}

/// Flattens (a UNION b) UNION c into one UNION of three. EXCEPT is not associative. a UNION (b UNION c) stays
/// as written, because in a recursive query the whole right operand is the recursive term.
[[gnu::noinline]] std::vector<TreeNode> FlattenOperands(const StatementText& text, TreeNode body,
                                                        bool by_name) {
  const ast::SetOperation operation = OperationOf(body);
  const bool all = body.Flag("all");
  const auto left_of = [&](TreeNode node) { return by_name ? node["larg"]["larg"] : node["larg"]; };
  std::vector<TreeNode> operands = {body["rarg"]};
  TreeNode first = left_of(body);
  while (operation != ast::SetOperation::kExcept && OperationOf(first) == operation &&
         first.Flag("all") == all && IsPlainOperand(first) && IsByName(text, first) == by_name) {
    operands.push_back(first["rarg"]);
    first = left_of(first);
  }
  operands.push_back(first);
  std::reverse(operands.begin(), operands.end());
  return operands;
}

[[gnu::noinline]] void TransformSetOperation(const StatementText& text, TreeNode body,
                                             SelectStatement& query) {
  query.set_operation = OperationOf(body);
  query.set_all = body.Flag("all");
  query.by_name = IsByName(text, body);
  for (const TreeNode& operand : FlattenOperands(text, body, query.by_name))
    query.operands.push_back(TransformSelect(text, operand));
}

[[gnu::noinline]] void TransformValues(const StatementText& text, TreeNode body, DefaultMarkers defaults,
                                       SelectStatement& query) {
  const std::vector<TreeNode> rows = body.Items("valuesLists");
  query.values.reserve(rows.size());
  for (const TreeNode& row : rows) {
    const std::vector<TreeNode> items = row["List"].Items("items");
    std::vector<ast::ExpressionPtr>& values = query.values.emplace_back();
    values.reserve(items.size());
    for (const TreeNode& item : items) {
      values.push_back(defaults == DefaultMarkers::kAllowed ? TransformValueOrDefault(text, item)
                                                            : TransformExpression(text, item));
    }
  }
}

[[gnu::noinline]] void TransformDistinct(const StatementText& text, TreeNode body, SelectStatement& query) {
  const std::vector<TreeNode> clause = body.Items("distinctClause");
  if (clause.empty()) return;
  query.distinct = true;
  // Plain DISTINCT is a list with one empty node.
  if (clause.front().Body()) query.distinct_on = TransformExpressions(text, body, "distinctClause");
}

[[gnu::noinline]] void TransformFrom(const StatementText& text, TreeNode body, SelectStatement& query) {
  for (const TreeNode& table : body.Items("fromClause")) query.from.push_back(TransformTableRef(text, table));
}

[[gnu::noinline]] ast::GroupingElement::Kind KindOfGrouping(TreeNode body) {
  const std::string_view kind = body.Text("kind");
  if (kind == "GROUPING_SET_ROLLUP") return ast::GroupingElement::Kind::kRollup;
  if (kind == "GROUPING_SET_CUBE") return ast::GroupingElement::Kind::kCube;
  if (kind == "GROUPING_SET_SETS") return ast::GroupingElement::Kind::kSets;
  return ast::GroupingElement::Kind::kExpressions;  // GROUPING_SET_EMPTY
}

[[gnu::noinline]] ast::GroupingElement TransformGroupingElement(const StatementText& text, TreeNode wrapped) {
  CheckStack();
  const auto [tag, body] = wrapped.Unwrap();
  ast::GroupingElement element;
  if (tag == "RowExpr" && body.Text("row_format") != "COERCE_EXPLICIT_CALL") {
    element.position = text.Position(body.Integer("location"));
    element.expressions = TransformExpressions(text, body, "args");
    return element;
  }
  if (tag != "GroupingSet") {
    element.expressions.push_back(TransformExpression(text, wrapped));
    element.position = element.expressions[0]->position;
    return element;
  }
  element.position = text.Position(body.Integer("location"));
  element.kind = KindOfGrouping(body);
  for (const TreeNode& inner : body.Items("content"))
    element.elements.push_back(TransformGroupingElement(text, inner));
  return element;
}

[[gnu::noinline]] void TransformPlainSelect(const StatementText& text, TreeNode body,
                                            SelectStatement& query) {
  TransformDistinct(text, body, query);
  query.items = TransformItems(text, body, "targetList");
  TransformFrom(text, body, query);
  query.where = TransformOptional(text, body["whereClause"]);
  for (const TreeNode& element : body.Items("groupClause")) {
    query.group_by_all = query.group_by_all || IsByAll(text, element);
    if (query.group_by_all) break;
    query.group_by.push_back(TransformGroupingElement(text, element));
  }
  query.group_distinct = body.Flag("groupDistinct");
  query.having = TransformOptional(text, body["havingClause"]);
  if (body["windowClause"]) {
    query.windows = TransformWindowClause(text, body);
    query.qualify = TransformQualify(text, body);
    query.partition = TransformPartition(text, body);
  }
}

/// Transforms a limit; LIMIT ALL and LIMIT NULL mean no limit.
[[gnu::noinline]] ast::ExpressionPtr TransformLimit(const StatementText& text, TreeNode wrapped) {
  if (!wrapped || wrapped["A_Const"].Flag("isnull")) return nullptr;
  return TransformExpression(text, wrapped);
}

/// Returns the percentage of a limit that was written LIMIT n%; otherwise no node.
TreeNode PercentageOf(const StatementText& text, TreeNode wrapped) {
  const TreeNode call = wrapped["FuncCall"];
  const size_t name = call ? text.TokenIndex(call.Integer("location")) : text.tokens.size();
  const bool is_marked = name < text.tokens.size() && text.tokens[name].mark == TokenMark::kPercentLimit;
  return is_marked ? call.Items("args").front() : TreeNode();
}

[[gnu::noinline]] void RefuseUnknownClauses(const StatementText& text, TreeNode body) {
  int64_t location = -1;
  if (const TreeNode into = body["intoClause"]) {
    location = into["rel"].Integer("location");
  }
  RefuseOtherFields(
      text, body, "a query",
      {"distinctClause", "targetList", "fromClause", "whereClause", "groupClause", "groupDistinct",
       "havingClause", "windowClause", "valuesLists", "sortClause", "limitOffset", "limitCount",
       "limitOption", "lockingClause", "withClause", "op", "all", "larg", "rarg"},
      location);
}

[[gnu::noinline]] ast::OrderByItem StartOrderByItem(const StatementText& text, TreeNode sort) {
  ast::OrderByItem item;
  const std::string_view direction = sort.Text("sortby_dir");
  const std::string_view nulls = sort.Text("sortby_nulls");
  if (direction == "SORTBY_USING") Refuse(text, "ORDER BY ... USING", sort.Integer("location"));
  item.descending = direction == "SORTBY_DESC";
  if (nulls == "SORTBY_NULLS_FIRST") item.nulls_first = true;
  if (nulls == "SORTBY_NULLS_LAST") item.nulls_first = false;
  return item;
}

/// Transforms all parts of a WITH query except the query.
[[gnu::noinline]] ast::CommonTableExpression StartCte(const StatementText& text, TreeNode body) {
  ast::CommonTableExpression cte;
  const int64_t location = body.Integer("location");
  RefuseOtherFields(text, body, "WITH",
                    {"ctename", "aliascolnames", "ctematerialized", "ctequery", "search_clause",
                     "cycle_clause", "location"},
                    location);
  cte.position = text.Position(location);
  cte.name = body.Text("ctename");
  cte.column_aliases = body.Strings("aliascolnames");
  const std::string_view materialized = body.Text("ctematerialized");
  if (materialized == "CTEMaterializeAlways") cte.materialized = true;
  if (materialized == "CTEMaterializeNever") cte.materialized = false;
  return cte;
}

}  // namespace

void TransformWith(const StatementText& text, TreeNode with_clause, SelectStatement& query) {
  CheckStack();
  query.with_recursive = with_clause.Flag("recursive");
  for (const TreeNode& cte : with_clause.Items("ctes")) {
    const TreeNode body = cte["CommonTableExpr"];
    query.with.push_back(StartCte(text, body));
    const TreeNode statement = body["ctequery"];
    if (statement.Tag() == "SelectStmt") {
      query.with.back().query = TransformQuery(text, statement);
      TransformSearchAndCycle(text, body, query.with.back());
    } else {
      query.with.back().change = TransformChange(text, statement);
    }
  }
}

[[gnu::noinline]] std::vector<ast::SelectItem> TransformItems(const StatementText& text, TreeNode body,
                                                              std::string_view key) {
  const std::vector<TreeNode> targets = body.Items(key);
  std::vector<ast::SelectItem> items;
  items.reserve(targets.size());
  for (const TreeNode& target : targets) {
    const TreeNode item = target["ResTarget"];
    items.emplace_back().alias = item.Text("name");
    items.back().expression = TransformExpression(text, item["val"]);
  }
  return items;
}

bool IsByAll(const StatementText& text, TreeNode wrapped) {
  const TreeNode column = wrapped["ColumnRef"];
  return column && text.HasMark(column.Integer("location"), TokenMark::kByAll);
}

std::vector<ast::OrderByItem> TransformOrderBy(const StatementText& text, TreeNode body,
                                               std::string_view key) {
  const std::vector<TreeNode> sorts = body.Items(key);
  std::vector<ast::OrderByItem> items;
  items.reserve(sorts.size());
  for (const TreeNode& wrapped : sorts) {
    const TreeNode sort = wrapped["SortBy"];
    items.push_back(StartOrderByItem(text, sort));
    if (IsByAll(text, sort["node"])) {
      if (key != "sortClause")
        SyntaxErrorAt(text, "ORDER BY ALL is only allowed for a whole query", LocationOf(sort["node"]));
      items.back().is_all = true;
      continue;
    }
    items.back().expression = TransformExpression(text, sort["node"]);
  }
  return items;
}

std::unique_ptr<SelectStatement> TransformSelect(const StatementText& text, TreeNode body,
                                                 DefaultMarkers defaults) {
  CheckStack();
  RefuseUnknownClauses(text, body);
  auto query = std::make_unique<SelectStatement>();
  query->position = BeginOfQuery(text, body);
  if (const TreeNode with_clause = body["withClause"]) TransformWith(text, with_clause, *query);
  if (OperationOf(body) != ast::SetOperation::kNone) {
    TransformSetOperation(text, body, *query);
  } else if (body["valuesLists"]) {
    TransformValues(text, body, defaults, *query);
  } else {
    TransformPlainSelect(text, body, *query);
  }
  if (body["sortClause"]) query->order_by = TransformOrderBy(text, body, "sortClause");
  const TreeNode percentage = PercentageOf(text, body["limitCount"]);
  query->limit_is_percent = static_cast<bool>(percentage);
  query->limit = TransformLimit(text, percentage ? percentage : body["limitCount"]);
  query->offset = TransformLimit(text, body["limitOffset"]);
  query->with_ties = body.Text("limitOption") == "LIMIT_OPTION_WITH_TIES";
  TransformRowLocks(text, body, *query);
  return query;
}

std::unique_ptr<SelectStatement> TransformQuery(const StatementText& text, TreeNode wrapped,
                                                DefaultMarkers defaults) {
  const TreeNode body = wrapped["SelectStmt"];
  if (!body) Refuse(text, "this kind of statement as a query", -1);
  return TransformSelect(text, body, defaults);
}

}  // namespace scaup
