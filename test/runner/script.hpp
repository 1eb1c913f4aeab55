// A .test file in memory: its records, with loops as trees. README.md describes the format.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace scaup::test {

enum class RecordKind {
  kStatement,
  kQuery,
  kLoop,     ///< `loop` and `foreach`: `body` runs once per element of `values`
  kCommand,  ///< everything else: `words` holds its line
};

enum class SortMode { kNone, kRows, kValues };

struct Record {
  RecordKind kind = RecordKind::kCommand;
  size_t line = 0;  ///< counts from 1

  // Statements and queries.
  std::string connection;  ///< "" is the connection that every file begins with
  std::string sql;
  bool expects_error = false;
  std::string error_state;     ///< SQLSTATE, or ""
  std::string error_fragment;  ///< part of the message, or ""
  bool has_expected = false;   ///< there is a line `----`
  std::vector<std::string> expected;
  size_t expected_line = 0;  ///< index into Script::lines of the first line after `----`

  // Queries.
  std::string types;
  SortMode sort = SortMode::kNone;
  std::string label;

  // Loops.
  std::string variable;
  std::vector<std::string> values;
  std::vector<Record> body;

  // Commands.
  std::vector<std::string> words;
};

struct Script {
  std::string path;
  std::vector<std::string> lines;  ///< as read, without line ends
  std::vector<Record> records;
};

/// The file does not follow the format.
class ScriptError : public std::runtime_error {
 public:
  ScriptError(size_t line, const std::string& message) : std::runtime_error(message), line(line) {}
  const size_t line;
};

/// Throws ScriptError.
Script ReadScript(const std::string& path);
Script ParseScript(const std::string& path, std::vector<std::string> lines);

/// Words of a line, separated by blanks.
std::vector<std::string> SplitWords(const std::string& line);

}  // namespace scaup::test
