// Binds the rules of domains.
#include "binder/scope/domain_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/bound_modification.hpp"
#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/literal.hpp"
#include "binder/write/written_row.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/misc/domain_check.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

/// The table index of the value in a rule while that is bound; no plan has it.
constexpr size_t kValueIndex = ~size_t{0} - 3;

DomainEntryRef FindDomainNamed(const BinderContext& context, const DomainName& name) {
  return name.empty() ? nullptr
                      : context.catalog.Find<DomainEntry>(context.transaction, name.schema, name.name);
}

/// Returns a domain after those that it was made of, whose rules hold first.
std::vector<DomainEntryRef> WithBases(const BinderContext& context, const DomainName& name) {
  std::vector<DomainEntryRef> domains;
  for (DomainEntryRef at = FindDomainNamed(context, name); at; at = FindDomainNamed(context, at->base))
    domains.push_back(at);
  std::reverse(domains.begin(), domains.end());
  return domains;
}

/// A rule of a domain over {kValueIndex, 0}.
struct DomainRule {
  std::string name;
  ExpressionPtr condition;
  const char* state;
  std::string refusal;
};

std::string NotNullName(const DomainEntry& domain) { return domain.name + "_not_null"; }

std::vector<DomainRule> RulesOf(const BinderContext& context, const DomainName& name) {
  std::vector<DomainRule> rules;
  for (const DomainEntryRef& domain : WithBases(context, name)) {
    if (domain->not_null) {
      auto value =
          std::make_unique<ColumnRefExpression>(domain->type, ColumnBinding{kValueIndex, 0}, "value");
      rules.push_back({NotNullName(*domain), std::make_unique<IsNullExpression>(std::move(value), true),
                       sqlstate::kNotNullViolation,
                       fmt::format("domain {} does not allow null values", domain->name)});
    }
    for (const CheckConstraint& check : domain->checks) {
      rules.push_back(
          {check.name, BindDomainText(context, *domain, check.text, kValueIndex), sqlstate::kCheckViolation,
           fmt::format("value for domain {} violates check constraint \"{}\"", domain->name, check.name)});
    }
  }
  return rules;
}

}  // namespace

DomainEntryRef FindDomain(const BindSession& session, const ast::TypeName& type) {
  if (!type.fields.empty() || type.array_dimensions > 0 || !type.modifiers.empty() || type.names.empty() ||
      type.names.size() > 2)
    return nullptr;
  const BinderContext& context = session.context();
  const std::string schema = session.SchemaOfName(type.names.size() == 2 ? type.names[0] : "");
  return context.catalog.Find<DomainEntry>(context.transaction, schema, type.names.back());
}

ColumnType BindColumnType(const BindSession& session, const ast::TypeName& type) {
  if (const DomainEntryRef domain = FindDomain(session, type))
    return {domain->type, {domain->schema, domain->name}, domain->collation};
  return {BindTypeName(&session, type), {}, ""};
}

ExpressionPtr BindDomainText(const BinderContext& context, const DomainEntry& domain, const std::string& text,
                             size_t table_index) {
  try {
    const auto statements = Parser().Parse("SELECT " + text);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    const auto& items = statements[0]->As<ast::SelectStatement>().items;
    SCAUP_CHECK(items.size() == 1);
    BindSession session(context);
    session.is_stored_text = true;
    std::vector<ColumnDefinition> columns = {{"value", domain.type}};
    columns[0].collation = domain.collation;
    const Scope scope = ScopeOfColumns(session, "", "", columns, table_index);
    QueryLevel level;
    level.scope = &scope;
    ExpressionBinder binder(session, level, Clause::kCheck);
    return binder.BindBoolean(*items[0].expression, "CHECK");
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(),
                fmt::format("in ({}) of domain \"{}\": {}", text, domain.name, error.message()));
  }
}

ExpressionPtr FollowDomain(BindSession& session, const DomainEntry& domain, ExpressionPtr value,
                           size_t position) {
  std::vector<DomainRule> rules = RulesOf(session.context(), {domain.schema, domain.name});
  if (rules.empty()) return value;
  if (!IsDeterministic(*value) || HasSubquery(*value)) {
    ThrowNotSupported(
        fmt::format("a cast to domain \"{}\" reads its value several times, and this one is volatile or a "
                    "subquery; compute it in a subquery in FROM",
                    domain.name),
        position);
  }
  const ExpressionPtr plain = value->Clone();
  for (DomainRule& rule : rules) {
    ExpressionPtr condition = std::move(rule.condition);
    SubstituteColumns(condition, kValueIndex, {plain.get()});
    std::vector<ExpressionPtr> arguments;
    BoundDomainCheck check = MakeDomainCheck(value->type(), rule.state, std::move(rule.refusal));
    arguments.push_back(std::move(value));
    arguments.push_back(std::move(condition));
    value = std::make_unique<FunctionExpression>(std::move(check.function), std::move(check.data),
                                                 std::move(arguments));
    value->position = position;
  }
  return value;
}

void AddDomainChecks(const BinderContext& given, const TableEntry& table, size_t table_index,
                     std::vector<BoundCheck>& checks) {
  std::optional<BinderContext> other;
  for (size_t i = 0; i < table.columns.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    if (column.domain.empty()) continue;
    const BinderContext& context = ContextOf(given, table, other);
    const ColumnRefExpression value(column.type, ColumnBinding{table_index, i}, column.name);
    for (DomainRule& rule : RulesOf(context, column.domain)) {
      SubstituteColumns(rule.condition, kValueIndex, {&value});
      checks.push_back({rule.name, std::move(rule.condition), rule.state, std::move(rule.refusal)});
    }
  }
}

std::vector<std::string> RuleNames(const BinderContext& context, const DomainName& domain) {
  std::vector<std::string> names;
  for (const DomainRule& rule : RulesOf(context, domain)) names.push_back(rule.name);
  return names;
}

std::string DefaultTextOf(const BinderContext& context, const ColumnDefinition& column) {
  if (!column.default_text.empty() || column.domain.empty()) return column.default_text;
  const std::vector<DomainEntryRef> domains = WithBases(context, column.domain);
  for (auto domain = domains.rbegin(); domain != domains.rend(); ++domain) {
    if (!(*domain)->default_text.empty()) return (*domain)->default_text;
  }
  return "";
}

}  // namespace scaup
