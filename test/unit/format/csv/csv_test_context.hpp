// What tests of CSV need around a table function: a context, files in a directory of their own, and a scan.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "format/csv/read_csv.hpp"
#include "function/database_listing.hpp"
#include "scaup/error.hpp"
#include "vector/kernel_table.hpp"

namespace scaup::test {

class FixedListing : public DatabaseListing {
 public:
  std::vector<std::string> Schemas() const override { return {"main"}; }
  std::vector<TableListing> Tables() const override {
    TableListing table;
    table.schema = "main";
    table.name = "t";
    table.row_count = 7;
    table.columns = {{.name = "a", .type = TypeId::kInteger, .not_null = true, .default_text = "1"},
                     {.name = "b", .type = TypeId::kVarchar}};
    return {table};
  }
};

using Rows = std::vector<std::vector<std::string>>;  // NULL is "<null>".

class TableFunctionTest {
 public:
  explicit TableFunctionTest(size_t threads = 1) : scheduler(threads) {
    settings.threads = threads;
    char pattern[] = "/tmp/scaup_csv_XXXXXX";
    directory = mkdtemp(pattern);
  }
  ~TableFunctionTest() {
    for (const auto& path : paths) {
      if (files->Exists(path)) files->Remove(path);
    }
    rmdir(directory.c_str());
  }

  std::string Path(const std::string& name) {
    paths.push_back(directory + "/" + name);
    return paths.back();
  }
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = Path(name);
    files->Open(path, OpenMode::kTruncate)->Write(0, text.data(), text.size());
    return path;
  }
  std::string Read(const std::string& path) {
    const auto file = files->Open(path, OpenMode::kRead);
    std::string text(file->Size(), '\0');
    file->Read(0, text.data(), text.size());
    return text;
  }

  static std::vector<std::pair<std::string, Value>> Options(
      const std::map<std::string, std::string>& options) {
    std::vector<std::pair<std::string, Value>> result;
    for (const auto& [name, value] : options) result.emplace_back(name, Value::Varchar(value));
    return result;
  }
  std::unique_ptr<BoundTableFunction> Bind(const std::string& path,
                                           const std::map<std::string, std::string>& options = {}) {
    return BindCsv(context, FindFiles(context, "read_csv", Value::Varchar(path)),
                   ParseCsvOptions(Options(options), CsvUse::kRead));
  }

  /// All rows as text, in the order of the input.
  Rows Scan(const TableFunction& function, const BoundTableFunction& bound, std::vector<size_t> columns) {
    const std::vector<ScanFilter> no_filters;
    const TableFunctionCall call{context, bound, columns, no_filters};
    std::vector<LogicalType> types;
    for (const size_t column : columns) types.push_back(bound.column_types[column]);
    const auto shared = function.create_shared(call);
    std::mutex mutex;
    std::map<uint64_t, Rows> batches;
    scheduler.RunAll(scheduler.thread_count(), [&](size_t) {
      const auto local = function.create_local(call, *shared);
      DataChunk chunk(types);
      while (true) {
        chunk.Release();
        function.next(call, *shared, *local, chunk);
        if (chunk.size() == 0) return;
        chunk.Flatten();
        const std::lock_guard lock(mutex);
        Rows& rows = batches[chunk.batch_index];
        for (size_t row = 0; row < chunk.size(); row++) {
          rows.emplace_back();
          for (size_t i = 0; i < types.size(); i++) {
            const Value value = chunk.column(i).GetValue(row);
            rows.back().push_back(value.is_null() ? "<null>" : value.ToString());
          }
        }
      }
    });
    Rows all;
    for (auto& [index, rows] : batches) all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }
  Rows Scan(const TableFunction& function, const BoundTableFunction& bound) {
    std::vector<size_t> columns;
    for (size_t i = 0; i < bound.column_names.size(); i++) columns.push_back(i);
    return Scan(function, bound, columns);
  }
  Rows ReadCsv(const std::string& path, const std::map<std::string, std::string>& options = {}) {
    const auto bound = Bind(path, options);
    return Scan(MakeReadCsv(), *bound);
  }
  /// The message of the error, or "" if there is none.
  std::string ErrorOf(const std::string& path, const std::map<std::string, std::string>& options,
                      std::string* state = nullptr) {
    try {
      ReadCsv(path, options);
    } catch (const Error& error) {
      if (state != nullptr) *state = error.sqlstate();
      return error.message();
    }
    return "";
  }

  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{1} << 30};
  TaskScheduler scheduler;
  Settings settings = DefaultSettings();
  std::atomic<bool> interrupted{false};
  FixedListing listing;
  FunctionContext context{*files,      memory,  scheduler, settings, KernelsOf(KernelLevel::kPlain),
                          interrupted, listing, 0};
  std::string directory;
  std::vector<std::string> paths;
};

}  // namespace scaup::test
