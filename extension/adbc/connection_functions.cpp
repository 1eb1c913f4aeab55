// The functions of connections.
#include <utility>

#include "connection.hpp"
#include "functions.hpp"
#include "handle.hpp"
#include "metadata.hpp"

namespace scaup::adbc {

namespace {

using ConnectionAccess = HandleAccess<AdbcConnection, ConnectionState>;
using DatabaseAccess = HandleAccess<AdbcDatabase, DatabaseState>;

AdbcStatusCode ConnectionNew(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Make(connection, std::make_shared<ConnectionState>()); });
}
AdbcStatusCode ConnectionInit(AdbcConnection* connection, AdbcDatabase* database, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Of(connection).Init(DatabaseAccess::Of(database)); });
}
AdbcStatusCode ConnectionRelease(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Release(connection); });
}
AdbcStatusCode ConnectionCommit(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Of(connection).Commit(); });
}
AdbcStatusCode ConnectionRollback(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Of(connection).Rollback(); });
}
AdbcStatusCode ConnectionCancel(AdbcConnection* connection, AdbcError* error) {
  return Guard(error, [&] { ConnectionAccess::Of(connection).Cancel(); });
}

/// Runs a metadata function on the connection's session, and initializes `out` as the stream that it makes.
template <typename Make>
AdbcStatusCode Describe(AdbcConnection* connection, ArrowArrayStream* out, AdbcError* error, Make&& make) {
  return Guard(error, [&] {
    Require(out, "the output");
    Operation operation(ConnectionAccess::Of(connection));
    WithoutPosition([&] { return make(operation); }).MoveTo(out);
  });
}

AdbcStatusCode ConnectionGetInfo(AdbcConnection* connection, const uint32_t* codes, size_t count,
                                 ArrowArrayStream* out, AdbcError* error) {
  return Describe(connection, out, error, [&](Operation&) {
    return codes == nullptr ? InfoTable(std::nullopt) : InfoTable(std::span(codes, count));
  });
}
AdbcStatusCode ConnectionGetTableTypes(AdbcConnection* connection, ArrowArrayStream* out, AdbcError* error) {
  return Describe(connection, out, error, [](Operation&) { return TableTypesTable(); });
}
AdbcStatusCode ConnectionGetStatisticNames(AdbcConnection* connection, ArrowArrayStream* out,
                                           AdbcError* error) {
  return Describe(connection, out, error, [](Operation&) { return StatisticNamesTable(); });
}
AdbcStatusCode ConnectionGetObjects(AdbcConnection* connection, int depth, const char* catalog,
                                    const char* schema, const char* table, const char** types,
                                    const char* column, ArrowArrayStream* out, AdbcError* error) {
  return Describe(connection, out, error, [&](Operation& operation) {
    ObjectFilter filter{catalog, schema, table, column, std::nullopt};
    if (types != nullptr) {
      filter.types.emplace();
      for (const char** type = types; *type != nullptr; type++) filter.types->emplace_back(*type);
    }
    return ObjectsTable(operation, depth, filter);
  });
}
AdbcStatusCode ConnectionGetStatistics(AdbcConnection* connection, const char* catalog, const char* schema,
                                       const char* table, char approximate, ArrowArrayStream* out,
                                       AdbcError* error) {
  return Describe(connection, out, error, [&](Operation& operation) {
    return StatisticsTable(operation, {catalog, schema, table, nullptr, std::nullopt}, approximate != 0);
  });
}
AdbcStatusCode ConnectionGetTableSchema(AdbcConnection* connection, const char* catalog, const char* schema,
                                        const char* table, ArrowSchema* out, AdbcError* error) {
  return Guard(error, [&] {
    Require(out, "the output");
    Operation operation(ConnectionAccess::Of(connection));
    WithoutPosition([&] { TableSchema(operation, catalog, schema, table, out); });
  });
}
AdbcStatusCode ConnectionReadPartition(AdbcConnection*, const uint8_t*, size_t, ArrowArrayStream*,
                                       AdbcError* error) {
  return Guard(error, [] { ThrowNotImplemented("results have no partitions: execute the query instead"); });
}

}  // namespace

void FillConnectionFunctions(AdbcDriver& driver, bool has_1_1) {
  driver.ConnectionNew = ConnectionNew;
  driver.ConnectionInit = ConnectionInit;
  driver.ConnectionRelease = ConnectionRelease;
  driver.ConnectionSetOption = ConnectionAccess::SetText;
  driver.ConnectionCommit = ConnectionCommit;
  driver.ConnectionRollback = ConnectionRollback;
  driver.ConnectionGetInfo = ConnectionGetInfo;
  driver.ConnectionGetObjects = ConnectionGetObjects;
  driver.ConnectionGetTableSchema = ConnectionGetTableSchema;
  driver.ConnectionGetTableTypes = ConnectionGetTableTypes;
  driver.ConnectionReadPartition = ConnectionReadPartition;
  if (!has_1_1) return;
  driver.ConnectionCancel = ConnectionCancel;
  driver.ConnectionGetOption = ConnectionAccess::GetText;
  driver.ConnectionGetOptionBytes = ConnectionAccess::GetBytes;
  driver.ConnectionGetOptionDouble = ConnectionAccess::GetDouble;
  driver.ConnectionGetOptionInt = ConnectionAccess::GetInteger;
  driver.ConnectionSetOptionBytes = ConnectionAccess::SetBytes;
  driver.ConnectionSetOptionDouble = ConnectionAccess::SetDouble;
  driver.ConnectionSetOptionInt = ConnectionAccess::SetInteger;
  driver.ConnectionGetStatistics = ConnectionGetStatistics;
  driver.ConnectionGetStatisticNames = ConnectionGetStatisticNames;
}

}  // namespace scaup::adbc
