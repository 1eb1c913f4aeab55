// The executor's own tree beside the expression tree: scratch vectors and prepared constants of each node.
#pragma once

#include <memory>
#include <vector>

#include "common/tree_deletion.hpp"
#include "expression/expression.hpp"
#include "expression/expression_executor.hpp"
#include "expression/in_list_set.hpp"

namespace scaup {

/// The state that evaluating one expression needs besides the expression. One thread at a time.
struct ExpressionExecutor::Node : TreeDeletion<ExpressionExecutor::Node> {
  Node(const FunctionContext& context_in, const Expression& expression_in)
      : context(context_in), expression(expression_in) {}

  /// Evaluates over all rows of `input`; `result` becomes a vector of any kind, of the expression's type.
  void Evaluate(DataChunk& input, Vector& result);
  /// Evaluates a BOOLEAN expression and writes the rows where it is true, ascending. Returns their number.
  size_t Select(DataChunk& input, sel_t* selection);
  /// Makes `target` hold the chosen rows of the columns that this node reads. `target` must belong to the
  /// caller: this node slices into its own chunks while it reads its input.
  void SliceInput(DataChunk& input, const SelectionRef& selection, size_t count, DataChunk& target) const;

  const FunctionContext& context;
  const Expression& expression;
  std::vector<std::unique_ptr<Node>> children;
  DataChunk arguments;               ///< one vector per child
  std::unique_ptr<Vector> constant;  ///< of a constant
  std::unique_ptr<InListSet> in_list;
  std::vector<size_t> used_columns;        ///< input columns below this node, ascending
  DataChunk sliced;                        ///< the input, restricted to the rows still wanted
  DataChunk branch_input;                  ///< the input, restricted to the rows that a branch of CASE is for
  DataChunk dictionary_arguments;          ///< arguments by dictionary entry instead of by row
  std::unique_ptr<Vector> entry_result;    ///< the result by dictionary entry
  std::shared_ptr<const void> cached_for;  ///< the dictionary that entry_result was computed for
  const std::byte* cached_data = nullptr;
  std::unique_ptr<Vector> select_result;
  std::unique_ptr<SelectionVector> selected;  ///< what the child of an AND lets pass
  bool can_fail = true;
  bool is_deterministic = false;
  bool is_lazy_coalesce = false;  ///< COALESCE with an argument that must not be evaluated needlessly

  /// Measurements of the children of an AND, by which it orders them.
  struct Rank {
    size_t child;
    double rows_in = 1;
    double rows_out = 0.5;
    double nanoseconds = 1;
  };
  std::vector<Rank> order;
  size_t select_calls = 0;

  /// Measurements of the two ways of a CASE: rows branch by branch, or all branches for all rows, blended.
  struct CaseWays {
    bool NextBlends();
    void Note(bool blends, double nanoseconds_per_row);

    bool may_blend = false;  ///< Fixed-size results that no evaluation changes.
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
  size_t SelectAnd(DataChunk& input, sel_t* selection);
  void Reorder();
};

/// The kernels of the predicates, over arguments of any kind; `result` is a BOOLEAN after Reset().
void CompareVectors(const KernelTable& kernels, ComparisonOp op, Vector& left, Vector& right, size_t count,
                    Vector& result);
void NegateVector(Vector& input, size_t count, Vector& result);
void TestNull(Vector& input, bool negated, size_t count, Vector& result);
/// Writes the rows where the BOOLEAN `input` is true.
size_t SelectTrue(const KernelTable& kernels, Vector& input, size_t count, sel_t* selection);

}  // namespace scaup
