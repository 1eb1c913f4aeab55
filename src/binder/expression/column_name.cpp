// Names of output columns without alias, by PostgreSQL's rules.
#include "binder/scope/query_binder.hpp"

#include "common/stack_bound.hpp"

namespace scaup {

namespace {

constexpr const char* kUnnamed = "?column?";

std::string SubqueryName(const ast::Subquery& subquery) {
  if (subquery.subquery == ast::Subquery::Kind::kExists) return "exists";
  if (subquery.subquery == ast::Subquery::Kind::kArray) return "array";
  if (subquery.subquery != ast::Subquery::Kind::kScalar) return kUnnamed;
  const ast::SelectStatement* query = subquery.query.get();
  while (!query->operands.empty()) query = query->operands[0].get();
  if (query->items.empty()) return query->values.empty() ? kUnnamed : "column1";
  return query->items[0].alias.empty() ? ColumnNameOf(*query->items[0].expression) : query->items[0].alias;
}

}  // namespace

std::string ColumnNameOf(const ast::Expression& expression) {
  CheckStack();
  switch (expression.kind) {
    case ast::ExpressionKind::kColumn: return expression.As<ast::Column>().names.back();
    case ast::ExpressionKind::kFunctionCall: return expression.As<ast::FunctionCall>().name.back();
    case ast::ExpressionKind::kCast: {
      const auto& cast = expression.As<ast::Cast>();
      const std::string inner = ColumnNameOf(*cast.child);
      return inner == kUnnamed && !cast.type.names.empty() ? cast.type.names.back() : inner;
    }
    case ast::ExpressionKind::kCase: {
      const auto& otherwise = expression.As<ast::Case>().otherwise;
      const std::string name = otherwise ? ColumnNameOf(*otherwise) : kUnnamed;
      return name == kUnnamed ? "case" : name;
    }
    case ast::ExpressionKind::kLiteral:
      return expression.As<ast::Literal>().literal == ast::Literal::Kind::kBoolean ? "bool" : kUnnamed;
    case ast::ExpressionKind::kInterval: return "interval";
    case ast::ExpressionKind::kSubquery: return SubqueryName(expression.As<ast::Subquery>());
    case ast::ExpressionKind::kArray: return "array";
    case ast::ExpressionKind::kSubscript: return ColumnNameOf(*expression.As<ast::Subscript>().child);
    case ast::ExpressionKind::kCollate: return ColumnNameOf(*expression.As<ast::Collate>().child);
    case ast::ExpressionKind::kField: return expression.As<ast::Field>().name;
    case ast::ExpressionKind::kRow: return "row";
    default: return kUnnamed;
  }
}

}  // namespace scaup
