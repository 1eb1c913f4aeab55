// Evaluates bound expressions over chunks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expression/expression.hpp"
#include "function/function_context.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Evaluates a fixed list of expressions whose leaves are ReferenceExpressions, constants and parameters
/// whose values the context has. Holds the intermediate vectors, so it belongs to one thread. The expressions
/// and the context are borrowed.
class ExpressionExecutor {
 public:
  ExpressionExecutor(const FunctionContext& context, std::span<const ExpressionPtr> expressions);
  ExpressionExecutor(const FunctionContext& context, const Expression& expression);
  ~ExpressionExecutor();
  ExpressionExecutor(ExpressionExecutor&&) noexcept;

  /// output.column(i) = expressions[i] over all rows of `input`; sets output's size and batch index.
  /// What `output` shares of this executor's memory is overwritten by the next call, unless still referenced.
  void Execute(DataChunk& input, DataChunk& output);
  /// Evaluates expression `index` alone into `result`.
  void Execute(size_t index, DataChunk& input, Vector& result);
  /// Evaluates expression `index`, a BOOLEAN, and writes the rows where it is true, ascending, to
  /// `selection`. Returns their number.
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
