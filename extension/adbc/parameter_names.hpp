// Parameter names: statements with $name in place of $1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup::adbc {

/// A statement whose named parameters are numbered. A value type.
struct NumberedText {
  std::string sql;
  std::vector<std::string> names;  ///< of $1, $2, ...; empty if the statement has no names
};

/// Replaces $name by $1, $2, ..., in the order of the first use of each name. What stands in quotes, comments
/// and dollar quotes is left as it is. The positions of errors stay where numbers are no longer than names.
/// Throws StatusError(INVALID_ARGUMENT) for a statement with both $name and $1.
NumberedText NumberParameters(std::string_view sql);

}  // namespace scaup::adbc
