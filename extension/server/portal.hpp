// Portal: a statement with the values of its parameters, whose rows a client fetches in parts.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client_state.hpp"
#include "parsed_statement.hpp"
#include "row_encoder.hpp"

namespace scaup::server {

/// A bound statement, made by a Bind message. Owned by the table of portals; used by one thread.
class Portal {
 public:
  Portal(std::shared_ptr<ParsedStatement> statement, std::vector<Value> parameters,
         std::vector<int16_t> formats)
      : statement_(std::move(statement)), parameters_(std::move(parameters)), formats_(std::move(formats)) {}

  const std::shared_ptr<ParsedStatement>& shared_statement() const { return statement_; }
  /// Appends the description of its rows, or NoData.
  void Describe(std::string& out) const;
  /// Runs the statement, or goes on with its rows: sends at most `most_rows` (0: all) and the message that
  /// ends the answer. REQUIRES: the engine executes the statement.
  void Execute(uint64_t most_rows, ClientState& client);
  /// Reads the rows that are left into memory, as another statement is about to end the stream. An error
  /// waits until these rows are fetched.
  void Retain();

 private:
  /// Returns the format of each of `count` columns. Throws ProtocolError if Bind gave another number.
  std::vector<Format> Formats(size_t count) const;
  void Start();
  /// Gets the next rows, at most `most_rows` (0: any number). Returns false at the end.
  bool NextRows(uint64_t most_rows);

  std::shared_ptr<ParsedStatement> statement_;
  std::vector<Value> parameters_;
  std::vector<int16_t> formats_;
  std::optional<StreamingResult> stream_;
  std::vector<ResultColumn> columns_;
  uint64_t rows_changed_ = 0;
  bool has_rows_ = false;
  bool has_started_ = false;
  bool is_retained_ = false;
  std::deque<QueryResult> retained_;  ///< batches that were read ahead
  std::optional<Error> error_;        ///< behind the last of them
  QueryResult rows_;                  ///< the batch that is being sent
  size_t next_row_ = 0;               ///< of rows_
};

}  // namespace scaup::server
