// Errors in calls of table functions.
#include "binder/query/table_arguments.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

void ThrowUnknownArgument(const TableFunction& function, const std::string& name, size_t position) {
  std::string known;
  for (const auto& argument : function.named_arguments) known += (known.empty() ? "" : ", ") + argument.first;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("{} has no argument \"{}\"{}", function.name, name,
                         known.empty() ? "" : "; it has " + known),
             position);
}

void ThrowArgumentCount(const TableFunction& function, size_t position) {
  const size_t most = function.argument_types.size(), least = most - function.optional_arguments;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("{} takes {} argument{}; for example {}", function.name,
                         least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                         most == 1 ? "" : "s", function.example),
             position);
}

}  // namespace scaup
