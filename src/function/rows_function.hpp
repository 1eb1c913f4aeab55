// Rows functions: functions of the program that return rows, and may take the rows of a query.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "scaup/type.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The names and types of the columns of rows.
struct RowsColumns {
  std::vector<std::string> names;
  std::vector<LogicalType> types;
};

/// A bound call: what it returns. Immutable; shared by threads. The operator that makes the call knows the
/// rest of it.
struct BoundRowsCall : FunctionData {
  RowsColumns columns;
};

/// The arguments of a call, in the order of the parameters.
struct RowsArguments {
  std::vector<Value> values;         ///< NULL in the places of rows; empty unless the columns depend on them
  std::optional<RowsColumns> input;  ///< the columns of the rows that are given; none if there are none
};

/// A function of the program for FROM. Immutable; any thread may use it.
class RowsFunction {
 public:
  struct Parameter {
    std::string name;  ///< "" if it has none
    LogicalType type;  ///< kNull: of any type
    bool is_rows = false;
    RowsColumns columns;  ///< of the rows, to which those of an argument are cast; none: any columns
    std::optional<Value> fallback;  ///< the value if the call has none; such parameters come last
  };

  virtual ~RowsFunction() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<Parameter>& parameters() const = 0;
  /// Returns whether the columns of the result depend on the values of the arguments.
  virtual bool needs_values() const = 0;
  /// Returns whether a NULL argument that is no table gives no rows. The function is then not called; of rows
  /// that are given for such arguments, those with a NULL are left out.
  virtual bool omits_nulls() const = 0;
  /// Finds the columns of the result. Throws what the program throws.
  virtual std::shared_ptr<const BoundRowsCall> Bind(const FunctionContext& context,
                                                    RowsArguments arguments) const = 0;
};
using RowsFunctionRef = std::shared_ptr<const RowsFunction>;

}  // namespace scaup
