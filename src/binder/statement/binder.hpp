// The binder: gives every name and expression of a statement its meaning and type.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "binder/bound/bound_statement.hpp"
#include "binder/scope/bind_session.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Binds one statement. Used once, by one thread; everything in the context is borrowed. Throws Error, mostly
/// kBinder or kCatalog, with the position in the statement's text.
class Binder {
 public:
  explicit Binder(const BinderContext& context) : session_(context) {}
  /// `declared_types`: what $1, $2, ... are where the caller knows it, the type kNull where it does not. An
  /// undeclared parameter gets the type that its context asks for.
  BoundStatementPtr Bind(const ast::Statement& statement, std::span<const LogicalType> declared_types = {});
  /// Binds the types that PREPARE gives its parameters; kNull for unknown, which the context is to decide.
  std::vector<LogicalType> BindParameterTypes(const std::vector<ast::TypeName>& types);
  /// Binds the values that EXECUTE gives for parameters of `types`: constants, but for parameters and
  /// volatile functions. REQUIRES: as many of both. 42804 for a value that is not of its type.
  std::vector<ExpressionPtr> BindArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                           std::span<const LogicalType> types,
                                           std::span<const LogicalType> declared_types);
  /// Types of expressions by themselves: kNull for quoted literals and NULL.
  std::vector<LogicalType> TypesOfArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                            std::span<const LogicalType> declared_types);
  /// The types of $1, $2, ... as their contexts ask for them; valid after Bind.
  const std::vector<LogicalType>& parameter_types() const { return session_.parameter_types(); }
  /// Whether binding it for values of other types may give it another meaning.
  bool follows_given_types() const { return session_.follows_given_types; }
  /// Attributes of collections that the statement reads: the statement may mean something else once there are
  /// more attributes.
  std::vector<KnownAttributes> known_attributes() const { return session_.known_attributes(); }

 private:
  BindSession session_;
};

/// The value that a column's DEFAULT, kept as SQL text, stands for: an expression of `type` without columns.
/// NULL for
/// "". Errors have no position, since the text is not the user's statement.
ExpressionPtr BindDefault(const BinderContext& context, const std::string& default_text,
                          const LogicalType& type);

}  // namespace scaup
