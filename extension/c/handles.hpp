// Handles of the C interface: each owns the C++ object that its functions use.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "scaup.h"
#include "scaup/scaup.hpp"

// Owned by the program, which keeps to the rules about threads at the head of scaup.h.

struct scaup_database {
  scaup::Database database;
};

struct scaup_connection {
  scaup::Connection connection;
};

struct scaup_statement {
  explicit scaup_statement(scaup::PreparedStatement prepared)
      : statement(std::move(prepared)),
        values(statement.parameter_count()),
        is_bound(statement.parameter_count()) {}
  scaup::PreparedStatement statement;
  std::vector<scaup::Value> values;
  std::vector<bool> is_bound;
};

/// A result and its columns in memory. The columns are found once, as to find them again would cost more than
/// to read a value, and when they are first read: a statement that has succeeded must not look as if it had
/// failed because there was no memory for them.
struct scaup_result {
  scaup_result() = default;
  ~scaup_result() { delete columns_.load(); }
  scaup_result(const scaup_result&) = delete;
  scaup_result& operator=(const scaup_result&) = delete;
  /// Returns the columns. Thread-safe.
  const std::vector<scaup::ColumnView>& Columns() const;

  scaup::QueryResult result;

 private:
  mutable std::atomic<const std::vector<scaup::ColumnView>*> columns_{nullptr};
};

/// A stream and its columns, which are known even after the stream was exported.
struct scaup_stream {
  explicit scaup_stream(scaup::StreamingResult made)
      : stream(std::move(made)), columns(stream.columns()), rows_changed(stream.rows_changed()) {}
  scaup::StreamingResult stream;
  std::vector<scaup::ResultColumn> columns;
  uint64_t rows_changed;
};

struct scaup_appender {
  scaup::Appender appender;
};

struct scaup_script {
  std::vector<std::string> statements;
};

struct scaup_elements {
  std::vector<scaup::Value> values;
};
