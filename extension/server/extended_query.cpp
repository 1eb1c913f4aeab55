// The extended query protocol.
#include "extended_query.hpp"

#include "binary_value.hpp"
#include "copy.hpp"
#include "copy_options.hpp"
#include "report.hpp"
#include "result_sender.hpp"
#include "startup.hpp"
#include "types.hpp"

namespace scaup::server {

namespace {

using Kind = StatementInfo::Kind;

std::vector<int16_t> ReadFormats(MessageReader& reader) {
  const auto count = reader.Big<uint16_t>();
  std::vector<int16_t> formats;
  for (uint16_t i = 0; i < count; i++) {
    formats.push_back(reader.Big<int16_t>());
    if (formats.back() != 0 && formats.back() != 1)
      throw ProtocolError("there is no format code " + std::to_string(formats.back()));
  }
  return formats;
}

Value ReadParameter(std::string_view bytes, uint32_t oid, bool is_binary) {
  if (is_binary) return ReadBinaryValue(bytes, oid);
  if (oid == kNumericOid) return DecimalOfText(std::string(bytes));
  return Value::Varchar(std::string(bytes));
}

std::vector<Value> ReadParameters(MessageReader& reader, const std::vector<int16_t>& formats,
                                  const ParsedStatement& statement, std::string_view name) {
  const auto count = reader.Big<uint16_t>();
  if (formats.size() > 1 && formats.size() != count) {
    throw ProtocolError("the bind message has " + std::to_string(formats.size()) + " parameter formats but " +
                        std::to_string(count) + " parameters");
  }
  const size_t wanted = statement.parameter_oids.size();
  if (count != wanted) {
    throw Error(ErrorKind::kUsage, "08P01",
                "bind message supplies " + std::to_string(count) + " parameters, but prepared statement \"" +
                    std::string(name) + "\" requires " + std::to_string(wanted));
  }
  std::vector<Value> values;
  for (uint16_t i = 0; i < count; i++) {
    const auto field = reader.Field();
    const bool is_binary = !formats.empty() && formats[formats.size() == 1 ? 0 : i] == 1;
    values.push_back(field ? ReadParameter(*field, statement.parameter_oids[i], is_binary)
                           : Value(statement.declared[i]));
  }
  return values;
}

}  // namespace

void ExtendedQuery::Answer(const Message& message) {
  if (skips_) return;
  text_.clear();
  try {
    Dispatch(message);
  } catch (...) {
    const Error error = CurrentError();
    skips_ = true;
    client_.scope.Fail();
    AppendError(error, text_, 0, client_.channel.out());
    // A client that has sent Flush rather than Sync waits for this, and Flush is skipped from here on.
    client_.channel.Flush();
  }
}

void ExtendedQuery::Dispatch(const Message& message) {
  const MessageReader reader(message.body);
  switch (message.type) {
    case 'P': return Parse(reader);
    case 'B': return Bind(reader);
    case 'D': return Describe(reader);
    case 'E': return Execute(reader);
    case 'C': return Close(reader);
    case 'H': return client_.channel.Flush();
    // Data that a client sends of a COPY that has failed already.
    case 'd':
    case 'c':
    case 'f': return;
    default: throw ProtocolError("there is no message of type " + std::to_string(message.type));
  }
}

void ExtendedQuery::RetainOthers(const Portal* next) {
  for (auto& [name, portal] : portals_) {
    if (portal.get() != next) portal->Retain();
  }
}

void ExtendedQuery::Parse(MessageReader reader) {
  const std::string name(reader.CString());
  text_ = reader.CString();
  std::vector<uint32_t> oids(reader.Big<uint16_t>());
  for (uint32_t& oid : oids) oid = reader.Big<uint32_t>();
  reader.RequireEnd();
  if (name.empty()) {
    statements_.erase(name);
  } else if (statements_.contains(name)) {
    throw Error(ErrorKind::kUsage, "42P05", "prepared statement \"" + name + "\" already exists");
  }
  RetainOthers(nullptr);
  statements_[name] = ParseStatement(text_, oids, client_.connection);
  const MessageScope complete('1', client_.channel.out());
}

ParsedStatement& ExtendedQuery::RequireStatement(std::string_view name) {
  const auto found = statements_.find(name);
  if (found != statements_.end()) return *found->second;
  throw Error(ErrorKind::kUsage, "26000",
              name.empty() ? "unnamed prepared statement does not exist"
                           : "prepared statement \"" + std::string(name) + "\" does not exist");
}

Portal& ExtendedQuery::RequirePortal(std::string_view name) {
  const auto found = portals_.find(name);
  if (found != portals_.end()) return *found->second;
  throw Error(ErrorKind::kUsage, "34000", "portal \"" + std::string(name) + "\" does not exist");
}

void ExtendedQuery::Bind(MessageReader reader) {
  const std::string portal(reader.CString());
  const std::string_view name = reader.CString();
  const ParsedStatement& statement = RequireStatement(name);
  text_ = statement.sql;
  const std::vector<int16_t> formats = ReadFormats(reader);
  std::vector<Value> parameters = ReadParameters(reader, formats, statement, name);
  std::vector<int16_t> result_formats = ReadFormats(reader);
  reader.RequireEnd();
  if (!portal.empty() && portals_.contains(portal))
    throw Error(ErrorKind::kUsage, "42P03", "portal \"" + portal + "\" already exists");
  std::shared_ptr<ParsedStatement> bound = statements_.find(name)->second;
  const std::vector<LogicalType> types = TypesForValues(statement, parameters);
  if (types != statement.declared || FollowsName(statement)) {
    RetainOthers(nullptr);
    bound = WithTypes(*bound, types, client_.connection);
  }
  portals_[portal] =
      std::make_unique<Portal>(std::move(bound), std::move(parameters), std::move(result_formats));
  const MessageScope complete('2', client_.channel.out());
}

void ExtendedQuery::DescribeStatement(ParsedStatement& statement) {
  std::string& out = client_.channel.out();
  {
    const MessageScope parameters('t', out);
    PutBig(static_cast<uint16_t>(statement.parameter_oids.size()), out);
    for (const uint32_t oid : statement.parameter_oids) PutBig(oid, out);
  }
  if (!statement.prepared || !statement.prepared->has_rows()) {
    const MessageScope none('n', out);
    return;
  }
  const auto& columns = statement.prepared->columns();
  AppendRowDescription(columns, std::vector<Format>(columns.size(), Format::kText), out);
  statement.described.emplace();
  for (const ResultColumn& column : columns) statement.described->push_back(TypeForClient(column.type).oid);
}

void ExtendedQuery::Describe(MessageReader reader) {
  const char kind = reader.Byte();
  const std::string_view name = reader.CString();
  reader.RequireEnd();
  if (kind == 'S') return DescribeStatement(RequireStatement(name));
  if (kind != 'P') throw ProtocolError("Describe names neither a statement nor a portal");
  const auto found = portals_.find(name);
  if (found == portals_.end() && HasCursor(name)) return DescribeCursor(name);
  RequirePortal(name).Describe(client_.channel.out());
}

bool ExtendedQuery::HasCursor(std::string_view name) {
  RetainOthers(nullptr);
  const Value parameter[] = {Value::Varchar(std::string(name))};
  return client_.connection.Query("SELECT 1 FROM pg_catalog.pg_cursors WHERE name = $1", parameter)
             .row_count() != 0;
}

void ExtendedQuery::DescribeCursor(std::string_view name) {
  const PreparedStatement fetch = client_.connection.Prepare("FETCH " + QuotedName(name));
  const std::vector<ResultColumn>& columns = fetch.columns();
  AppendRowDescription(columns, std::vector<Format>(columns.size(), Format::kText), client_.channel.out());
}

bool ExtendedQuery::ExecuteOwn(const ParsedStatement& statement) {
  const StatementInfo& info = *statement.info;
  std::string& out = client_.channel.out();
  switch (info.kind) {
    case Kind::kBegin:
    case Kind::kCommit:
    case Kind::kRollback: {
      const std::string tag = client_.scope.Run(info, statement.sql);
      if (info.kind != Kind::kBegin) portals_.clear();
      AppendCommandComplete(tag, out);
      return true;
    }
    case Kind::kCopyStream: AppendCommandComplete(RunCopy(*info.copy, client_), out); return true;
    case Kind::kDeallocate:
      if (DropDeallocated(info, statements_)) client_.connection.Query(statement.sql);
      AppendCommandComplete(info.command, out);
      return true;
    default: return false;
  }
}

void ExtendedQuery::Execute(MessageReader reader) {
  const std::string_view name = reader.CString();
  const auto most_rows = reader.Big<int32_t>();
  reader.RequireEnd();
  Portal& portal = RequirePortal(name);
  // The portal may drop what it runs.
  const std::shared_ptr<ParsedStatement> statement = portal.shared_statement();
  text_ = statement->sql;
  if (!statement->info) {
    const MessageScope empty('I', client_.channel.out());
    return;
  }
  RetainOthers(&portal);
  client_.scope.Before(*statement->info, client_.channel.NextType() == 'S');
  client_.settings.Note(*statement->info);
  if (ExecuteOwn(*statement)) return;
  portal.Execute(most_rows > 0 ? static_cast<uint64_t>(most_rows) : 0, client_);
}

void ExtendedQuery::Close(MessageReader reader) {
  const char kind = reader.Byte();
  const std::string_view name = reader.CString();
  reader.RequireEnd();
  if (kind == 'S') {
    const auto found = statements_.find(name);
    if (found != statements_.end()) statements_.erase(found);
  } else if (kind == 'P') {
    const auto found = portals_.find(name);
    if (found != portals_.end()) {
      portals_.erase(found);
    } else if (HasCursor(name)) {
      client_.connection.Query("CLOSE " + QuotedName(name));
    }
  } else {
    throw ProtocolError("Close names neither a statement nor a portal");
  }
  const MessageScope complete('3', client_.channel.out());
}

void ExtendedQuery::BeginSimpleQuery() {
  statements_.erase("");
  portals_.erase("");
  RetainOthers(nullptr);
}

void ExtendedQuery::Sync() {
  skips_ = false;
  std::string& out = client_.channel.out();
  if (client_.scope.is_implicit()) portals_.clear();
  try {
    client_.scope.Finish();
  } catch (...) {
    AppendError(CurrentError(), "", 0, out);
  }
  const char letter = client_.scope.status_letter();
  client_.settings.Report(letter, client_.connection, out);
  if (letter == 'I') portals_.clear();
  {
    const MessageScope ready('Z', out);
    out.push_back(letter);
  }
  client_.channel.Flush();
}

}  // namespace scaup::server
