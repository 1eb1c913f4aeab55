// The rules of domains: casts and written rows that follow them.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "catalog/catalog_entry.hpp"
#include "expression/expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

struct BoundCheck;

/// Returns the domain of that name; null if the name is that of another type, or of none.
DomainEntryRef FindDomain(const BindSession& session, const ast::TypeName& type);

/// The type of a column, which may be that of a domain.
struct ColumnType {
  LogicalType type;
  DomainName domain;
  std::string collation;  ///< of the domain, as ColumnDefinition has it
};
/// Resolves the type of a column. Throws Error(kBinder, 42704) for an unknown name.
ColumnType BindColumnType(const BindSession& session, const ast::TypeName& type);

/// Returns a value, which has the type below the domain, with a test of the rules: an error where it breaks
/// one. The tests read the value again, so it must be neither volatile nor a subquery: 0A000.
ExpressionPtr FollowDomain(BindSession& session, const DomainEntry& domain, ExpressionPtr value,
                           size_t position);
/// Adds the rules of the domains of a table's columns, over {table_index, i}.
void AddDomainChecks(const BinderContext& context, const TableEntry& table, size_t table_index,
                     std::vector<BoundCheck>& checks);
/// Returns the names that AddDomainChecks gives to the rules of a domain.
std::vector<std::string> RuleNames(const BinderContext& context, const DomainName& domain);
/// Returns the text of the default that a column has of its own or by its domain; "" if there is none.
std::string DefaultTextOf(const BinderContext& context, const ColumnDefinition& column);
/// Binds a condition of a domain over a column reference {table_index, 0} of its type. Errors name the
/// domain.
ExpressionPtr BindDomainText(const BinderContext& context, const DomainEntry& domain, const std::string& text,
                             size_t table_index);

}  // namespace scaup
