// Python host: functions of the database whose bodies are Python.
#pragma once

#include <memory>

#include "python_tables.hpp"
#include "scaup/function_host.hpp"

namespace scaup::python {

/// Makes the host of the language "python" for one session. Call it without or with the GIL; the host
/// acquires it where it needs it.
std::shared_ptr<FunctionHost> MakePythonHost(std::shared_ptr<SourceContext> context);

}  // namespace scaup::python
