// Transforms ALTER TABLE, and ALTER ... RENAME of tables, indexes and sequences.
#include "parser/transform/transform.hpp"

#include "common/throw.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

using ActionKind = ast::AlterAction::Kind;

struct KindOfAction {
  std::string_view subtype;
  ActionKind kind;
};
constexpr KindOfAction kActions[] = {
    {"AT_AddColumn", ActionKind::kAddColumn},
    {"AT_DropColumn", ActionKind::kDropColumn},
    {"AT_ColumnDefault", ActionKind::kSetDefault},
    {"AT_SetNotNull", ActionKind::kSetNotNull},
    {"AT_DropNotNull", ActionKind::kDropNotNull},
    {"AT_AlterColumnType", ActionKind::kSetType},
    {"AT_DropExpression", ActionKind::kDropExpression},
    {"AT_AddIdentity", ActionKind::kAddIdentity},
    {"AT_DropIdentity", ActionKind::kDropIdentity},
    {"AT_AddConstraint", ActionKind::kAddConstraint},
    {"AT_DropConstraint", ActionKind::kDropConstraint},
    {"AT_ValidateConstraint", ActionKind::kValidateConstraint},
    {"AT_AlterConstraint", ActionKind::kAlterConstraint},
};

/// Returns the index of the token after a dotted name.
size_t AfterName(const StatementText& text, int64_t location) {
  size_t i = text.TokenIndex(location) + 1;
  while (i + 1 < text.tokens.size() && text.tokens[i].Is('.')) i += 2;
  return i;
}

/// Returns the token of the column or constraint that an action names. libpg_query gives no location for it.
size_t NameIndex(const StatementText& text, size_t begin) {
  size_t i = begin + 1;
  if (text.IsKeyword(i, "column") || text.IsKeyword(i, "constraint")) ++i;
  if (text.IsKeyword(i, "if") && text.IsKeyword(i + 1, "exists")) i += 2;
  return i;
}

void TransformSetType(const StatementText& text, TreeNode command, ast::AlterAction& action) {
  const TreeNode definition = command["def"]["ColumnDef"];
  action.type = TransformTypeName(text, definition["typeName"]);
  action.collation = TransformCollation(text, definition["collClause"]);
  action.expression = TransformOptional(text, definition["raw_default"]);
}

/// Transforms ALTER COLUMN name SET DEFAULT e. The text of e ends with the action.
void TransformDefault(const StatementText& text, TreeNode command, size_t begin, size_t end,
                      ast::AlterAction& action) {
  if (!command["def"]) {
    action.kind = ActionKind::kDropDefault;
    return;
  }
  action.expression = TransformExpression(text, command["def"]);
  const size_t word = text.FindForward(TokenType::kDefault, NameIndex(text, begin) + 1);
  action.expression_text = text.Origin(word + 1, end - 1);
}

/// `begin` and `end` are the action's first token and the one after its last.
ast::AlterAction TransformAction(const StatementText& text, TreeNode command, size_t begin, size_t end) {
  ast::AlterAction action;
  if (TransformTriggerMode(text, command, begin, action)) return action;
  const int64_t location = text.Location(begin);
  const std::string_view subtype = command.Text("subtype");
  bool is_known = false;
  for (const KindOfAction& entry : kActions) {
    if (entry.subtype != subtype) continue;
    action.kind = entry.kind;
    is_known = true;
  }
  if (!is_known) Refuse(text, "this action of ALTER TABLE", location);
  RefuseOtherFields(text, command, "ALTER TABLE", {"subtype", "name", "def", "behavior", "missing_ok"},
                    location);
  action.name = command.Text("name");
  action.if_exists = command.Flag("missing_ok");
  action.cascade = command.Text("behavior") == "DROP_CASCADE";
  action.position = text.Position(action.name.empty() ? location : text.Location(NameIndex(text, begin)));
  if (action.kind == ActionKind::kAddColumn) {
    action.column = std::make_unique<ast::ColumnDefinition>(
        TransformColumnDefinition(text, command["def"]["ColumnDef"], action.constraints));
    action.position = action.column->position;
  } else if (action.kind == ActionKind::kSetDefault) {
    TransformDefault(text, command, begin, end, action);
  } else if (action.kind == ActionKind::kSetType) {
    TransformSetType(text, command, action);
  } else if (action.kind == ActionKind::kAddConstraint) {
    const TreeNode constraint = command["def"]["Constraint"];
    if (constraint["indexname"]) Refuse(text, "USING INDEX", constraint.Integer("location"));
    action.constraints.push_back(TransformTableConstraint(text, constraint));
    action.position = action.constraints[0].position;
  } else if (action.kind == ActionKind::kAlterConstraint) {
    const TreeNode constraint = command["def"]["Constraint"];
    action.name = constraint.Text("conname");
    action.position = text.Position(text.Location(NameIndex(text, begin)));
    ast::TableConstraint& changed = action.constraints.emplace_back();
    changed.deferrable = constraint.Flag("deferrable");
    changed.initially_deferred = constraint.Flag("initdeferred");
  } else if (action.kind == ActionKind::kAddIdentity) {
    action.column = std::make_unique<ast::ColumnDefinition>();
    TransformIdentity(text, command["def"]["Constraint"], *action.column);
  }
  return action;
}

ast::StatementPtr RenameInTable(const StatementText& text, TreeNode body, ActionKind kind) {
  auto alter = std::make_unique<ast::AlterTableStatement>();
  TransformRangeVar(text, body["relation"], alter->table);
  alter->if_exists = body.Flag("missing_ok");
  ast::AlterAction& action = alter->actions.emplace_back();
  action.kind = kind;
  action.name = body.Text("subname");
  action.new_name = body.Text("newname");
  const size_t begin = text.FindKeyword("rename", AfterName(text, body["relation"].Integer("location")));
  action.position = text.Position(text.Location(action.name.empty() ? begin : NameIndex(text, begin)));
  return alter;
}

}  // namespace

ast::StatementPtr TransformAlterTable(const StatementText& text, TreeNode body) {
  const int64_t location = body["relation"].Integer("location");
  if (body.Text("objtype") != "OBJECT_TABLE") Refuse(text, "ALTER of this kind of object", text.Location(1));
  RefuseOtherFields(text, body, "ALTER TABLE", {"relation", "cmds", "objtype", "missing_ok"}, location);
  auto alter = std::make_unique<ast::AlterTableStatement>();
  TransformRangeVar(text, body["relation"], alter->table);
  alter->if_exists = body.Flag("missing_ok");
  const std::vector<TreeNode> commands = body.Items("cmds");
  size_t first = AfterName(text, location);
  if (first < text.tokens.size() && text.tokens[first].Is('*')) ++first;
  std::vector<size_t> begins = text.ListItems(first);
  SCAUP_CHECK(begins.size() == commands.size());
  begins.push_back(text.tokens.size() + 1);
  for (size_t i = 0; i < commands.size(); ++i) {
    const TreeNode command = commands[i]["AlterTableCmd"];
    const std::string_view subtype = command.Text("subtype");
    if (subtype == "AT_SetRelOptions" || subtype == "AT_ResetRelOptions") {
      CheckStorageParameters(text, command["def"]["List"].Items("items"));
    } else {
      alter->actions.push_back(TransformAction(text, command, begins[i], begins[i + 1] - 1));
    }
  }
  return alter;
}

ast::StatementPtr TransformRename(const StatementText& text, TreeNode body) {
  const std::string_view type = body.Text("renameType");
  if (type == "OBJECT_TABLE" || type == "OBJECT_MATVIEW")
    return RenameInTable(text, body, ActionKind::kRenameTable);
  if (type == "OBJECT_COLUMN" && body.Text("relationType") == "OBJECT_TABLE")
    return RenameInTable(text, body, ActionKind::kRenameColumn);
  if (type == "OBJECT_TABCONSTRAINT") return RenameInTable(text, body, ActionKind::kRenameConstraint);
  if (type == "OBJECT_TYPE") return TransformMoveType(text, body);
  if (type == "OBJECT_DOMAIN" || type == "OBJECT_DOMCONSTRAINT") return TransformMoveDomain(text, body);
  if (IsFunctionKind(type)) return TransformAlterFunction(text, body);
  if (type == "OBJECT_TRIGGER") return TransformRenameTrigger(text, body);
  auto rename = std::make_unique<ast::RenameStatement>();
  if (type == "OBJECT_INDEX") {
    rename->object = ast::RenameStatement::Object::kIndex;
  } else if (type == "OBJECT_SEQUENCE") {
    rename->object = ast::RenameStatement::Object::kSequence;
  } else if (type == "OBJECT_VIEW" ||
             (type == "OBJECT_COLUMN" && body.Text("relationType") == "OBJECT_VIEW")) {
    rename->object = ast::RenameStatement::Object::kView;
    rename->column = body.Text("subname");
  } else if (type == "OBJECT_SCHEMA") {
    rename->object = ast::RenameStatement::Object::kSchema;
    rename->from.name = SchemaNamed(body.Text("subname"));
    rename->from.position = text.Position(text.Location(2));
    rename->to = SchemaNamed(body.Text("newname"));
    return rename;
  } else {
    Refuse(text, "RENAME of this kind of object", text.Location(1));
  }
  TransformRangeVar(text, body["relation"], rename->from);
  rename->to = body.Text("newname");
  rename->if_exists = body.Flag("missing_ok");
  return rename;
}

ast::StatementPtr TransformSetSchema(const StatementText& text, TreeNode body) {
  if (body.Text("objectType") == "OBJECT_TYPE") return TransformMoveType(text, body);
  if (body.Text("objectType") == "OBJECT_DOMAIN") return TransformMoveDomain(text, body);
  if (IsFunctionKind(body.Text("objectType"))) return TransformAlterFunction(text, body);
  if (body.Text("objectType") == "OBJECT_VIEW" || body.Text("objectType") == "OBJECT_SEQUENCE") {
    auto move = std::make_unique<ast::RenameStatement>();
    move->object = body.Text("objectType") == "OBJECT_VIEW" ? ast::RenameStatement::Object::kView
                                                            : ast::RenameStatement::Object::kSequence;
    TransformRangeVar(text, body["relation"], move->from);
    move->to_schema = SchemaNamed(body.Text("newschema"));
    move->if_exists = body.Flag("missing_ok");
    return move;
  }
  if (body.Text("objectType") != "OBJECT_TABLE")
    Refuse(text, "SET SCHEMA of this kind of object", text.Location(1));
  auto alter = std::make_unique<ast::AlterTableStatement>();
  const TreeNode relation = body["relation"];
  TransformRangeVar(text, relation, alter->table);
  alter->if_exists = body.Flag("missing_ok");
  ast::AlterAction& action = alter->actions.emplace_back();
  action.kind = ActionKind::kSetSchema;
  action.new_name = SchemaNamed(body.Text("newschema"));
  action.position = text.Position(text.Location(AfterName(text, relation.Integer("location"))));
  return alter;
}

}  // namespace scaup
