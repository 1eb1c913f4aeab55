// Handles of functions of the program: their definitions, and what their bodies set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scaup.h"
#include "scaup/scaup.hpp"

/// A definition, from which functions are made. Owned by the program.
struct scaup_function {
  struct Argument {
    std::string name;
    bool is_rows = false;
    scaup::LogicalType type;                   // of values
    std::vector<scaup::ResultColumn> columns;  // of rows
  };
  std::string name;
  std::vector<Argument> arguments;
  scaup::LogicalType result;
  bool has_result = false;
  std::vector<scaup::ResultColumn> columns;  // of a table function's rows
  std::vector<scaup::LogicalType> state;
  scaup::FunctionDefinition::Volatility volatility = scaup::FunctionDefinition::Volatility::kImmutable;
  bool takes_nulls = false;
  bool takes_all_rows = false;
  bool is_variadic = false;
  bool takes_batches = false;
  size_t batch_rows = 0;
};

/// The values that a body sets, and the first error that it has met. Lives during a call. An output for
/// errors alone has no values.
struct scaup_output {
  explicit scaup_output(scaup::FunctionOutput* values_in = nullptr) : values(values_in) {}
  scaup::FunctionOutput* values;
  std::optional<scaup::Error> error;
};

struct scaup_table_input {
  scaup::TableFunctionInput& input;
  std::optional<scaup::Error> error;
};

/// The rows of a step. Lives during the step.
struct scaup_table_output {
  scaup::TableFunctionOutput& rows;
  std::vector<scaup_output> columns;
  std::optional<scaup::Error> error;
};
