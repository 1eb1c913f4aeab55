// Transforms BEGIN, COMMIT, ROLLBACK, savepoints and SET TRANSACTION.
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

using Action = ast::TransactionStatement::Action;

struct KindOfAction {
  std::string_view kind;
  Action action;
};
constexpr KindOfAction kActions[] = {
    {"TRANS_STMT_BEGIN", Action::kBegin},         {"TRANS_STMT_START", Action::kBegin},
    {"TRANS_STMT_COMMIT", Action::kCommit},       {"TRANS_STMT_ROLLBACK", Action::kRollback},
    {"TRANS_STMT_SAVEPOINT", Action::kSavepoint}, {"TRANS_STMT_ROLLBACK_TO", Action::kRollbackTo},
    {"TRANS_STMT_RELEASE", Action::kRelease},
};

struct LevelName {
  std::string_view name;
  IsolationLevel level;
};
constexpr LevelName kLevels[] = {
    {"read uncommitted", IsolationLevel::kReadUncommitted},
    {"read committed", IsolationLevel::kReadCommitted},
    {"repeatable read", IsolationLevel::kRepeatableRead},
    {"serializable", IsolationLevel::kSerializable},
};

/// Reads transaction modes. If one is given twice, the last counts, as in PostgreSQL.
void ReadModes(const StatementText& text, TreeNode body, std::string_view key,
               ast::TransactionStatement& transaction) {
  for (const TreeNode& item : body.Items(key)) {
    const TreeNode option = item["DefElem"];
    const std::string_view name = option.Text("defname");
    const TreeNode value = option["arg"]["A_Const"];
    if (name == "transaction_isolation") {
      for (const LevelName& level : kLevels) {
        if (level.name == value["sval"].Text("sval")) transaction.isolation = level.level;
      }
    } else if (name == "transaction_read_only") {
      transaction.read_only = value["ival"].Integer("ival") != 0;
    } else if (value["ival"].Integer("ival") != 0) {
      Refuse(text, "DEFERRABLE", option.Integer("location"));
    }
  }
}

}  // namespace

ast::StatementPtr TransformTransaction(const StatementText& text, TreeNode body) {
  const std::string_view kind = body.Text("kind");
  auto transaction = std::make_unique<ast::TransactionStatement>();
  bool is_known = false;
  for (const KindOfAction& entry : kActions) {
    if (entry.kind != kind) continue;
    transaction->action = entry.action;
    is_known = true;
  }
  if (!is_known) Refuse(text, "a prepared transaction", text.Location(0));
  RefuseOtherFields(text, body, "a transaction statement", {"kind", "options", "savepoint_name"},
                    text.Location(1));
  ReadModes(text, body, "options", *transaction);
  transaction->savepoint = body.Text("savepoint_name");
  return transaction;
}

ast::StatementPtr TransformSetTransaction(const StatementText& text, TreeNode body) {
  const std::string_view name = body.Text("name");
  if (name != "TRANSACTION" && name != "SESSION CHARACTERISTICS")
    Refuse(text, "SET TRANSACTION SNAPSHOT", text.Location(1));
  auto transaction = std::make_unique<ast::TransactionStatement>();
  transaction->action = name == "TRANSACTION" ? Action::kSetTransaction : Action::kSetSessionDefault;
  ReadModes(text, body, "args", *transaction);
  return transaction;
}

}  // namespace scaup
