// Python table functions: functions of Python that return rows, as SQL calls them.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "python_tables.hpp"
#include "scaup/function_host.hpp"

namespace scaup::python {

/// Makes the body of a table function. It calls call.start(Result of one row with the values, names of the
/// columns that the call gives or None, TableInput) of scaup._table_functions, which returns an object whose
/// step() returns (row_count, columns) with results as those of MakeBody, or None at the end. MakeTableBody
/// needs the GIL; the body and its steps acquire it themselves.
FunctionHost::TableBody MakeTableBody(pybind11::object call, std::shared_ptr<SourceContext> context);

void BindTableInput(pybind11::module_& module);

}  // namespace scaup::python
