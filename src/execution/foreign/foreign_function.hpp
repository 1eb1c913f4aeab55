// Functions of the program that embeds the database, as statements call them.
#pragma once

#include <memory>
#include <vector>

#include "execution/rows/materialized_result.hpp"
#include "expression/expression.hpp"
#include "function/constant_arguments.hpp"
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

/// The arguments of a call of a foreign function.
struct ForeignCallArguments {
  MaterializedResult rows;        ///< the arguments that are columns
  MaterializedResult constants;   ///< the others: one row
  std::vector<bool> is_constant;  ///< by argument; empty if all are columns
};

/// A scalar function of the program. Immutable; any thread may call it.
class ForeignFunction {
 public:
  /// The rules of calls.
  struct Rules {
    bool omits_nulls = true;       ///< a NULL argument gives NULL without a call
    bool takes_constants = false;  ///< constants come apart from columns
    bool is_immutable = false;     ///< equal arguments give equal results
    size_t most_rows = kUsualRows;
  };

  virtual ~ForeignFunction() = default;
  /// Computes the function for all rows of `arguments`, which are its argument types.
  virtual std::unique_ptr<ForeignColumn> Call(const FunctionContext& context,
                                              ForeignCallArguments arguments) const = 0;
  /// Returns whether a NULL argument gives NULL. The function is then not called for such rows.
  bool omits_nulls() const { return rules_.omits_nulls; }
  /// Returns whether constants come apart.
  bool takes_constants() const { return rules_.takes_constants; }
  /// Returns whether a call with each value once serves for rows that repeat values. Calls that get all rows
  /// may rank or count them, and get them all.
  bool takes_entries() const { return rules_.is_immutable && rules_.most_rows != kAllRows; }
  /// Returns the most rows of a call; kAllRows if all rows are to be in one.
  size_t most_rows() const { return rules_.most_rows; }

  static constexpr size_t kAllRows = SIZE_MAX;
  static constexpr size_t kUsualRows = 65536;

 protected:
  explicit ForeignFunction(const Rules& rules) : rules_(rules) {}

 private:
  const Rules rules_;
};

/// The data of calls of a foreign function.
class ForeignFunctionData final : public ConstantAwareData {
 public:
  /// `is_constant_in`: which arguments the function gets apart from the columns; empty for none.
  explicit ForeignFunctionData(std::shared_ptr<const ForeignFunction> function_in,
                               std::vector<bool> is_constant_in = {})
      : function(std::move(function_in)), is_constant(std::move(is_constant_in)) {}
  bool IsSame(const FunctionData& other) const override {
    const auto& that = static_cast<const ForeignFunctionData&>(other);
    return function == that.function && is_constant == that.is_constant;
  }
  std::shared_ptr<const FunctionData> ForConstants(std::vector<bool> given) const override;
  bool IsConstant(size_t argument) const { return !is_constant.empty() && is_constant[argument]; }

  const std::shared_ptr<const ForeignFunction> function;
  const std::vector<bool> is_constant;
};

/// Returns the data of a call for which IsForeignCall is true.
const ForeignFunctionData& ForeignDataOf(const Expression& call);

/// The kernel of all foreign functions: a call for each chunk. BatchedCalls makes larger calls where it can.
void CallForeign(const ScalarCall& call, DataChunk& arguments, Vector& result);

/// A column in memory that has a byte for each row, 1 for NULL, rather than a bit.
struct BytewiseColumn {
  const std::byte* values;
  const uint8_t* nulls;  ///< null: there are none
  std::shared_ptr<const void> owner;
};

/// Returns the memory of a column, which `owner` keeps alive.
BytewiseColumn BytewiseOf(const MaterializedColumn& column, std::shared_ptr<const void> owner);
/// Makes `output` the rows [begin, begin + count) of a column, whose values it shares.
void ReferenceRows(const BytewiseColumn& column, size_t begin, size_t count, Vector& output);

/// Returns whether an expression is a call of a foreign function.
bool IsForeignCall(const Expression& expression);

/// Throws Error(kInternal) unless all values of a column are the same. `count` > 0.
void CheckConstant(Vector& column, size_t count);

}  // namespace scaup
