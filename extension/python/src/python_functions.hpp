// Python functions: functions of Python that SQL can call.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "fork_count.hpp"
#include "python_tables.hpp"
#include "scaup/aggregate.hpp"
#include "scaup/function.hpp"

namespace scaup::python {

/// Shares ownership of an object with threads that do not hold the GIL. Needs the GIL.
std::shared_ptr<pybind11::object> ShareObject(pybind11::object object);
/// Sets a column to what a function has made: a tuple of an array of NumPy and its mask or None, an object
/// with __arrow_c_array__, or None for NULLs. Needs the GIL.
void SetFunctionResult(const pybind11::object& made, FunctionOutput& output);
/// Throws the exception of a function of Python as an Error, and records it as the cause. Needs the GIL.
[[noreturn]] void ThrowBodyError(const pybind11::error_already_set& error, const pybind11::object& call,
                                 SourceContext& context);

/// Throws the error for a child process, made by fork in a body, that goes on with the parent's statement:
/// the statement must not change the database twice.
[[noreturn]] void ThrowForked();

/// A turn of this thread to run a body, so that short bodies come one after the other: a thread that waits
/// for the GIL sleeps, and is woken too late where bodies take microseconds. If another thread has the turn,
/// its end is awaited for some microseconds; a longer body goes on beside this one, as far as Python lets
/// them. A body within a body of the same thread needs no turn.
class BodyTurn {
 public:
  BodyTurn() noexcept;
  ~BodyTurn();
  BodyTurn(const BodyTurn&) = delete;
  BodyTurn& operator=(const BodyTurn&) = delete;

 private:
  bool is_taken_ = false;
};

/// An object to call, with the context of its session. Copies share the object.
struct SharedCall {
  std::shared_ptr<pybind11::object> call;
  std::shared_ptr<SourceContext> context;

  /// Runs `work` with the object and the GIL; an exception of Python becomes an Error.
  template <typename Work>
  void Run(const Work& work) const {
    const BodyTurn turn;  // until the GIL is free again
    const pybind11::gil_scoped_acquire gil;
    const ReadingSource reading(context);
    const RunningBody running(*context);
    const uint32_t fork_count = registry::ForkCount();
    try {
      work(*call);
    } catch (const pybind11::error_already_set& error) {
      ThrowBodyError(error, *call, *context);
    }
    if (registry::ForkCount() != fork_count) ThrowForked();
  }
};

/// Makes the body of a function, which takes constants apart. It calls call(Result, row_count, constants) of
/// scaup._functions, which returns a tuple of an array of NumPy and its mask or None, an object with
/// __arrow_c_array__, or None. `constants` are None, or a Result of one row and a list that says which
/// arguments they are. MakeBody needs the GIL; the body acquires it itself when it is called or destroyed.
std::function<void(const FunctionArguments&, FunctionOutput&)> MakeBody(
    pybind11::object call, std::shared_ptr<SourceContext> context);

/// Makes the bodies of an aggregate, likewise. They call call(Result, row_count, offsets) and, with a state,
/// call.step("accumulate" or "merge", Result, row_count, offsets) of scaup._grouped, which returns a list of
/// such results. `state` are the types of the state in SQL.
AggregateBodies MakeAggregateBodies(pybind11::object call, const std::vector<std::string>& state,
                                    std::shared_ptr<SourceContext> context);

/// Binds _query_within(sql, parameters), which runs a query in the statement that calls the function of this
/// thread.
void BindFunctions(pybind11::module_& module);

}  // namespace scaup::python
