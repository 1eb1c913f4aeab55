// Connection: where SQL is executed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/arrow_factory.hpp"
#include "scaup/database.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// Finds the table that a program means by a name: gives what opens passes over it; or makes `once` a stream
/// that can be read once, and gives null; or does neither where it has none of that name.
using ReplacementScan = std::function<ArrowFactory(std::string_view name, ArrowArrayStream* once)>;

/// A statement parsed and checked once, to be executed many times. Movable; one thread at a time. Keeps its
/// connection's database alive. When a table that it uses changes, it is prepared again by itself. Once it
/// was moved from, every method throws Error(kUsage), until it is assigned to.
class SCAUP_API PreparedStatement {
 public:
  ~PreparedStatement();
  PreparedStatement(PreparedStatement&&) noexcept;
  PreparedStatement& operator=(PreparedStatement&&) noexcept;

  /// How many values Execute wants.
  size_t parameter_count() const;
  /// The columns of its result; none for statements without rows.
  const std::vector<ResultColumn>& columns() const;
  /// Runs it with $1 = parameters[0] and so on. Values are cast to what the statement needs. Throws
  /// Error(kUsage) when their number is wrong.
  QueryResult Execute(std::span<const Value> parameters = {});
  /// Streams the rows, as Connection::Stream does.
  StreamingResult Stream(std::span<const Value> parameters = {});

 private:
  friend class Connection;
  struct State;
  explicit PreparedStatement(std::unique_ptr<State> state);
  const State& state() const;
  std::unique_ptr<State> state_;
};

/// One session of a database. Statements run one after the other: calls from several threads wait for each
/// other. Only Interrupt and Progress may be called while another thread runs a statement. Movable. Once it
/// was moved from, methods throw Error(kUsage), until it is assigned to; Interrupt then does nothing, and
/// Progress knows nothing.
class SCAUP_API Connection {
 public:
  explicit Connection(const Database& database);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  /// Executes one or more statements separated by semicolons and returns the last one's result.
  /// Throws Error; positions in it count bytes of `sql`.
  QueryResult Query(std::string_view sql);
  /// Runs one statement with values for $1, $2, ...; each value has its own type, but a VARCHAR is treated
  /// like a quoted literal and takes the type that its place asks for.
  QueryResult Query(std::string_view sql, std::span<const Value> parameters);
  /// Executes one statement, whose rows are fetched part by part. One that only reads computes them as they
  /// are fetched. One that changes something (INSERT, UPDATE, DELETE, MERGE, COPY, CREATE TABLE AS, nextval,
  /// ..., with RETURNING, too) is done, and committed unless a transaction block is open, when Stream
  /// returns: whether its rows are then fetched or not, nothing of it is lost.
  StreamingResult Stream(std::string_view sql, std::span<const Value> parameters = {});
  /// Prepares one statement.
  PreparedStatement Prepare(std::string_view sql);

  /// Makes a stream of Arrow arrays a table of this connection, under a name that needs no schema. It is read
  /// once, by the first statement that asks for its rows, and taken from `stream` now. Tables and views of
  /// the database come first where they have the same name; what was registered under it before is replaced.
  /// Throws Error(0A000) for columns without a type in SQL, Error(58030) where the stream fails.
  void RegisterArrow(std::string_view name, ArrowArrayStream* stream);
  /// Registers a table that can be read any number of times.
  void RegisterArrow(std::string_view name, ArrowFactory factory);
  /// Forgets a table that was registered; false where none was. Statements that read it go on.
  bool Unregister(std::string_view name);
  /// Asks the program for tables of names that are neither in the database nor registered. `find` is called
  /// while a statement is prepared, by the thread that runs it; what it throws ends the statement. Null:
  /// nobody is asked.
  void SetReplacementScan(ReplacementScan find);

  /// Makes the statement that runs now, if any, end with Error(kInterrupted). From any thread.
  void Interrupt() noexcept;
  /// How much of the running statement is done, 0 to 1; negative when nobody knows. From any thread.
  double Progress() const noexcept;

 private:
  friend class Appender;
  std::shared_ptr<class Session> session_;
};

/// Splits SQL text into its statements without executing them: for shells and drivers. Each part keeps its
/// text without the semicolon. Throws Error(kSyntax) as Connection::Query does.
SCAUP_API std::vector<std::string> SplitStatements(std::string_view sql);

}  // namespace scaup
