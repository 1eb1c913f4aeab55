// Results as text, and whether they are what a record expects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scaup/result.hpp"
#include "script.hpp"

namespace scaup::test {

/// A result as rows of printed values.
using TextRows = std::vector<std::vector<std::string>>;

/// Prints every value: NULL as NULL, an empty string as (empty), tab and line end as \t and \n, other control
/// characters as \x1f; an I column of floating point as its whole part.
TextRows PrintResult(const QueryResult& result, const std::string& types);
/// One row per line, values separated by tabs.
std::vector<std::string> JoinRows(const TextRows& rows);
/// The hash line of a result, "12 values hashing to ..."; `digits` of the hash: 16 for XXH3, 32 for MD5.
std::string HashLine(const TextRows& rows, const std::string& types, size_t digits);

/// Sorts as the record asks for. Sorted values come back as one value per row.
void SortRows(TextRows& rows, SortMode sort);

/// The differences, as lines to show; nullopt when the rows are what `expected` lists. Rows must be sorted
/// already.
std::optional<std::string> CompareRows(const TextRows& rows, const std::string& types, SortMode sort,
                                       const std::vector<std::string>& expected);

/// Two printed values of a column of type `type` ('I', 'R', ...). In R columns numbers are compared: equal
/// when they differ by at most 1e-9 of the larger one, or by 1e-12.
bool SameText(const std::string& got, const std::string& expected, char type);

}  // namespace scaup::test
