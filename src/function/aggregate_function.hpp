// Aggregate functions: one value per group from many rows.
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
  const FunctionData* data;  ///< the result of `bind`; may be null
  Arena& arena;              ///< lives as long as the states; states allocate only here
};

/// A sort key of a call with ORDER BY: one of the call's arguments.
struct AggregateOrder {
  size_t argument = 0;
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const AggregateOrder&, const AggregateOrder&) = default;
};

/// Values of a column, as many as a frame needs, so possibly more than 1024. Borrowed.
struct SlideInput {
  const std::byte* values;
  const ValidityWord* validity;  ///< null: no NULLs
};

/// Receives rows from states, one by one. Owned by the requester; one thread at a time.
class RetainedRowsOutput {
 public:
  explicit RetainedRowsOutput(const std::vector<LogicalType>& types) : rows_(types) {
    rows_.ResetForWriting();
  }
  virtual ~RetainedRowsOutput() = default;
  /// Returns the index of the next row in rows(), for the caller to fill. String bytes must live as long as
  /// the states.
  size_t AddRow(std::byte* state) {
    if (rows_.size() == kVectorSize) Flush();
    const size_t row = rows_.size();
    states_[row] = state;
    rows_.SetSize(row + 1);
    return row;
  }
  DataChunk& rows() { return rows_; }
  /// Passes the collected rows on.
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

/// How an aggregate that needs all rows of a group works without storing them in its state. The rows are
/// stored separately, and come back in order once the group is complete. As with `update`, a filter has been
/// applied, and values may be NULL.
struct RowRetention {
  size_t column_count = 0;  ///< a retained row consists of so many leading arguments, unless it has own types
  std::vector<LogicalType> own_types;  ///< of rows that are not arguments but parts of states
  std::vector<AggregateOrder> order;   ///< the order in which rows come back; arrival order beyond that
  bool collects = false;               ///< states grow by the rows that come back
  /// Records rows that are stored separately: their number, and arguments that are not part of the rows. Null
  /// if rows have own types: states then go on collecting, and `take` is called again and again.
  void (*note)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
               std::byte** states) = nullptr;
  /// Moves the rows out of a state, which counts as noting them. Other memory of the state moves to the
  /// call's arena, which is a new one.
  void (*take)(const AggregateCall& call, std::byte* state, RetainedRowsOutput& output) = nullptr;
  /// Adds row i to *states[i]. The rows of a state come in order, after all of them have been noted or taken.
  void (*update_ordered)(const AggregateCall& call, std::span<Vector> rows, size_t count,
                         std::byte** states) = nullptr;
  /// Not null if rows must come twice: after all have come once, it replaces them by the values by which they
  /// are ordered the second time.
  void (*change)(const AggregateCall& call, std::span<Vector> rows, size_t count,
                 std::byte** states) = nullptr;
};

/// A place among values in ascending order: at `index`, or `part` of the way from there to the next one.
struct ValuePlace {
  uint64_t index = 0;
  double part = 0;
};

/// How the result of an aggregate is found among all its values in order. The fraction is argument 1, or 0.5
/// if there is none.
struct SelectedValue {
  /// The place among `count` values, at least one. Throws if the fraction is out of range.
  ValuePlace (*place)(const AggregateCall& call, uint64_t count, double fraction) = nullptr;
  /// result[i] = what lies parts[i] of the way from low[i] to high[i]; all vectors are flat. Null if it is
  /// always the lower value.
  void (*between)(const Vector& low, const Vector& high, const double* parts, size_t count,
                  Vector& result) = nullptr;
};

struct AggregateFunction;
using AggregateBind = std::unique_ptr<FunctionData> (*)(AggregateFunction& function,
                                                        std::span<const BindArgument> arguments);

/// One overload of an aggregate function. A state has `state_size` bytes, a multiple of its alignment (8 or
/// 16). It is trivially copyable and never destroyed; all of its memory is in the call's arena. Each thread
/// builds its own states, and `combine` merges them.
struct AggregateFunction {
  std::string name;
  std::vector<LogicalType> argument_types;
  LogicalType return_type;
  size_t state_size = 0;
  size_t state_alignment = 16;
  /// Initializes an empty state.
  void (*initialize)(std::byte* state) = nullptr;
  /// Adds row i of the arguments to *states[i]. Arguments may be of any vector form.
  void (*update)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                 std::byte** states) = nullptr;
  /// Adds all rows to one state, for aggregates without GROUP BY.
  void (*update_single)(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                        std::byte* state) = nullptr;
  /// Merges *sources[i] into *targets[i], in order; a target may be a later source. Sources outlive all
  /// targets.
  void (*combine)(const AggregateCall& call, std::byte** sources, std::byte** targets,
                  size_t count) = nullptr;
  /// Writes the result of *states[i] to row `offset` + i of `result`.
  void (*finalize)(const AggregateCall& call, std::byte** states, size_t count, Vector& result,
                   size_t offset) = nullptr;
  /// Adds row after row to one state and writes the state's result after row i to row i of `result`. The
  /// state is reset before each row where restarts[i] is not 0. Null if states contain pointers.
  void (*run)(const AggregateCall& call, std::span<Vector> arguments, size_t count, const uint8_t* restarts,
              std::byte* state, Vector& result) = nullptr;
  /// Writes the result over the rows [begins[i], ends[i]) of the single argument to row i of `result`;
  /// neither bound ever decreases. Null if states contain pointers.
  void (*slide)(const AggregateCall& call, const SlideInput& input, const uint64_t* begins,
                const uint64_t* ends, size_t count, Vector& result) = nullptr;
  /// The most rows per frame for which `slide` is efficient.
  size_t most_slide_rows = 0;
  /// Null unless states hold all rows of their groups and these can be stored separately.
  std::shared_ptr<const RowRetention> row_retention;
  /// Null unless the result is one of the values of the first argument, or lies between two of them.
  const SelectedValue* selected_value = nullptr;
  std::string description;
  /// A call over columns x and y, for listings.
  std::string example;
  AggregateBind bind = nullptr;
  /// The data of every call of a function of the program; null for built-in functions.
  std::shared_ptr<const FunctionData> data = nullptr;
  /// Whether DISTINCT has no effect (min, max, bool_and, ...).
  bool ignores_duplicates = false;
  bool any_types = false;
  /// Whether the order of the rows has no effect (count, sum, min, ...).
  bool ignores_order = false;
  /// Whether results are rounded, so that the order of the rows changes the last digits. Such a function
  /// follows ORDER BY though it ignores the order otherwise.
  bool is_rounded = false;
  /// The sort keys of a call with ORDER BY (sorted_aggregate.hpp), and the number of arguments before those
  /// that serve only as keys.
  std::vector<AggregateOrder> order;
  size_t unsorted_arguments = 0;
  /// Whether it is called as f(a, ...) WITHIN GROUP (ORDER BY x). Its arguments are then x, a, ..., and a
  /// constant that tells whether the order is descending. It sorts its rows itself.
  bool is_ordered_set = false;
};

}  // namespace scaup
