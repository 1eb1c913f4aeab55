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

namespace {

/// A name for a column. Around a weak one, that of a type or "case", another cast or CASE gives its own.
struct GivenName {
  std::string name;
  bool is_strong = true;
};

GivenName GivenNameOf(const ast::Expression& expression) {
  CheckStack();
  switch (expression.kind) {
    case ast::ExpressionKind::kColumn: return {expression.As<ast::Column>().names.back()};
    case ast::ExpressionKind::kFunctionCall: return {expression.As<ast::FunctionCall>().name.back()};
    case ast::ExpressionKind::kCast: {
      const auto& cast = expression.As<ast::Cast>();
      GivenName inner = GivenNameOf(*cast.child);
      if (inner.is_strong || cast.type.names.empty()) return inner;
      return {cast.type.names.back(), false};
    }
    case ast::ExpressionKind::kCase: {
      const auto& otherwise = expression.As<ast::Case>().otherwise;
      GivenName name = otherwise ? GivenNameOf(*otherwise) : GivenName{kUnnamed, false};
      return name.is_strong ? name : GivenName{"case", false};
    }
    case ast::ExpressionKind::kLiteral:
      return {expression.As<ast::Literal>().literal == ast::Literal::Kind::kBoolean ? "bool" : kUnnamed,
              false};
    case ast::ExpressionKind::kInterval: return {"interval", false};
    case ast::ExpressionKind::kSubquery: {
      const auto& subquery = expression.As<ast::Subquery>();
      return {SubqueryName(subquery), subquery.subquery == ast::Subquery::Kind::kScalar ||
                                          subquery.subquery == ast::Subquery::Kind::kExists ||
                                          subquery.subquery == ast::Subquery::Kind::kArray};
    }
    case ast::ExpressionKind::kArray: return {"array"};
    case ast::ExpressionKind::kSubscript: return GivenNameOf(*expression.As<ast::Subscript>().child);
    case ast::ExpressionKind::kCollate: return GivenNameOf(*expression.As<ast::Collate>().child);
    case ast::ExpressionKind::kField: return {expression.As<ast::Field>().name};
    case ast::ExpressionKind::kRow: return {"row"};
    default: return {kUnnamed, false};
  }
}

}  // namespace

std::string ColumnNameOf(const ast::Expression& expression) { return GivenNameOf(expression).name; }

}  // namespace scaup
