// Transforms PREPARE, EXECUTE and DEALLOCATE.
#include "parser/transform/transform.hpp"

#include <algorithm>

namespace scaup {

ast::StatementPtr TransformPrepare(const StatementText& text, TreeNode body, ast::StatementPtr statement) {
  auto prepare = std::make_unique<ast::PrepareStatement>();
  RefuseOtherFields(text, body, "PREPARE", {"name", "argtypes", "query"}, -1);
  prepare->name = body.Text("name");
  for (const TreeNode& type : body.Items("argtypes"))
    prepare->types.push_back(TransformTypeName(text, type["TypeName"]));
  statement->position = text.position;
  statement->length = text.length;
  statement->parameter_count = std::max(text.parameter_count, prepare->types.size());
  prepare->statement = std::move(statement);
  prepare->text = text.sql.substr(text.position, text.length);
  return prepare;
}

ast::StatementPtr TransformExecute(const StatementText& text, TreeNode body) {
  auto execute = std::make_unique<ast::ExecuteStatement>();
  RefuseOtherFields(text, body, "EXECUTE", {"name", "params"}, -1);
  execute->name = body.Text("name");
  execute->name_position = text.Position(text.Location(text.FindKeyword("execute", 0) + 1));
  execute->arguments = TransformExpressions(text, body, "params");
  return execute;
}

ast::StatementPtr TransformDeallocate(const StatementText& text, TreeNode body) {
  auto deallocate = std::make_unique<ast::DeallocateStatement>();
  RefuseOtherFields(text, body, "DEALLOCATE", {"name", "isall"}, -1);
  deallocate->name = body.Text("name");
  deallocate->name_position = text.Position(text.Location(text.tokens.size() - 1));
  return deallocate;
}

}  // namespace scaup
