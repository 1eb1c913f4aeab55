// The public ParseType: a type is read as that of a cast.
#include "scaup/type_text.hpp"

#include <fmt/format.h>

#include "binder/scope/literal.hpp"
#include "common/at_edge.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

LogicalType ParseType(std::string_view text) {
  return AtEdge([&] {
    const ast::ExpressionPtr expression = Parser().ParseExpression(fmt::format("CAST(NULL AS {})", text), 0);
    if (expression->kind != ast::ExpressionKind::kCast) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, fmt::format("\"{}\" is not a type", text));
    }
    return BindTypeName(nullptr, expression->As<ast::Cast>().type);
  });
}

}  // namespace scaup
