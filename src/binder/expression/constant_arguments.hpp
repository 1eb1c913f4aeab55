// Constant arguments: tells calls of functions of the program which of their arguments are constants.
#pragma once

#include <memory>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// Returns the data of a call whose data were `data`, and which knows which arguments have one value in the
/// whole statement. It is their expressions that decide, as they were written: what the optimizer finds out
/// does not count, so that a function gets the same forms of arguments each time.
std::shared_ptr<const FunctionData> NoteConstants(std::shared_ptr<const FunctionData> data,
                                                  const std::vector<ExpressionPtr>& arguments);

}  // namespace scaup
