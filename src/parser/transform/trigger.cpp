// Transforms CREATE, DROP and ALTER TRIGGER, and ENABLE and DISABLE TRIGGER of ALTER TABLE.
#include "parser/transform/transform.hpp"

#include <utility>

#include "common/throw.hpp"

namespace scaup {

namespace {

using Mode = ast::AlterAction::TriggerMode;

// Bits of PostgreSQL's pg_trigger.tgtype, which its grammar uses.
constexpr int64_t kBefore = 2;
constexpr int64_t kInsert = 4;
constexpr int64_t kDelete = 8;
constexpr int64_t kUpdate = 16;
constexpr int64_t kTruncate = 32;
constexpr int64_t kInsteadOf = 64;

struct ModeOfAction {
  std::string_view subtype;
  Mode mode;
};
constexpr ModeOfAction kModes[] = {
    {"AT_EnableTrig", Mode::kEnabled},      {"AT_EnableTrigAll", Mode::kEnabled},
    {"AT_EnableTrigUser", Mode::kEnabled},  {"AT_DisableTrig", Mode::kDisabled},
    {"AT_DisableTrigAll", Mode::kDisabled}, {"AT_DisableTrigUser", Mode::kDisabled},
    {"AT_EnableAlwaysTrig", Mode::kAlways}, {"AT_EnableReplicaTrig", Mode::kReplica},
};

void ReadTime(const StatementText& text, TreeNode body, ast::TriggerStatement& create) {
  const int64_t timing = body.Integer("timing"), events = body.Integer("events");
  if (timing == kInsteadOf) {
    Refuse(text, "INSTEAD OF, which is for triggers of views (write to the tables below them),",
           text.Location(text.FindKeyword("instead", 0)));
  }
  if ((events & kTruncate) != 0) Refuse(text, "a trigger ON TRUNCATE", text.Location(1));
  create.is_before = timing == kBefore;
  create.on_insert = (events & kInsert) != 0;
  create.on_update = (events & kUpdate) != 0;
  create.on_delete = (events & kDelete) != 0;
  create.update_columns = body.Strings("columns");
  create.is_for_each_row = body.Flag("row");
}

void ReadTransition(const StatementText& text, TreeNode transition, ast::TriggerStatement& create) {
  const bool is_new = transition.Flag("isNew");
  if (!transition.Flag("isTable")) {
    Refuse(text, "REFERENCING OLD or NEW ROW (rows are called OLD and NEW)",
           text.Location(text.FindKeyword("referencing", 0)));
  }
  std::string& name = is_new ? create.new_table : create.old_table;
  if (!name.empty()) {
    ThrowError(ErrorKind::kSyntax, "42P17",
               is_new ? "NEW TABLE cannot be specified multiple times"
                      : "OLD TABLE cannot be specified multiple times",
               text.Position(text.Location(text.FindKeyword("referencing", 0))));
  }
  name = transition.Text("name");
}

/// Returns the token of the trigger's name behind ON's table: CREATE ... TRIGGER name.
size_t NameToken(const StatementText& text) { return text.FindKeyword("trigger", 0) + 1; }

}  // namespace

ast::StatementPtr TransformCreateTrigger(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<ast::TriggerStatement>();
  const size_t name = NameToken(text);
  if (body.Flag("isconstraint")) {
    Refuse(text, "CREATE CONSTRAINT TRIGGER (a plain one runs at the end of the statement)",
           text.Location(name));
  }
  RefuseOtherFields(text, body, "CREATE TRIGGER",
                    {"replace", "trigname", "relation", "funcname", "args", "row", "timing", "events",
                     "columns", "whenClause", "transitionRels"},
                    text.Location(name));
  create->or_replace = body.Flag("replace");
  create->name = body.Text("trigname");
  create->name_position = text.Position(text.Location(name));
  TransformRangeVar(text, body["relation"], create->table);
  ReadTime(text, body, *create);
  for (const TreeNode& item : body.Items("transitionRels"))
    ReadTransition(text, item["TriggerTransition"], *create);
  const size_t execute = text.FindKeyword("execute", name);
  SetDottedName(text, body.Strings("funcname"), text.Location(execute + 2), create->function);
  create->arguments = body.Strings("args");
  if (body["whenClause"]) {
    const size_t open = text.FindKeyword("when", name) + 1;
    create->condition = text.Origin(open + 1, text.Closing(open) - 1);
    create->condition_position = text.Position(text.Location(open + 1));
  }
  return create;
}

ast::StatementPtr TransformDropTrigger(const StatementText& text, TreeNode body) {
  auto drop = std::make_unique<ast::TriggerStatement>();
  drop->action = ast::TriggerStatement::Action::kDrop;
  drop->if_exists = body.Flag("missing_ok");
  const size_t name = drop->if_exists ? 4 : 2;
  drop->name_position = text.Position(text.Location(name));
  std::vector<std::string> parts = body.Items("objects").at(0)["List"].Strings("items");
  drop->name = std::move(parts.back());
  parts.pop_back();
  SetDottedName(text, std::move(parts), text.Location(name + 2), drop->table);
  return drop;
}

ast::StatementPtr TransformRenameTrigger(const StatementText& text, TreeNode body) {
  auto rename = std::make_unique<ast::TriggerStatement>();
  rename->action = ast::TriggerStatement::Action::kRename;
  rename->name = body.Text("subname");
  rename->name_position = text.Position(text.Location(2));
  rename->new_name = body.Text("newname");
  TransformRangeVar(text, body["relation"], rename->table);
  return rename;
}

bool TransformTriggerMode(const StatementText& text, TreeNode command, size_t begin,
                          ast::AlterAction& action) {
  for (const ModeOfAction& entry : kModes) {
    if (entry.subtype != command.Text("subtype")) continue;
    action.kind = ast::AlterAction::Kind::kSetTriggerMode;
    action.trigger_mode = entry.mode;
    action.name = command.Text("name");
    size_t name = begin;
    while (!action.name.empty() && !text.IsKeyword(name, "trigger")) name++;
    action.position = text.Position(text.Location(action.name.empty() ? begin : name + 1));
    return true;
  }
  return false;
}

}  // namespace scaup
