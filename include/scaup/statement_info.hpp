// StatementInfo: what a SQL text consists of, for shells, drivers and servers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/error.hpp"
#include "scaup/export.hpp"

namespace scaup {

/// The parts of COPY ... FROM STDIN and COPY ... TO STDOUT. A session does not execute these, as the program
/// has the stream: it reads the query or the table, or inserts the rows, itself.
struct CopyStream {
  struct Option {
    std::string name;  ///< in lower case
    std::string value;
    bool has_value = false;
    std::vector<std::string> values;  ///< of a list: FORCE_QUOTE (a, b)
    size_t position = 0;              ///< byte offset in the whole text
  };
  bool is_from = false;
  std::string schema;  ///< "" if not given
  std::string table;   ///< "" if there is a query
  std::vector<std::string> columns;
  std::string query;  ///< SQL text
  size_t query_position = 0;
  std::vector<Option> options;
};

/// One statement of a text.
struct StatementInfo {
  enum class Kind : uint8_t {
    kOther = 0,
    kQuery = 1,   ///< returns rows: SELECT, VALUES, TABLE, FETCH, and CREATE TABLE AS, which counts them
    kChange = 2,  ///< counts the rows that it changes: INSERT, UPDATE, DELETE, MERGE, COPY of a file; or
                  ///< passes: MOVE
    kBegin = 3,
    kCommit = 4,
    kRollback = 5,
    kRollbackTo = 6,
    kSet = 7,         ///< SET and RESET, but SET TRANSACTION
    kCopyStream = 8,  ///< `copy` has the parts
    kDeallocate = 9,  ///< of the prepared statement `name`; of all if that is "", as by DISCARD ALL, too
  };
  Kind kind = Kind::kOther;
  std::string command;  ///< PostgreSQL's name of the command, such as "CREATE TABLE"
  std::string name;     ///< of what DEALLOCATE drops
  size_t position = 0;  ///< byte offset in the text
  size_t length = 0;    ///< in bytes, without the semicolon
  size_t parameter_count = 0;
  std::optional<CopyStream> copy;
};

/// A text that a connection has parsed: Connection::Stream and Prepare take it instead of parsing it again.
/// Movable; used by one thread at a time. After a move, every method of the source throws Error(kUsage).
class SCAUP_API ParsedText {
 public:
  ~ParsedText();
  ParsedText(ParsedText&&) noexcept;
  ParsedText& operator=(ParsedText&&) noexcept;

  /// Returns what the text consists of; positions count in the text.
  const std::vector<StatementInfo>& statements() const;

 private:
  friend class Connection;
  struct State;
  explicit ParsedText(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Parses a text and describes its statements, without executing them. Throws Error(kSyntax) like
/// Connection::Query. Thread-safe.
SCAUP_API std::vector<StatementInfo> DescribeStatements(std::string_view sql);

/// Returns a key that texts of one statement share if they differ only in the values of integers and strings,
/// so that what DescribeStatements says of one of them, but for the length, it says of all. Returns "" for
/// other texts. Does not parse: it takes about as long as copying the text. Thread-safe.
SCAUP_API std::string ShapeOfText(std::string_view sql);

}  // namespace scaup
