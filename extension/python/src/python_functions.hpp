// Python functions: functions of Python that SQL can call.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "python_tables.hpp"
#include "scaup/function.hpp"

namespace scaup::python {

/// Makes the body of a function. It calls call(Result, row_count) of scaup._functions, which returns a tuple
/// of an array of NumPy and its mask or None, an object with __arrow_c_array__, or None. MakeBody needs the
/// GIL; the body acquires it itself when it is called or destroyed.
std::function<void(const QueryResult&, FunctionOutput&)> MakeBody(pybind11::object call,
                                                                  std::shared_ptr<SourceContext> context);

}  // namespace scaup::python
