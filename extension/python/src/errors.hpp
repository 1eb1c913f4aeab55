// Errors: the exceptions of DB-API, and the conversion of Scaup's errors to them.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

#include "scaup/error.hpp"

namespace scaup::python {

/// Creates the exception classes in the module and makes pybind11 translate scaup::Error.
void RegisterErrors(pybind11::module_& module);

/// Throws the Python exception for an error in this SQL text. It has the attributes `sqlstate`, `kind` and
/// `position` (in characters; None if unknown), and its text shows the line with a caret. Needs the GIL.
[[noreturn]] void RaiseError(const Error& error, std::string_view sql);

/// Throw the exception in their name, with a SQLSTATE. Need the GIL.
[[noreturn]] void RaiseProgrammingError(const std::string& message);
[[noreturn]] void RaiseInterfaceError(const std::string& message, const char* sqlstate);
[[noreturn]] void RaiseDataError(const std::string& message);
/// Throws OperationalError 55006.
[[noreturn]] void RaiseInUse(const std::string& message);
[[noreturn]] void RaiseNotSupportedError(const std::string& message);

}  // namespace scaup::python
