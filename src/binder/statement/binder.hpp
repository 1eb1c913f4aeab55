// The entry to the binder: resolves names and types of one statement.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "binder/bound/bound_statement.hpp"
#include "binder/scope/bind_session.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Binds one statement. Used once, by one thread. The context is borrowed. Throws Error, mostly kBinder or
/// kCatalog, with the position in the statement's text.
class Binder {
 public:
  explicit Binder(const BinderContext& context) : session_(context) {}
  /// Binds the statement. `declared_types` are the types of $1, $2, ...; kNull if the caller does not know
  /// one. An undeclared parameter gets the type that its context asks for.
  BoundStatementPtr Bind(const ast::Statement& statement, std::span<const LogicalType> declared_types = {});
  /// Binds the parameter types of PREPARE; kNull for unknown, which the context determines.
  std::vector<LogicalType> BindParameterTypes(const std::vector<ast::TypeName>& types);
  /// Binds the arguments of EXECUTE for parameters of `types`. They are constants, except for parameters and
  /// volatile functions. Throws 42804 for an argument of another type. REQUIRES: as many arguments as types.
  std::vector<ExpressionPtr> BindArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                           std::span<const LogicalType> types,
                                           std::span<const LogicalType> declared_types);
  /// Returns the types of expressions without context: kNull for quoted literals and NULL.
  std::vector<LogicalType> TypesOfArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                            std::span<const LogicalType> declared_types);
  /// Returns the types of $1, $2, ... that their contexts ask for; valid after Bind.
  const std::vector<LogicalType>& parameter_types() const { return session_.parameter_types(); }
  /// Returns whether the bound statement has the present values of variables in it.
  bool uses_variables() const { return session_.uses_variables; }
  /// Returns whether binding the statement for values of other types may change its meaning.
  bool follows_given_types() const { return session_.follows_given_types; }
  /// Returns the ids of the tables whose rows the statement locks.
  const std::vector<uint64_t>& locked_tables() const { return session_.locked_tables; }
  /// Returns the attributes of collections that the statement reads. New attributes may change its meaning.
  std::vector<KnownAttributes> known_attributes() const { return session_.known_attributes(); }

 private:
  BindSession session_;
};

/// Binds a column's DEFAULT, which the catalog stores as SQL text, to an expression of `type` without
/// columns. "" gives NULL. Errors have no position, because the text is not a part of the user's statement.
ExpressionPtr BindDefault(const BinderContext& context, const std::string& default_text,
                          const LogicalType& type);

}  // namespace scaup
