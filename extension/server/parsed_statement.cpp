// Statements of Parse messages.
#include "parsed_statement.hpp"

#include "types.hpp"

namespace scaup::server {

namespace {

using Kind = StatementInfo::Kind;

/// Returns whether the server executes a statement itself, so that the engine has no plan for it.
bool IsOwn(Kind kind) {
  return kind == Kind::kBegin || kind == Kind::kCommit || kind == Kind::kRollback ||
         kind == Kind::kCopyStream || kind == Kind::kDeallocate;
}

/// Makes lists undeclared. Returns whether there are any.
bool ForgetLists(std::vector<LogicalType>& declared) {
  bool has_list = false;
  for (LogicalType& type : declared) {
    if (type.id() != TypeId::kList) continue;
    type = TypeId::kNull;
    has_list = true;
  }
  return has_list;
}

/// Prepares for the declared types. The protocol has the same number for lists of any depth: if they fit
/// nowhere as plain lists, they are undeclared until Bind brings one. In a block, which an error would fail,
/// they are from the beginning.
PreparedStatement PrepareDeclared(std::string_view sql, ParsedText parsed, std::vector<LogicalType>& declared,
                                  Connection& connection) {
  if (connection.transaction_status() == TransactionStatus::kOpen) ForgetLists(declared);
  try {
    return connection.Prepare(std::move(parsed), declared);
  } catch (const Error&) {
    if (!ForgetLists(declared)) throw;
    return connection.Prepare(sql, declared);
  }
}

/// Returns the type of a list in the text form; its depth is the number of opening braces.
LogicalType ListOfText(std::string_view text, const LogicalType& element) {
  LogicalType type = element;
  for (const char c : text) {
    if (c == '{') {
      type = LogicalType::List(type);
    } else if (c != ' ') {
      break;
    }
  }
  return type;
}

}  // namespace

std::shared_ptr<ParsedStatement> ParseStatement(std::string_view sql, const std::vector<uint32_t>& oids,
                                                Connection& connection) {
  auto parsed = std::make_shared<ParsedStatement>();
  parsed->sql = sql;
  ParsedText text = connection.Parse(sql);
  const std::vector<StatementInfo>& statements = text.statements();
  if (statements.empty()) return parsed;
  if (statements.size() > 1) {
    throw Error(ErrorKind::kSyntax, "42601", "cannot insert multiple commands into a prepared statement",
                statements[1].position);
  }
  parsed->info = statements[0];
  for (const uint32_t oid : oids) parsed->declared.push_back(TypeOfParameter(oid));
  if (IsOwn(parsed->info->kind)) return parsed;
  parsed->prepared = PrepareDeclared(sql, std::move(text), parsed->declared, connection);
  const std::vector<LogicalType> types = parsed->prepared->parameter_types();
  for (size_t i = 0; i < types.size(); i++) {
    const bool is_given = i < oids.size() && oids[i] != 0 && oids[i] != kUnknownOid;
    parsed->parameter_oids.push_back(is_given ? oids[i] : TypeForClient(types[i]).oid);
  }
  parsed->declared.resize(types.size());
  return parsed;
}

std::vector<LogicalType> TypesForValues(const ParsedStatement& statement, const std::vector<Value>& values) {
  std::vector<LogicalType> types = statement.declared;
  for (size_t i = 0; i < types.size(); i++) {
    const uint32_t oid = statement.parameter_oids[i];
    const uint32_t element = ElementOid(oid);
    if (values[i].is_null() || (element == 0 && oid != kNumericOid)) continue;
    const bool is_text = values[i].type().id() == TypeId::kVarchar;
    if (!is_text) {
      types[i] = values[i].type();
    } else if (oid == kNumericOid || element == kNumericOid) {
      types[i] = TypeId::kNull;
    } else if (const LogicalType type = TypeOfParameter(element); type.id() != TypeId::kNull) {
      types[i] = ListOfText(values[i].GetString(), type);
    }
  }
  return types;
}

bool FollowsName(const ParsedStatement& statement) {
  return statement.info && (statement.info->command == "FETCH" || statement.info->command == "EXECUTE");
}

std::shared_ptr<ParsedStatement> WithTypes(ParsedStatement& statement, const std::vector<LogicalType>& types,
                                           Connection& connection) {
  const bool has_typed = statement.typed != nullptr && statement.typed->declared == types;
  if (has_typed && !FollowsName(statement)) return statement.typed;
  auto typed = std::make_shared<ParsedStatement>();
  typed->sql = statement.sql;
  typed->info = statement.info;
  typed->declared = types;
  typed->described = statement.described;
  typed->prepared = connection.Prepare(typed->sql, types);
  statement.typed = typed;
  return typed;
}

bool DropDeallocated(const StatementInfo& info, ParsedStatements& statements) {
  if (!info.name.empty()) return statements.erase(info.name) == 0;
  statements.clear();
  return true;
}

}  // namespace scaup::server
