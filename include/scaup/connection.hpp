// Connection: executes SQL statements in a session of a database.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/aggregate.hpp"
#include "scaup/arrow_factory.hpp"
#include "scaup/database.hpp"
#include "scaup/file_host.hpp"
#include "scaup/function.hpp"
#include "scaup/result.hpp"
#include "scaup/statement_info.hpp"
#include "scaup/table_function.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// Finds the program's table of a name. If it can be read many times, returns a factory that opens passes
/// over it. If it can be read only once, initializes `once` as its stream and returns null. If there is no
/// such table, returns null and leaves `once` as it is.
using ReplacementScan = std::function<ArrowFactory(std::string_view name, ArrowArrayStream* once)>;

/// Whether a session is in a transaction block. The numbers never change.
enum class TransactionStatus : uint8_t {
  kIdle = 0,    ///< No block is open: each statement is its own transaction.
  kOpen = 1,    ///< In a block.
  kFailed = 2,  ///< In a block in which a statement has failed: ROLLBACK must come next.
};

/// A statement that is parsed and planned once, and executed many times. Movable; used by one thread at a
/// time. Shares ownership of its connection's database. If a table that it uses is altered, it is prepared
/// again automatically. After a move, every method of the source throws Error(kUsage) until it is assigned
/// to.
class SCAUP_API PreparedStatement {
 public:
  ~PreparedStatement();
  PreparedStatement(PreparedStatement&&) noexcept;
  PreparedStatement& operator=(PreparedStatement&&) noexcept;

  /// Returns the number of values that Execute needs.
  size_t parameter_count() const;
  /// Returns the types of $1, $2, ... as declared or as their contexts want them; kNull where any type fits,
  /// and for all parameters of statements without a plan.
  std::vector<LogicalType> parameter_types() const;
  /// Returns the columns of the result; empty for statements without rows.
  const std::vector<ResultColumn>& columns() const;
  /// See QueryResult::has_rows.
  bool has_rows() const;
  /// Executes the statement with $1 = parameters[0] and so on. Values are cast to the types that the
  /// statement needs. Throws Error(kUsage) if their number is wrong, and the errors of the statement.
  QueryResult Execute(std::span<const Value> parameters = {});
  /// Executes the statement and streams the rows, as Connection::Stream does.
  StreamingResult Stream(std::span<const Value> parameters = {});

 private:
  friend class Connection;
  struct State;
  explicit PreparedStatement(std::unique_ptr<State> state);
  const State& state() const;
  std::unique_ptr<State> state_;
};

/// One session of a database. Statements run one after the other: calls from several threads wait for each
/// other. Interrupt and Progress do not wait; they are meant for other threads than the one that runs a
/// statement. Movable. After a move, methods of the source throw Error(kUsage) until it is assigned to;
/// Interrupt does nothing, and Progress returns a negative number.
class SCAUP_API Connection {
 public:
  /// Opens a session. Shares ownership of the database. Throws Error(kUsage) if `database` was moved from.
  explicit Connection(const Database& database);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  /// Executes one or more statements separated by semicolons, and returns the result of the last one. Throws
  /// Error, whose position is a byte offset into `sql`.
  QueryResult Query(std::string_view sql);
  /// Executes one statement with values for $1, $2, .... Each value has its own type, except that a VARCHAR
  /// is treated like a quoted literal, which takes the type that its context needs.
  QueryResult Query(std::string_view sql, std::span<const Value> parameters);
  /// Executes one statement, whose rows are fetched in batches. A statement that only reads computes its rows
  /// while they are fetched. A statement that changes something (INSERT, UPDATE, DELETE, MERGE, COPY, CREATE
  /// TABLE AS, nextval, ..., also with RETURNING) is complete when Stream returns, and committed unless a
  /// transaction block is open, whether its rows are fetched or not.
  StreamingResult Stream(std::string_view sql, std::span<const Value> parameters = {});
  /// Parses a text, for programs that look at its statements before they execute them. Throws Error(kSyntax).
  ParsedText Parse(std::string_view sql) const;
  /// Executes the text's one statement, as Stream(sql) does. Throws Error(kSyntax) if there are several, or
  /// none.
  StreamingResult Stream(ParsedText text, std::span<const Value> parameters = {});
  /// Prepares one statement. Throws Error for syntax errors, unknown names and the like.
  PreparedStatement Prepare(std::string_view sql);
  /// Prepares one statement whose parameters $1, $2, ... have these types; kNull, and parameters behind the
  /// last type, take the type that their context wants.
  PreparedStatement Prepare(std::string_view sql, std::span<const LogicalType> parameter_types);
  /// Prepares the text's one statement.
  PreparedStatement Prepare(ParsedText text, std::span<const LogicalType> parameter_types);

  /// Returns whether a transaction block is open. Waits for a statement that runs.
  TransactionStatus transaction_status() const;

  /// Registers a stream of Arrow arrays as a table of this connection, under a name without schema. Takes
  /// ownership of `stream`. Its rows can be read once, by the first statement that needs them. A table or
  /// view of the database with the same name takes precedence. A table that was registered under the name is
  /// replaced. Throws Error(kNotSupported, 0A000) for columns without a SQL type, and Error(kIo, 58030) if
  /// the stream fails.
  void RegisterArrow(std::string_view name, ArrowArrayStream* stream);
  /// Registers a table that can be read any number of times. The connection owns the factory.
  void RegisterArrow(std::string_view name, ArrowFactory factory);
  /// Removes a registered table; returns false if there is none. Statements that are reading it continue.
  bool Unregister(std::string_view name);
  /// Sets a function that finds tables which are neither in the database nor registered. It is called while a
  /// statement is prepared, by the thread that runs the statement. Its exceptions end the statement. Null
  /// removes the function.
  void SetReplacementScan(ReplacementScan find);

  /// Adds a function that statements of this connection can call by its name without schema. One with the
  /// same name and arguments is replaced; functions that SQL has created come first. Throws Error(kUsage) for
  /// a definition without name or body, and Error(kCatalog, 42723) for the name of a built-in function.
  void CreateFunction(FunctionDefinition definition);
  /// Adds an aggregate function, likewise; scalar functions of its name are removed. Throws Error(kUsage)
  /// also for a definition without arguments, or with parts of a state.
  void CreateAggregate(AggregateDefinition definition);
  /// Adds a table function, which statements call in FROM; other functions of its name are removed. Throws
  /// Error(kUsage) for a definition that is not whole, and Error(kCatalog, 42723) for the name of a built-in
  /// function.
  void CreateTableFunction(TableFunctionDefinition definition);
  /// Removes all functions of that name that the program has created; returns false if there is none.
  bool RemoveFunction(std::string_view name);

  /// Like Database::RegisterLanguage, for this connection alone, whose hosts come first.
  void RegisterLanguage(std::string_view name, std::shared_ptr<FunctionHost> host);

  /// Like Database::RegisterFileSystem, for this connection alone, whose hosts come first.
  void RegisterFileSystem(std::string_view scheme, std::shared_ptr<FileHost> host);

  /// Makes the running statement, if any, end with Error(kInterrupted). May be called from any thread.
  void Interrupt() noexcept;
  /// Returns the progress of the running statement, 0 to 1, or a negative number if it is not known. May be
  /// called from any thread.
  double Progress() const noexcept;

 private:
  friend class Appender;
  std::shared_ptr<class Session> session_;
};

/// Splits SQL text into its statements without executing them, for shells and drivers. Returns the text of
/// each statement without its semicolon. Throws Error(kSyntax) like Connection::Query. Thread-safe.
SCAUP_API std::vector<std::string> SplitStatements(std::string_view sql);

}  // namespace scaup
