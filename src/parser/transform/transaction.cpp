// Transforms BEGIN, COMMIT, ROLLBACK, savepoints and SET TRANSACTION.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "common/throw.hpp"

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

/// The settings that are modes of transactions.
struct ModeSetting {
  std::string_view name;
  bool is_isolation;
  bool is_default;  // of the session's next transactions
};
constexpr ModeSetting kModeSettings[] = {
    {"transaction_isolation", true, false},
    {"transaction_read_only", false, false},
    {"default_transaction_isolation", true, true},
    {"default_transaction_read_only", false, true},
};

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

/// Returns the value of a switch; nothing if it is none.
std::optional<bool> SwitchOf(std::string_view text) {
  for (const std::string_view on : {"on", "true", "yes", "1"}) {
    if (text == on) return true;
  }
  for (const std::string_view off : {"off", "false", "no", "0"}) {
    if (text == off) return false;
  }
  return std::nullopt;
}

}  // namespace

bool IsTransactionMode(std::string_view setting) {
  return std::any_of(std::begin(kModeSettings), std::end(kModeSettings),
                     [&](const ModeSetting& known) { return known.name == LowerCase(setting); });
}

ast::StatementPtr TransformSetMode(const StatementText& text, std::string_view setting,
                                   const std::vector<std::string>& values) {
  SCAUP_ASSERT(IsTransactionMode(setting));
  const ModeSetting& mode =
      *std::find_if(std::begin(kModeSettings), std::end(kModeSettings),
                    [&](const ModeSetting& known) { return known.name == LowerCase(setting); });
  auto transaction = std::make_unique<ast::TransactionStatement>();
  transaction->action = mode.is_default ? Action::kSetSessionDefault : Action::kSetTransaction;
  // RESET and TO DEFAULT.
  const bool is_reset = values.empty() || LowerCase(values[0]) == "default";
  const std::string value = is_reset ? (mode.is_isolation ? "serializable" : "off") : LowerCase(values[0]);
  if (mode.is_isolation) {
    for (const LevelName& level : kLevels) {
      if (level.name == value) transaction->isolation = level.level;
    }
  } else {
    transaction->read_only = SwitchOf(value);
  }
  if (values.size() > 1 || !(transaction->isolation || transaction->read_only)) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("invalid value for setting \"{}\": \"{}\"; it must be {}", mode.name,
                           fmt::join(values, ", "),
                           mode.is_isolation ? "serializable, repeatable read, read committed or read "
                                               "uncommitted"
                                             : "on or off"),
               text.Location(1));
  }
  return transaction;
}

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

ast::StatementPtr TransformSetConstraints(const StatementText& text, TreeNode body) {
  auto set = std::make_unique<ast::SetConstraintsStatement>();
  for (const TreeNode& name : body.Items("constraints"))
    TransformRangeVar(text, name["RangeVar"], set->constraints.emplace_back());
  set->is_deferred = body.Flag("deferred");
  return set;
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
