// Rows of the tables of functions of bit strings: vectors of types, made one by one in code, would take much
// more.
#pragma once

#include <span>

#include "function/scalar/scalar_functions.hpp"

namespace scaup {

struct BitFunction {
  const char* name;
  TypeId arguments[4];  ///< kNull behind the last one
  TypeId returned;
  ScalarKernel kernel;
  const char* description;
  const char* example;
  bool can_fail;
};

ScalarFunctionList ListBitFunctions(std::span<const BitFunction> rows);

}  // namespace scaup
