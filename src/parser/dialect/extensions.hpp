// The table of syntax extensions: what Scaup's SQL has beyond the grammar of PostgreSQL.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "parser/dialect/rewriter.hpp"

namespace scaup {

/// One extension, in a file of its own. It looks at tokens only, so that strings, comments and quoted names
/// cannot be mistaken for syntax. It has one of the two functions, by whether it is a statement of its own or
/// a form that may stand anywhere within statements.
struct SyntaxExtension {
  std::string_view syntax;   ///< what the user writes
  std::string_view becomes;  ///< what the grammar gets instead
  /// Where the written tokens point to, where that is not the token that they stand for.
  std::string_view positions;
  /// Rewrites the statement if it is of this kind; otherwise writes nothing and returns false.
  bool (*rewrite_statement)(Rewriter& rewriter);
  /// Makes the object that rewrites the form in a statement; null where the statement cannot have the form.
  std::unique_ptr<FormRewriter> (*make_form)(const StatementTokens& tokens);
};

/// All extensions. Statements are asked first, in this order; forms are asked at each token, in this order.
std::span<const SyntaxExtension> AllSyntaxExtensions();

// Statements.
bool RewriteDescribe(Rewriter& rewriter);
bool RewriteSummarize(Rewriter& rewriter);
bool RewritePragma(Rewriter& rewriter);
bool RewriteExportDatabase(Rewriter& rewriter);
bool RewriteImportDatabase(Rewriter& rewriter);
bool RewriteCollection(Rewriter& rewriter);
bool RewriteElementTable(Rewriter& rewriter);
bool RewriteMaterialize(Rewriter& rewriter);
bool RewriteViewIfNotExists(Rewriter& rewriter);

// Forms within statements.
std::unique_ptr<FormRewriter> MakeFromFirst(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeMergeForms(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeNestedForms(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeObjectForm(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeAnyOfPath(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeWholeDocumentIndex(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeTryCast(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeParameters(const StatementTokens& tokens);

}  // namespace scaup
