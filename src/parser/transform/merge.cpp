// Turns MERGE into its tree.
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

/// libpg_query leaves out where the clauses begin: at each WHEN outside of brackets and CASE.
std::vector<int64_t> ClauseLocations(const StatementText& text) {
  std::vector<int64_t> locations;
  size_t open = 0, cases = 0;
  for (size_t i = 0; i < text.tokens.size(); ++i) {
    const Token& token = text.tokens[i];
    if (token.Is('(')) ++open;
    if (token.Is(')') && open > 0) --open;
    if (open > 0) continue;
    if (token.type == TokenType::kCase) ++cases;
    if (token.type == TokenType::kEnd && cases > 0) --cases;
    if (token.type == TokenType::kWhen && cases == 0) locations.push_back(token.start);
  }
  return locations;
}

ast::MergeClause TransformClause(const StatementText& text, TreeNode body, int64_t location) {
  using Action = ast::MergeClause::Action;
  RefuseOtherFields(text, body, "MERGE",
                    {"matched", "commandType", "override", "condition", "targetList", "values"}, location);
  ast::MergeClause clause;
  clause.position = text.Position(location);
  clause.matched = body.Flag("matched");
  clause.condition = TransformOptional(text, body["condition"]);
  const std::string_view command = body.Text("commandType");
  if (command == "CMD_UPDATE") {
    clause.action = Action::kUpdate;
    clause.assignments = TransformAssignments(text, body);
  } else if (command == "CMD_DELETE") {
    clause.action = Action::kDelete;
  } else if (command == "CMD_INSERT") {
    clause.action = Action::kInsert;
    TransformTargetColumns(text, body, "targetList", clause.columns, clause.column_positions);
    clause.overriding = TransformOverriding(body);
    for (const TreeNode& value : body.Items("values"))
      clause.values.push_back(TransformValueOrDefault(text, value));
  } else {
    clause.action = Action::kNothing;
  }
  return clause;
}

}  // namespace

ast::StatementPtr TransformMerge(const StatementText& text, TreeNode body) {
  auto merge = std::make_unique<ast::MergeStatement>();
  RefuseOtherFields(text, body, "MERGE",
                    {"relation", "sourceRelation", "joinCondition", "mergeWhenClauses", "withClause"},
                    body["relation"].Integer("location"));
  merge->with = TransformWithInFront(text, body);
  TransformRangeVar(text, body["relation"], merge->table);
  merge->source = TransformTableRef(text, body["sourceRelation"]);
  merge->condition = TransformExpression(text, body["joinCondition"]);
  const std::vector<TreeNode> clauses = body.Items("mergeWhenClauses");
  const std::vector<int64_t> locations = ClauseLocations(text);
  for (size_t i = 0; i < clauses.size(); ++i) {
    const int64_t location = locations.size() == clauses.size() ? locations[i] : int64_t{-1};
    merge->clauses.push_back(TransformClause(text, clauses[i]["MergeWhenClause"], location));
  }
  return merge;
}

}  // namespace scaup
