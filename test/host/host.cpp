// A host program: does to a library what hosts do, one thing for each run, and ends with status 0 if all was
// as docs/embedding.md says. check_host.py runs it.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scaup/scaup.hpp"

extern "C" {
extern int clashing_calls;  // In clashing_names.c, which defines what PostgreSQL's parser has, too.
void* lappend(void);
void* palloc(void);
}

namespace {

using namespace scaup;

int failures = 0;

void Check(bool is_right, const char* what, int line) {
  if (is_right) return;
  failures++;
  std::string text = "host.cpp:" + std::to_string(line) + ": " + what + "\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) failures++;
}
#define CHECK(condition) Check((condition), #condition, __LINE__)

int64_t Number(Connection& connection, const std::string& sql) {
  return connection.Query(sql).GetValue(0, 0).GetInteger();
}

/// What a call throws: the kind, or nothing.
std::optional<ErrorKind> KindOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}
#define CHECK_REFUSED(call) CHECK(KindOf([&] { call; }) == ErrorKind::kUsage)

size_t ThreadCount() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) count += entry.exists();
  return count;
}

/// Runs a child made by fork to its end, which must come within `seconds`; its status, or -1 for a signal.
int RunChild(const std::function<int()>& work, unsigned seconds = 60) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    _exit(work());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

constexpr const char* kFile = "host.scaup";
constexpr const char* kLargeQuery =
    "SELECT count(*), sum(a.i * b.i) FROM generate_series(1, 100000) AS a(i), generate_series(1, 20000) AS "
    "b(i)";

/// Enough for several tasks.
void FillLarge(Connection& connection) {
  connection.Query("CREATE TABLE large AS SELECT i, i % 1000 AS k FROM generate_series(1, 1000000) AS g(i)");
}

// --- names
// ------------------------------------------------------------------------------------------------------

void Names() {
  lappend();
  palloc();
  Database database;
  Connection connection(database);
  const QueryResult row =
      connection.Query("SELECT 1 + 2 AS x, 'a' || 'b', upper('äb'), regexp_replace('xay', 'a', '-')");
  CHECK(row.column_count() == 4);
  CHECK(row.ToString() == "3\tab\tÄB\tx-y\n");
  connection.Query("CREATE TABLE t (k text PRIMARY KEY, j json)");
  connection.Query("INSERT INTO t SELECT 'k' || i, '{\"a\": [1, 2]}' FROM generate_series(1, 5000) AS g(i)");
  CHECK(Number(connection, "SELECT count(DISTINCT k) FROM t") == 5000);
  CHECK(KindOf([&] { connection.Query("SELECT 1 +"); }) == ErrorKind::kSyntax);
  CHECK(clashing_calls == 2);
}

// --- descriptors
// ------------------------------------------------------------------------------------------------

bool IsOpen(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

/// Everything that opens files, while some of 0, 1 and 2 are closed; then a crash, as those of daemons.
void UseFiles() {
  Database database(kFile, {{"memory_limit", "100MB"}, {"threads", "2"}});
  Connection connection(database);
  connection.Query("CREATE TABLE t AS SELECT i, 'text ' || i AS s FROM generate_series(1, 2000) AS g(i)");
  connection.Query("COPY t TO 'host.csv'");
  connection.Query("COPY t TO 'host.json' (FORMAT json)");
  connection.Query("CREATE TABLE u AS SELECT * FROM read_csv('host.csv')");
  connection.Query("SELECT count(*) FROM \"host.csv\"");
  connection.Query("EXPORT DATABASE 'host.exported'");
  // More than memory holds: a temporary file.
  connection.Query(
      "CREATE TABLE w AS SELECT i, repeat('x', 100) || i AS s FROM generate_series(1, 500000) AS g(i)");
  CHECK(
      Number(connection,
             "SELECT count(*) FROM (SELECT s, lag(s) OVER (ORDER BY s DESC) AS p FROM w) AS q WHERE p < s") ==
      0);
  connection.Query("SET timezone = 'Europe/Berlin'");
  connection.Query("CHECKPOINT");
  connection.Query("INSERT INTO t VALUES (3000, 'after the checkpoint')");
  connection.Query("SELECT * FROM \"*.csv\"");
}

void Descriptors() {
  for (int closed = 1; closed < 8; closed++) {
    std::filesystem::remove_all("host.exported");
    std::filesystem::remove(kFile);
    std::filesystem::remove(std::string(kFile) + ".wal");
    const int status = RunChild([&] {
      for (int number = 0; number < 3; number++) {
        if ((closed >> number) & 1) close(number);
      }
      std::atomic<bool> is_done = false, was_taken = false;
      // Other threads see none of them open, not for a moment, as what they write would go there.
      std::thread writer([&] {
        while (!is_done) {
          for (int number = 0; number < 3; number++) {
            if (((closed >> number) & 1) != 0 && write(number, "a line of the host\n", 19) != -1)
              was_taken = true;
          }
        }
      });
      UseFiles();
      is_done = true;
      writer.join();
      for (int number = 0; number < 3; number++) {
        if ((closed >> number) & 1) CHECK(!IsOpen(number));
      }
      CHECK(!was_taken);
      return failures;
    });
    CHECK(status == 0);
    Database database(kFile);
    Connection connection(database);
    CHECK(Number(connection, "SELECT count(*) FROM t") == 2001);
  }
}

// --- fork
// -------------------------------------------------------------------------------------------------------

/// What a parent has when it forks.
struct Handles {
  explicit Handles(const std::string& path)
      : database(path, {{"threads", "4"}}), connection(database), other(database) {
    connection.Query("CREATE TABLE t (i INTEGER)");
    connection.Query("INSERT INTO t VALUES (1), (2), (3)");
    FillLarge(connection);
    Number(connection, "SELECT count(*) FROM large WHERE k > 5");
    prepared.emplace(connection.Prepare("SELECT i FROM t WHERE i > $1"));
    stream.emplace(other.Stream("SELECT * FROM large"));
    CHECK(stream->Fetch(part));
    appender.emplace(connection, "t");
    appender->AppendRow(7);
    result = connection.Query("SELECT i, 'x' || i FROM t ORDER BY i");
  }
  Database database;
  Connection connection, other;
  std::optional<PreparedStatement> prepared;
  std::optional<StreamingResult> stream;
  std::optional<Appender> appender;
  QueryResult result, part;
};

void CheckInherited(std::unique_ptr<Handles> inherited) {
  Handles& h = *inherited;
  const Value one[] = {Value::Integer(1)};
  QueryResult rows;
  CHECK_REFUSED(h.connection.Query("SELECT 1"));
  CHECK_REFUSED(h.connection.Query("INSERT INTO t VALUES (99)"));
  CHECK_REFUSED(h.connection.Query("SELECT i FROM t WHERE i = $1", one));
  CHECK_REFUSED(h.connection.Query("CHECKPOINT"));
  CHECK_REFUSED(h.connection.Stream("SELECT 1"));
  CHECK_REFUSED(h.connection.Prepare("SELECT 1"));
  CHECK_REFUSED(h.prepared->Execute(one));
  CHECK_REFUSED(h.prepared->Stream(one));
  CHECK_REFUSED(h.stream->Fetch(rows));
  CHECK_REFUSED(h.appender->Append(1));
  CHECK_REFUSED(h.appender->AppendNull());
  CHECK_REFUSED(h.appender->EndRow());
  CHECK_REFUSED(h.appender->Flush());
  CHECK_REFUSED(h.appender->Close());
  CHECK_REFUSED(Connection refused(h.database));
  CHECK_REFUSED(Appender refused(h.connection, "t"));
  h.connection.Interrupt();
  CHECK(h.connection.Progress() < 0);
  // Results are memory, and can be read.
  CHECK(h.result.ToString() == "1\tx1\n2\tx2\n3\tx3\n");
  CHECK(h.prepared->parameter_count() == 1);
  const Database copy = h.database;
  PreparedStatement moved = std::move(*h.prepared);
  moved = std::move(moved);
  // A new database is the child's own.
  Database own;
  Connection connection(own);
  FillLarge(connection);
  CHECK(Number(connection, "SELECT count(*) FROM large WHERE k < 10") == 10000);
  h.result = connection.Query("SELECT 5");
  CHECK(h.result.ToString() == "5\n");
  inherited.reset();
}

void ForkHandles(const std::string& path) {
  auto handles = std::make_unique<Handles>(path);
  CHECK(RunChild([&] {
          CheckInherited(std::move(handles));
          // And so in a child of the child, which may not use what either has opened.
          Database database;
          Connection connection(database);
          CHECK(RunChild([&] {
                  CHECK_REFUSED(connection.Query("SELECT 1"));
                  return failures;
                }) == 0);
          CHECK(connection.Query("SELECT 1").row_count() == 1);
          return failures;
        }) == 0);
  // The parent has noticed nothing.
  handles->appender->Close();
  size_t count = handles->part.row_count();
  while (handles->stream->Fetch(handles->part)) count += handles->part.row_count();
  CHECK(count == 1000000);
  CHECK(Number(handles->connection, "SELECT count(*) FROM t") == 4);
}

void Fork() {
  ForkHandles(":memory:");
  ForkHandles(kFile);
  std::filesystem::remove(kFile);
}

/// A child lives on while its parent commits and crashes: nothing is lost, and the file is nobody's.
void ForkAndCrash() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t parent = fork();
  if (parent == 0) {
    Database database(kFile);
    Connection connection(database);
    connection.Query("CREATE TABLE t (i INTEGER)");
    if (fork() == 0) {
      KindOf([&] { connection.Query("INSERT INTO t SELECT i FROM generate_series(1, 50000) AS g(i)"); });
      KindOf([&] { connection.Query("CHECKPOINT"); });
      char byte;
      close(ends[1]);
      if (read(ends[0], &byte, 1) < 0) _exit(1);  // Until the test has ended.
      std::exit(0);
    }
    for (int i = 0; i < 50; i++) connection.Query("INSERT INTO t VALUES (" + std::to_string(i) + ")");
    raise(SIGKILL);
  }
  int status = 0;
  CHECK(waitpid(parent, &status, 0) == parent && WIFSIGNALED(status));
  {
    Database database(kFile);  // The child does not hold the lock.
    Connection connection(database);
    CHECK(Number(connection, "SELECT count(*) FROM t") == 50);
  }
  close(ends[1]);
  std::filesystem::remove(kFile);
}

/// Where the parent closes it, the file can be opened again at once, though children live.
void ForkAndClose() {
  std::vector<pid_t> children;
  for (int i = 0; i < 20; i++) {
    Database database(kFile);
    Connection connection(database);
    connection.Query("CREATE TABLE IF NOT EXISTS t (i INTEGER)");
    connection.Query("INSERT INTO t VALUES (1)");
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    children.push_back(child);
  }
  // A child may open it, too, once it is closed.
  CHECK(RunChild([] {
          Database database(kFile);
          Connection connection(database);
          CHECK(Number(connection, "SELECT count(*) FROM t") == 20);
          return failures;
        }) == 0);
  for (const pid_t child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  std::filesystem::remove(kFile);
}

/// Forks in the middle of what other threads do.
void ForkInQueries() {
  Database database(kFile, {{"threads", "4"}, {"checkpoint_threshold", "1MB"}});
  {
    Connection connection(database);
    FillLarge(connection);
    connection.Query("CREATE TABLE t (i INTEGER)");
  }
  std::atomic<bool> is_done = false;
  std::atomic<int64_t> inserted = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; number++) {
    threads.emplace_back([&, number] {
      Connection connection(database);
      while (!is_done) {
        if (number == 0) {
          connection.Query("INSERT INTO t SELECT i FROM generate_series(1, 100) AS g(i)");
          inserted += 100;
        } else if (number == 1) {
          connection.Query("SELECT k, count(*), sum(i) FROM large GROUP BY k ORDER BY 2");
        } else {
          Database other;
          Connection another(other);
          another.Query("SELECT upper('x'), 1.5::decimal + 2");
        }
      }
    });
  }
  for (int i = 0; i < 20; i++) {
    CHECK(RunChild([&] {
            CHECK_REFUSED(Connection refused(database));
            Database own;
            Connection connection(own);
            FillLarge(connection);
            CHECK(Number(connection, "SELECT count(*) FROM (SELECT DISTINCT k FROM large) AS q") == 1000);
            return failures;
          }) == 0);
  }
  is_done = true;
  for (std::thread& thread : threads) thread.join();
  Connection connection(database);
  CHECK(Number(connection, "SELECT count(*) FROM t") == inserted);
  CHECK(connection.Query("PRAGMA integrity_check").row_count() <= 1);
}

/// A child that ends in the usual way, destructors and all, with handles of every kind in static storage.
std::unique_ptr<Handles> static_handles;

void ForkAndExit() {
  static_handles = std::make_unique<Handles>(kFile);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(Number(static_handles->connection, "SELECT count(*) FROM t") == 3);
  CHECK(std::filesystem::exists(std::string(kFile) + ".wal"));  // The child has made no checkpoint.
}

// --- exit
// -------------------------------------------------------------------------------------------------------

/// Runs statements of all kinds after main has returned, when what the library keeps in static storage was
/// made after it.
struct LateUser {
  std::optional<Database> database;
  std::optional<Connection> connection;
  bool is_used = false;
  ~LateUser() {
    if (!is_used) return;
    connection->Query("INSERT INTO t VALUES (1.5, 'a', now())");
    connection->Query("SELECT upper(s), sum(d), max(at) FROM t GROUP BY s");
    connection->Query("COPY t TO 'late.csv'");
    connection->Query("SELECT * FROM read_csv('late.csv')");
    connection->Query("CHECKPOINT");
    if (QueryResult().row_count() != 0 || Number(*connection, "SELECT count(*) FROM t") != 3001) _exit(1);
    connection.reset();
    database.reset();
    if (std::filesystem::exists(std::string(kFile) + ".wal")) _exit(1);
  }
};
LateUser late_user;
thread_local std::unique_ptr<Handles> handles_of_thread;

void UseLate() {
  late_user.database.emplace(kFile);
  late_user.connection.emplace(*late_user.database);
  late_user.is_used = true;
  late_user.connection->Query(
      "CREATE TABLE t AS SELECT i * 0.5::double AS d, 's' || i AS s, now() AS at FROM generate_series(1, "
      "3000) AS g(i)");
  std::atexit([] { late_user.connection->Query("SELECT count(*), sum(d) FROM t"); });
  std::thread([] { handles_of_thread = std::make_unique<Handles>(":memory:"); }).join();
  handles_of_thread = std::make_unique<Handles>(":memory:");
}

/// Runs after all exit handlers and static destructors. The wait gives other threads time to use what was
/// destroyed.
bool ends_slowly = false;
__attribute__((destructor)) void EndSlowly() {
  if (ends_slowly) usleep(200'000);
}

[[noreturn]] void ExitInQueries() {
  ends_slowly = true;
  static std::optional<Database> database;
  database.emplace(kFile, Config{{"threads", "4"}});
  {
    Connection connection(*database);
    FillLarge(connection);
  }
  for (int number = 0; number < 3; number++) {
    std::thread([number] {
      Connection connection(*database);
      while (true) {
        KindOf([&] {
          if (number == 0) connection.Query(kLargeQuery);
          if (number == 1)
            connection.Query("SELECT k, count(*), string_agg(i::text, ',') FROM large GROUP BY k");
          connection.Query(
              "SELECT upper('\u00e9'), '{\"a\": \"\u00e9\"}'::jsonb, 'abc' ~ 'b+', to_char(now(), 'YYYY')");
          connection.Query("CREATE OR REPLACE VIEW v" + std::to_string(number) + " AS SELECT 1 AS x");
        });
      }
    }).detach();
  }
  usleep(300'000);
  std::exit(failures == 0 ? 0 : 1);
}

// --- threads and memory
// -----------------------------------------------------------------------------------------

void Threads() {
  std::vector<Database> databases;
  for (int i = 0; i < 50; i++) {
    databases.emplace_back(":memory:", Config{{"threads", "16"}});
    Connection connection(databases.back());
    connection.Query("CREATE TABLE t AS SELECT 1 AS i");
    connection.Query("SELECT count(*) FROM t JOIN t AS u USING (i)");
  }
  CHECK(ThreadCount() == 1);
  Connection connection(databases[0]);
  FillLarge(connection);
  Number(connection, "SELECT count(*) FROM large WHERE k % 3 = 1");
  CHECK(ThreadCount() == 16);
  connection.Query("SET threads = 3");
  Number(connection, "SELECT count(*) FROM large WHERE k % 3 = 2");
  CHECK(ThreadCount() == 3);
  databases.clear();
}

/// A process has about a thousand keys for what belongs to threads.
void ThreadKeys() {
  Database database;
  for (int i = 0; i < 1200; i++) {
    std::thread([&] {
      Connection connection(database);
      CHECK(Number(connection, "SELECT " + std::to_string(i)) == i);
    }).join();
  }
  std::vector<pthread_key_t> keys;
  pthread_key_t key;
  while (pthread_key_create(&key, nullptr) == 0) keys.push_back(key);
  CHECK(keys.size() > 900);
}

/// Whatever the system refuses, it is an Error, and nobody is told but the caller. Nothing is printed: who
/// runs this looks at both outputs.
void Memory() {
  std::string large = "SELECT 'x' IN ('y'";
  for (int i = 0; i < 30000; i++) large += ", 'a text of some bytes " + std::to_string(i) + "'";
  large += ")";
  int refused = 0;
  for (size_t megabytes = 1; megabytes < 100; megabytes += megabytes < 20 ? 1 : 7) {
    const int status = RunChild([&] {
      Database database(":memory:", {{"threads", "1"}});
      Connection connection(database);
      size_t used_pages = 0;
      if (FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%zu", &used_pages) != 1) used_pages = 0;
        std::fclose(file);
      }
      const rlim_t limit = used_pages * 4096 + (megabytes << 20);
      const rlimit limits{limit, limit};
      setrlimit(RLIMIT_AS, &limits);
      bool is_refused = false;
      for (int i = 0; i < 3; i++) {
        const auto kind = KindOf([&] { connection.Query(large); });
        CHECK(!kind || *kind == ErrorKind::kOutOfMemory);
        is_refused |= kind.has_value();
      }
      // The parser has freed what it had, and works.
      if (megabytes > 10) CHECK(Number(connection, "SELECT 1 + 2") == 3);
      return failures != 0 ? 2 : is_refused ? 1 : 0;
    });
    CHECK(status == 0 || status == 1);
    refused += status == 1;
  }
  CHECK(refused > 10);
}

const std::map<std::string, void (*)()> kRuns = {
    {"names", Names},
    {"descriptors", Descriptors},
    {"fork", Fork},
    {"fork_and_crash", ForkAndCrash},
    {"fork_and_close", ForkAndClose},
    {"fork_in_queries", ForkInQueries},
    {"fork_and_exit", ForkAndExit},
    {"use_late", UseLate},
    {"exit_in_queries", ExitInQueries},
    {"threads", Threads},
    {"thread_keys", ThreadKeys},
    {"memory", Memory},
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    for (const auto& [name, run] : kRuns) std::printf("%s\n", name.c_str());
    return 0;
  }
  kRuns.at(arguments[1])();
  return failures == 0 ? 0 : 1;
}
