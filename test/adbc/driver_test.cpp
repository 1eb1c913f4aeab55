// The driver's table of functions, called as a driver manager would not: old versions, misuse, any order.
#include "driver.hpp"

#include <atomic>
#include <thread>

#include "arrow_builder.hpp"

using scaup::adbc::ArrayBuilder;
using scaup::adbc::Field;
using scaup::adbc::OwnedStream;

namespace {

/// A stream of one column with these values.
OwnedStream IntegerStream(const std::vector<int64_t>& values, const char* name = "a") {
  const std::vector<Field> columns = {{name, "l", true, {}}};
  ArrayBuilder table(scaup::adbc::TableField(columns));
  for (const int64_t value : values) {
    table.child(0).AppendInteger(value);
    table.EndStruct();
  }
  return MakeTable(columns, table);
}

void Bind(TestConnection& test, const std::vector<int64_t>& values, const char* name = "a") {
  OwnedStream stream = IntegerStream(values, name);
  REQUIRE(Driver().StatementBindStream(&test.statement, stream.get(), test.error) == ADBC_STATUS_OK);
  CHECK(stream.is_released());
}

std::string Option(AdbcStatement& statement, const char* key) {
  char text[100] = "";
  size_t length = sizeof(text);
  REQUIRE(Driver().StatementGetOption(&statement, key, text, &length, nullptr) == ADBC_STATUS_OK);
  CHECK(length == std::strlen(text) + 1);
  return text;
}

}  // namespace

TEST_CASE("the table of version 1.0 is filled up to its end", "[adbc]") {
  std::vector<unsigned char> memory(ADBC_DRIVER_1_1_0_SIZE, 0xab);
  auto* driver = reinterpret_cast<AdbcDriver*>(memory.data());
  driver->private_manager = &memory;
  REQUIRE(AdbcDriverScaupInit(ADBC_VERSION_1_0_0, driver, nullptr) == ADBC_STATUS_OK);
  CHECK(driver->private_manager == &memory);
  for (size_t i = ADBC_DRIVER_1_0_0_SIZE; i < memory.size(); i++) REQUIRE(memory[i] == 0xab);
  // Each function of version 1.0 is there: the members behind the manager's are pointers.
  for (size_t i = 2; i < ADBC_DRIVER_1_0_0_SIZE / sizeof(void*); i++) {
    void* function = nullptr;
    std::memcpy(&function, memory.data() + i * sizeof(void*), sizeof(function));
    CHECK(function != nullptr);
  }
  AdbcDatabase database{};
  CHECK(driver->DatabaseNew(&database, nullptr) == ADBC_STATUS_OK);
  CHECK(driver->DatabaseRelease(&database, nullptr) == ADBC_STATUS_OK);
  CHECK(driver->release(driver, nullptr) == ADBC_STATUS_OK);
}

TEST_CASE("the table of version 1.1 is whole, by each entry point", "[adbc]") {
  for (const AdbcDriverInitFunc init : {AdbcDriverInit, AdbcDriverScaupInit, scaup_adbc_init}) {
    AdbcDriver driver;
    std::memset(&driver, 0, sizeof(driver));
    REQUIRE(init(ADBC_VERSION_1_1_0, &driver, nullptr) == ADBC_STATUS_OK);
    for (size_t i = 2; i < sizeof(driver) / sizeof(void*); i++) {
      void* function = nullptr;
      std::memcpy(&function, reinterpret_cast<const char*>(&driver) + i * sizeof(void*), sizeof(function));
      CHECK(function != nullptr);
    }
    TestError error;
    CHECK(init(1002000, &driver, error) == ADBC_STATUS_NOT_IMPLEMENTED);
    CHECK(init(ADBC_VERSION_1_1_0, nullptr, error) == ADBC_STATUS_INVALID_ARGUMENT);
  }
}

TEST_CASE("errors of version 1.0 have the kind as vendor code and no more members", "[adbc]") {
  TestConnection test;
  struct {
    AdbcError error{};
  } old;
  old.error.private_data = &old;
  old.error.private_driver = nullptr;
  REQUIRE(Driver().StatementSetSqlQuery(&test.statement, "SELECT 1 / 0", nullptr) == ADBC_STATUS_OK);
  CHECK(Driver().StatementExecuteQuery(&test.statement, nullptr, nullptr, &old.error) ==
        ADBC_STATUS_INVALID_DATA);
  CHECK(std::string(old.error.message) == "division by zero");
  CHECK(std::string(old.error.sqlstate, 5) == "22012");
  CHECK(old.error.vendor_code == 5);
  CHECK(old.error.private_data == &old);
  CHECK(Driver().ErrorGetDetailCount(&old.error) == 0);
  // The next error replaces it.
  CHECK(Driver().StatementSetSqlQuery(&test.statement, nullptr, &old.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(std::string(old.error.message) == "the query is NULL");
  old.error.release(&old.error);
  CHECK(old.error.release == nullptr);
}

TEST_CASE("errors of version 1.1 have details", "[adbc]") {
  TestConnection test;
  REQUIRE(test.Query("SELECT  nowhere") == ADBC_STATUS_INVALID_ARGUMENT);
  const AdbcError& error = test.error.error;
  CHECK(error.vendor_code == ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA);
  CHECK(test.error.sqlstate() == "42703");
  std::vector<std::string> details;
  for (int i = 0; i < Driver().ErrorGetDetailCount(&error); i++) {
    const AdbcErrorDetail detail = Driver().ErrorGetDetail(&error, i);
    details.push_back(std::string(detail.key) + "=" +
                      std::string(reinterpret_cast<const char*>(detail.value), detail.value_length));
  }
  CHECK(details == std::vector<std::string>{"scaup.kind=binder", "scaup.position=8"});
  CHECK(Driver().ErrorGetDetail(&error, -1).key == nullptr);
  CHECK(Driver().ErrorGetDetail(&error, 2).key == nullptr);
  CHECK(Driver().ErrorGetDetailCount(nullptr) == 0);
  const AdbcError empty = ADBC_ERROR_INIT;
  CHECK(Driver().ErrorGetDetailCount(&empty) == 0);
}

TEST_CASE("handles are released in any order, and results outlive them", "[adbc]") {
  const auto order = GENERATE(0, 1, 2, 3, 4, 5);
  constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  TestConnection test;
  ArrowArrayStream stream{};
  REQUIRE(test.Query("SELECT i::BIGINT FROM generate_series(1, 500000) AS g(i)", &stream) == ADBC_STATUS_OK);
  CHECK(test.rows_affected == -1);
  for (const int handle : kOrders[order]) {
    AdbcStatusCode status = ADBC_STATUS_UNKNOWN;
    if (handle == 0) status = Driver().DatabaseRelease(&test.database, test.error);
    if (handle == 1) status = Driver().ConnectionRelease(&test.connection, test.error);
    if (handle == 2) status = Driver().StatementRelease(&test.statement, test.error);
    CHECK(status == ADBC_STATUS_OK);
  }
  const std::vector<int64_t> values = ReadIntegers(stream);
  REQUIRE(values.size() == 500000);
  CHECK(values.front() == 1);
  CHECK(values.back() == 500000);
}

TEST_CASE("misuse of handles is an error", "[adbc]") {
  TestError error;
  AdbcDatabase database{};
  AdbcConnection connection{};
  AdbcStatement statement{};
  const AdbcDriver& driver = Driver();
  CHECK(driver.DatabaseNew(nullptr, error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.DatabaseInit(&database, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.DatabaseRelease(&database, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.ConnectionRelease(&connection, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.StatementRelease(&statement, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.StatementExecuteQuery(&statement, nullptr, nullptr, error) == ADBC_STATUS_INVALID_STATE);

  REQUIRE(driver.DatabaseNew(&database, error) == ADBC_STATUS_OK);
  CHECK(driver.DatabaseNew(&database, error) == ADBC_STATUS_INVALID_STATE);
  REQUIRE(driver.ConnectionNew(&connection, error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionInit(&connection, &database, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.ConnectionCommit(&connection, error) == ADBC_STATUS_INVALID_STATE);
  ArrowArrayStream stream{};
  CHECK(driver.ConnectionGetInfo(&connection, nullptr, 0, &stream, error) == ADBC_STATUS_INVALID_STATE);
  REQUIRE(driver.StatementNew(&connection, &statement, error) == ADBC_STATUS_OK);
  REQUIRE(driver.StatementSetSqlQuery(&statement, "SELECT 1", error) == ADBC_STATUS_OK);
  CHECK(driver.StatementExecuteQuery(&statement, nullptr, nullptr, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.ConnectionCancel(&connection, error) == ADBC_STATUS_INVALID_STATE);
  REQUIRE(driver.DatabaseInit(&database, error) == ADBC_STATUS_OK);
  CHECK(driver.DatabaseInit(&database, error) == ADBC_STATUS_INVALID_STATE);
  REQUIRE(driver.ConnectionInit(&connection, &database, error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionInit(&connection, &database, error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.StatementExecuteQuery(&statement, nullptr, nullptr, error) == ADBC_STATUS_OK);
  CHECK(driver.StatementRelease(&statement, error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionRelease(&connection, error) == ADBC_STATUS_OK);
  CHECK(driver.DatabaseRelease(&database, error) == ADBC_STATUS_OK);
}

TEST_CASE("missing arguments are errors", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  CHECK(driver.StatementBind(&test.statement, nullptr, nullptr, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementBindStream(&test.statement, nullptr, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  ArrowArrayStream released{};
  CHECK(driver.StatementBindStream(&test.statement, &released, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementExecuteQuery(&test.statement, nullptr, nullptr, test.error) ==
        ADBC_STATUS_INVALID_STATE);
  CHECK(driver.StatementPrepare(&test.statement, test.error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.StatementExecuteSchema(&test.statement, nullptr, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementSetOption(&test.statement, nullptr, "x", test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementSetOption(&test.statement, "x", nullptr, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.ConnectionGetInfo(&test.connection, nullptr, 0, nullptr, test.error) ==
        ADBC_STATUS_INVALID_ARGUMENT);
  ArrowSchema schema{};
  CHECK(driver.ConnectionGetTableSchema(&test.connection, nullptr, nullptr, nullptr, &schema, test.error) ==
        ADBC_STATUS_INVALID_ARGUMENT);
  ArrowArrayStream stream{};
  CHECK(driver.ConnectionGetObjects(&test.connection, 4, nullptr, nullptr, nullptr, nullptr, nullptr, &stream,
                                    test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(test.Query("  -- nothing") == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(test.Query("") == ADBC_STATUS_INVALID_STATE);
}

TEST_CASE("what the driver lacks is said", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  const uint8_t byte = 0;
  ArrowArrayStream stream{};
  CHECK(driver.StatementSetSubstraitPlan(&test.statement, &byte, 1, test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.ConnectionReadPartition(&test.connection, &byte, 1, &stream, test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.StatementExecutePartitions(&test.statement, nullptr, nullptr, nullptr, test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.StatementSetOption(&test.statement, "nothing", "x", test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.ConnectionSetOption(&test.connection, "nothing", "x", test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.ConnectionSetOption(&test.connection, "adbc.nothing", "x", test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.ConnectionSetOption(&test.connection, ADBC_CONNECTION_OPTION_ISOLATION_LEVEL,
                                   ADBC_OPTION_ISOLATION_LEVEL_LINEARIZABLE,
                                   test.error) == ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.StatementSetOption(&test.statement, ADBC_STATEMENT_OPTION_INCREMENTAL, "true", test.error) ==
        ADBC_STATUS_NOT_IMPLEMENTED);
  AdbcDatabase database{};
  REQUIRE(driver.DatabaseNew(&database, test.error) == ADBC_STATUS_OK);
  CHECK(driver.DatabaseSetOption(&database, "username", "x", test.error) == ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.DatabaseSetOption(&database, "adbc.nothing", "x", test.error) == ADBC_STATUS_NOT_IMPLEMENTED);
  CHECK(driver.DatabaseRelease(&database, test.error) == ADBC_STATUS_OK);
}

TEST_CASE("options are texts, bytes and numbers", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  const char* kRows = "scaup.arrow.batch_rows";
  CHECK(driver.StatementSetOptionInt(&test.statement, kRows, 10, test.error) == ADBC_STATUS_OK);
  CHECK(Option(test.statement, kRows) == "10");
  int64_t number = 0;
  CHECK(driver.StatementGetOptionInt(&test.statement, kRows, &number, test.error) == ADBC_STATUS_OK);
  CHECK(number == 10);
  double real = 0;
  CHECK(driver.StatementGetOptionDouble(&test.statement, kRows, &real, test.error) == ADBC_STATUS_OK);
  CHECK(real == 10);
  CHECK(driver.StatementSetOptionDouble(&test.statement, kRows, 20, test.error) == ADBC_STATUS_OK);
  const uint8_t bytes[] = {'3', '0'};
  CHECK(driver.StatementSetOptionBytes(&test.statement, kRows, bytes, 2, test.error) == ADBC_STATUS_OK);
  uint8_t read[2] = {};
  size_t length = 2;
  CHECK(driver.StatementGetOptionBytes(&test.statement, kRows, read, &length, test.error) == ADBC_STATUS_OK);
  CHECK(length == 2);
  CHECK(read[0] == '3');
  // A buffer that is too small stays as it is.
  char text[] = "x";
  length = 1;
  CHECK(driver.StatementGetOption(&test.statement, kRows, text, &length, test.error) == ADBC_STATUS_OK);
  CHECK(length == 3);
  CHECK(text[0] == 'x');
  CHECK(driver.StatementSetOption(&test.statement, kRows, "0", test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementSetOption(&test.statement, "scaup.arrow.string_views", "yes", test.error) ==
        ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.StatementGetOptionInt(&test.statement, "nothing", &number, test.error) ==
        ADBC_STATUS_NOT_FOUND);
  CHECK(driver.StatementGetOptionInt(&test.statement, ADBC_INGEST_OPTION_MODE, &number, test.error) ==
        ADBC_STATUS_NOT_FOUND);
  CHECK(driver.StatementGetOptionDouble(&test.statement, ADBC_STATEMENT_OPTION_MAX_PROGRESS, &real,
                                        test.error) == ADBC_STATUS_OK);
  CHECK(real == 1);
  CHECK(driver.StatementGetOptionDouble(&test.statement, ADBC_STATEMENT_OPTION_PROGRESS, &real, test.error) ==
        ADBC_STATUS_OK);
  CHECK(Option(test.statement, ADBC_INGEST_OPTION_MODE) == ADBC_INGEST_OPTION_MODE_CREATE);
  CHECK(Option(test.statement, ADBC_INGEST_OPTION_TEMPORARY) == "false");

  CHECK(driver.ConnectionSetOptionInt(&test.connection, "scaup.statement_timeout", 5000, test.error) ==
        ADBC_STATUS_OK);
  length = 1;
  CHECK(driver.ConnectionGetOption(&test.connection, "statement_timeout", text, &length, test.error) ==
        ADBC_STATUS_OK);
  CHECK(length > 1);
  CHECK(driver.ConnectionGetOption(&test.connection, "nothing", text, &length, test.error) ==
        ADBC_STATUS_NOT_FOUND);
  CHECK(driver.ConnectionGetOption(&test.connection, "adbc.nothing", text, &length, test.error) ==
        ADBC_STATUS_NOT_FOUND);
  CHECK(driver.DatabaseGetOption(&test.database, "uri", text, &length, test.error) == ADBC_STATUS_NOT_FOUND);
  CHECK(driver.DatabaseSetOption(&test.database, "threads", "2", test.error) == ADBC_STATUS_INVALID_STATE);
}

TEST_CASE("options of a connection before it is open are set when it opens", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  AdbcConnection connection{};
  REQUIRE(driver.ConnectionNew(&connection, test.error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionSetOption(&connection, ADBC_CONNECTION_OPTION_AUTOCOMMIT, "false", test.error) ==
        ADBC_STATUS_OK);
  CHECK(driver.ConnectionSetOption(&connection, ADBC_CONNECTION_OPTION_AUTOCOMMIT, "no", test.error) ==
        ADBC_STATUS_INVALID_ARGUMENT);
  CHECK(driver.ConnectionSetOption(&connection, "timezone", "Asia/Tokyo", test.error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionSetOption(&connection, "a b", "x", test.error) == ADBC_STATUS_NOT_IMPLEMENTED);
  char text[50] = "";
  size_t length = sizeof(text);
  CHECK(driver.ConnectionGetOption(&connection, ADBC_CONNECTION_OPTION_AUTOCOMMIT, text, &length,
                                   test.error) == ADBC_STATUS_OK);
  CHECK(std::string(text) == "false");
  REQUIRE(driver.ConnectionInit(&connection, &test.database, test.error) == ADBC_STATUS_OK);
  length = sizeof(text);
  CHECK(driver.ConnectionGetOption(&connection, "scaup.timezone", text, &length, test.error) ==
        ADBC_STATUS_OK);
  CHECK(std::string(text) == "Asia/Tokyo");
  CHECK(driver.ConnectionCommit(&connection, test.error) == ADBC_STATUS_OK);
  CHECK(driver.ConnectionRelease(&connection, test.error) == ADBC_STATUS_OK);
}

TEST_CASE("a result ends when its statement is executed again, and is kept for others", "[adbc]") {
  TestConnection test;
  const char* kQuery = "SELECT i::BIGINT FROM generate_series(1, 400000) AS g(i)";
  ArrowArrayStream first{};
  ArrowArrayStream second{};
  REQUIRE(test.Query(kQuery, &first) == ADBC_STATUS_OK);
  AdbcStatement other{};
  REQUIRE(Driver().StatementNew(&test.connection, &other, test.error) == ADBC_STATUS_OK);
  REQUIRE(Driver().StatementSetSqlQuery(&other, "SELECT 7::BIGINT", test.error) == ADBC_STATUS_OK);
  REQUIRE(Driver().StatementExecuteQuery(&other, &second, nullptr, test.error) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(second) == std::vector<int64_t>{7});
  CHECK(ReadIntegers(first).size() == 400000);

  REQUIRE(test.Query(kQuery, &first) == ADBC_STATUS_OK);
  REQUIRE(test.Query(kQuery, &second) == ADBC_STATUS_OK);
  ArrowArray array{};
  CHECK(first.get_next(&first, &array) == EINVAL);
  AdbcStatusCode status = ADBC_STATUS_OK;
  const AdbcError* error = Driver().ErrorFromArrayStream(&first, &status);
  REQUIRE(error != nullptr);
  CHECK(status == ADBC_STATUS_INVALID_STATE);
  CHECK(std::string(error->sqlstate, 5) == "24000");
  CHECK(std::string(error->message) == first.get_last_error(&first));
  CHECK(Driver().ErrorGetDetailCount(error) == 1);
  first.release(&first);
  CHECK(Driver().ErrorFromArrayStream(&second, &status) == nullptr);
  CHECK(status == ADBC_STATUS_OK);
  CHECK(ReadIntegers(second).size() == 400000);
  OwnedStream foreign = IntegerStream({1});
  CHECK(Driver().ErrorFromArrayStream(foreign.get(), &status) == nullptr);
  CHECK(Driver().StatementRelease(&other, test.error) == ADBC_STATUS_OK);
}

TEST_CASE("errors of rows are known from the stream", "[adbc]") {
  TestConnection test;
  ArrowArrayStream stream{};
  REQUIRE(test.Query("SELECT 1 / (i - 300000) FROM generate_series(1, 400000) AS g(i)", &stream) ==
          ADBC_STATUS_OK);
  int code = 0;
  while (code == 0) {
    ArrowArray array{};
    code = stream.get_next(&stream, &array);
    REQUIRE((code != 0 || array.release != nullptr));
    if (array.release != nullptr) array.release(&array);
  }
  AdbcStatusCode status = ADBC_STATUS_OK;
  const AdbcError* error = Driver().ErrorFromArrayStream(&stream, &status);
  REQUIRE(error != nullptr);
  CHECK(status == ADBC_STATUS_INVALID_DATA);
  CHECK(std::string(error->sqlstate, 5) == "22012");
  stream.release(&stream);
}

TEST_CASE("statements and connections are cancelled", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  CHECK(driver.StatementCancel(&test.statement, test.error) == ADBC_STATUS_INVALID_STATE);
  CHECK(driver.ConnectionCancel(&test.connection, test.error) == ADBC_STATUS_INVALID_STATE);
  const bool by_statement = GENERATE(true, false);
  const auto cancel = [&] {
    return by_statement ? driver.StatementCancel(&test.statement, nullptr)
                        : driver.ConnectionCancel(&test.connection, nullptr);
  };

  // While a statement is executed.
  std::atomic<bool> has_ended{false};
  std::thread thread([&] {
    while (!has_ended) {
      cancel();
      std::this_thread::yield();
    }
  });
  const AdbcStatusCode status =
      test.Query("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b");
  has_ended = true;
  thread.join();
  CHECK(status == ADBC_STATUS_CANCELLED);
  CHECK(test.error.sqlstate() == "57014");

  // Between two reads of a result.
  ArrowArrayStream stream{};
  REQUIRE(test.Query("SELECT i::BIGINT FROM generate_series(1, 400000) AS g(i)", &stream) == ADBC_STATUS_OK);
  CHECK(cancel() == ADBC_STATUS_OK);
  ArrowArray array{};
  CHECK(stream.get_next(&stream, &array) == ECANCELED);
  stream.release(&stream);
  CHECK(test.Query("SELECT 1") == ADBC_STATUS_OK);
}

TEST_CASE("a statement is executed for each bound row", "[adbc]") {
  TestConnection test;
  REQUIRE(test.Query("CREATE TABLE t (a BIGINT PRIMARY KEY)") == ADBC_STATUS_OK);
  CHECK(test.rows_affected == -1);
  Bind(test, {1, 2, 3});
  REQUIRE(test.Query("INSERT INTO t VALUES ($1)") == ADBC_STATUS_OK);
  CHECK(test.rows_affected == 3);
  Bind(test, {4});
  REQUIRE(test.Query("INSERT INTO t VALUES ($1)") == ADBC_STATUS_OK);
  CHECK(test.rows_affected == 1);
  Bind(test, {});
  REQUIRE(test.Query("INSERT INTO t VALUES ($1)") == ADBC_STATUS_OK);
  CHECK(test.rows_affected == 0);
  // All rows, or none.
  Bind(test, {5, 6, 1});
  CHECK(test.Query("INSERT INTO t VALUES ($1)") == ADBC_STATUS_INTEGRITY);
  ArrowArrayStream stream{};
  REQUIRE(test.Query("SELECT sum(a)::BIGINT FROM t", &stream) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{10});
  Bind(test, {2, 9, 4});
  REQUIRE(test.Query("SELECT a * 10 FROM t WHERE a = $1", &stream) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{20, 40});
  Bind(test, {});
  REQUIRE(test.Query("SELECT a FROM t WHERE a = $1", &stream) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream).empty());
  Bind(test, {10, 11});
  REQUIRE(test.Query("INSERT INTO t VALUES ($1) RETURNING a + 1", &stream) == ADBC_STATUS_OK);
  CHECK(test.rows_affected == 2);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{11, 12});
  // The bound rows are used up.
  CHECK(test.Query("INSERT INTO t VALUES ($1)") == ADBC_STATUS_INVALID_ARGUMENT);
  Bind(test, {1});
  CHECK(test.Query("SELECT $1 + $2") == ADBC_STATUS_INVALID_ARGUMENT);
  Bind(test, {1});
  CHECK(test.Query("SELECT 1; SELECT $1") == ADBC_STATUS_INVALID_ARGUMENT);
}

TEST_CASE("parameters are bound by name", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  REQUIRE(driver.StatementSetOption(&test.statement, ADBC_STATEMENT_OPTION_BIND_BY_NAME, "true",
                                    test.error) == ADBC_STATUS_OK);
  CHECK(Option(test.statement, ADBC_STATEMENT_OPTION_BIND_BY_NAME) == "true");
  ArrowArrayStream stream{};
  Bind(test, {5}, "x");
  REQUIRE(test.Query("SELECT $x + $x", &stream) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{10});
  Bind(test, {5}, "y");
  CHECK(test.Query("SELECT $x", &stream) == ADBC_STATUS_INVALID_ARGUMENT);
}

TEST_CASE("the schema of a result and of parameters is known before it is executed", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  REQUIRE(driver.StatementSetSqlQuery(&test.statement, "SELECT $x AS a, $y::BIGINT AS b, $x AS c",
                                      test.error) == ADBC_STATUS_OK);
  ArrowSchema schema{};
  REQUIRE(driver.StatementGetParameterSchema(&test.statement, &schema, test.error) == ADBC_STATUS_OK);
  REQUIRE(schema.n_children == 2);
  CHECK(std::string(schema.children[0]->name) == "x");
  CHECK(std::string(schema.children[1]->name) == "y");
  CHECK(std::string(schema.children[1]->format) == "l");
  schema.release(&schema);
  REQUIRE(driver.StatementSetSqlQuery(&test.statement, "SELECT $1 AS a", test.error) == ADBC_STATUS_OK);
  Bind(test, {5});
  REQUIRE(driver.StatementExecuteSchema(&test.statement, &schema, test.error) == ADBC_STATUS_OK);
  REQUIRE(schema.n_children == 1);
  CHECK(std::string(schema.children[0]->format) == "l");
  schema.release(&schema);
  // The rows are still bound.
  ArrowArrayStream stream{};
  REQUIRE(driver.StatementExecuteQuery(&test.statement, &stream, nullptr, test.error) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{5});
  REQUIRE(driver.StatementSetSqlQuery(&test.statement, "SELECT 1; SELECT 2", test.error) == ADBC_STATUS_OK);
  CHECK(driver.StatementExecuteSchema(&test.statement, &schema, test.error) == ADBC_STATUS_INVALID_ARGUMENT);
  REQUIRE(driver.StatementSetSqlQuery(&test.statement, "CREATE TABLE t (i INTEGER)", test.error) ==
          ADBC_STATUS_OK);
  REQUIRE(driver.StatementExecuteSchema(&test.statement, &schema, test.error) == ADBC_STATUS_OK);
  CHECK(schema.n_children == 0);
  schema.release(&schema);
}

TEST_CASE("a stream is ingested, and ingest ends where a query is set", "[adbc]") {
  TestConnection test;
  const AdbcDriver& driver = Driver();
  REQUIRE(driver.StatementSetOption(&test.statement, ADBC_INGEST_OPTION_TARGET_TABLE, "a \"b\"",
                                    test.error) == ADBC_STATUS_OK);
  CHECK(Option(test.statement, ADBC_INGEST_OPTION_TARGET_TABLE) == "a \"b\"");
  CHECK(driver.StatementExecuteQuery(&test.statement, nullptr, nullptr, test.error) ==
        ADBC_STATUS_INVALID_STATE);
  Bind(test, {1, 2, 3}, "x \"y\"");
  int64_t count = 0;
  ArrowArrayStream stream{};
  REQUIRE(driver.StatementExecuteQuery(&test.statement, &stream, &count, test.error) == ADBC_STATUS_OK);
  CHECK(count == 3);
  ArrowSchema schema{};
  REQUIRE(stream.get_schema(&stream, &schema) == 0);
  CHECK(schema.n_children == 0);
  schema.release(&schema);
  CHECK(ReadIntegers(stream).empty());
  REQUIRE(test.Query("SELECT \"x \"\"y\"\"\" FROM \"a \"\"b\"\"\"", &stream) == ADBC_STATUS_OK);
  CHECK(ReadIntegers(stream) == std::vector<int64_t>{1, 2, 3});
  CHECK(driver.StatementSetOption(&test.statement, ADBC_INGEST_OPTION_MODE, "all", test.error) ==
        ADBC_STATUS_INVALID_ARGUMENT);
}
