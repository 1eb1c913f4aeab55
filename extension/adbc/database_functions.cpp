// The functions of databases.
#include "database.hpp"
#include "functions.hpp"
#include "handle.hpp"

namespace scaup::adbc {

namespace {

using DatabaseAccess = HandleAccess<AdbcDatabase, DatabaseState>;

AdbcStatusCode DatabaseNew(AdbcDatabase* database, AdbcError* error) {
  return Guard(error, [&] { DatabaseAccess::Make(database, std::make_shared<DatabaseState>()); });
}
AdbcStatusCode DatabaseInit(AdbcDatabase* database, AdbcError* error) {
  return Guard(error, [&] { DatabaseAccess::Of(database).Init(); });
}
AdbcStatusCode DatabaseRelease(AdbcDatabase* database, AdbcError* error) {
  return Guard(error, [&] { DatabaseAccess::Release(database); });
}

}  // namespace

void FillDatabaseFunctions(AdbcDriver& driver, bool has_1_1) {
  driver.DatabaseNew = DatabaseNew;
  driver.DatabaseInit = DatabaseInit;
  driver.DatabaseRelease = DatabaseRelease;
  driver.DatabaseSetOption = DatabaseAccess::SetText;
  if (!has_1_1) return;
  driver.DatabaseGetOption = DatabaseAccess::GetText;
  driver.DatabaseGetOptionBytes = DatabaseAccess::GetBytes;
  driver.DatabaseGetOptionDouble = DatabaseAccess::GetDouble;
  driver.DatabaseGetOptionInt = DatabaseAccess::GetInteger;
  driver.DatabaseSetOptionBytes = DatabaseAccess::SetBytes;
  driver.DatabaseSetOptionDouble = DatabaseAccess::SetDouble;
  driver.DatabaseSetOptionInt = DatabaseAccess::SetInteger;
}

}  // namespace scaup::adbc
