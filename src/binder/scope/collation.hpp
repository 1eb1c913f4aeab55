// COLLATE: names of collations, which types have them, the collation of an expression, and the keys by which
// texts are compared under it.
#pragma once

#include <initializer_list>
#include <optional>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/derived_collation.hpp"
#include "catalog/catalog_entry.hpp"
#include "expression/expression.hpp"
#include "parser/ast/expression.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Throws 42704 for an unknown collation, 3F000 for an unknown schema, 0A000 for a language without ICU.
Collation ResolveCollation(const BindSession& session, const ast::Collation& collation);
/// Throws 42804 for a type without collations; only texts and lists of texts have them.
void CheckCollatable(const LogicalType& type, size_t position);
/// Returns the name by which a definition stores the collation of texts of a type; "" for that of the
/// database. Throws 42804 for a type that has none, and 0A000 for lists of texts, which compare by bytes.
std::string StoredCollation(const BindSession& session, const ast::Collation& collation,
                            const LogicalType& type);
/// Returns the name that a column has for a collation which texts in it had before; "" if it has none. Throws
/// 42P22 if COLLATE has to say which it is.
std::string StoredCollation(const DerivedCollation& collation, const std::string& column,
                            std::optional<size_t> position);

/// Marks a text by COLLATE. REQUIRES: it is of type VARCHAR.
ExpressionPtr Collate(BindSession& session, ExpressionPtr text, const Collation& collation);
/// Gives a text that is cast to a domain, or stands for a column, the stored collation of that, unless it has
/// one.
ExpressionPtr WithImplicitCollation(BindSession& session, ExpressionPtr text, const std::string& collation);
/// Returns the expression below COLLATE, if that is what it is.
ExpressionPtr WithoutCollate(ExpressionPtr expression);
/// Does so only if what COLLATE asks for is the order of bytes.
ExpressionPtr WithoutOrderOfBytes(ExpressionPtr expression);

/// Returns the collation of an expression. Throws 42P21 for two different ones by COLLATE.
DerivedCollation CollationOf(const BindSession& session, const Expression& expression);
/// Returns the collation of a query's column, which a reference to it has.
DerivedCollation CollationOfColumn(const BindSession& session, BoundQuery& query, size_t column);
/// Records the collation of a column that stands for `value`, and those of all columns of a query.
void NoteCollation(BindSession& session, ColumnBinding column, const DerivedCollation& collation);
void NoteCollations(BindSession& session, BoundQuery& query, size_t table_index);
/// Records those of the columns of a table.
void NoteCollations(BindSession& session, const std::vector<ColumnDefinition>& columns, size_t table_index);

/// The use of keys of texts.
enum class KeyUse : uint8_t {
  kEquality,  ///< the keys depend on no language, so they may be stored
  kOrder,
};
/// Returns the collation of values that are compared with each other if their bytes do not do for it; nullopt
/// if they do. Throws 42P21 and 42P22 if it cannot be told which collation is meant.
std::optional<Collation> CollationFor(const BindSession& session,
                                      std::initializer_list<const Expression*> values, KeyUse use);
/// Does the same for a query's column.
std::optional<Collation> CollationFor(const BindSession& session, BoundQuery& query, size_t column,
                                      KeyUse use, size_t position);
/// Returns the key of a text under a collation.
ExpressionPtr KeyUnder(const Collation& collation, ExpressionPtr text);
/// Returns the key of a text under its own collation. Other expressions stay as they are, without COLLATE.
ExpressionPtr CollationKeyOf(const BindSession& session, ExpressionPtr value, KeyUse use);
/// Returns the text below such a key; null for other expressions.
const Expression* TextOfKey(const Expression& expression);
/// Returns whether an expression is such a key for equality under a stored collation.
bool IsEqualityKey(const Expression& expression, const std::string& collation);
/// Makes both sides of a comparison keys, where their collation needs it.
void FitCollations(const BindSession& session, ComparisonOp op, ExpressionPtr& left, ExpressionPtr& right);
/// Makes arguments of functions that search a text for another follow their collation. Throws 0A000 for
/// functions that compare texts and do not follow it.
void FitCollations(BindSession& session, std::string_view function, std::vector<ExpressionPtr>& arguments);
/// Makes nullif, greatest and least of texts, which compare by their collation, as CASE. Returns null for
/// other functions, and where the bytes of the texts do.
ExpressionPtr ChooseByCollation(BindSession& session, std::string_view function,
                                std::vector<ExpressionPtr>& arguments);
/// Throws 0A000 if a value's collation needs keys for that. `what` does not follow it.
void RequireBytes(const BindSession& session, const Expression& value, KeyUse use, std::string_view what);
/// Does the same for equality of the values of a query's column.
void RequireBytes(const BindSession& session, BoundQuery& query, size_t column, std::string_view what,
                  size_t position);

}  // namespace scaup
