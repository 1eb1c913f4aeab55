// Transforms PIVOT and UNPIVOT, which the dialect step has written as a cross join with a marked subquery.
#include <utility>

#include "common/throw.hpp"
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

/// Returns the marked subquery of such a join; nothing for any other join.
TreeNode MarkedSubquery(const StatementText& text, TreeNode join, TokenMark& mark) {
  const TreeNode query = join["rarg"]["RangeSubselect"]["subquery"]["SelectStmt"];
  if (!query) return {};
  const std::vector<TreeNode> items = query.Items("targetList");
  const TreeNode name = items.empty() ? TreeNode() : items[0]["ResTarget"]["val"]["ColumnRef"];
  if (!name) return {};
  for (const TokenMark each : {TokenMark::kPivot, TokenMark::kUnpivot, TokenMark::kUnpivotNulls}) {
    mark = each;
    if (text.HasMark(name.Integer("location"), each)) return query;
  }
  return {};
}

ast::SelectItem ItemOf(ast::ExpressionPtr expression, std::string alias) {
  ast::SelectItem item;
  item.expression = std::move(expression);
  item.alias = std::move(alias);
  return item;
}

/// Returns * without the columns that other items use.
ast::SelectItem OtherColumns(size_t position) {
  auto star = std::make_unique<ast::Star>();
  star->position = position;
  star->only_unused = true;
  return ItemOf(std::move(star), "");
}

/// Returns the expressions of a row (a, b), or the expression itself.
std::vector<ast::ExpressionPtr> PartsOf(ast::ExpressionPtr expression) {
  std::vector<ast::ExpressionPtr> parts;
  if (expression->kind == ast::ExpressionKind::kRow) {
    parts = std::move(static_cast<ast::Row&>(*expression).values);
  } else {
    parts.push_back(std::move(expression));
  }
  return parts;
}

/// The items of a subquery in the FROM of the marked one: what the axis is of, then its list.
std::vector<TreeNode> AxisItems(TreeNode axis) {
  return axis["RangeSubselect"]["subquery"]["SelectStmt"].Items("targetList");
}

/// Makes SELECT DISTINCT axis FROM source ORDER BY 1, ..., without NULL if the axis is a single expression.
std::unique_ptr<ast::SelectStatement> ValuesInSource(const StatementText& text, TreeNode source,
                                                     TreeNode of) {
  auto query = std::make_unique<ast::SelectStatement>();
  query->distinct = true;
  query->from.push_back(TransformTableRef(text, source));
  query->position = query->from[0]->position;
  for (ast::ExpressionPtr& part : PartsOf(TransformExpression(text, of))) {
    ast::OrderByItem order;
    auto place = std::make_unique<ast::Literal>();
    place->literal = ast::Literal::Kind::kInteger;
    place->integer = static_cast<int64_t>(query->items.size()) + 1;
    order.expression = std::move(place);
    query->order_by.push_back(std::move(order));
    query->items.push_back(ItemOf(std::move(part), ""));
  }
  if (query->items.size() > 1) return query;
  auto not_null = std::make_unique<ast::IsNull>();
  not_null->child = std::move(PartsOf(TransformExpression(text, of))[0]);
  not_null->negated = true;
  query->where = std::move(not_null);
  return query;
}

ast::PivotAxis TransformAxis(const StatementText& text, TreeNode source, const std::vector<TreeNode>& items) {
  ast::PivotAxis axis;
  const TreeNode of = items[0]["ResTarget"]["val"];
  if (items.size() == 1) {
    axis.found = ValuesInSource(text, source, of);
    return axis;
  }
  if (const TreeNode link = items[1]["ResTarget"]["val"]["SubLink"];
      items.size() == 2 && link && link.Text("subLinkType") == "EXPR_SUBLINK") {
    axis.found = TransformQuery(text, link["subselect"]);
    return axis;
  }
  for (size_t i = 1; i < items.size(); i++) {
    ast::PivotValue& value = axis.values.emplace_back();
    value.name = items[i]["ResTarget"].Text("name");
    value.parts = PartsOf(TransformExpression(text, items[i]["ResTarget"]["val"]));
  }
  return axis;
}

ast::TableRefPtr TransformPivotTable(const StatementText& text, TreeNode source, TreeNode query) {
  auto pivot = std::make_unique<ast::PivotTable>();
  pivot->grouped = std::make_unique<ast::SelectStatement>();
  ast::SelectStatement& grouped = *pivot->grouped;
  grouped.from.push_back(TransformTableRef(text, source));
  const std::vector<TreeNode> targets = query.Items("targetList");
  pivot->position = grouped.position = text.Position(targets[0]["ResTarget"].Integer("location"));
  grouped.group_by_all = true;
  for (const TreeNode& wrapped : query.Items("groupClause"))
    grouped.items.push_back(ItemOf(TransformExpression(text, wrapped), ""));
  if (grouped.items.empty()) grouped.items.push_back(OtherColumns(pivot->position));
  for (const TreeNode& wrapped : query.Items("fromClause")) {
    const std::vector<TreeNode> items = AxisItems(wrapped);
    pivot->axes.push_back(TransformAxis(text, source, items));
    ast::PivotAxis& axis = pivot->axes.back();
    axis.position = text.Position(items[0]["ResTarget"].Integer("location"));
    for (ast::ExpressionPtr& part : PartsOf(TransformExpression(text, items[0]["ResTarget"]["val"]))) {
      grouped.items.push_back(ItemOf(std::move(part), ""));
      axis.width++;
    }
  }
  for (size_t i = 1; i < targets.size(); i++) {
    pivot->aggregate_names.emplace_back(targets[i]["ResTarget"].Text("name"));
    grouped.items.push_back(
        ItemOf(TransformExpression(text, targets[i]["ResTarget"]["val"]), pivot->aggregate_names.back()));
  }
  return pivot;
}

std::string NameOf(const StatementText& text, TreeNode wrapped) {
  const ast::ExpressionPtr column = TransformExpression(text, wrapped);
  if (column->kind != ast::ExpressionKind::kColumn || column->As<ast::Column>().names.size() != 1)
    SyntaxErrorAt(text, "UNPIVOT takes names for the columns of names and values", LocationOf(wrapped));
  return column->As<ast::Column>().names[0];
}

/// Returns the name that an item of UNPIVOT has in the column of names.
std::string LabelOf(TreeNode item, const std::vector<ast::ExpressionPtr>& parts) {
  if (item["name"]) return std::string(item.Text("name"));
  std::string label;
  for (const ast::ExpressionPtr& part : parts) {
    if (!label.empty()) label += "_";
    label += part->kind == ast::ExpressionKind::kColumn ? part->As<ast::Column>().names.back() : "expression";
  }
  return label;
}

/// Returns whether an item of UNPIVOT is COLUMNS(...), which names as many columns as it stands for.
bool IsColumnsCall(const ast::Expression& part) {
  return part.kind == ast::ExpressionKind::kFunctionCall &&
         part.As<ast::FunctionCall>().name.back() == "columns";
}

/// Makes unnest(ARRAY[elements]).
ast::ExpressionPtr UnnestOf(std::vector<ast::ExpressionPtr> elements, ast::Array::Spread spread,
                            size_t position) {
  auto array = std::make_unique<ast::Array>();
  array->spread = spread;
  array->elements = std::move(elements);
  array->position = position;
  auto call = std::make_unique<ast::FunctionCall>();
  call->name = {"unnest"};
  call->position = position;
  call->arguments.push_back(std::move(array));
  call->argument_names.emplace_back();
  return call;
}

// SELECT * FROM (SELECT other columns, unnest(names) AS n, unnest(values) AS v FROM source) WHERE v IS NOT
// NULL
ast::TableRefPtr TransformUnpivot(const StatementText& text, TreeNode source, TreeNode query,
                                  bool keeps_nulls) {
  const std::vector<TreeNode> targets = query.Items("targetList");
  const std::vector<TreeNode> items = AxisItems(query.Items("fromClause")[0]);
  const size_t position = text.Position(targets[0]["ResTarget"].Integer("location"));
  const size_t value_count = targets.size() - 1;
  std::vector<ast::ExpressionPtr> labels;
  std::vector<std::vector<ast::ExpressionPtr>> columns(value_count);
  for (size_t i = 1; i < items.size(); i++) {
    const TreeNode item = items[i]["ResTarget"];
    std::vector<ast::ExpressionPtr> parts = PartsOf(TransformExpression(text, item["val"]));
    if (parts.size() != value_count)
      SyntaxErrorAt(text, "UNPIVOT needs as many columns for each name as it names values",
                    item.Integer("location"));
    if (parts.size() == 1 && !item["name"] && IsColumnsCall(*parts[0])) {
      labels.push_back(TransformExpression(text, item["val"]));
    } else {
      auto label = std::make_unique<ast::Literal>();
      label->literal = ast::Literal::Kind::kString;
      label->text = LabelOf(item, parts);
      labels.push_back(std::move(label));
    }
    for (size_t part = 0; part < value_count; part++) columns[part].push_back(std::move(parts[part]));
  }
  auto inner = std::make_unique<ast::SelectStatement>();
  inner->position = position;
  inner->from.push_back(TransformTableRef(text, source));
  inner->items.push_back(OtherColumns(position));
  inner->items.push_back(ItemOf(UnnestOf(std::move(labels), ast::Array::Spread::kNames, position),
                                NameOf(text, items[0]["ResTarget"]["val"])));
  auto outer = std::make_unique<ast::SelectStatement>();
  outer->position = position;
  auto present = std::make_unique<ast::Conjunction>(ast::ExpressionKind::kAnd);
  for (size_t part = 0; part < value_count; part++) {
    std::string name = NameOf(text, targets[part + 1]["ResTarget"]["val"]);
    auto column = std::make_unique<ast::Column>();
    column->names = {name};
    column->position = position;
    auto test = std::make_unique<ast::IsNull>();
    test->child = std::move(column);
    test->negated = true;
    test->position = position;
    present->children.push_back(std::move(test));
    inner->items.push_back(
        ItemOf(UnnestOf(std::move(columns[part]), ast::Array::Spread::kValues, position), std::move(name)));
  }
  auto star = std::make_unique<ast::Star>();
  star->position = position;
  outer->items.push_back(ItemOf(std::move(star), ""));
  if (!keeps_nulls)
    outer->where = present->children.size() > 1 ? std::move(present) : std::move(present->children[0]);
  auto derived = std::make_unique<ast::SubqueryTable>();
  derived->position = position;
  derived->query = std::move(inner);
  outer->from.push_back(std::move(derived));
  auto table = std::make_unique<ast::SubqueryTable>();
  table->position = position;
  table->query = std::move(outer);
  return table;
}

}  // namespace

ast::TableRefPtr TransformPivot(const StatementText& text, TreeNode join) {
  TokenMark mark = TokenMark::kNone;
  const TreeNode query = MarkedSubquery(text, join, mark);
  if (!query) return nullptr;
  const TreeNode source = join["larg"];
  ast::TableRefPtr table = mark == TokenMark::kPivot
                               ? TransformPivotTable(text, source, query)
                               : TransformUnpivot(text, source, query, mark == TokenMark::kUnpivotNulls);
  const TreeNode alias = join["rarg"]["RangeSubselect"]["alias"];
  table->alias = alias.Text("aliasname");
  table->column_aliases = alias.Strings("colnames");
  return table;
}

}  // namespace scaup
