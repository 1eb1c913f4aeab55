// Evaluates lambdas over the elements of lists, a vector of elements at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression_executor.hpp"
#include "expression/lambda.hpp"
#include "vector/list_elements.hpp"

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
  void NumberElements();
  void MapElements(DataChunk& arguments, Output& output);
  void AppendValues(size_t count, Output& output);
  void AppendSlots(size_t count, Output& output);
  size_t MostResultBytes(const StringRef& list) const {
    return list.size() / slot_bytes_ * result_slot_bytes_;
  }
  bool ReservePlaces(TypedView<StringRef> lists, size_t count, Vector& result);
  void FinishPlaces(TypedView<StringRef> lists, size_t count, Vector& result) const;
  void Reduce(DataChunk& arguments, Vector& result);
  size_t BeginReduction(DataChunk& arguments, Vector& result);
  void PrepareChunk();
  void AddCaptures(DataChunk& arguments, size_t count);

  const FunctionContext& context_;
  const LambdaData& lambda_;
  LogicalType element_;
  ListElements list_elements_;
  SlotLoader load_;
  SlotAppender append_;
  SlotListWriter write_lists_;  ///< null if the size of the elements, or of the results, varies
  size_t slot_bytes_;           ///< of the elements; 0 if it varies
  size_t result_slot_bytes_;    ///< of the results; 0 if it varies
  std::optional<ExpressionExecutor> body_, condition_;
  DataChunk elements_;                   ///< the columns of the lambda: parameters and captured values
  DataChunk selected_;                   ///< those of the elements for which the condition is true
  Vector values_;                        ///< of the body
  SelectionRef rows_;                    ///< the row of each element
  SelectionRef chosen_;                  ///< the elements for which the condition is true; null without one
  std::vector<sel_t> value_rows_;        ///< the row of each result
  std::vector<std::string_view> rests_;  ///< of kReduce, by row: the elements not yet read
  std::vector<char*> begins_;  ///< by row: a result that is written in place, as its size has a bound
  std::vector<char*> places_;  ///< by row: the end of what is written of it
  bool is_in_place_ = false;
  size_t pending_ = 0;       ///< elements in the chunk
  sel_t numbered_row_ = 0;   ///< of the last element that was numbered
  int64_t last_number_ = 0;  ///< of that element; 0 before the first
};

}  // namespace scaup
