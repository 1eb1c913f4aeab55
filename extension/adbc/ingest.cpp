// The statements of an ingest: CREATE TABLE AS and INSERT over the registered stream, which is read by the
// engine as it comes.
#include "ingest.hpp"

#include <vector>

#include "edge.hpp"
#include "names.hpp"

namespace scaup::adbc {

namespace {

/// The name of the registered stream. A table with this name would hide it, so it is one that nobody gives.
constexpr const char* kSource = "adbc ingest 7d0f6c1e";

struct ModeName {
  IngestTarget::Mode mode;
  const char* option;
};
constexpr ModeName kModes[] = {
    {IngestTarget::Mode::kCreate, ADBC_INGEST_OPTION_MODE_CREATE},
    {IngestTarget::Mode::kAppend, ADBC_INGEST_OPTION_MODE_APPEND},
    {IngestTarget::Mode::kReplace, ADBC_INGEST_OPTION_MODE_REPLACE},
    {IngestTarget::Mode::kCreateAppend, ADBC_INGEST_OPTION_MODE_CREATE_APPEND},
};

/// A registered stream. Unregistered when it is destroyed.
class Source {
 public:
  Source(Connection& session, OwnedStream stream) : session_(session) {
    const OwnedSchema schema = SchemaOf(stream);
    if (schema->n_children == 0)
      ThrowInvalidArgument("the data has no columns, so there is no table to make of it");
    for (int64_t i = 0; i < schema->n_children; i++) {
      const char* name = schema->children[i]->name;
      names_.emplace_back(name == nullptr ? "" : name);
    }
    OwnedStream numbered = NumberColumns(*schema, std::move(stream));
    session_.RegisterArrow(kSource, numbered.get());
  }
  ~Source() {
    try {
      session_.Unregister(kSource);
    } catch (const Error&) {
      // A child made by fork: there is nothing to unregister.
    }
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::string ColumnList() const {
    std::string list;
    for (const std::string& name : names_) list += (list.empty() ? "" : ", ") + QuotedName(name);
    return list;
  }
  std::string Query() const { return "SELECT * FROM " + QuotedName(kSource); }

 private:
  Connection& session_;
  std::vector<std::string> names_;
};

std::string QualifiedName(const IngestTarget& target) {
  if (target.is_temporary) return "pg_temp." + QuotedName(target.table);
  return (target.schema.empty() ? "" : QuotedName(target.schema) + ".") + QuotedName(target.table);
}

bool HasTable(Connection& session, const IngestTarget& target) {
  const Value parameters[] = {Value::Varchar(target.table),
                              Value::Varchar(target.is_temporary ? "pg_temp" : target.schema)};
  const QueryResult found = session.Query(
      "SELECT 1 FROM information_schema.tables WHERE table_name = $1 AND "
      "(table_schema = $2 OR $2 = '' AND table_schema IN ('main', 'pg_temp'))",
      parameters);
  return found.row_count() != 0;
}

int64_t Create(Connection& session, const IngestTarget& target, OwnedStream stream) {
  const Source source(session, std::move(stream));
  const bool is_replacing = target.mode == IngestTarget::Mode::kReplace;
  const std::string sql = std::string("CREATE ") + (is_replacing ? "OR REPLACE " : "") +
                          (target.is_temporary ? "TEMPORARY " : "") + "TABLE " +
                          (target.is_temporary ? QuotedName(target.table) : QualifiedName(target)) + " (" +
                          source.ColumnList() + ") AS " + source.Query();
  return WithoutPosition([&] { return static_cast<int64_t>(session.Query(sql).rows_changed()); });
}

/// Returns the status of an error of INSERT: for columns that do not fit, the one that the specification
/// gives.
AdbcStatusCode StatusOfInsert(const Error& error) {
  const std::string_view sqlstate = error.sqlstate();
  const bool are_other_columns = sqlstate == "42703" || sqlstate == "42804" || sqlstate == "42701";
  return are_other_columns ? ADBC_STATUS_ALREADY_EXISTS : StatusOf(error);
}

int64_t Append(Connection& session, const IngestTarget& target, OwnedStream stream) {
  const Source source(session, std::move(stream));
  const std::string sql =
      "INSERT INTO " + QualifiedName(target) + " (" + source.ColumnList() + ") " + source.Query();
  try {
    return static_cast<int64_t>(session.Query(sql).rows_changed());
  } catch (const Error& error) {
    throw StatusError(StatusOfInsert(error), error.kind(), error.sqlstate(), error.message());
  }
}

}  // namespace

IngestTarget::Mode ParseIngestMode(const std::string& value) {
  for (const ModeName& each : kModes) {
    if (value == each.option) return each.mode;
  }
  ThrowInvalidArgument("there is no ingest mode \"" + value + "\"");
}

const char* IngestModeText(IngestTarget::Mode mode) {
  for (const ModeName& each : kModes) {
    if (mode == each.mode) return each.option;
  }
  return ADBC_INGEST_OPTION_MODE_CREATE;
}

int64_t Ingest(Operation& operation, const IngestTarget& target, OwnedStream stream) {
  if (target.is_temporary && !(target.schema.empty() && target.catalog.empty()))
    ThrowInvalidArgument("a temporary table has neither a schema nor a catalog of its own: leave both out");
  if (!target.catalog.empty()) operation.RequireCatalog(target.catalog.c_str());
  Connection& session = operation.session();
  operation.BeginTransaction();
  switch (target.mode) {
    case IngestTarget::Mode::kCreate:
    case IngestTarget::Mode::kReplace: return Create(session, target, std::move(stream));
    case IngestTarget::Mode::kAppend: return Append(session, target, std::move(stream));
    case IngestTarget::Mode::kCreateAppend: break;
  }
  return HasTable(session, target) ? Append(session, target, std::move(stream))
                                   : Create(session, target, std::move(stream));
}

}  // namespace scaup::adbc
