// Expression executor: evaluates bound expressions over chunks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expression/expression.hpp"
#include "function/function_context.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Evaluates a fixed list of expressions. Their leaves are ReferenceExpressions, constants, and parameters
/// with values in the context. It holds the intermediate vectors, so it belongs to one thread. The
/// expressions and the context are borrowed.
class ExpressionExecutor {
 public:
  ExpressionExecutor(const FunctionContext& context, std::span<const ExpressionPtr> expressions);
  ExpressionExecutor(const FunctionContext& context, const Expression& expression);
  ~ExpressionExecutor();
  ExpressionExecutor(ExpressionExecutor&&) noexcept;

  /// Evaluates output.column(i) = expressions[i] over all rows of `input`, and sets the size and batch index
  /// of `output`. Memory that `output` shares with this executor is overwritten by the next call, unless it
  /// is still referenced.
  void Execute(DataChunk& input, DataChunk& output);
  /// Evaluates only expression `index` into `result`.
  void Execute(size_t index, DataChunk& input, Vector& result);
  /// Evaluates the BOOLEAN expression `index` and writes the rows where it is true to `selection`, in
  /// ascending order. Returns their number.
  size_t Select(size_t index, DataChunk& input, SelectionVector& selection);

 private:
  struct Node;
  std::unique_ptr<Node> MakeNode(const Expression& expression);
  void Evaluate(Node& node, DataChunk& input, Vector& result);

  const FunctionContext& context_;
  std::vector<std::unique_ptr<Node>> roots_;
};

/// Evaluates an expression without column references.
Value EvaluateConstant(const FunctionContext& context, const Expression& expression);

}  // namespace scaup
