// Python functions: functions of Python that SQL can call.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "python_tables.hpp"
#include "scaup/aggregate.hpp"
#include "scaup/function.hpp"

namespace scaup::python {

/// Makes the body of a function. It calls call(Result, row_count) of scaup._functions, which returns a tuple
/// of an array of NumPy and its mask or None, an object with __arrow_c_array__, or None. MakeBody needs the
/// GIL; the body acquires it itself when it is called or destroyed.
std::function<void(const QueryResult&, FunctionOutput&)> MakeBody(pybind11::object call,
                                                                  std::shared_ptr<SourceContext> context);

/// Makes the bodies of an aggregate, likewise. They call call(Result, row_count, offsets) and, with a state,
/// call.step("accumulate" or "merge", Result, row_count, offsets) of scaup._grouped, which returns a list of
/// such results. `state` are the types of the state in SQL.
AggregateBodies MakeAggregateBodies(pybind11::object call, const std::vector<std::string>& state,
                                    std::shared_ptr<SourceContext> context);

}  // namespace scaup::python
