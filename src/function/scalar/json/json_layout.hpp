// Writes JSON values anew with other white space: compact, or indented.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

// Both take text that IsJsonText has accepted.

/// Appends the value without white space between its tokens.
void AppendCompactJson(std::string_view json, std::string& out);

/// How an indented layout writes arrays and objects without content.
enum class EmptyLayout : unsigned char {
  kLines,     ///< their brackets on two lines, as PostgreSQL
  kBrackets,  ///< [] and {}, as DuckDB
};
/// Appends the value with each element and member on a line of its own, indented by four spaces.
void AppendIndentedJson(std::string_view json, EmptyLayout empty, std::string& out);

}  // namespace scaup
