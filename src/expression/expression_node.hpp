// Expression node: the executor's own tree, with scratch vectors and prepared constants.
#pragma once

#include <memory>
#include <vector>

#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"
#include "expression/expression_executor.hpp"
#include "expression/in_list_set.hpp"
#include "expression/lambda_evaluator.hpp"

namespace scaup {

/// The state for evaluating one expression. One thread at a time.
struct ExpressionExecutor::Node : TreeDeletion<ExpressionExecutor::Node> {
  Node(const FunctionContext& context_in, const Expression& expression_in)
      : context(context_in), expression(expression_in) {}

  /// Evaluates over all rows of `input`. `result` becomes a vector of any kind, of the expression's type.
  void Evaluate(DataChunk& input, Vector& result);
  /// Evaluates a BOOLEAN expression and writes the rows where it is true, in ascending order. Returns their
  /// number.
  size_t Select(DataChunk& input, sel_t* selection);
  /// Makes `target` the selected rows of the columns that this node reads. `target` must belong to the
  /// caller, because this node slices into its own chunks while it reads its input.
  void SliceInput(DataChunk& input, const SelectionRef& selection, size_t count, DataChunk& target) const;

  const FunctionContext& context;
  const Expression& expression;
  std::vector<std::unique_ptr<Node>> children;
  DataChunk arguments;               ///< one vector per child
  std::unique_ptr<Vector> constant;  ///< the value of a constant or parameter
  std::unique_ptr<InListSet> in_list;
  std::unique_ptr<LambdaEvaluator> lambda;   ///< of a call with a lambda
  std::unique_ptr<ExpressionExecutor> body;  ///< of a call whose arguments are computed first
  std::vector<size_t> used_columns;          ///< input columns that this subtree reads, ascending
  DataChunk sliced;                          ///< the input, restricted to the rows still needed
  DataChunk branch_input;                    ///< the input, restricted to the rows of a CASE branch
  DataChunk dictionary_arguments;            ///< arguments by dictionary entry instead of by row
  std::unique_ptr<Vector> entry_result;      ///< the result by dictionary entry
  std::shared_ptr<const void> cached_for;    ///< the dictionary for which entry_result was computed
  const std::byte* cached_data = nullptr;
  std::unique_ptr<Vector> select_result;
  std::unique_ptr<SelectionVector> selected;  ///< rows that the child of an AND passes
  bool can_fail = true;
  bool is_deterministic = false;
  bool is_try = false;
  bool is_lazy_coalesce = false;  ///< COALESCE with an argument that can fail

  /// Measurements of an AND's child, which determine the order of the children.
  struct Rank {
    size_t child;
    double rows_in = 1;
    double rows_out = 0.5;
    double nanoseconds = 1;
  };
  std::vector<Rank> order;
  size_t select_calls = 0;

  /// Measurements of the two ways to evaluate a CASE: branch by branch on the rows of each, or all branches
  /// on all rows, blended.
  struct CaseWays {
    bool NextBlends();
    void Note(bool blends, double nanoseconds_per_row);

    bool may_blend = false;  ///< fixed-size results without side effects
    size_t calls = 0;
    double least[2] = {};
  };
  CaseWays case_ways;

 private:
  void EvaluateCall(DataChunk& input, Vector& result);
  void CallKernel(DataChunk& inputs, Vector& result);
  bool EvaluateByEntry(size_t count, Vector& result);
  void EvaluateConjunction(DataChunk& input, Vector& result);
  void EvaluateCase(DataChunk& input, Vector& result);
  void EvaluateBranches(DataChunk& input, Vector& result);
  bool BlendBranches(DataChunk& input, Vector& result);
  [[gnu::noinline]] void Blend(size_t count, Vector& result);
  void EvaluateCoalesce(DataChunk& input, Vector& result);
  void EvaluateTry(DataChunk& input, Vector& result);
  void EvaluateTryRows(DataChunk& input, size_t begin, size_t end, Vector& result);
  size_t SelectAnd(DataChunk& input, sel_t* selection);
  void Reorder();
};

/// The kernels of the predicates, over arguments of any kind. `result` is a BOOLEAN vector after Reset().
void CompareVectors(const KernelTable& kernels, ComparisonOp op, Vector& left, Vector& right, size_t count,
                    Vector& result);
void NegateVector(Vector& input, size_t count, Vector& result);
void TestNull(Vector& input, bool negated, size_t count, Vector& result);
/// Writes the rows where the BOOLEAN `input` is true, and returns their number.
size_t SelectTrue(const KernelTable& kernels, Vector& input, size_t count, sel_t* selection);

}  // namespace scaup
