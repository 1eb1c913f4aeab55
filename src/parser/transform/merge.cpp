// Transforms MERGE.
#include "parser/transform/transform.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns the tokens at which the clauses begin, as libpg_query omits their locations: each WHEN outside of
/// brackets and CASE, from token `begin` to the end of the statement. The statement may itself be in
/// brackets.
std::vector<size_t> ClauseTokens(const StatementText& text, size_t begin) {
  std::vector<size_t> indexes;
  size_t open = 0, cases = 0;
  for (size_t i = begin; i < text.tokens.size(); ++i) {
    const Token& token = text.tokens[i];
    if (token.Is('(')) ++open;
    if (token.Is(')') && open-- == 0) break;
    if (open > 0) continue;
    if (token.type == TokenType::kCase) ++cases;
    if (token.type == TokenType::kEnd && cases > 0) --cases;
    if (token.type == TokenType::kWhen && cases == 0) indexes.push_back(i);
  }
  return indexes;
}

ast::MergeClause TransformClause(const StatementText& text, TreeNode body, size_t token) {
  using Action = ast::MergeClause::Action;
  using Match = ast::MergeClause::Match;
  const int64_t location = text.Location(token);
  RefuseOtherFields(text, body, "MERGE",
                    {"matched", "commandType", "override", "condition", "targetList", "values"}, location);
  ast::MergeClause clause;
  clause.position = text.Position(location);
  clause.match = !body.Flag("matched")             ? Match::kNotMatchedByTarget
                 : text.tokens[token].is_by_source ? Match::kNotMatchedBySource
                                                   : Match::kMatched;
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

/// Transforms the clause into which the dialect step rewrites RETURNING: WHEN NOT MATCHED AND EXISTS (SELECT
/// items) ...
std::vector<ast::SelectItem> TransformReturningClause(const StatementText& text, TreeNode body,
                                                      size_t token) {
  const auto [tag, exists] = body["condition"].Unwrap();
  const TreeNode select = exists["subselect"]["SelectStmt"];
  const std::vector<std::string_view> keys = select.Keys();
  const bool is_list = std::all_of(keys.begin(), keys.end(), [](std::string_view key) {
    return key == "targetList" || key == "limitOption" || key == "op";
  });
  if (tag != "SubLink" || !is_list)
    SyntaxErrorAt(text, "RETURNING takes a list of expressions", text.Location(token));
  return TransformItems(text, select, "targetList");
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
  const std::vector<size_t> tokens =
      ClauseTokens(text, text.TokenIndex(body["relation"].Integer("location")));
  SCAUP_CHECK(tokens.size() == clauses.size());
  for (size_t i = 0; i < clauses.size(); ++i) {
    const TreeNode clause = clauses[i]["MergeWhenClause"];
    if (text.tokens[tokens[i]].is_returning) {
      merge->returning = TransformReturningClause(text, clause, tokens[i]);
    } else {
      merge->clauses.push_back(TransformClause(text, clause, tokens[i]));
    }
  }
  return merge;
}

}  // namespace scaup
