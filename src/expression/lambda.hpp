// Lambdas: functions over lists whose body is an expression over the elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// The use that a function makes of its lambda.
enum class LambdaUse : uint8_t {
  kMap,     ///< the results for the elements for which the condition, if any, is true
  kReduce,  ///< folds the elements into one value, from the first one or from an initial value
};

/// The lambda of a call. Its body and condition are evaluated over chunks with one row per element. Their
/// ReferenceExpressions count the columns: for kMap the element and its index from 1, for kReduce the value
/// so far, the element and its index; then the captured values. The call's arguments are the list, the
/// initial value if there is one, and the captured values, which are repeated for the elements of their row.
/// Immutable.
struct LambdaData final : FunctionData {
  LambdaUse use = LambdaUse::kMap;
  ExpressionPtr body;       ///< null: the element itself
  ExpressionPtr condition;  ///< null: all elements
  bool has_initial = false;
  bool uses_index = false;

  bool IsSame(const FunctionData& other) const override;
  /// Returns the body and the condition as EXPLAIN shows them behind the arguments of the call.
  std::string ToString() const;
  /// Columns of the chunks before the captured ones.
  size_t parameter_count() const { return use == LambdaUse::kMap ? 2 : 3; }
  /// Arguments of the call before the captured values.
  size_t argument_count() const { return has_initial ? 2 : 1; }
};

/// Makes a call of a function with a lambda. REQUIRES: the first argument is a list.
ExpressionPtr MakeLambdaCall(std::string name, std::unique_ptr<LambdaData> lambda,
                             std::vector<ExpressionPtr> arguments, const LogicalType& return_type);
/// The lambda of a call; null if the function takes none.
const LambdaData* LambdaOf(const FunctionExpression& call);

}  // namespace scaup
