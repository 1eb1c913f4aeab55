// Random histories of concurrent transactions, explained by models. SCAUP_HISTORIES_SEEDS=1000 looks longer,
// and SCAUP_HISTORIES_FIRST_SEED=n elsewhere.
#include <unistd.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include "histories/explanation.hpp"
#include "histories/history.hpp"

using namespace scaup::test;

namespace {

struct SeedRange {
  uint64_t first;
  uint64_t end;
};

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

SeedRange SeedsFromEnvironment(uint64_t usual_count) {
  const uint64_t first = FromEnvironment("SCAUP_HISTORIES_FIRST_SEED", 1);
  return {first, first + FromEnvironment("SCAUP_HISTORIES_SEEDS", usual_count)};
}

HistoryOptions OptionsOf(uint64_t seed, Level level) {
  HistoryOptions options;
  options.level = level;
  options.session_count = 2 + seed % 7;
  options.operations.key_count = 6 + static_cast<int64_t>(seed % 3) * 6;
  options.row_count = options.operations.key_count / 2;
  return options;
}

/// Rows in several blocks, and statements that change some hundreds of them.
HistoryOptions LargeOptionsOf(uint64_t seed, Level level) {
  HistoryOptions options = OptionsOf(seed, level);
  options.session_count = 2 + seed % 3;
  options.action_count = 40;
  options.has_many_rows = true;
  options.row_count = 2200;
  options.operations.key_count = 8;
  options.operations.stride = 300;
  return options;
}

HistoryOptions ScaupOptionsOf(uint64_t seed, Level level) {
  HistoryOptions options = OptionsOf(seed, level);
  options.operations.has_keys = ScaupHasKeys();
  return options;
}

HistoryOptions LargeScaupOptionsOf(uint64_t seed, Level level) {
  HistoryOptions options = LargeOptionsOf(seed, level);
  options.operations.has_keys = ScaupHasKeys();
  return options;
}

/// Empty if all is well.
std::string FaultOf(const History& history) {
  if (!history.fault.empty()) return history.fault;
  if (std::string fault = ExplainBySnapshots(history); !fault.empty()) return fault;
  return history.level == Level::kSerializable ? ExplainSerially(history) : "";
}

using Runner = std::function<History(TestedSystem&, const HistoryOptions&, uint64_t)>;
using Opener = std::function<std::unique_ptr<TestedSystem>()>;

/// Runs as many histories as there are seeds; stops at the first fault.
void CheckMany(const Opener& open, const Runner& run, Level level, const SeedRange& seeds,
               HistoryOptions (*options_of)(uint64_t, Level) = OptionsOf) {
  size_t committed = 0, needless = 0;
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    const auto system = open();
    const History history = run(*system, options_of(seed, level), seed);
    const std::string fault = FaultOf(history);
    // At both ends: whoever reads the end of a long log should learn it, too.
    if (!fault.empty())
      FAIL("seed " << seed << ": " << fault << "\n" << ToString(history) << "seed " << seed << ": " << fault);
    for (const TransactionRecord& record : history.transactions) committed += record.committed ? 1 : 0;
    needless += history.needless_refusals;
  }
  if (std::getenv("SCAUP_HISTORIES_SEEDS") != nullptr)
    WARN(committed << " transactions committed, " << needless << " refused without need");
  CHECK(committed > (seeds.end - seeds.first));
}

/// Whether any seed shows that the reference makes a mistake; `look` says in what way.
bool IsFound(Mistake mistake, Level level, const Runner& run,
             const std::function<std::string(const History&)>& look, bool compares_each = false,
             uint64_t seed_count = 300) {
  for (uint64_t seed = 1; seed <= seed_count; seed++) {
    ReferenceSystem system(mistake);
    HistoryOptions options = OptionsOf(seed, level);
    options.compares_each = compares_each;
    if (!look(run(system, options, seed)).empty()) return true;
  }
  return false;
}

std::string OnlineFault(const History& history) { return history.fault; }

/// As if nobody had compared each answer.
std::string OfflineFault(const History& history) {
  if (std::string fault = ExplainBySnapshots(history); !fault.empty()) return fault;
  return history.level == Level::kSerializable ? ExplainSerially(history) : "";
}

/// A name for a database, whose files go at the end.
struct TemporaryFile {
  std::string path = (std::filesystem::temp_directory_path() / "scaup-histories-XXXXXX").string();
  TemporaryFile() {
    const int file = mkstemp(path.data());
    if (file >= 0) close(file);
    std::filesystem::remove(path);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    for (const char* end : {"", ".wal"}) std::filesystem::remove(path + end, ignored);
  }
};

constexpr Level kLevels[] = {Level::kSerializable, Level::kRepeatableRead};

}  // namespace

TEST_CASE("the reference's histories are explained", "[reference]") {
  const auto open = [] { return std::make_unique<ReferenceSystem>(); };
  for (const Level level : kLevels) {
    CheckMany(open, RunInterleaved, level, {1, 60});
    CheckMany(open, RunThreads, level, {1, 30});
    CheckMany(open, RunInterleaved, level, {1, 2}, LargeOptionsOf);
  }
}

TEST_CASE("mistakes are found by comparing each answer", "[reference]") {
  for (const Mistake mistake :
       {Mistake::kNoWriteConflicts, Mistake::kConflictsOfRunning, Mistake::kReadsNewest,
        Mistake::kReadsUncommitted, Mistake::kNoValidation, Mistake::kValidatesPoints,
        Mistake::kForgetsBefore, Mistake::kKeepsRolledBack, Mistake::kKeepsSavepoint, Mistake::kLosesOwn,
        Mistake::kNoUniqueness, Mistake::kLosesCommit, Mistake::kRefusesReaders, Mistake::kRefusesWriters}) {
    INFO("mistake " << static_cast<int>(mistake));
    CHECK(IsFound(mistake, Level::kSerializable, RunInterleaved, OnlineFault, true));
  }
}

TEST_CASE("mistakes are found by looking for an explanation afterwards", "[reference]") {
  for (const Mistake mistake :
       {Mistake::kNoWriteConflicts, Mistake::kConflictsOfRunning, Mistake::kReadsNewest,
        Mistake::kReadsUncommitted, Mistake::kKeepsRolledBack, Mistake::kKeepsSavepoint, Mistake::kLosesOwn,
        Mistake::kNoUniqueness, Mistake::kLosesCommit}) {
    for (const Level level : kLevels) {
      // What was inserted twice does not survive the reference's validation.
      if (mistake == Mistake::kNoUniqueness && level == Level::kSerializable) continue;
      INFO("mistake " << static_cast<int>(mistake) << " at level " << static_cast<int>(level));
      CHECK(IsFound(mistake, level, RunInterleaved, OfflineFault));
    }
    CHECK(IsFound(mistake, Level::kRepeatableRead, RunThreads, OfflineFault));
  }
  for (const Mistake mistake : {Mistake::kNoValidation, Mistake::kValidatesPoints, Mistake::kForgetsBefore}) {
    INFO("mistake " << static_cast<int>(mistake));
    CHECK(IsFound(mistake, Level::kSerializable, RunInterleaved, OfflineFault));
    // Write skew is what REPEATABLE READ may do.
    CHECK(!IsFound(mistake, Level::kRepeatableRead, RunInterleaved, OfflineFault, false, 30));
  }
}

TEST_CASE("a wrong guess whose trace is gone does not hide the right one", "[reference]") {
  History history;
  history.level = Level::kRepeatableRead;
  // Begins at times 0 and 1, commits at 2 and 3. All of these change one row.
  const auto add = [&](const Operation& operation, const std::array<uint64_t, 4>& times) {
    const Outcome outcome{"", "1 changed"};
    history.transactions.push_back(
        {0, false, true, {{operation, outcome}}, times[0], times[1], times[2], times[3]});
  };
  using enum OperationKind;
  const Operation other_row{kInsert, TableName::kPlain, 3, 1, 9, 3, ""};
  const Operation sum_to_keyed{kUpdateFromSum, TableName::kKeyed, 1, 1, 1, 0, ""};
  const Operation remove_keyed{kDeletePoint, TableName::kKeyed, 1, 1, 0, 0, ""};
  const Operation sum_to_plain{kUpdateFromSum, TableName::kPlain, 1, 1, 2, 0, ""};
  add({kInsert, TableName::kPlain, 1, 1, 16, 1, ""}, {1, 2, 3, 4});
  add({kInsert, TableName::kPlain, 2, 2, 0, 2, ""}, {5, 6, 7, 8});
  add({kInsert, TableName::kKeyed, 1, 1, 5, 1, ""}, {9, 10, 11, 12});
  // The sum may be taken before the other row is there or after it; the row with the sum is gone when the
  // rows made of it appear.
  add(other_row, {13, 14, 17, 18});
  add(sum_to_keyed, {15, 19, 20, 21});
  add(remove_keyed, {22, 23, 26, 27});
  add(sum_to_plain, {24, 25, 28, 29});
  const auto explain = [&](bool sums_other_row) {
    TableModel tables;
    for (size_t i = 0; i < 3; i++) Apply(tables, history.transactions[i].steps[0].operation);
    if (sums_other_row) Apply(tables, other_row);
    Apply(tables, sum_to_keyed);
    if (!sums_other_row) Apply(tables, other_row);
    Apply(tables, sum_to_plain);
    Apply(tables, remove_keyed);
    history.final_rows.clear();
    for (const TableName table : {TableName::kPlain, TableName::kKeyed}) {
      Operation all;
      all.kind = kReadAll;
      all.table = table;
      history.final_rows.push_back(Apply(tables, all).text);
    }
    return ExplainBySnapshots(history);
  };
  CHECK(explain(false) == "");
  CHECK(explain(true) == "");
}

TEST_CASE("histories of taking turns are explained", "[scaup][turns]") {
  if (!ScaupRunsTransactions()) return;
  const auto open = [] { return OpenScaup(":memory:", {{"threads", "1"}}); };
  for (const Level level : kLevels)
    CheckMany(open, RunInterleaved, level, SeedsFromEnvironment(60), ScaupOptionsOf);
}

TEST_CASE("histories of threads are explained", "[scaup][threads]") {
  if (!ScaupRunsTransactions()) return;
  const auto open = [] { return OpenScaup(":memory:", {{"threads", "2"}}); };
  for (const Level level : kLevels)
    CheckMany(open, RunThreads, level, SeedsFromEnvironment(40), ScaupOptionsOf);
}

TEST_CASE("histories of documents are explained", "[scaup][documents]") {
  if (!ScaupRunsTransactions()) return;
  const auto open = [] { return OpenScaup(":memory:", {{"threads", "2"}}, true); };
  for (const Level level : kLevels) {
    CheckMany(open, RunInterleaved, level, SeedsFromEnvironment(40), ScaupOptionsOf);
    CheckMany(open, RunThreads, level, SeedsFromEnvironment(20), ScaupOptionsOf);
    CheckMany(open, RunInterleaved, level, SeedsFromEnvironment(1), LargeScaupOptionsOf);
  }
}

TEST_CASE("histories of tables of several blocks are explained", "[scaup][large]") {
  if (!ScaupRunsTransactions()) return;
  const auto open = [] { return OpenScaup(":memory:", {{"threads", "2"}}); };
  for (const Level level : kLevels) {
    CheckMany(open, RunInterleaved, level, SeedsFromEnvironment(2), LargeScaupOptionsOf);
    CheckMany(open, RunThreads, level, SeedsFromEnvironment(1), LargeScaupOptionsOf);
  }
}

TEST_CASE("histories of threads on a file with many checkpoints are explained, and found again",
          "[scaup][file]") {
  if (!ScaupRunsTransactions()) return;
  const SeedRange seeds = SeedsFromEnvironment(6);
  for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
    const bool has_documents = seed % 3 == 0;
    const TemporaryFile file;
    const Level level = kLevels[seed % 2];
    const scaup::Config config = {
        {"threads", "2"}, {"synchronous", "normal"}, {"checkpoint_threshold", "4KB"}};
    auto system = OpenScaup(file.path, config, has_documents);
    const History history = RunThreads(*system, ScaupOptionsOf(seed, level), seed);
    const std::string fault = FaultOf(history);
    // At both ends: whoever reads the end of a long log should learn it, too.
    if (!fault.empty())
      FAIL("seed " << seed << ": " << fault << "\n" << ToString(history) << "seed " << seed << ": " << fault);
    system.reset();
    system = OpenScaup(file.path, config, has_documents);
    INFO("seed " << seed);
    CHECK(ReadTables(*system) == history.final_rows);
  }
}
