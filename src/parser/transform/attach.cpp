// ATTACH, DETACH and USE, from the statements in whose form the grammar gets them.
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

template <typename Statement>
std::unique_ptr<Statement> As(ast::StatementPtr statement) {
  return std::unique_ptr<Statement>(static_cast<Statement*>(statement.release()));
}

}  // namespace

ast::StatementPtr TransformAttach(const StatementText& text, TreeNode wrapped) {
  const auto copy = As<ast::CopyStatement>(TransformCopy(text, wrapped["CopyStmt"]));
  auto attach = std::make_unique<ast::AttachStatement>();
  attach->path = std::move(copy->path);
  // Without AS the form has one name, which stands for nothing.
  if (!copy->table.schema.empty()) attach->name = std::move(copy->table.name);
  attach->if_not_exists = text.if_not_exists;
  attach->options = std::move(copy->options);
  return attach;
}

ast::StatementPtr TransformDetach(const StatementText& text, TreeNode wrapped) {
  const auto drop = As<ast::DropStatement>(TransformDrop(text, wrapped["DropStmt"]));
  auto detach = std::make_unique<ast::DetachStatement>();
  detach->name = std::move(drop->names.at(0).name);
  detach->if_exists = drop->if_exists;
  return detach;
}

ast::StatementPtr TransformUse(const StatementText& text, TreeNode wrapped) {
  const auto drop = As<ast::DropStatement>(TransformDrop(text, wrapped["DropStmt"]));
  auto use = std::make_unique<ast::UseStatement>();
  use->name = std::move(drop->names.at(0));
  return use;
}

ast::StatementPtr TransformCopyDatabase(const StatementText& text, TreeNode wrapped) {
  const auto drop = TransformDrop(text, wrapped["DropStmt"]);
  const auto& names = drop->As<ast::DropStatement>().names;
  auto copy = std::make_unique<ast::CopyDatabaseStatement>();
  copy->source.name = names.at(0).name;
  copy->source.position = names.at(0).position;
  copy->target.name = names.at(1).name;
  copy->target.position = names.at(1).position;
  return copy;
}

}  // namespace scaup
