// For differential.py: executes queries collected and as streams, and gives the rows of both where they
// differ.
//
// Reads requests from standard input, each a letter, a number, a line end, and so many bytes: R opens a new
// database, S executes a statement, P says how many rows parts of streams have from now on (the number
// itself, no bytes), Q executes a query in both ways. Each is answered by the number of bytes that follow, a
// line end, and them: none where all is well; else two answers, one after the other with a zero byte between,
// each "E", SQLSTATE and message, or "R" and the rows, with \x1e behind each and \x1f behind each of its
// values.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"

namespace {

using scaup::Connection;
using scaup::Database;
using scaup::Error;
using scaup::QueryResult;
using scaup::StreamingResult;

/// Larger answers take too long to write down and to compare.
constexpr size_t kMostRows = 20000;

void AppendRows(const QueryResult& rows, std::string& text) {
  for (size_t row = 0; row < rows.row_count(); row++) {
    for (size_t column = 0; column < rows.column_count(); column++) {
      if (rows.IsNull(column, row)) {
        text += '~';
      } else {
        rows.AppendText(column, row, text);
      }
      text += '\x1f';
    }
    text += '\x1e';
  }
}

/// What `body` gives, or its error, as text.
template <typename Body>
std::string Answer(Body&& body) {
  try {
    return "R" + body();
  } catch (const Error& error) {
    return "E" + std::string(error.sqlstate()) + " " + error.message();
  }
}

std::string Collected(Connection& connection, const std::string& sql) {
  return Answer([&] {
    std::string text;
    const QueryResult rows = connection.Query(sql);
    if (rows.row_count() > kMostRows)
      throw Error(scaup::ErrorKind::kUsage, "54000", "too many rows to compare");
    AppendRows(rows, text);
    return text;
  });
}

std::string Streamed(Connection& connection, const std::string& sql, size_t part_rows) {
  return Answer([&] {
    std::string text;
    StreamingResult stream = connection.Stream(sql);
    QueryResult rows;
    size_t last_rows = part_rows;
    size_t count = 0;
    while (stream.Fetch(rows, part_rows)) {
      const bool is_wrong = last_rows != part_rows || rows.row_count() == 0 || rows.row_count() > part_rows ||
                            rows.column_count() != stream.columns().size();
      if (is_wrong)
        throw Error(scaup::ErrorKind::kInternal, "XX000", "a part of the stream has a wrong size");
      last_rows = rows.row_count();
      count += last_rows;
      if (count > 2 * kMostRows) throw Error(scaup::ErrorKind::kUsage, "54000", "too many rows to compare");
      AppendRows(rows, text);
    }
    if (stream.Fetch(rows))
      throw Error(scaup::ErrorKind::kInternal, "XX000", "the stream goes on after its end");
    return text;
  });
}

/// One database, its connection, and how it is asked.
class Twin {
 public:
  std::string Handle(char letter, size_t number, const std::string& text) {
    switch (letter) {
      case 'R':
        connection_.reset();
        database_ = std::make_unique<Database>();
        connection_ = std::make_unique<Connection>(*database_);
        return "";
      case 'P': part_rows_ = number; return "";
      case 'S': {
        const std::string answer = Collected(*connection_, text);
        return answer[0] == 'E' ? answer + '\0' + answer : "";
      }
      default: break;
    }
    const std::string collected = Collected(*connection_, text);
    const std::string streamed = Streamed(*connection_, text, part_rows_);
    return collected == streamed ? "" : collected + '\0' + streamed;
  }

 private:
  std::unique_ptr<Database> database_;
  std::unique_ptr<Connection> connection_;
  size_t part_rows_ = 1;
};

}  // namespace

int main() {
  Twin twin;
  char letter = 0;
  size_t number = 0;
  while (std::scanf("%c%zu", &letter, &number) == 2 && std::getchar() == '\n') {
    std::string text(letter == 'P' ? 0 : number, '\0');
    if (std::fread(text.data(), 1, text.size(), stdin) != text.size()) return 1;
    const std::string answer = twin.Handle(letter, number, text);
    std::printf("%zu\n", answer.size());
    std::fwrite(answer.data(), 1, answer.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
