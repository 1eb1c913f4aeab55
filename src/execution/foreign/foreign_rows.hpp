// Functions of the program that return rows, as statements call them.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "function/rows_function.hpp"

namespace scaup {

/// The rows that a call gets. Used by one thread.
class ForeignRowsInput {
 public:
  virtual ~ForeignRowsInput() = default;
  /// Returns the next rows, at most `most_rows`, which is at least 1; no rows at the end.
  virtual MaterializedResult Next(size_t most_rows) = 0;
  /// Returns all rows that are left.
  virtual MaterializedResult All() = 0;
};

/// Rows that a call returns. Used by one thread.
class ForeignRows {
 public:
  virtual ~ForeignRows() = default;
  virtual size_t row_count() const = 0;
  /// Writes the rows [begin, begin + count), at most 1024, of a column of the result to `output`, which is
  /// after Release(). `output` may share the column's memory. Throws Error for a value that does not fit.
  virtual void Read(size_t column, size_t begin, size_t count, Vector& output) const = 0;
};

/// One run of a function, which returns its rows step by step. Used by one thread.
class ForeignRowsRun {
 public:
  virtual ~ForeignRowsRun() = default;
  /// Returns the rows of the next step, maybe none; null at the end.
  virtual std::unique_ptr<ForeignRows> Next(ForeignRowsInput& input) = 0;
};

/// A bound call of a function of the program. Immutable; any thread may start runs of it.
struct ForeignRowsCall : BoundRowsCall {
  /// Begins a run with the values of the parameters. Borrows the context.
  virtual std::unique_ptr<ForeignRowsRun> Start(const FunctionContext& context,
                                                const std::vector<Value>& values) const = 0;

  /// The most rows of a run that gets a batch; 0: a run gets all rows, or a whole partition.
  size_t batch_rows = 0;
};

}  // namespace scaup
