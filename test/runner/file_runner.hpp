// Runs one .test file on a database of its own, in memory or in a file.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "scaup/scaup.hpp"
#include "script.hpp"
#include "shortage.hpp"
#include "watchdog.hpp"

namespace scaup::test {

struct Options {
  Config config;               ///< of every database that is opened
  std::string data_directory;  ///< ${DATA_DIR}
  bool on_files = false;       ///< databases in files, not in memory
  bool streams = false;        ///< statements as streams, fetched part by part
  bool check_exports = false;  ///< export and import every database when its file ends, and compare
  uint64_t shortage_seed = 0;  ///< memory is short now and then, by this number; 0: never
  bool light = false;          ///< leave out what takes long
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  size_t timeout_seconds = 300;  ///< per record
#else
  size_t timeout_seconds = 60;  ///< per record
#endif
  size_t max_failures_shown = 10;  ///< per file
  bool update = false;             ///< rewrite expected results in place
  bool verbose = false;            ///< name each record before it runs
};

struct FileReport {
  size_t passed = 0;
  size_t failed = 0;
  size_t lacked = 0;    ///< statements that a simulated shortage of memory ended at first
  std::string skipped;  ///< why the rest of the file was not run; "" if it was
  std::string text;     ///< failures, and what `mode output_result` shows
};

/// One use. The watchdog belongs to the calling thread.
class FileRunner {
 public:
  FileRunner(const Options& options, Watchdog& watchdog, const std::string& path);
  ~FileRunner();

  FileReport Run();

 private:
  struct StopFile {
    std::string reason;
  };
  /// The outcome of a record's statement.
  struct Outcome {
    TextRows rows;  ///< of queries
    size_t column_count = 0;
    bool is_error = false;
    std::string message;
    std::string state;
    std::string position;  ///< "" if unknown
  };
  struct Update {
    size_t begin, count;  ///< lines to replace
    std::vector<std::string> lines;
  };

  void RunRecords(const std::vector<Record>& records);
  void RunLoop(const Record& record);
  void RunCommand(const Record& record);
  void RunStatement(const Record& record);
  void RunQuery(const Record& record);
  void CheckError(const Record& record, const Outcome& outcome);
  Outcome Execute(const Record& record, const std::string& sql);
  Outcome ExecuteOnce(const Record& record, const std::string& sql);
  /// Sets force_memory_shortage.
  void SetShortage(uint64_t value);
  /// Notes the outcome of a record after which nobody knows what is right: anything but an error of the
  /// engine.
  void CheckUnknown(const Record& record, const Outcome& outcome);
  void Run(const Record& record, const std::string& sql, Connection& connection, Outcome& outcome);
  /// Throws std::runtime_error where the parts are not what was asked for.
  void RunStreamed(const Record& record, StreamingResult stream, Outcome& outcome);
  Connection& ConnectionOf(const std::string& name);
  /// Opens the database anew; in a file it has what it had. `words`: settings for this once, name=value.
  void OpenDatabase(const std::vector<std::string>& words = {});
  void CloseDatabase();
  void CheckClosedFile();
  void CheckExport();
  bool HasFeature(const std::string& feature) const;
  std::string Substitute(const std::string& text) const;
  std::string Where(const Record& record) const;
  void Fail(const Record& record, const std::string& sql, const std::string& why);
  bool UpdateExpected(const Record& record, std::vector<std::string> lines);
  void WriteUpdates();

  const Options& options_;
  Watchdog& watchdog_;
  const std::string path_;
  Shortage shortage_;
  std::string temp_directory_;
  std::string database_path_ = ":memory:";
  Script script_;
  FileReport report_;
  std::unique_ptr<Database> database_;
  std::map<std::string, std::unique_ptr<Connection>> connections_;
  std::map<std::string, std::string> variables_;
  std::map<std::string, std::string> labels_;  ///< label -> rows
  std::vector<Update> updates_;
  size_t loop_depth_ = 0;
  size_t stream_count_ = 0;
  bool show_results_ = false;
  bool skip_records_ = false;
  bool skip_next_ = false;
};

}  // namespace scaup::test
