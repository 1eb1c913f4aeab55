// Evaluates lambdas over the elements of lists, a vector of elements at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression_executor.hpp"
#include "expression/lambda.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

/// The state of one call with a lambda. One thread at a time. The call and the context are borrowed.
class LambdaEvaluator {
 public:
  LambdaEvaluator(const FunctionContext& context, const FunctionExpression& call, const LambdaData& lambda);

  /// Evaluates the call over its arguments into `result`, which is after Reset().
  void Run(DataChunk& arguments, Vector& result);

 private:
  class Output;
  void Map(DataChunk& arguments, Vector& result);
  size_t LoadElements(std::string_view& list, size_t most);
  void FlushElements(DataChunk& arguments, Output& output);
  void AppendValues(const sel_t* chosen, size_t count, Output& output);
  void AppendRun(const UnifiedView& values, size_t begin, size_t end, std::string& list);
  size_t ResultBytes(const StringRef& list) const { return list.size() / slot_bytes_ * result_slot_bytes_; }
  void ReservePlaces(TypedView<StringRef> lists, size_t count, Vector& result);
  void FinishPlaces(TypedView<StringRef> lists, size_t count, Vector& result) const;
  void Reduce(DataChunk& arguments, Vector& result);
  size_t BeginReduction(DataChunk& arguments, Vector& result);
  void PrepareChunk();
  void AddCaptures(DataChunk& arguments, size_t count);

  const FunctionContext& context_;
  const LambdaData& lambda_;
  LogicalType element_;
  SlotLoader load_;
  SlotAppender append_;
  SlotRunLoader load_run_;    ///< null if the size of the elements varies
  SlotRunWriter write_run_;   ///< null if the size of the results varies
  size_t slot_bytes_;         ///< of the elements; 0 if it varies
  size_t result_slot_bytes_;  ///< of the results; 0 if it varies
  bool is_written_in_place_;  ///< the size of each result is known before it is computed
  std::optional<ExpressionExecutor> body_, condition_;
  DataChunk elements_;                   ///< the columns of the lambda: parameters and captured values
  DataChunk selected_;                   ///< those of the elements for which the condition is true
  Vector values_;                        ///< of the body
  SelectionRef rows_;                    ///< the row of each element
  std::vector<std::string_view> slots_;  ///< the elements as they are in the lists
  std::vector<std::string_view> rests_;  ///< of kReduce, by row: the elements not yet read
  std::vector<char*> places_;            ///< by row: the end of what is written of a result in place
  size_t pending_ = 0;                   ///< elements in the chunk
};

}  // namespace scaup
