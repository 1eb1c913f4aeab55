// The entry points of the driver, by which driver managers get its table of functions.
#include "adbc.h"
#include "edge.hpp"
#include "functions.hpp"
#include "lazy_result.hpp"
#include "scaup/export.hpp"

namespace scaup::adbc {

namespace {

AdbcStatusCode ReleaseDriver(AdbcDriver* driver, AdbcError* error) {
  return Guard(error, [&] { Require(driver, "the driver").private_data = nullptr; });
}

AdbcStatusCode InitDriver(int version, void* table, AdbcError* error) {
  return Guard(error, [&] {
    if (version != ADBC_VERSION_1_0_0 && version != ADBC_VERSION_1_1_0)
      ThrowNotImplemented("the driver has the versions 1.0 and 1.1 of ADBC, not " + std::to_string(version));
    AdbcDriver& driver = Require(static_cast<AdbcDriver*>(table), "the driver");
    const bool has_1_1 = version == ADBC_VERSION_1_1_0;
    // Members that the driver does not fill are null; the manager's own member is not touched.
    driver.private_data = nullptr;
    driver.release = ReleaseDriver;
    FillDatabaseFunctions(driver, has_1_1);
    FillConnectionFunctions(driver, has_1_1);
    FillStatementFunctions(driver, has_1_1);
    if (!has_1_1) return;
    driver.ErrorGetDetailCount = DetailCountOf;
    driver.ErrorGetDetail = DetailOf;
    driver.ErrorFromArrayStream = LazyResult::ErrorOf;
  });
}

}  // namespace

}  // namespace scaup::adbc

extern "C" {

// The name that managers look for, the name that they derive from that of the library, and one in our own
// style.
SCAUP_API AdbcStatusCode AdbcDriverInit(int version, void* driver, AdbcError* error) {
  return scaup::adbc::InitDriver(version, driver, error);
}
SCAUP_API AdbcStatusCode AdbcDriverScaupInit(int version, void* driver, AdbcError* error) {
  return scaup::adbc::InitDriver(version, driver, error);
}
SCAUP_API AdbcStatusCode scaup_adbc_init(int version, void* driver, AdbcError* error) {
  return scaup::adbc::InitDriver(version, driver, error);
}
}
