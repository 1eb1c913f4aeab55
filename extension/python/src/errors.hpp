// DB-API's exceptions, and how Scaup's errors become them.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

#include "scaup/error.hpp"

namespace scaup::python {

/// Creates the exception classes in the module and makes pybind11 translate scaup::Error.
void RegisterErrors(pybind11::module_& module);

/// Throws the Python exception for an error of this SQL text. It carries `sqlstate`, `kind` and `position`
/// (in characters; None if unknown), and its text shows the line with a caret. Needs the GIL.
[[noreturn]] void RaiseError(const Error& error, std::string_view sql);

/// Throw ProgrammingError, InterfaceError, DataError, NotSupportedError with SQLSTATEs of their own. Need the
/// GIL.
[[noreturn]] void RaiseProgrammingError(const std::string& message);
[[noreturn]] void RaiseInterfaceError(const std::string& message, const char* sqlstate);
[[noreturn]] void RaiseDataError(const std::string& message);
/// OperationalError 55006.
[[noreturn]] void RaiseInUse(const std::string& message);
[[noreturn]] void RaiseNotSupportedError(const std::string& message);

}  // namespace scaup::python
