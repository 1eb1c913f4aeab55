// Aggregate functions: many rows in, one value per group out.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/memory/arena.hpp"
#include "function/function_context.hpp"
#include "function/scalar_function.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

struct AggregateCall {
  const FunctionContext& context;
  const FunctionData* data;  ///< what `bind` returned; may be null
  Arena& arena;              ///< lives as long as the states; the only place where states may allocate
};

/// One key of a call with ORDER BY: an argument of the call.
struct AggregateOrder {
  size_t argument = 0;
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const AggregateOrder&, const AggregateOrder&) = default;
};

/// Values of one column, as many as a frame may want, not only 1024. Borrowed.
struct SlideInput {
  const std::byte* values;
  const ValidityWord* validity;  ///< null: no NULLs
};

/// Takes rows that were kept in states, one by one. Owned by who asks for them; one thread at a time.
class KeptRowsOutput {
 public:
  explicit KeptRowsOutput(const std::vector<LogicalType>& types) : rows_(types) { rows_.ResetForWriting(); }
  virtual ~KeptRowsOutput() = default;
  /// The place of the next row in rows(), which the caller fills; what strings refer to lives as the states.
  size_t AddRow(std::byte* state) {
    if (rows_.size() == kVectorSize) Flush();
    const size_t row = rows_.size();
    states_[row] = state;
    rows_.SetSize(row + 1);
    return row;
  }
  DataChunk& rows() { return rows_; }
  /// Passes the rows on.
  void Flush() {
    if (rows_.size() != 0) Take(rows_, states_);
    rows_.ResetForWriting();
  }

 protected:
  virtual void Take(DataChunk& rows, std::byte** states) = 0;

 private:
  DataChunk rows_;
  std::byte* states_[kVectorSize];
};

/// How an aggregate that keeps all rows of a group does without them: they are kept apart from the states,
/// and come back in order when the group is complete. Which rows of the arguments a filter lets through, and
/// whether a value is NULL, is as with `update`.
struct RowRetention {
  size_t column_count = 0;            ///< a row is so many of the first arguments
  std::vector<AggregateOrder> order;  ///< what rows come back in order of
  /// Notes rows that are kept apart: how many there are, and arguments that are no part of them.
  void (*note)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
               std::byte** states) = nullptr;
  /// Hands the rows out that a state keeps, which counts as noting them. What else the state points to moves
  /// to the call's arena, which is a new one.
  void (*take)(const AggregateCall& call, std::byte* state, KeptRowsOutput& output) = nullptr;
  /// Adds row i to *states[i]. The rows of a state come in order, after all have been noted.
  void (*update_ordered)(const AggregateCall& call, std::span<Vector> rows, size_t count,
                         std::byte** states) = nullptr;
  /// Not null where rows have to come twice: once all have come, it makes them what they are to come in
  /// order of the second time.
  void (*change)(const AggregateCall& call, std::span<Vector> rows, size_t count,
                 std::byte** states) = nullptr;
};

struct AggregateFunction;
using AggregateBind = std::unique_ptr<FunctionData> (*)(AggregateFunction& function,
                                                        std::span<const BindArgument> arguments);

/// One overload. States are `state_size` bytes, a multiple of their alignment (8 or 16), trivially copyable
/// and never destroyed: whatever they point to is in the call's arena. Threads build states apart; `combine`
/// joins them.
struct AggregateFunction {
  std::string name;
  std::vector<LogicalType> argument_types;
  LogicalType return_type;
  size_t state_size = 0;
  size_t state_alignment = 16;
  /// Makes an empty state.
  void (*initialize)(std::byte* state) = nullptr;
  /// Adds row i of the arguments to *states[i]. Arguments may be of any vector kind.
  void (*update)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                 std::byte** states) = nullptr;
  /// Adds all rows to one state: aggregates without GROUP BY.
  void (*update_single)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                        std::byte* state) = nullptr;
  /// Adds *sources[i] to *targets[i], in order: a target may be a later source. Sources outlive all targets.
  void (*combine)(const AggregateCall& call, std::byte** sources, std::byte** targets,
                  size_t count) = nullptr;
  /// Writes the result of *states[i] to row `offset` + i of `result`.
  void (*finalize)(const AggregateCall& call, std::byte** states, size_t count, Vector& result,
                   size_t offset) = nullptr;
  /// Null unless states point to nothing. Adds row after row to one state, which begins anew with the rows
  /// where restarts[i] is not 0, and writes what the state gives after row i to row i of `result`.
  void (*run)(const AggregateCall& call, std::span<Vector> arguments, size_t count, const uint8_t* restarts,
              std::byte* state, Vector& result) = nullptr;
  /// Null unless states point to nothing. Writes the result over the rows [begins[i], ends[i]) of the one
  /// argument to row i of `result`; neither bound ever goes back.
  void (*slide)(const AggregateCall& call, const SlideInput& input, const uint64_t* begins,
                const uint64_t* ends, size_t count, Vector& result) = nullptr;
  /// For frames of more rows `slide` is not the best way.
  size_t most_slide_rows = 0;
  /// Null unless states keep all rows of their groups and these can be kept apart.
  std::shared_ptr<const RowRetention> row_keeping;
  std::string description;
  /// A call over columns x and y.
  std::string example;
  AggregateBind bind = nullptr;
  /// True when DISTINCT changes nothing (min, max, bool_and, ...).
  bool ignores_duplicates = false;
  bool any_types = false;
  /// True when the order of the rows changes nothing (count, sum, min, ...).
  bool ignores_order = false;
  /// A call with ORDER BY (sorted_aggregate.hpp): its keys, and how many arguments come before those that
  /// are there for the keys alone.
  std::vector<AggregateOrder> order;
  size_t unsorted_arguments = 0;
  /// Called as f(a, ...) WITHIN GROUP (ORDER BY x): the arguments here are x, a, ..., and whether the order
  /// is descending, a constant. It orders its rows itself.
  bool is_ordered_set = false;
};

}  // namespace scaup
