// Executes the records of a file and reports what differs from what they expect.
#include "file_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "comparison.hpp"
#include "export_check.hpp"

namespace scaup::test {
namespace {

constexpr std::string_view kLacksMemory = "53200";

std::string MakeTempDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "scaup_test_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a directory like " + pattern);
  return pattern;
}

std::string Indent(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out + "\n";
}

/// Does the test say that its database must be in a file?
bool WantsFile(const std::vector<Record>& records) {
  return std::any_of(records.begin(), records.end(), [](const Record& record) {
    if (record.kind == RecordKind::kLoop) return WantsFile(record.body);
    return record.kind == RecordKind::kCommand &&
           (record.words[0] == "restart" || (record.words[0] == "require" && record.words[1] == "file"));
  });
}

/// Stream takes one statement: texts of several are executed as they are. Where one is not SQL, the stream
/// says so.
bool MayStream(const std::string& sql) {
  try {
    return SplitStatements(sql).size() == 1;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

FileRunner::FileRunner(const Options& options, Watchdog& watchdog, const std::string& path)
    : options_(options),
      watchdog_(watchdog),
      path_(path),
      shortage_(options.shortage_seed, path),
      temp_directory_(MakeTempDirectory()) {
  variables_["DATA_DIR"] = options.data_directory;
  variables_["TEMP_DIR"] = temp_directory_ + "/files";
  std::filesystem::create_directory(temp_directory_ + "/files");
  std::filesystem::create_directory(temp_directory_ + "/database");
}

FileRunner::~FileRunner() {
  connections_.clear();
  database_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(temp_directory_, ignored);
}

FileReport FileRunner::Run() {
  try {
    script_ = ReadScript(path_);
    if (options_.on_files || WantsFile(script_.records)) {
      database_path_ = temp_directory_ + "/database/database.scaup";
      variables_["DATABASE"] = database_path_;
    }
    OpenDatabase();
    try {
      RunRecords(script_.records);
    } catch (const StopFile& stop) {
      report_.skipped = stop.reason;
    }
    connections_.clear();
    if (options_.check_exports) CheckExport();
    CloseDatabase();
    // A checkpoint that lacked memory has left the log.
    if (database_path_ != ":memory:" && shortage_.is_simulated()) Database(database_path_, options_.config);
    if (database_path_ != ":memory:") CheckClosedFile();
  } catch (const ScriptError& error) {
    report_.failed++;
    report_.text += path_ + ":" + std::to_string(error.line) + ": " + error.what() + "\n";
  } catch (const std::exception& error) {
    report_.failed++;
    report_.text += path_ + ": " + error.what() + "\n";
  }
  if (report_.failed > options_.max_failures_shown) {
    report_.text +=
        path_ + ": " + std::to_string(report_.failed - options_.max_failures_shown) + " more failures\n";
  }
  WriteUpdates();
  report_.lacked = shortage_.lack_count();
  return std::move(report_);
}

void FileRunner::OpenDatabase(const std::vector<std::string>& words) {
  CloseDatabase();
  Config config = options_.config;
  for (const std::string& word : words) {
    const size_t equals = std::min(word.find('='), word.size());
    config[word.substr(0, equals)] = word.substr(std::min(equals + 1, word.size()));
  }
  if (shortage_.is_simulated()) {
    Config short_config = config;
    short_config["force_memory_shortage"] = std::to_string(shortage_.Next());
    try {
      database_ = std::make_unique<Database>(database_path_, short_config);
      return SetShortage(0);
    } catch (const Error& error) {
      if (error.sqlstate() != kLacksMemory) throw;
    }
  }
  database_ = std::make_unique<Database>(database_path_, config);
}

void FileRunner::CloseDatabase() {
  if (database_ && shortage_.is_simulated()) SetShortage(shortage_.Next());
  shortage_.ForgetBlocks();
  connections_.clear();
  database_.reset();
}

void FileRunner::SetShortage(uint64_t value) {
  constexpr int kMostAttempts = 1000;
  const std::string sql = "SET force_memory_shortage = '" + std::to_string(value) + "'";
  for (int i = 0;; i++) {
    try {
      ConnectionOf(" shortage").Query(sql);
      return;
    } catch (const Error& error) {
      // Memory may seem to be short for this, too.
      if (error.sqlstate() != kLacksMemory || i == kMostAttempts) throw;
    }
  }
}

/// A closed database is one file, and nothing in it is damaged.
void FileRunner::CheckClosedFile() {
  std::string wrong;
  for (const auto& entry : std::filesystem::directory_iterator(temp_directory_ + "/database")) {
    if (entry.path() != database_path_)
      wrong += "  " + entry.path().filename().string() + " is left beside the closed database\n";
  }
  OpenDatabase({"access_mode=read_only"});
  const QueryResult rows = Connection(*database_).Query("PRAGMA integrity_check");
  for (size_t row = 0; row < rows.row_count(); row++) {
    const std::string text = rows.GetValue(0, row).ToString();
    if (text != "ok") wrong += "  integrity_check: " + text + "\n";
  }
  if (!wrong.empty()) report_.text += path_ + ": after closing the database\n" + wrong;
  (wrong.empty() ? report_.passed : report_.failed)++;
}

/// The objects that the test left in the database come through an export as they were.
void FileRunner::CheckExport() {
  std::string wrong;
  try {
    wrong = FindExportDifferences(*database_, options_.config, temp_directory_ + "/export");
  } catch (const Error& error) {
    wrong = std::string("  error ") + error.sqlstate() + ": " + error.message() + "\n";
  }
  if (!wrong.empty()) report_.text += path_ + ": after EXPORT and IMPORT DATABASE\n" + wrong;
  (wrong.empty() ? report_.passed : report_.failed)++;
}

Connection& FileRunner::ConnectionOf(const std::string& name) {
  std::unique_ptr<Connection>& connection = connections_[name];
  if (!connection) connection = std::make_unique<Connection>(*database_);
  return *connection;
}

void FileRunner::RunRecords(const std::vector<Record>& records) {
  for (const Record& record : records) {
    const bool is_mode = record.kind == RecordKind::kCommand && record.words[0] == "mode";
    if ((skip_records_ && !is_mode) || std::exchange(skip_next_, false)) continue;
    if (options_.verbose) std::fprintf(stderr, "%s\n", Where(record).c_str());
    switch (record.kind) {
      case RecordKind::kStatement: RunStatement(record); break;
      case RecordKind::kQuery: RunQuery(record); break;
      case RecordKind::kLoop: RunLoop(record); break;
      case RecordKind::kCommand: RunCommand(record); break;
    }
  }
}

void FileRunner::RunLoop(const Record& record) {
  const auto outer = variables_.find(record.variable);
  const std::optional<std::string> shadowed =
      outer == variables_.end() ? std::nullopt : std::optional<std::string>(outer->second);
  loop_depth_++;
  for (const std::string& value : record.values) {
    variables_[record.variable] = Substitute(value);
    RunRecords(record.body);
  }
  loop_depth_--;
  variables_.erase(record.variable);
  if (shadowed) variables_[record.variable] = *shadowed;
}

void FileRunner::RunCommand(const Record& record) {
  const std::string& command = record.words[0];
  if (command == "halt") throw StopFile{"halt"};
  if (command == "require") {
    if (!HasFeature(record.words[1])) throw StopFile{"requires " + record.words[1]};
  } else if (command == "restart") {
    OpenDatabase({record.words.begin() + 1, record.words.end()});
  } else if (command == "skipif" || command == "onlyif") {
    const bool is_us = record.words[1] == "scaup" || (record.words[1] == "streamed" && options_.streams) ||
                       (record.words[1] == "short" && shortage_.is_simulated());
    skip_next_ = is_us == (command == "skipif");
  } else if (command == "set") {
    std::string value = record.words[2];
    for (size_t i = 3; i < record.words.size(); i++) value += " " + record.words[i];
    const std::string sql = "SET " + record.words[1] + " = '" + Substitute(value) + "'";
    const Outcome outcome = Execute(record, sql);
    if (outcome.is_error && !shortage_.is_unknown()) Fail(record, sql, outcome.message);
  } else if (command == "mode") {
    const std::string& mode = record.words[1];
    if (mode == "skip" || mode == "unskip") skip_records_ = mode == "skip";
    if (mode == "output_result" || mode == "no_output") show_results_ = mode == "output_result";
  }
}

bool FileRunner::HasFeature(const std::string& feature) const {
  if (feature == "file") return true;  // OpenDatabase has seen to it.
  if (feature == "memory") return database_path_ == ":memory:";
  if (feature == "heavy") return !options_.light;
  if (feature == "zlib") {
#ifdef SCAUP_HAVE_ZLIB
    return true;
#else
    return false;
#endif
  }
  const auto threads = options_.config.find("threads");
  if (feature == "parallel") {
    return threads == options_.config.end() ? std::thread::hardware_concurrency() > 1
                                            : threads->second != "1";
  }
  if (feature.starts_with("pass_")) {
    const auto disabled = options_.config.find("disabled_optimizers");
    return disabled == options_.config.end() || disabled->second.find(feature.substr(5)) == std::string::npos;
  }
  if (feature.starts_with("kernel_")) {
    try {
      const Database database(":memory:", {{"kernel_level", feature.substr(7)}, {"threads", "1"}});
      return true;
    } catch (const Error&) {
      return false;  // This machine cannot run that level.
    }
  }
  return false;
}

void FileRunner::Run(const Record& record, const std::string& sql, Connection& connection, Outcome& outcome) {
  if (options_.streams && MayStream(sql)) return RunStreamed(record, connection.Stream(sql), outcome);
  const QueryResult result = connection.Query(sql);
  outcome.column_count = result.column_count();
  if (record.kind == RecordKind::kQuery) outcome.rows = PrintResult(result, record.types);
}

void FileRunner::RunStreamed(const Record& record, StreamingResult stream, Outcome& outcome) {
  constexpr size_t kPartRows[] = {1, 7, 1024};
  const size_t most_rows = kPartRows[stream_count_++ % std::size(kPartRows)];
  const auto demand = [](bool is_right, const char* wrong) {
    if (!is_right) throw std::runtime_error(wrong);
  };
  outcome.column_count = stream.columns().size();
  // A stream that changes rows is committed already: it cannot run again if fetching lacks memory.
  if (shortage_.is_simulated() && MayChangeRows(Substitute(record.sql))) SetShortage(0);
  QueryResult part;
  size_t last_rows = most_rows;
  while (stream.Fetch(part, most_rows)) {
    demand(last_rows == most_rows, "a part of a stream has too few rows");
    last_rows = part.row_count();
    demand(last_rows != 0 && last_rows <= most_rows, "a part of a stream has too many rows, or none");
    demand(part.column_count() == outcome.column_count, "a part of a stream has other columns");
    if (record.kind != RecordKind::kQuery) continue;
    TextRows rows = PrintResult(part, record.types);
    outcome.rows.insert(outcome.rows.end(), std::make_move_iterator(rows.begin()),
                        std::make_move_iterator(rows.end()));
  }
  demand(!stream.Fetch(part), "a stream gives rows after its end");
}

FileRunner::Outcome FileRunner::Execute(const Record& record, const std::string& sql) {
  const uint64_t value = shortage_.Next(record.connection, sql);
  if (value == 0) {
    Outcome outcome = ExecuteOnce(record, sql);
    shortage_.NoteEnd(record.connection, sql, false);
    return outcome;
  }
  SetShortage(value);
  Outcome outcome = ExecuteOnce(record, sql);
  SetShortage(0);
  const bool lacks_memory = outcome.is_error && outcome.state == kLacksMemory;
  const bool can_run_again = shortage_.NoteEnd(record.connection, sql, lacks_memory);
  if (!lacks_memory) {
    if (outcome.is_error) outcome.message += "\n  with force_memory_shortage = " + std::to_string(value);
    return outcome;
  }
  if (!can_run_again) return outcome;
  outcome = ExecuteOnce(record, sql);
  if (outcome.is_error) {
    outcome.message +=
        "\n  after an end for lack of memory with force_memory_shortage = " + std::to_string(value);
  }
  return outcome;
}

FileRunner::Outcome FileRunner::ExecuteOnce(const Record& record, const std::string& sql) {
  Outcome outcome;
  Connection& connection = ConnectionOf(record.connection);
  watchdog_.Begin(connection, Where(record));
  try {
    Run(record, sql, connection, outcome);
  } catch (const Error& error) {
    outcome.is_error = true;
    outcome.message = error.message();
    outcome.state = error.sqlstate();
    if (error.position()) outcome.position = std::to_string(*error.position());
  } catch (const std::exception& error) {
    outcome.is_error = true;
    outcome.message = std::string("not a scaup::Error: ") + error.what();
    outcome.state = "?????";
  }
  if (watchdog_.End()) {
    outcome.is_error = true;
    outcome.message = "did not end within " + std::to_string(options_.timeout_seconds) + " seconds";
    outcome.state = "?????";
  }
  return outcome;
}

void FileRunner::RunStatement(const Record& record) {
  const std::string sql = Substitute(record.sql);
  const Outcome outcome = Execute(record, sql);
  if (shortage_.is_unknown()) return CheckUnknown(record, outcome);
  if (record.expects_error) return CheckError(record, outcome);
  if (outcome.is_error) return Fail(record, sql, "error " + outcome.state + ": " + outcome.message);
  report_.passed++;
}

void FileRunner::CheckUnknown(const Record& record, const Outcome& outcome) {
  if (outcome.is_error && (outcome.state == "?????" || outcome.state.starts_with("XX")))
    return Fail(record, Substitute(record.sql), "error " + outcome.state + ": " + outcome.message);
  report_.passed++;
}

void FileRunner::CheckError(const Record& record, const Outcome& outcome) {
  const std::string sql = Substitute(record.sql);
  if (!outcome.is_error) return Fail(record, sql, "expected an error, but the statement succeeded");
  const std::string got = "got error " + outcome.state +
                          (outcome.position.empty() ? "" : " at position " + outcome.position) + ": " +
                          outcome.message;
  if (outcome.state == "?????") return Fail(record, sql, got);
  if (!record.error_state.empty() && record.error_state != outcome.state) {
    return Fail(record, sql, "expected SQLSTATE " + record.error_state + "\n" + got);
  }
  const std::string fragment = Substitute(record.error_fragment);
  if (outcome.message.find(fragment) == std::string::npos) {
    return Fail(record, sql, "expected a message with: " + fragment + "\n" + got);
  }
  for (const std::string& raw_line : record.expected) {
    const std::string line = Substitute(raw_line);
    const bool is_position =
        line.starts_with("position ") && line.find_first_not_of("0123456789", 9) == std::string::npos;
    if (is_position ? line.substr(9) == outcome.position : outcome.message.find(line) != std::string::npos)
      continue;
    std::vector<std::string> lines{outcome.message};
    const bool wants_position =
        std::any_of(record.expected.begin(), record.expected.end(),
                    [](const std::string& text) { return text.starts_with("position "); });
    if (wants_position && !outcome.position.empty()) lines.push_back("position " + outcome.position);
    if (outcome.message.find('\n') == std::string::npos && UpdateExpected(record, std::move(lines))) return;
    return Fail(record, sql, "expected: " + line + "\n" + got);
  }
  report_.passed++;
}

void FileRunner::RunQuery(const Record& record) {
  const std::string sql = Substitute(record.sql);
  Outcome outcome = Execute(record, sql);
  if (shortage_.is_unknown()) return CheckUnknown(record, outcome);
  if (outcome.is_error) return Fail(record, sql, "error " + outcome.state + ": " + outcome.message);
  TextRows rows = std::move(outcome.rows);
  if (show_results_) {
    report_.text += Where(record) + ": result\n";
    for (const std::string& line : JoinRows(rows)) report_.text += line + "\n";
  }
  if (outcome.column_count != record.types.size()) {
    return Fail(record, sql,
                "expected " + std::to_string(record.types.size()) + " columns (" + record.types + "), got " +
                    std::to_string(outcome.column_count));
  }
  SortRows(rows, record.sort);
  if (!record.label.empty()) {
    std::string text;
    for (const std::string& line : JoinRows(rows)) text += line + "\n";
    const auto [place, is_new] = labels_.emplace(Substitute(record.label), text);
    if (!is_new && place->second != text) {
      return Fail(record, sql,
                  "not the result of the query labelled " + Substitute(record.label) + " before");
    }
  }
  std::vector<std::string> expected;
  for (const std::string& line : record.expected) expected.push_back(Substitute(line));
  if (record.has_expected) {
    const std::optional<std::string> difference = CompareRows(rows, record.types, record.sort, expected);
    if (difference) {
      if (UpdateExpected(record, JoinRows(rows))) return;
      return Fail(record, sql, *difference);
    }
  }
  report_.passed++;
}

/// Replaces ${name} by the variable's value; unknown names stay as they are.
std::string FileRunner::Substitute(const std::string& text) const {
  std::string out;
  size_t begin = 0;
  while (true) {
    const size_t dollar = text.find("${", begin);
    const size_t end = dollar == std::string::npos ? dollar : text.find('}', dollar);
    if (end == std::string::npos) return out + text.substr(begin);
    out += text.substr(begin, dollar - begin);
    const auto variable = variables_.find(text.substr(dollar + 2, end - dollar - 2));
    out += variable == variables_.end() ? text.substr(dollar, end - dollar + 1) : variable->second;
    begin = end + 1;
  }
}

std::string FileRunner::Where(const Record& record) const {
  return path_ + ":" + std::to_string(record.line);
}

void FileRunner::Fail(const Record& record, const std::string& sql, const std::string& why) {
  report_.failed++;
  if (report_.failed > options_.max_failures_shown) return;
  const std::string seed =
      shortage_.is_simulated() ? " with --shortage " + std::to_string(shortage_.seed()) : std::string();
  report_.text += Where(record) + ": failed" + seed + "\n" + Indent(sql) + "  " + why;
  if (report_.text.back() != '\n') report_.text += '\n';
}

/// Notes new lines for what the record expects. False where that cannot be done: without --update, and in
/// loops, whose lines serve several turns.
bool FileRunner::UpdateExpected(const Record& record, std::vector<std::string> lines) {
  if (!options_.update || loop_depth_ > 0) return false;
  updates_.push_back({record.expected_line, record.expected.size(), std::move(lines)});
  report_.passed++;
  return true;
}

void FileRunner::WriteUpdates() {
  if (updates_.empty()) return;
  std::vector<std::string> lines;
  size_t next = 0;
  for (const Update& update : updates_) {
    lines.insert(lines.end(), script_.lines.begin() + static_cast<ptrdiff_t>(next),
                 script_.lines.begin() + static_cast<ptrdiff_t>(update.begin));
    lines.insert(lines.end(), update.lines.begin(), update.lines.end());
    next = update.begin + update.count;
  }
  lines.insert(lines.end(), script_.lines.begin() + static_cast<ptrdiff_t>(next), script_.lines.end());
  // Written aside and renamed, so that a full disk does not cost the old file.
  const std::string temporary = path_ + ".new";
  {
    std::ofstream file(temporary, std::ios::binary);
    for (const std::string& line : lines) file << line << '\n';
    file.close();
    if (!file) {
      report_.failed++;
      report_.text += path_ + ": cannot write " + temporary + "\n";
      return;
    }
  }
  std::filesystem::rename(temporary, path_);
  report_.text += path_ + ": updated " + std::to_string(updates_.size()) + " records\n";
}

}  // namespace scaup::test
