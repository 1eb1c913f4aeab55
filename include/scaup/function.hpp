// Functions: functions of the program that statements of a connection can call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/export.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

struct ArrowArray;
struct ArrowSchema;

namespace scaup {

/// The result of a call of a function: a value for each of its rows. Given to the function's body, which uses
/// one of the ways to set the values, on one thread. Values of another type than the function's are converted
/// if both are numbers, times, or texts (of JSON, UUID and enums, too) and the value fits. A number with a
/// fraction does not fit an integer. Errors of the values are those of the statement.
class SCAUP_API FunctionOutput {
 public:
  FunctionOutput(const FunctionOutput&) = delete;
  FunctionOutput& operator=(const FunctionOutput&) = delete;

  /// Returns the number of rows, which is that of the arguments.
  size_t row_count() const;
  /// Returns the type with which the function was created.
  const LogicalType& type() const;

  /// Returns an array of row_count() values to write, zero at first, whose C++ type is as of ColumnView.
  /// Throws Error(kUsage) for VARCHAR, BLOB and nested types, which have none.
  void* Data();
  template <typename T>
  T* DataAs() {
    return static_cast<T*>(Data());
  }
  /// Sets one row. Rows of VARCHAR that are never set are empty. Bytes are copied. Throws Error(22021) for a
  /// VARCHAR that is not UTF-8 or has a NUL, Error(22P02) for JSON that is none, Error(54000) for more than
  /// 1 GiB. REQUIRES: row < row_count().
  void SetText(size_t row, std::string_view text);
  void SetValue(size_t row, const Value& value);
  void SetNull(size_t row);

  /// Sets all rows to those of a column of numbers, dates, times or timestamps, whose memory is shared. It
  /// must have an owner and row_count() rows, else this throws Error(kUsage).
  void SetColumn(ColumnView column);
  /// Sets all rows to those of an Arrow array, whose memory is shared where the layouts agree. Takes
  /// ownership of both, also if it throws. Throws Error(kUsage) for another number of rows, and
  /// Error(kNotSupported) for a type without meaning in SQL.
  void SetArrow(ArrowSchema* schema, ArrowArray* array);

 private:
  friend class ProgramFunction;
  friend class ProgramAggregate;
  friend class ProgramTableRows;
  explicit FunctionOutput(class ProgramColumn& column) : column_(column) {}
  ProgramColumn& column_;
};

/// The arguments of a call: a column for each, in their order, but for constants if the function takes these
/// apart. A value type whose copies share the rows.
struct FunctionArguments : QueryResult {
  QueryResult constants;          ///< the arguments that are constants in the call: one row
  std::vector<bool> is_constant;  ///< by argument; empty if all are columns
};

/// A scalar function that the program offers. A value type.
struct FunctionDefinition {
  /// Whether calls with the same arguments return the same. It decides which calls may be left out.
  enum class Volatility : uint8_t {
    /// Always: a call with constants is made once, before the statement runs. Where a column has few values
    /// that are stored as a dictionary, the body may get each of them once.
    kImmutable,
    kStable,    ///< within a statement
    kVolatile,  ///< never: a call is made for each row that needs it
  };
  /// The name in SQL, where the case of its ASCII letters does not count.
  std::string name;
  std::vector<LogicalType> arguments;  ///< at least as many are given; see is_variadic
  /// Whether calls may have more arguments, of the last one's type.
  bool is_variadic = false;
  LogicalType result;
  Volatility volatility = Volatility::kImmutable;
  /// Whether the body is called for rows with a NULL argument. If not, these rows are not among the
  /// arguments, and their result is NULL.
  bool takes_nulls = false;
  /// The most rows of a call; 0 means 65,536.
  size_t batch_rows = 0;
  /// Whether a call gets all rows at once, which must fit in memory, where each row needs it. Then batch_rows
  /// does not count.
  bool takes_all_rows = false;
  /// Whether arguments that are constants in a call come apart, rather than as columns of equal values. An
  /// argument is one if its expression reads no column and calls no volatile function: literals, parameters,
  /// what is computed from them, and subqueries that read no column outside of them. If all arguments are
  /// constants, the first one is a column all the same.
  bool takes_constants = false;
  /// Computes many rows, up to batch_rows, one for each row of `arguments`, whose columns are the arguments
  /// cast to their types. Called by any threads of the database, also at the same time, and never while no
  /// statement runs. It may keep copies of `arguments` and share its columns. It must not use the connection
  /// that calls it: that throws Error(kUsage, 55006) where it would wait for itself. An Error that it throws
  /// ends the statement as it is; any other exception ends it with Error(kIo, 38000).
  std::function<void(const FunctionArguments& arguments, FunctionOutput& result)> body;
};

}  // namespace scaup
