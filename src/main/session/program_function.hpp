// Program functions: scalar functions whose body is code of the program.
#pragma once

#include <memory>
#include <string>

#include "function/scalar_function.hpp"
#include "scaup/function.hpp"

namespace scaup {

/// Makes the overload that calls the definition's body. `name` is the definition's, folded.
ScalarFunction MakeProgramFunction(std::string name, FunctionDefinition definition,
                                   std::shared_ptr<MemoryTracker> memory);

}  // namespace scaup
