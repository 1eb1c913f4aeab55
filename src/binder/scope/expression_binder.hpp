// Binds expressions of one query level.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/expression_place.hpp"
#include "binder/scope/scope.hpp"
#include "expression/expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Binds syntax trees to typed expressions. Columns are resolved in `level`. Aggregates stay in place as
/// AggregateExpressions. Session and level are borrowed. Throws Error with positions. Every kind of syntax is
/// bound by a function of its own (binder/expression/bind_expression.hpp), which binds operands and arguments
/// by this object.
class ExpressionBinder {
 public:
  ExpressionBinder(BindSession& session, QueryLevel& level, Clause clause)
      : session_(session), level_(level), place_(clause) {}

  /// Binds an expression. The result may be untyped (coercion.hpp).
  ExpressionPtr Bind(const ast::Expression& expression);
  ExpressionPtr BindSettled(const ast::Expression& expression);
  ExpressionPtr BindBoolean(const ast::Expression& expression, std::string_view place);
  /// Makes a second tree for syntax that has been bound: a copy, or a new binding if it cannot be copied.
  ExpressionPtr BindAgain(const ast::Expression& syntax, const Expression& bound);

  /// Binds the expression of a defined function; its parameters $1, $2, ... are the arguments of the call.
  ExpressionPtr BindDefinition(const ast::Expression& definition, const ast::FunctionCall& call);
  /// Returns the argument that a parameter stands for, bound; null outside of definitions.
  ExpressionPtr BindArgument(const ast::Parameter& parameter);

  /// Binds the body of a lambda whose parameters have the first of these types. They are columns of a table
  /// of that index, which exists only here.
  ExpressionPtr BindLambdaBody(const ast::Lambda& lambda, const std::vector<LogicalType>& types,
                               size_t table_index);
  /// Returns the parameter that the first name of a column is, by the innermost lambda that has it; null if
  /// none has it.
  ExpressionPtr BindLambdaParameter(const ast::Column& column) const;

  BindSession& session() { return session_; }
  QueryLevel& level() { return level_; }
  ExpressionPlace& place() { return place_; }

 private:
  /// A call of a defined function whose expression is being bound, and the one around it.
  struct DefinedCall {
    const ast::FunctionCall* call;
    DefinedCall* outer;
    std::vector<bool> is_used;  ///< by argument
  };

  /// A lambda whose body is being bound, and the one around it.
  struct LambdaScope {
    const ast::Lambda* lambda;
    const std::vector<LogicalType>* types;
    size_t table_index;
    const LambdaScope* outer;
  };

  ExpressionPtr BindNode(const ast::Expression& expression);

  BindSession& session_;
  QueryLevel& level_;
  ExpressionPlace place_;
  DefinedCall* defined_call_ = nullptr;
  const LambdaScope* lambda_ = nullptr;
};

/// Binds a call of a set-returning function. Returns the list whose elements it returns; several lists for
/// unnest().
std::vector<ExpressionPtr> BindSetCall(ExpressionBinder& binder, const ast::FunctionCall& call);
/// Checks a definition of the WINDOW clause. The result is discarded.
void CheckWindow(ExpressionBinder& binder, const ast::WindowSpecification& window);

/// Returns true for matches and score.
bool IsTextSearch(std::string_view name);
/// Binds a call of one of them.
ExpressionPtr BindTextSearch(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name);
/// Returns true for document, document_id and element_position.
bool IsDocumentNumber(std::string_view name);
/// Binds a call of one of them. document(c) gives the document even if it has a key of that name.
ExpressionPtr BindDocumentNumber(ExpressionBinder& binder, const ast::FunctionCall& call,
                                 const std::string& name);

/// Throws 42P10 if an expression that must be the same for all rows, such as LIMIT, contains columns of its
/// own level.
void RefuseOwnColumns(Expression& value, std::string_view clause);

}  // namespace scaup
