// Option values that are lists: of texts, of names, of types, of columns with types.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scaup/type.hpp"
#include "scaup/value.hpp"

namespace scaup {

// All functions throw Error(kBinder, 22023), naming the option, for an invalid value.

std::string_view TrimOption(std::string_view text);
/// The parts between commas, but for those in double quotes or parentheses.
std::vector<std::string> SplitOption(std::string_view text);
/// The texts of a list, or of a text by SplitOption.
std::vector<std::string> ListOption(const std::string& name, const Value& value);
/// An SQL type with parameters: "DECIMAL(15, 2)", "INTEGER[]", "STRUCT(a INTEGER, b VARCHAR)".
LogicalType TypeOption(const std::string& name, std::string_view text);
/// Columns with types: {a: 'INTEGER'}, or the text 'a INTEGER, "b c" VARCHAR'.
std::vector<std::pair<std::string, LogicalType>> ColumnsOption(const std::string& name, const Value& value);

}  // namespace scaup
