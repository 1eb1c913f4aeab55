// Actors that take turns, also in the middle of each other's calls, and the states that they may see.
#include "simulation/reader_check.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "main/database/database_instance.hpp"
#include "main/session/session.hpp"
#include "simulation/check_failure.hpp"
#include "simulation/simulation_checks.hpp"

namespace scaup::test {

namespace {

constexpr int kLargeInsert = 33'000;  // Goes to the file before it commits.

/// The state after so many commits. Each does the same whatever happened before.
struct State {
  explicit State(uint64_t commits_in) : commits(commits_in) {
    for (uint64_t number = 1; number <= commits; number++) {
      large_rows = number % 11 == 5 ? kLargeInsert : number % 11 == 8 ? 0 : large_rows;
      sum += number;
    }
  }
  /// The statements of the last of the commits.
  std::vector<std::string> Statements() const {
    std::vector<std::string> statements = {
        "BEGIN", fmt::format("INSERT INTO journal VALUES ({0}, repeat('{0} ', 40))", commits),
        fmt::format("UPDATE total SET n = {}, s = s + {}", commits, commits)};
    const auto add = [&](uint64_t divisor, uint64_t rest, const std::string& sql) {
      if (commits % divisor == rest) statements.push_back(sql);
    };
    add(7, 1, fmt::format("CREATE TABLE d{} AS SELECT {} AS i", commits, commits));
    add(7, 4, fmt::format("DROP TABLE IF EXISTS d{}", commits - 3));
    add(11, 5, fmt::format("INSERT INTO large SELECT i, {} FROM range({}) AS r(i)", commits, kLargeInsert));
    add(11, 8, "DELETE FROM large");
    add(13, 2, "CREATE INDEX journal_i ON journal (i)");
    add(13, 9, "DROP INDEX IF EXISTS journal_i");
    add(17, 3, fmt::format("UPDATE journal SET pad = repeat('{} ', 40) WHERE i % 5 = 0", commits));
    statements.push_back("COMMIT");
    return statements;
  }

  uint64_t commits = 0;
  uint64_t sum = 0;
  uint64_t large_rows = 0;
  /// Whether the table that commit 7n + 1 makes and 7n + 4 drops is there.
  bool has_table() const { return commits % 7 >= 1 && commits % 7 < 4; }
};

const std::vector<std::string> kBeginning = {"BEGIN",
                                             "CREATE TABLE journal (i BIGINT, pad VARCHAR)",
                                             "CREATE TABLE total (n BIGINT, s BIGINT)",
                                             "INSERT INTO total VALUES (0, 0)",
                                             "CREATE TABLE large (i BIGINT, k BIGINT)",
                                             "COMMIT"};

/// A process that has the database open, or not.
struct Actor {
  bool is_running = false;  // in the middle of a call
  std::unique_ptr<FileSystem> process;
  std::shared_ptr<DatabaseInstance> instance;
  std::shared_ptr<Session> session;
  bool is_in_block = false;
  uint64_t last_seen = 0;
  uint64_t oldest_allowed = 0;  // what its transaction must see
  std::optional<uint64_t> seen_in_block;

  QueryResult Execute(const std::string& sql) { return session->Execute(sql, {}, false); }
  int64_t Number(const std::string& sql) {
    const QueryResult result = Execute(sql);
    return std::stoll(result.GetValue(0, 0).ToString());
  }
  void Close() {
    session.reset();
    instance.reset();
    process.reset();
    is_in_block = false;
    seen_in_block.reset();
    // Commits that a dead writer had in flight may be seen by another process later than by this one.
    last_seen = 0;
  }
};

/// Hands a process to an instance, and keeps it in the hands of the test.
class BorrowedProcess final : public FileSystem {
 public:
  explicit BorrowedProcess(FileSystem& process) : process_(process) {}
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    return process_.Open(path, mode);
  }
  bool Exists(const std::string& path) override { return process_.Exists(path); }
  void Remove(const std::string& path) override { process_.Remove(path); }
  void Rename(const std::string& from, const std::string& to) override { process_.Rename(from, to); }
  void SyncDirectory(const std::string& directory) override { process_.SyncDirectory(directory); }
  void CreateDirectory(const std::string& path) override { process_.CreateDirectory(path); }
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    return process_.OpenTemporary(directory);
  }
  std::vector<std::string> Glob(const std::string& pattern) override { return process_.Glob(pattern); }

 private:
  FileSystem& process_;
};

class ReaderCheck {
 public:
  ReaderCheck(uint64_t seed, ReaderDisturbance disturbance)
      : random_(seed), disturbance_(disturbance), step_share_(2 + seed % 40) {}

  ~ReaderCheck() {
    files_.SetStep({});
    for (Actor& actor : actors_) Bury(actor);
  }

  void Run(int turns) {
    files_.SetStep([this](uint64_t) {
      if (random_() % step_share_ == 0) TakeTurn();
    });
    for (turn_ = 0; turn_ < turns; turn_++) {
      if (disturbance_ != ReaderDisturbance::kNone && random_() % 4 == 0) Disturb();
      TakeTurn();
      if (files_.is_down() || (disturbance_ == ReaderDisturbance::kCrashes && random_() % 12 == 0)) Crash();
      Rethrow();
    }
    files_.SetStep({});
    files_.ClearFaults();
    files_.FreeSpace();
    for (Actor& actor : actors_) Bury(actor);
    CheckEnd();
  }

 private:
  Actor& writer() { return actors_[0]; }
  bool IsWriter(const Actor& actor) { return &actor == &actors_[0]; }

  // A failure in the middle of another actor's call must not pass through that.
  void Rethrow() {
    if (failure_) throw CheckFailure{*failure_};
  }
  void Fail(const std::string& text) {
    if (!failure_) failure_ = fmt::format("turn {}: {}", turn_, text);
  }

  void TakeTurn() {
    std::vector<Actor*> idle;
    for (Actor& actor : actors_) {
      if (!actor.is_running) idle.push_back(&actor);
    }
    // Nobody does anything until the machine is up again; processes that were in a call are dead by then.
    if (idle.empty() || failure_ || files_.is_down()) return;
    // The writer has the half of all turns.
    Actor& actor = idle[0] == &writer() && random_() % 2 == 0 ? *idle[0] : *idle[random_() % idle.size()];
    actor.is_running = true;
    try {
      IsWriter(actor) ? Write(actor) : Read(actor);
    } catch (const SimulatedCrash&) {
      if (!files_.is_down()) Bury(actor);
    } catch (const Error& error) {
      HandleError(actor, error);
    } catch (const CheckFailure& failure) {
      Fail(failure.message);
    }
    actor.is_running = false;
  }

  void HandleError(Actor& actor, const Error& error) {
    const bool is_io = error.kind() == ErrorKind::kIo && error.sqlstate() != std::string_view("XX001");
    if (disturbance_ != ReaderDisturbance::kFaults || !is_io) {
      return Fail(fmt::format("{} fails with {}: {}", IsWriter(actor) ? "writer" : "reader", error.sqlstate(),
                              error.message()));
    }
    files_.FreeSpace();
    // After an error the actor begins anew, and the writer finds out whether its commit is there.
    Bury(actor);
  }

  // Ends an actor's process as a kill does, wherever it is.
  void Bury(Actor& actor) {
    if (actor.process != nullptr) SimulatedFileSystem::Kill(*actor.process);
    actor.Close();
  }

  void Disturb() {
    const uint64_t call = files_.call_count() + 1 + random_() % 40;
    switch (disturbance_) {
      case ReaderDisturbance::kNone: return;
      case ReaderDisturbance::kKills:
        return files_.FailAt(call, random_() % 2 == 0 ? FaultKind::kKill : FaultKind::kKillInside);
      case ReaderDisturbance::kCrashes:
        return files_.FailAt(call, random_() % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside);
      case ReaderDisturbance::kFaults: {
        constexpr FaultKind kKinds[] = {FaultKind::kError, FaultKind::kPartialError, FaultKind::kDiskFull,
                                        FaultKind::kSyncLost};
        return files_.FailAt(call, kKinds[random_() % 4]);
      }
    }
  }

  void Crash() {
    files_.ClearFaults();
    files_.Crash(random_());
    // Nobody takes a turn while a dying database still tries to write.
    for (Actor& actor : actors_) actor.is_running = true;
    for (Actor& actor : actors_) actor.Close();
    for (Actor& actor : actors_) actor.is_running = false;
  }

  void Open(Actor& actor, const Config& config) {
    actor.process = files_.Share();
    actor.instance = std::make_shared<DatabaseInstance>(kDatabasePath, config,
                                                        std::make_shared<BorrowedProcess>(*actor.process));
    actor.session = std::make_shared<Session>(actor.instance);
  }

  void Write(Actor& actor) {
    if (actor.session == nullptr) return OpenForWriting(actor);
    const uint64_t choice = random_() % 100;
    if (choice < 75) return Commit(actor);
    if (choice < 88) {
      actor.Execute("CHECKPOINT");
    } else if (choice < 92) {
      actor.Execute("VACUUM");
    } else if (choice < 95) {
      actor.Close();
    } else if (disturbance_ == ReaderDisturbance::kKills) {
      if (choice < 97) return Bury(actor);
      // Only here: power or failing syncs may take commits that do not wait for the disk.
      actor.Execute(random_() % 2 == 0 ? "SET synchronous = 'off'" : "SET synchronous = 'full'");
    }
  }

  void OpenForWriting(Actor& actor) {
    Config config = {{"threads", "1"}, {"document_materializer", "off"}};
    Open(actor, config);
    if (!has_begun_) {
      if (actor.Number("SELECT count(*) FROM information_schema.tables WHERE table_name = 'total'") == 0) {
        for (const std::string& sql : kBeginning) actor.Execute(sql);
      }
      has_begun_ = true;
    }
    // A commit that was in flight when the process died is there or not.
    const auto found = static_cast<uint64_t>(actor.Number("SELECT n FROM total"));
    if (found != acknowledged_ && found != acknowledged_ + (is_in_flight_ ? 1 : 0))
      throw CheckFailure{
          fmt::format("the writer finds {} commits, {} were acknowledged", found, acknowledged_)};
    acknowledged_ = found;
    is_in_flight_ = false;
  }

  void Commit(Actor& actor) {
    const State next(acknowledged_ + 1);
    for (const std::string& sql : next.Statements()) {
      // Nothing of it can be seen before COMMIT is called.
      is_in_flight_ |= sql == "COMMIT";
      actor.Execute(sql);
    }
    acknowledged_++;
    is_in_flight_ = false;
  }

  void Read(Actor& actor) {
    if (!has_begun_) return;
    const uint64_t choice = random_() % 100;
    if (actor.session == nullptr) {
      Open(actor, {{"threads", "1"}, {"access_mode", "read_only"}});
    } else if (choice < 8) {
      return actor.Close();
    } else if (choice < 10 && disturbance_ == ReaderDisturbance::kKills) {
      return Bury(actor);
    }
    if (!actor.is_in_block) {
      // A writer whose calls fail may be unable to note how far its log goes; then readers see it later.
      const bool is_noted = disturbance_ != ReaderDisturbance::kFaults;
      actor.oldest_allowed = std::max(is_noted ? acknowledged_ : 0, actor.last_seen);
      actor.Execute("BEGIN");
      actor.is_in_block = true;
    }
    LookAt(actor);
    if (random_() % 3 != 0) {
      actor.Execute("COMMIT");
      actor.is_in_block = false;
      actor.seen_in_block.reset();
    }
  }

  // One transaction must see one state.
  void LookAt(Actor& actor) {
    const uint64_t oldest = actor.oldest_allowed;
    const auto commits = static_cast<uint64_t>(actor.Number("SELECT n FROM total"));
    if (actor.seen_in_block) {
      if (commits != *actor.seen_in_block)
        throw CheckFailure{
            fmt::format("a transaction saw commit {} and then {}", *actor.seen_in_block, commits)};
    } else if (commits < oldest || commits > acknowledged_ + (is_in_flight_ ? 1 : 0)) {
      throw CheckFailure{fmt::format("a reader sees {} commits; it must see at least {}, and there are {}{}",
                                     commits, oldest, acknowledged_,
                                     is_in_flight_ ? " and one in flight" : "")};
    }
    actor.seen_in_block = actor.last_seen = commits;
    CheckState(actor, State(commits));
  }

  static void CheckState(Actor& actor, const State& state) {
    const auto expect = [&](const std::string& sql, uint64_t expected) {
      const int64_t found = actor.Number(sql);
      if (found != static_cast<int64_t>(expected))
        throw CheckFailure{
            fmt::format("after {} commits <{}> gives {}, not {}", state.commits, sql, found, expected)};
    };
    expect("SELECT s FROM total", state.sum);
    expect("SELECT count(*) FROM journal", state.commits);
    expect("SELECT coalesce(sum(i), 0) FROM journal", state.sum);
    expect("SELECT count(*) FROM journal WHERE length(pad) BETWEEN 80 AND 240", state.commits);
    expect("SELECT count(*) FROM large", state.large_rows);
    if (state.commits > 0) expect(fmt::format("SELECT count(*) FROM journal WHERE i = {}", state.commits), 1);
    expect("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'd%'",
           state.has_table() ? 1 : 0);
  }

  // All that was acknowledged is there and whole, and what readers kept is free again.
  void CheckEnd() {
    OpenForWriting(writer());
    CheckState(writer(), State(acknowledged_));
    writer().Execute("CHECKPOINT");
    const std::string checked = writer().Execute("PRAGMA integrity_check").GetValue(0, 0).ToString();
    if (checked != "ok") throw CheckFailure{"integrity_check says " + checked};
    for (const char* sql : {"DROP TABLE large", "DROP TABLE journal"}) writer().Execute(sql);
    writer().Close();
    // A database that is open frees blocks of old versions in the background, maybe after VACUUM.
    OpenForWriting(writer());
    writer().Execute("VACUUM");
    writer().Close();
    const size_t size_bytes = files_.Content(kDatabasePath).size();
    if (size_bytes > size_t{12} * (256 << 10))
      throw CheckFailure{fmt::format("{} bytes are left of an empty database", size_bytes)};
  }

  std::mt19937_64 random_;
  const ReaderDisturbance disturbance_;
  const uint64_t step_share_;  // a step in the middle of a call comes before one call in this many
  SimulatedFileSystem files_;
  std::array<Actor, 4> actors_;  // the first one writes
  bool has_begun_ = false;
  uint64_t acknowledged_ = 0;
  bool is_in_flight_ = false;
  int turn_ = 0;
  std::optional<std::string> failure_;
};

}  // namespace

std::string CheckReaders(uint64_t seed, int turns, ReaderDisturbance disturbance) {
  try {
    ReaderCheck(seed, disturbance).Run(turns);
    return "";
  } catch (const CheckFailure& failure) {
    return fmt::format("seed {}: {}", seed, failure.message);
  } catch (const std::exception& error) {
    return fmt::format("seed {}: {}", seed, error.what());
  }
}

}  // namespace scaup::test
