// Transforms statements: dispatch by node, EXPLAIN, DESCRIBE, and refusal of unknown statements.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

using ast::StatementPtr;

namespace {

StatementPtr TransformNode(const StatementText& text, TreeNode wrapped);

StatementPtr TransformExplain(const StatementText& text, TreeNode body) {
  auto explain = std::make_unique<ast::ExplainStatement>();
  for (const TreeNode& node : body.Items("options")) {
    const int64_t location = node["DefElem"].Integer("location");
    const ast::CopyOption option = TransformOption(text, node);
    if (option.name == "analyze") {
      explain->analyze = OptionIsOn(text, option, location);
    } else if (option.name == "format" && option.has_value) {
      explain->format = option.value;
    } else {
      Refuse(text, fmt::format("EXPLAIN's option {}", option.name), location);
    }
  }
  explain->statement = TransformNode(text, body["query"]);
  return explain;
}

StatementPtr TransformPreparation(const StatementText& text, TreeNode body) {
  return TransformPrepare(text, body, TransformNode(text, body["query"]));
}

StatementPtr TransformDescribe(const StatementText& text, TreeNode wrapped) {
  auto describe = std::make_unique<ast::DescribeStatement>();
  describe->query = TransformQuery(text, wrapped);
  return describe;
}

StatementPtr TransformSelectStatement(const StatementText& text, TreeNode body) {
  return TransformSelect(text, body);
}

StatementPtr RefuseRangeType(const StatementText& text, TreeNode) {
  Refuse(text, "CREATE TYPE ... AS RANGE", -1);
}

using Transformer = StatementPtr (*)(const StatementText&, TreeNode);
struct Entry {
  std::string_view tag;
  Transformer transform;
};
constexpr Entry kTransformers[] = {
    {"SelectStmt", TransformSelectStatement},
    {"InsertStmt", TransformInsert},
    {"UpdateStmt", TransformUpdate},
    {"DeleteStmt", TransformDelete},
    {"MergeStmt", TransformMerge},
    {"LockStmt", TransformLockTable},
    {"ConstraintsSetStmt", TransformSetConstraints},
    {"TruncateStmt", TransformTruncate},
    {"CreateStmt", TransformCreateTable},
    {"CreateTableAsStmt", TransformCreateTableAs},
    {"ViewStmt", TransformCreateView},
    {"CreateSchemaStmt", TransformCreateSchema},
    {"IndexStmt", TransformCreateIndex},
    {"CreateSeqStmt", TransformCreateSequence},
    {"AlterSeqStmt", TransformAlterSequence},
    {"CreateEnumStmt", TransformCreateType},
    {"CreateRangeStmt", RefuseRangeType},
    {"AlterEnumStmt", TransformAlterType},
    {"RefreshMatViewStmt", TransformRefresh},
    {"CreateDomainStmt", TransformCreateDomain},
    {"AlterDomainStmt", TransformAlterDomain},
    {"AlterTableStmt", TransformAlterTable},
    {"RenameStmt", TransformRename},
    {"AlterObjectSchemaStmt", TransformSetSchema},
    {"DropStmt", TransformDrop},
    {"CommentStmt", TransformComment},
    {"CreateFunctionStmt", TransformCreateFunction},
    {"CreateTrigStmt", TransformCreateTrigger},
    {"CopyStmt", TransformCopy},
    {"ExplainStmt", TransformExplain},
    {"VariableSetStmt", TransformSet},
    {"VariableShowStmt", TransformShow},
    {"TransactionStmt", TransformTransaction},
    {"PrepareStmt", TransformPreparation},
    {"ExecuteStmt", TransformExecute},
    {"DeallocateStmt", TransformDeallocate},
    {"DeclareCursorStmt", TransformDeclareCursor},
    {"FetchStmt", TransformFetch},
    {"ClosePortalStmt", TransformCloseCursor},
    {"DiscardStmt", TransformDiscard},
    {"UnlistenStmt", TransformUnlisten},
    {"CheckPointStmt", TransformCheckpoint},
    {"VacuumStmt", TransformVacuum},
};

/// Returns "CREATE VIEW", "UPDATE", ...: up to two keywords at the beginning of the statement.
std::string StatementWords(const StatementText& text) {
  std::string words;
  for (size_t i = 0; i < text.tokens.size() && i < 2 && text.tokens[i].is_keyword; ++i) {
    if (i > 0) words += ' ';
    for (const char c : text.TokenText(i))
      words += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return words.empty() ? "this statement" : words;
}

StatementPtr TransformNode(const StatementText& text, TreeNode wrapped) {
  const auto [tag, body] = wrapped.Unwrap();
  for (const Entry& entry : kTransformers) {
    if (entry.tag == tag) return entry.transform(text, body);
  }
  Refuse(text, StatementWords(text), -1);
}

}  // namespace

StatementPtr TransformStatement(const StatementText& text, TreeNode root) {
  const std::vector<TreeNode> statements = root.Items("stmts");
  if (statements.size() != 1)
    ThrowInternal("the SQL parser returned another number of statements than it was given");
  const TreeNode wrapped = statements.front()["stmt"];
  StatementPtr statement;
  switch (text.form) {
    case StatementForm::kPlain: statement = TransformNode(text, wrapped); break;
    case StatementForm::kDescribe: statement = TransformDescribe(text, wrapped); break;
    case StatementForm::kPragmaSetting:
    case StatementForm::kPragmaFunction: statement = TransformPragma(text, wrapped); break;
    case StatementForm::kSetVariable:
    case StatementForm::kResetVariable: statement = TransformSetVariable(text, wrapped); break;
    case StatementForm::kExportDatabase: statement = TransformExportDatabase(text, wrapped); break;
    case StatementForm::kImportDatabase: statement = TransformImportDatabase(text, wrapped); break;
    case StatementForm::kAttach: statement = TransformAttach(text, wrapped); break;
    case StatementForm::kDetach: statement = TransformDetach(text, wrapped); break;
    case StatementForm::kUse: statement = TransformUse(text, wrapped); break;
    case StatementForm::kCopyDatabase: statement = TransformCopyDatabase(text, wrapped); break;
  }
  statement->position = text.position;
  statement->length = text.length;
  // Parameters within PREPARE and the bodies of functions are not given with the statement.
  const bool has_own = statement->kind == ast::StatementKind::kPrepare ||
                       statement->kind == ast::StatementKind::kCreateFunction;
  statement->parameter_count = has_own ? 0 : text.parameter_count;
  return statement;
}

}  // namespace scaup
