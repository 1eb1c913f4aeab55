// Binds ATTACH, DETACH and USE.
#include <fmt/format.h>

#include "binder/scope/bind_statement.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns the value of an option that is on or off.
bool IsOn(const ast::CopyOption& option) {
  if (!option.has_value || option.value == "true" || option.value == "on" || option.value == "1") return true;
  if (option.value == "false" || option.value == "off" || option.value == "0") return false;
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             fmt::format("{} takes true or false, not \"{}\"", option.name, option.value), option.position);
}

/// Returns the name of a database without AS: its file's name up to the first dot, as in DuckDB.
std::string NameOfPath(const std::string& path) {
  if (path.empty() || path == ":memory:") return "memory";
  const size_t slash = path.find_last_of('/');
  const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
  const size_t dot = file.find('.', 1);
  return file.substr(0, dot);
}

void BindOption(const ast::CopyOption& option, BoundAttach& attach) {
  if (option.name == "read_only") {
    attach.read_only = IsOn(option);
  } else if (option.name == "read_write") {
    attach.read_only = !IsOn(option);
  } else if (option.name != "type" || option.value != "scaup") {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("ATTACH has no option {}{}: it takes READ_ONLY, for databases of Scaup",
                           option.name, option.has_value ? " " + option.value : ""),
               option.position);
  }
}

}  // namespace

BoundStatementPtr BindAttach(const ast::AttachStatement& statement) {
  auto attach = std::make_unique<BoundAttach>();
  attach->path = statement.path.empty() ? ":memory:" : statement.path;
  attach->name = statement.name.empty() ? NameOfPath(statement.path) : statement.name;
  attach->if_not_exists = statement.if_not_exists;
  for (const ast::CopyOption& option : statement.options) BindOption(option, *attach);
  if (attach->name.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidName,
               fmt::format("the path \"{}\" gives the database no name: add AS name", statement.path),
               statement.position);
  }
  return attach;
}

BoundStatementPtr BindDetach(BindSession& session, const ast::DetachStatement& statement) {
  const DatabaseViews* const databases = session.context().databases;
  auto detach = std::make_unique<BoundDetach>();
  if (databases == nullptr) ThrowNotSupported("DETACH", statement.position);
  if (statement.if_exists && databases->Find(statement.name) == nullptr) return detach;
  const DatabaseView& database = databases->Require(statement.name, statement.position);
  detach->name = database.name;
  if (&database == &databases->main()) {
    ThrowError(
        ErrorKind::kUsage, sqlstate::kObjectInUse,
        fmt::format("cannot detach database \"{}\": it is the one that was opened; close the connections "
                    "instead",
                    database.name),
        statement.position);
  }
  if (&database == &databases->home()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
               fmt::format("cannot detach database \"{}\", which this session uses: USE {} before",
                           database.name, databases->main().name),
               statement.position);
  }
  return detach;
}

BoundStatementPtr BindUse(BindSession& session, const ast::UseStatement& statement) {
  const DatabaseViews* const databases = session.context().databases;
  if (databases == nullptr) ThrowNotSupported("USE", statement.position);
  const ast::NamedTable& name = statement.name;
  auto use = std::make_unique<BoundUse>();
  const auto has_schema = [&](const DatabaseView& database) {
    return database.catalog->FindSchema(*database.transaction, name.name) != nullptr;
  };
  // A database goes before a schema of that name.
  if (name.schema.empty() && (databases->Find(name.name) != nullptr || !has_schema(databases->home()))) {
    use->name = databases->Require(name.name, name.position).name;
    return use;
  }
  const DatabaseView& database =
      name.schema.empty() ? databases->home() : databases->Require(name.schema, name.position);
  if (!has_schema(database)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist in database \"{}\"", name.name, database.name),
               name.position);
  }
  use->name = database.name;
  use->schema = name.name;
  return use;
}

BoundStatementPtr BindCopyDatabase(BindSession& session, const ast::CopyDatabaseStatement& statement) {
  const DatabaseViews* const databases = session.context().databases;
  if (databases == nullptr) ThrowNotSupported("COPY FROM DATABASE", statement.position);
  auto copy = std::make_unique<BoundCopyDatabase>();
  copy->source = databases->Require(statement.source.name, statement.source.position).name;
  copy->target = databases->Require(statement.target.name, statement.target.position).name;
  if (copy->source == copy->target) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               fmt::format("database \"{}\" cannot be copied into itself", copy->source),
               statement.target.position);
  }
  return copy;
}

}  // namespace scaup
