// Transforms CHECKPOINT, VACUUM, ANALYZE, EXPORT DATABASE and IMPORT DATABASE.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

void ReadVacuumOption(const StatementText& text, TreeNode wrapped, ast::VacuumStatement& vacuum) {
  const int64_t location = wrapped["DefElem"].Integer("location");
  const ast::CopyOption option = TransformOption(text, wrapped);
  const char* statement = vacuum.vacuum ? "VACUUM" : "ANALYZE";
  if (option.name == "verbose") {
    OptionIsOn(text, option, location);
  } else if (option.name == "full" && vacuum.vacuum) {
    vacuum.full = OptionIsOn(text, option, location);
  } else if (option.name == "analyze" && vacuum.vacuum) {
    vacuum.analyze = OptionIsOn(text, option, location);
  } else if (option.name == "materialize" && vacuum.vacuum) {
    vacuum.materialize = OptionIsOn(text, option, location);
  } else {
    Refuse(text, fmt::format("{}'s option {}", statement, option.name), location);
  }
}

/// Transforms the COPY statement of a rewritten EXPORT or IMPORT.
std::unique_ptr<ast::CopyStatement> TransformRewritten(const StatementText& text, TreeNode wrapped) {
  ast::StatementPtr copy = TransformCopy(text, wrapped["CopyStmt"]);
  return std::unique_ptr<ast::CopyStatement>(static_cast<ast::CopyStatement*>(copy.release()));
}

}  // namespace

ast::StatementPtr TransformCheckpoint(const StatementText&, TreeNode) {
  return std::make_unique<ast::CheckpointStatement>();
}

ast::StatementPtr TransformVacuum(const StatementText& text, TreeNode body) {
  auto vacuum = std::make_unique<ast::VacuumStatement>();
  vacuum->vacuum = body.Flag("is_vacuumcmd");
  vacuum->analyze = !vacuum->vacuum;
  for (const TreeNode& option : body.Items("options")) ReadVacuumOption(text, option, *vacuum);
  if (vacuum->materialize) vacuum->vacuum = false;
  for (const TreeNode& item : body.Items("rels")) {
    const TreeNode relation = item["VacuumRelation"];
    ast::VacuumTarget& target = vacuum->targets.emplace_back();
    TransformRangeVar(text, relation["relation"], target.table);
    target.columns = relation.Strings("va_cols");
    if (!target.columns.empty() && !vacuum->analyze) {
      SyntaxErrorAt(text, "the ANALYZE option must be given when a column list is",
                    relation["relation"].Integer("location"));
    }
  }
  return vacuum;
}

ast::StatementPtr TransformExportDatabase(const StatementText& text, TreeNode wrapped) {
  const auto copy = TransformRewritten(text, wrapped);
  auto statement = std::make_unique<ast::ExportDatabaseStatement>();
  statement->directory = std::move(copy->path);
  statement->options = std::move(copy->options);
  return statement;
}

ast::StatementPtr TransformImportDatabase(const StatementText& text, TreeNode wrapped) {
  const auto copy = TransformRewritten(text, wrapped);
  auto statement = std::make_unique<ast::ImportDatabaseStatement>();
  statement->directory = std::move(copy->path);
  return statement;
}

}  // namespace scaup
