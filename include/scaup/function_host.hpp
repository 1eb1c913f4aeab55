// Function hosts: languages of the program for functions that are stored in the database.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/aggregate.hpp"
#include "scaup/export.hpp"
#include "scaup/function.hpp"
#include "scaup/table_function.hpp"

namespace scaup {

/// A function as CREATE FUNCTION ... LANGUAGE has stored it. A value type.
struct StoredFunction {
  struct Argument {
    std::string name;  ///< "" if it has none
    LogicalType type;
    /// TABLE (...) of a table function: the rows of a query with these columns; `type` is a struct of them.
    bool is_rows = false;
    std::vector<ResultColumn> columns = {};
  };
  enum class Kind : uint8_t { kScalar, kAggregate, kTable };
  Kind kind = Kind::kScalar;
  std::string schema;
  std::string name;
  std::string language;  ///< in lower case
  std::string source;    ///< the body, as it was written
  std::vector<Argument> arguments;
  LogicalType result;                 ///< not for table functions
  std::vector<ResultColumn> columns;  ///< RETURNS TABLE of table functions
  FunctionDefinition::Volatility volatility = FunctionDefinition::Volatility::kVolatile;
  bool takes_nulls = false;     ///< not STRICT; see FunctionDefinition
  bool takes_all_rows = false;  ///< LANGUAGE without MAP; see FunctionDefinition
  size_t batch_rows = 0;        ///< SET batch_rows; 0: as many as usual; see AggregateDefinition, too
};

/// A language that the program offers to functions of the database. Called by any thread that runs
/// statements, also at the same time. Its methods must not use the connection that runs the statement.
class SCAUP_API FunctionHost {
 public:
  FunctionHost() = default;
  FunctionHost(const FunctionHost&) = delete;
  FunctionHost& operator=(const FunctionHost&) = delete;
  virtual ~FunctionHost();

  using Body = std::function<void(const FunctionArguments& arguments, FunctionOutput& result)>;
  /// Makes a function callable: the body is as that of FunctionDefinition. Called once for each connection
  /// that calls the function, and when it is created, to find errors of the source; the body is then dropped.
  /// It must run no code of the source, because that may be a stranger's. An Error that it throws ends the
  /// statement as it is; any other exception ends it with Error(kIo, 38000).
  virtual Body Compile(const StoredFunction& function) = 0;
  /// Returns whether the bodies of functions take constants apart; see FunctionDefinition. Without an
  /// override they do not.
  virtual bool TakesConstants() const;
  /// Makes an aggregate callable, likewise. Without an override it throws Error(kNotSupported, 0A000).
  virtual AggregateBodies CompileAggregate(const StoredFunction& function);
  using TableBody = std::function<TableFunctionDefinition::Step(const TableCall& call)>;
  /// Makes a table function callable, likewise: the body is TableFunctionDefinition::start.
  virtual TableBody CompileTable(const StoredFunction& function);
};

}  // namespace scaup
