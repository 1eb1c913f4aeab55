// Functions of the program that embeds the database, as statements call them.
#pragma once

#include <memory>

#include "execution/rows/materialized_result.hpp"
#include "expression/expression.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

/// The result of a call of a foreign function: a value for each row. Used by one thread.
class ForeignColumn {
 public:
  virtual ~ForeignColumn() = default;
  /// Writes the rows [begin, begin + count), at most 1024, to `output`, which is after Release() and of the
  /// function's type. `output` may share the column's memory. Throws Error for a value that does not fit.
  virtual void Read(size_t begin, size_t count, Vector& output) const = 0;
};

/// A scalar function of the program. Immutable; any thread may call it.
class ForeignFunction {
 public:
  virtual ~ForeignFunction() = default;
  /// Computes the function for all rows of `arguments`, which are its argument types.
  virtual std::unique_ptr<ForeignColumn> Call(const FunctionContext& context,
                                              MaterializedResult arguments) const = 0;
  /// Returns whether a NULL argument gives NULL. The function is then not called for such rows.
  bool omits_nulls() const { return omits_nulls_; }
  /// Returns the most rows of a call; kAllRows if all rows are to be in one.
  size_t most_rows() const { return most_rows_; }

  static constexpr size_t kAllRows = SIZE_MAX;
  static constexpr size_t kUsualRows = 65536;

 protected:
  ForeignFunction(bool omits_nulls, size_t most_rows) : omits_nulls_(omits_nulls), most_rows_(most_rows) {}

 private:
  const bool omits_nulls_;
  const size_t most_rows_;
};

/// The data of calls of a foreign function.
class ForeignFunctionData final : public FunctionData {
 public:
  explicit ForeignFunctionData(std::shared_ptr<const ForeignFunction> function_in)
      : function(std::move(function_in)) {}
  bool IsSame(const FunctionData& other) const override {
    return function == static_cast<const ForeignFunctionData&>(other).function;
  }
  const std::shared_ptr<const ForeignFunction> function;
};

/// The kernel of all foreign functions: a call for each chunk. BatchedCalls makes larger calls where it can.
void CallForeign(const ScalarCall& call, DataChunk& arguments, Vector& result);

/// A column in memory that has a byte for each row, 1 for NULL, rather than a bit.
struct BytewiseColumn {
  const std::byte* values;
  const uint8_t* nulls;  ///< null: there are none
  std::shared_ptr<const void> owner;
};

/// Makes `output` the rows [begin, begin + count) of a column, whose values it shares.
void ReferenceRows(const BytewiseColumn& column, size_t begin, size_t count, Vector& output);

/// Returns whether an expression is a call of a foreign function.
bool IsForeignCall(const Expression& expression);

/// The rows of one call, of which those with a NULL among the arguments may be left out. Used by one thread.
class ForeignArguments {
 public:
  /// Borrows the function and the memory.
  ForeignArguments(const ForeignFunction& function, const std::vector<LogicalType>& types,
                   const ResultMemory& memory)
      : function_(function), given_(types, memory) {}

  /// Adds the rows of a chunk with the argument types, which it may change.
  void Append(DataChunk& chunk);
  size_t row_count() const { return row_count_; }
  /// Calls the function. No rows can be added afterwards.
  void Call(const FunctionContext& context);
  /// Writes the results of the rows [begin, begin + count), at most 1024. REQUIRES: after Call.
  void Read(size_t begin, size_t count, Vector& output);

 private:
  void OmitNulls(DataChunk& chunk);

  const ForeignFunction& function_;
  ResultAppender given_;
  size_t row_count_ = 0;
  /// For each row its number among those given, or kOmitted. Empty as long as the numbers are the same.
  std::vector<uint32_t> rows_;
  std::unique_ptr<ForeignColumn> results_;
};

}  // namespace scaup
