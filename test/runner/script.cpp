// Parses .test files.
#include "script.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>

namespace scaup::test {
namespace {

constexpr size_t kMaxLoopDepth = 16;

bool IsBlank(const std::string& line) {
  return std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c) != 0; });
}

bool IsConnectionName(const std::string& word) {
  return word.size() > 3 && word.starts_with("con") &&
         std::all_of(word.begin() + 3, word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool IsSqlState(const std::string& word) {
  return word.size() == 5 && std::all_of(word.begin(), word.end(), [](unsigned char c) {
           return std::isdigit(c) != 0 || std::isupper(c) != 0;
         });
}

class Parser {
 public:
  explicit Parser(Script& script) : script_(script) {}

  /// Records up to the end of the file, or up to `endloop` inside a loop.
  std::vector<Record> ParseRecords(size_t depth) {
    std::vector<Record> records;
    while (next_ < script_.lines.size()) {
      const std::string& line = script_.lines[next_];
      if (IsBlank(line) || line[0] == '#') {
        next_++;
        continue;
      }
      const std::vector<std::string> words = SplitWords(line);
      if (words[0] == "endloop") {
        if (depth == 0) throw ScriptError(next_ + 1, "endloop without a loop");
        next_++;
        return records;
      }
      records.push_back(ParseRecord(words, depth));
    }
    if (depth > 0) throw ScriptError(script_.lines.size(), "a loop without endloop");
    return records;
  }

 private:
  Record ParseRecord(const std::vector<std::string>& words, size_t depth) {
    Record record;
    record.line = next_ + 1;
    next_++;
    if (words[0] == "statement") {
      ParseStatementLine(words, record);
      ParseBody(record);
    } else if (words[0] == "query") {
      ParseQueryLine(words, record);
      ParseBody(record);
    } else if (words[0] == "loop" || words[0] == "foreach") {
      ParseLoop(words, record, depth);
    } else {
      record.words = words;
      CheckCommand(record);
    }
    return record;
  }

  static void ParseStatementLine(const std::vector<std::string>& words, Record& record) {
    record.kind = RecordKind::kStatement;
    if (words.size() < 2 || (words[1] != "ok" && words[1] != "error")) {
      throw ScriptError(record.line, "expected 'statement ok' or 'statement error'");
    }
    if (words[1] == "error") return ParseErrorWords(words, 2, record);
    for (size_t i = 2; i < words.size(); i++) {
      if (!IsConnectionName(words[i]))
        throw ScriptError(record.line, "connections are named con1, con2, ...: " + words[i]);
      record.connection = words[i];
    }
  }

  static void ParseQueryLine(const std::vector<std::string>& words, Record& record) {
    record.kind = RecordKind::kQuery;
    if (words.size() < 2)
      throw ScriptError(record.line, "expected column types after 'query', such as 'query IT'");
    if (words[1] == "error") {
      record.kind = RecordKind::kStatement;
      return ParseErrorWords(words, 2, record);
    }
    record.types = words[1];
    for (size_t i = 2; i < words.size(); i++) {
      if (words[i] == "nosort") {
        record.sort = SortMode::kNone;
      } else if (words[i] == "rowsort") {
        record.sort = SortMode::kRows;
      } else if (words[i] == "valuesort") {
        record.sort = SortMode::kValues;
      } else if (IsConnectionName(words[i])) {
        record.connection = words[i];
      } else if (record.label.empty()) {
        record.label = words[i];
      } else {
        throw ScriptError(record.line, "what is '" + words[i] + "'?");
      }
    }
  }

  /// [con1] [SQLSTATE] [part of the message ...]
  static void ParseErrorWords(const std::vector<std::string>& words, size_t begin, Record& record) {
    record.expects_error = true;
    size_t i = begin;
    if (i < words.size() && IsConnectionName(words[i])) record.connection = words[i++];
    if (i < words.size() && IsSqlState(words[i])) record.error_state = words[i++];
    for (; i < words.size(); i++) {
      if (!record.error_fragment.empty()) record.error_fragment += ' ';
      record.error_fragment += words[i];
    }
  }

  /// SQL up to a blank line or `----`, then what is expected up to an empty line.
  void ParseBody(Record& record) {
    while (next_ < script_.lines.size() && script_.lines[next_] != "----" && !IsBlank(script_.lines[next_])) {
      if (!record.sql.empty()) record.sql += '\n';
      record.sql += script_.lines[next_++];
    }
    if (record.sql.empty()) throw ScriptError(record.line, "a record without SQL");
    if (next_ >= script_.lines.size() || script_.lines[next_] != "----") return;
    if (record.kind == RecordKind::kStatement && !record.expects_error) {
      throw ScriptError(next_ + 1, "'statement ok' expects no result; use 'query'");
    }
    record.has_expected = true;
    record.expected_line = ++next_;
    while (next_ < script_.lines.size() && !script_.lines[next_].empty()) {
      record.expected.push_back(script_.lines[next_++]);
    }
  }

  void ParseLoop(const std::vector<std::string>& words, Record& record, size_t depth) {
    record.kind = RecordKind::kLoop;
    if (depth >= kMaxLoopDepth) throw ScriptError(record.line, "loops are nested too deeply");
    if (words[0] == "foreach") {
      if (words.size() < 3) throw ScriptError(record.line, "expected: foreach variable value ...");
      record.values.assign(words.begin() + 2, words.end());
    } else {
      if (words.size() != 4) throw ScriptError(record.line, "expected: loop variable from to");
      const long from = ParseNumber(words[2], record.line), to = ParseNumber(words[3], record.line);
      for (long i = from; i < to; i++) record.values.push_back(std::to_string(i));
    }
    record.variable = words[1];
    record.body = ParseRecords(depth + 1);
  }

  static long ParseNumber(const std::string& word, size_t line) {
    long number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size())
      throw ScriptError(line, "not a number: " + word);
    return number;
  }

  static void CheckCommand(const Record& record) {
    struct Command {
      const char* name;
      size_t least, most;  // Words after the name.
    };
    static constexpr Command kCommands[] = {{"require", 1, 1}, {"restart", 0, 9},       {"halt", 0, 0},
                                            {"skipif", 1, 99}, {"onlyif", 1, 99},       {"set", 2, 99},
                                            {"mode", 1, 1},    {"hash-threshold", 1, 1}};
    for (const Command& command : kCommands) {
      if (record.words[0] != command.name) continue;
      const size_t count = record.words.size() - 1;
      if (count >= command.least && count <= command.most) return;
      throw ScriptError(record.line, "wrong number of words after '" + record.words[0] + "'");
    }
    throw ScriptError(record.line, "unknown record '" + record.words[0] + "'");
  }

  Script& script_;
  size_t next_ = 0;
};

}  // namespace

std::vector<std::string> SplitWords(const std::string& line) {
  std::vector<std::string> words;
  size_t begin = 0;
  while (true) {
    begin = line.find_first_not_of(" \t", begin);
    if (begin == std::string::npos) return words;
    const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
}

Script ParseScript(const std::string& path, std::vector<std::string> lines) {
  Script script;
  script.path = path;
  script.lines = std::move(lines);
  script.records = Parser(script).ParseRecords(0);
  return script;
}

Script ReadScript(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ScriptError(0, "cannot read the file");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return ParseScript(path, std::move(lines));
}

}  // namespace scaup::test
