// Prints, sorts, hashes and compares results.
#define XXH_INLINE_ALL
#include "comparison.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "md5.hpp"

namespace scaup::test {
namespace {

constexpr size_t kMaxDiffLines = 40;

std::string Escape(std::string_view text) {
  if (text.empty()) return "(empty)";
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\x%02x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out;
}

/// The number that a whole text is; nullopt if it is none, or NaN.
std::optional<double> NumberOf(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || std::isnan(number)) return std::nullopt;
  return number;
}

std::vector<std::string> SplitTabs(const std::string& line) {
  std::vector<std::string> values;
  size_t begin = 0;
  while (true) {
    const size_t end = line.find('\t', begin);
    values.push_back(line.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) return values;
    begin = end + 1;
  }
}

/// Number of hash digits in a line "12 values hashing to 0123...", 0 for other lines.
size_t HashDigits(const std::string& line) {
  const std::vector<std::string> words = SplitWords(line);
  if (words.size() != 5 || words[1] != "values" || words[2] != "hashing" || words[3] != "to") return 0;
  return words[4].size() == 32 ? 32 : 16;
}

/// The expected rows from lines that hold a row each, or a value each.
TextRows SplitExpected(const std::vector<std::string>& lines, size_t column_count) {
  TextRows rows;
  const bool any_tab = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find('\t') != std::string::npos;
  });
  if (column_count > 1 && !any_tab && lines.size() % column_count == 0) {
    for (size_t i = 0; i < lines.size(); i += column_count) {
      rows.emplace_back(lines.begin() + static_cast<ptrdiff_t>(i),
                        lines.begin() + static_cast<ptrdiff_t>(i + column_count));
    }
    return rows;
  }
  for (const std::string& line : lines) rows.push_back(SplitTabs(line));
  return rows;
}

bool SameRow(const std::vector<std::string>& got, const std::vector<std::string>& expected,
             const std::string& types) {
  if (got.size() != expected.size()) return false;
  for (size_t i = 0; i < got.size(); i++) {
    if (!SameText(got[i], expected[i], i < types.size() ? types[i] : 'T')) return false;
  }
  return true;
}

std::string DescribeDifference(const TextRows& rows, const TextRows& expected, const std::string& types) {
  const std::vector<std::string> got_lines = JoinRows(rows), expected_lines = JoinRows(expected);
  std::string text = "expected " + std::to_string(expected.size()) + " rows, got " +
                     std::to_string(rows.size()) + " (- expected, + got)\n";
  size_t shown = 0;
  for (size_t i = 0; i < std::max(rows.size(), expected.size()) && shown < kMaxDiffLines; i++) {
    if (i < rows.size() && i < expected.size() && SameRow(rows[i], expected[i], types)) {
      if (rows.size() <= kMaxDiffLines) text += "    " + got_lines[i] + "\n";
      continue;
    }
    if (i < expected.size()) text += "  - " + expected_lines[i] + "\n";
    if (i < rows.size()) text += "  + " + got_lines[i] + "\n";
    shown++;
  }
  if (shown == kMaxDiffLines) text += "  ...\n";
  return text;
}

}  // namespace

TextRows PrintResult(const QueryResult& result, const std::string& types) {
  TextRows rows(result.row_count(), std::vector<std::string>(result.column_count()));
  for (size_t column = 0; column < result.column_count(); column++) {
    const bool whole =
        column < types.size() && types[column] == 'I' && result.columns()[column].type.IsFloating();
    for (size_t row = 0; row < result.row_count(); row++) {
      const Value value = result.GetValue(column, row);
      std::string& text = rows[row][column];
      if (value.is_null()) {
        text = "NULL";
      } else if (whole && std::abs(value.GetDouble()) < 9e18) {
        text = std::to_string(static_cast<int64_t>(value.GetDouble()));
      } else {
        result.AppendText(column, row, text);
        text = Escape(text);
      }
    }
  }
  return rows;
}

std::vector<std::string> JoinRows(const TextRows& rows) {
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); i++) {
      if (i > 0) line += '\t';
      line += row[i];
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string HashLine(const TextRows& rows, const std::string& types, size_t digits) {
  std::string bytes;
  size_t count = 0;
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); i++) {
      const std::optional<double> number =
          i < types.size() && types[i] == 'R' ? NumberOf(row[i]) : std::nullopt;
      if (number) {
        char text[400];
        std::snprintf(text, sizeof(text), "%.3f", *number);
        bytes += text;
      } else {
        bytes += row[i];
      }
      bytes += '\n';
      count++;
    }
  }
  std::string hash;
  if (digits == 32) {
    hash = Md5(bytes);
  } else {
    char text[32];
    std::snprintf(text, sizeof(text), "%016llx",
                  static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
    hash = text;
  }
  return std::to_string(count) + " values hashing to " + hash;
}

void SortRows(TextRows& rows, SortMode sort) {
  if (sort == SortMode::kNone) return;
  if (sort == SortMode::kValues) {
    TextRows values;
    for (std::vector<std::string>& row : rows) {
      for (std::string& value : row) values.push_back({std::move(value)});
    }
    rows = std::move(values);
  }
  std::sort(rows.begin(), rows.end());
}

bool SameText(const std::string& got, const std::string& expected, char type) {
  if (got == expected) return true;
  if (type != 'R') return false;
  const std::optional<double> a = NumberOf(got), b = NumberOf(expected);
  if (!a || !b) return false;
  const double difference = std::abs(*a - *b);
  return difference <= 1e-12 || difference <= 1e-9 * std::max(std::abs(*a), std::abs(*b));
}

std::optional<std::string> CompareRows(const TextRows& rows, const std::string& types, SortMode sort,
                                       const std::vector<std::string>& expected) {
  // Sorted values have lost their columns: numbers count as such where all columns are R.
  std::string row_types = types;
  if (sort == SortMode::kValues) {
    const bool all_real = types.find_first_not_of('R') == std::string::npos;
    row_types = all_real ? "R" : "T";
  }
  const size_t digits = expected.size() == 1 ? HashDigits(expected[0]) : 0;
  if (digits != 0) {
    const std::string line = HashLine(rows, row_types, digits);
    if (line == expected[0]) return std::nullopt;
    return "(- expected, + got)\n  - " + expected[0] + "\n  + " + line + "\n";
  }
  TextRows expected_rows = SplitExpected(expected, row_types.size());
  SortRows(expected_rows, sort);
  bool same = rows.size() == expected_rows.size();
  for (size_t i = 0; same && i < rows.size(); i++) same = SameRow(rows[i], expected_rows[i], row_types);
  if (same) return std::nullopt;
  return DescribeDifference(rows, expected_rows, row_types);
}

}  // namespace scaup::test
