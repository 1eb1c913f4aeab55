// Finds items of the SELECT list by position and by name.
#include "binder/query/output_column.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

std::optional<size_t> FindOrdinal(const BoundSelect& select, const ast::Expression& syntax,
                                  const char* clause) {
  if (syntax.kind != ast::ExpressionKind::kLiteral ||
      syntax.As<ast::Literal>().literal != ast::Literal::Kind::kInteger) {
    return std::nullopt;
  }
  const int64_t ordinal = syntax.As<ast::Literal>().integer;
  if (ordinal < 1 || static_cast<size_t>(ordinal) > select.names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("{} position {} is not in select list", clause, ordinal), syntax.position);
  }
  return static_cast<size_t>(ordinal) - 1;
}

std::optional<size_t> FindOutputColumn(const BoundSelect& select, const std::string& name, size_t position,
                                       const char* clause) {
  std::optional<size_t> found;
  for (size_t i = 0; i < select.names.size(); i++) {
    if (select.names[i] != name) continue;
    if (found && !select.items[*found]->Equals(*select.items[i])) {
      ThrowError(ErrorKind::kBinder, sqlstate::kAmbiguousColumn,
                 fmt::format("{} \"{}\" is ambiguous", clause, name), position);
    }
    if (!found) found = i;
  }
  return found;
}

}  // namespace scaup
