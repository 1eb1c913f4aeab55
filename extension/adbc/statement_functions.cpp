// The functions of statements.
#include <utility>

#include "functions.hpp"
#include "handle.hpp"
#include "statement.hpp"

namespace scaup::adbc {

namespace {

using StatementAccess = HandleAccess<AdbcStatement, StatementState>;

AdbcStatusCode StatementNew(AdbcConnection* connection, AdbcStatement* statement, AdbcError* error) {
  return Guard(error, [&] {
    StatementAccess::Make(statement,
                          std::make_shared<StatementState>(
                              HandleAccess<AdbcConnection, ConnectionState>::PointerOf(connection)));
  });
}
AdbcStatusCode StatementRelease(AdbcStatement* statement, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Release(statement); });
}
AdbcStatusCode StatementSetSqlQuery(AdbcStatement* statement, const char* sql, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Of(statement).SetQuery(&Require(sql, "the query")); });
}
AdbcStatusCode StatementSetSubstraitPlan(AdbcStatement*, const uint8_t*, size_t, AdbcError* error) {
  return Guard(error, [] { ThrowNotImplemented("statements are SQL: Substrait plans cannot be executed"); });
}
AdbcStatusCode StatementPrepare(AdbcStatement* statement, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Of(statement).Prepare(); });
}

template <typename Structure>
void RequireUnreleased(const Structure* structure, const char* name) {
  if (Require(structure, name).release == nullptr)
    ThrowInvalidArgument(std::string(name) + " was released before");
}

AdbcStatusCode StatementBind(AdbcStatement* statement, ArrowArray* values, ArrowSchema* schema,
                             AdbcError* error) {
  return Guard(error, [&] {
    StatementState& state = StatementAccess::Of(statement);
    RequireUnreleased(values, "the array");
    RequireUnreleased(schema, "the schema");
    OwnedArray array(values);
    state.Bind(MakeStream(OwnedSchema(schema), std::move(array)));
  });
}
AdbcStatusCode StatementBindStream(AdbcStatement* statement, ArrowArrayStream* stream, AdbcError* error) {
  return Guard(error, [&] {
    StatementState& state = StatementAccess::Of(statement);
    RequireUnreleased(stream, "the stream");
    state.Bind(OwnedStream(stream));
  });
}
AdbcStatusCode StatementExecuteQuery(AdbcStatement* statement, ArrowArrayStream* out, int64_t* rows_affected,
                                     AdbcError* error) {
  return Guard(error, [&] {
    const int64_t changed = StatementAccess::Of(statement).Execute(out);
    if (rows_affected != nullptr) *rows_affected = changed;
  });
}
AdbcStatusCode StatementExecuteSchema(AdbcStatement* statement, ArrowSchema* out, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Of(statement).ExecuteSchema(&Require(out, "the output")); });
}
AdbcStatusCode StatementGetParameterSchema(AdbcStatement* statement, ArrowSchema* out, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Of(statement).ParameterSchema(&Require(out, "the output")); });
}
AdbcStatusCode StatementCancel(AdbcStatement* statement, AdbcError* error) {
  return Guard(error, [&] { StatementAccess::Of(statement).Cancel(); });
}
AdbcStatusCode StatementExecutePartitions(AdbcStatement*, ArrowSchema*, AdbcPartitions*, int64_t*,
                                          AdbcError* error) {
  return Guard(error, [] { ThrowNotImplemented("results have no partitions: execute the query instead"); });
}
// Progress is a number of its own, not a text.
AdbcStatusCode StatementGetOptionDouble(AdbcStatement* statement, const char* key, double* value,
                                        AdbcError* error) {
  return Guard(error, [&] {
    const double number = StatementAccess::Of(statement).GetDouble(&Require(key, "the option's name"));
    Require(value, "the output") = number;
  });
}

}  // namespace

void FillStatementFunctions(AdbcDriver& driver, bool has_1_1) {
  driver.StatementNew = StatementNew;
  driver.StatementRelease = StatementRelease;
  driver.StatementSetOption = StatementAccess::SetText;
  driver.StatementSetSqlQuery = StatementSetSqlQuery;
  driver.StatementSetSubstraitPlan = StatementSetSubstraitPlan;
  driver.StatementPrepare = StatementPrepare;
  driver.StatementBind = StatementBind;
  driver.StatementBindStream = StatementBindStream;
  driver.StatementExecuteQuery = StatementExecuteQuery;
  driver.StatementExecutePartitions = StatementExecutePartitions;
  driver.StatementGetParameterSchema = StatementGetParameterSchema;
  if (!has_1_1) return;
  driver.StatementCancel = StatementCancel;
  driver.StatementExecuteSchema = StatementExecuteSchema;
  driver.StatementGetOption = StatementAccess::GetText;
  driver.StatementGetOptionBytes = StatementAccess::GetBytes;
  driver.StatementGetOptionDouble = StatementGetOptionDouble;
  driver.StatementGetOptionInt = StatementAccess::GetInteger;
  driver.StatementSetOptionBytes = StatementAccess::SetBytes;
  driver.StatementSetOptionDouble = StatementAccess::SetDouble;
  driver.StatementSetOptionInt = StatementAccess::SetInteger;
}

}  // namespace scaup::adbc
