// Transforms INSERT.
#include "parser/transform/transform.hpp"

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Transforms the columns of ON CONFLICT (a, b). Their locations come from the tokens; libpg_query omits
/// them.
void TransformConflictTarget(const StatementText& text, TreeNode infer, ast::OnConflict& conflict) {
  const int64_t location = infer.Integer("location");
  conflict.condition = TransformOptional(text, infer["whereClause"]);
  conflict.constraint = infer.Text("conname");
  const std::vector<TreeNode> elements = infer.Items("indexElems");
  const std::vector<size_t> items = text.ListItems(text.TokenIndex(location) + 1);
  for (size_t i = 0; i < elements.size(); ++i) {
    const TreeNode element = elements[i]["IndexElem"];
    const int64_t begin = i < items.size() ? text.Location(items[i]) : location;
    RefuseOtherFields(text, element, "the target of ON CONFLICT",
                      {"name", "expr", "ordering", "nulls_ordering"}, begin);
    if (const TreeNode expression = element["expr"]) {
      conflict.expressions.push_back(TransformExpression(text, expression));
      continue;
    }
    conflict.columns.emplace_back(element.Text("name"));
    conflict.column_positions.push_back(text.Position(begin));
  }
}

std::unique_ptr<ast::OnConflict> TransformOnConflict(const StatementText& text, TreeNode body) {
  auto conflict = std::make_unique<ast::OnConflict>();
  conflict->position = text.Position(body.Integer("location"));
  if (const TreeNode infer = body["infer"]) TransformConflictTarget(text, infer, *conflict);
  conflict->do_update = body.Text("action") == "ONCONFLICT_UPDATE";
  conflict->assignments = TransformAssignments(text, body);
  conflict->where = TransformOptional(text, body["whereClause"]);
  return conflict;
}

/// Returns whether the VALUES after the table's name at `location` was written OBJECT.
bool IsObjectInsert(const StatementText& text, int64_t location) {
  for (size_t i = text.TokenIndex(location); i < text.tokens.size(); ++i) {
    if (text.tokens[i].is_object) return true;
    if (text.tokens[i].Is('(') || text.tokens[i].Is(')')) return false;
  }
  return false;
}

/// Transforms OR REPLACE, OR IGNORE and BY NAME, which are marks of the tokens around the table at
/// `location`.
void TransformInsertForms(const StatementText& text, int64_t location, ast::InsertStatement& insert) {
  const size_t table = text.TokenIndex(location);
  size_t last = table;
  while (last + 2 < text.tokens.size() && text.tokens[last + 1].Is('.')) last += 2;
  if (last + 2 < text.tokens.size() && text.tokens[last + 1].type == TokenType::kAs) last += 2;
  insert.by_name = text.tokens[last].mark == TokenMark::kByName;
  const Token& into = text.tokens[table > 0 ? table - 1 : 0];
  if (into.mark != TokenMark::kOrReplace && into.mark != TokenMark::kOrIgnore) return;
  if (insert.on_conflict)
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "INSERT OR REPLACE and OR IGNORE cannot have ON CONFLICT as well",
               insert.on_conflict->position);
  insert.on_conflict = std::make_unique<ast::OnConflict>();
  insert.on_conflict->position = into.origin;
  insert.on_conflict->replaces = into.mark == TokenMark::kOrReplace;
}

}  // namespace

ast::StatementPtr TransformInsert(const StatementText& text, TreeNode body) {
  auto insert = std::make_unique<ast::InsertStatement>();
  const int64_t location = body["relation"].Integer("location");
  RefuseOtherFields(
      text, body, "INSERT",
      {"relation", "cols", "selectStmt", "override", "withClause", "onConflictClause", "returningList"},
      location);
  insert->with = TransformWithInFront(text, body);
  insert->overriding = TransformOverriding(body);
  TransformRangeVar(text, body["relation"], insert->table);
  TransformTargetColumns(text, body, "cols", insert->columns, insert->column_positions);
  insert->is_object = IsObjectInsert(text, location);
  if (const TreeNode query = body["selectStmt"]) {
    insert->query = TransformQuery(text, query, DefaultMarkers::kAllowed);
  }
  // WITH inside the query, not in front of the INSERT, must not change data.
  for (size_t i = 0; insert->query && i < insert->query->with.size(); i++) {
    if (insert->query->with[i].change) {
      ThrowNotSupported("WITH clause containing a data-modifying statement must be at the top level",
                        insert->query->with[i].position);
    }
  }
  if (const TreeNode conflict = body["onConflictClause"])
    insert->on_conflict = TransformOnConflict(text, conflict);
  TransformInsertForms(text, location, *insert);
  insert->returning = TransformReturning(text, body);
  return insert;
}

}  // namespace scaup
