// The table of syntax extensions: syntax that Scaup has beyond the grammar of PostgreSQL.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "parser/dialect/rewriter.hpp"

namespace scaup {

/// One extension, which has a file of its own. It reads tokens only, so that strings, comments and quoted
/// names cannot be mistaken for syntax. An extension is either a statement, with rewrite_statement, or a form
/// that may occur anywhere within statements, with make_form.
struct SyntaxExtension {
  std::string_view syntax;   ///< what the user writes
  std::string_view becomes;  ///< what the grammar gets instead
  /// The tokens of the user to which errors in added tokens point, if these do not replace a token.
  std::string_view positions;
  /// Rewrites the statement if it is of this kind; otherwise writes nothing and returns false.
  bool (*rewrite_statement)(Rewriter& rewriter);
  /// Makes the object that rewrites the form in a statement; returns null if the statement cannot have the
  /// form.
  std::unique_ptr<FormRewriter> (*make_form)(const StatementTokens& tokens);
};

/// Returns all extensions, in the order in which they are tried: first the statements, once; then, at each
/// token, the forms.
std::span<const SyntaxExtension> AllSyntaxExtensions();

// Statements.
bool RewriteDescribe(Rewriter& rewriter);
bool RewriteSummarize(Rewriter& rewriter);
bool RewritePragma(Rewriter& rewriter);
bool RewriteExportDatabase(Rewriter& rewriter);
bool RewriteImportDatabase(Rewriter& rewriter);
bool RewriteAttach(Rewriter& rewriter);
bool RewriteDetach(Rewriter& rewriter);
bool RewriteUse(Rewriter& rewriter);
bool RewriteCopyDatabase(Rewriter& rewriter);
bool RewriteCollection(Rewriter& rewriter);
bool RewriteElementTable(Rewriter& rewriter);
bool RewriteMaterialize(Rewriter& rewriter);
bool RewriteViewIfNotExists(Rewriter& rewriter);
bool RewriteCreateSchema(Rewriter& rewriter);
bool RewriteDropSchema(Rewriter& rewriter);
bool RewriteTypeAlias(Rewriter& rewriter);
bool RewriteReplaceTable(Rewriter& rewriter);
bool RewriteCreateMacro(Rewriter& rewriter);
bool RewriteHostedFunction(Rewriter& rewriter);
bool RewriteDropMacro(Rewriter& rewriter);
bool RewriteSetVariable(Rewriter& rewriter);
bool RewriteResetVariable(Rewriter& rewriter);

// Forms within statements.
std::unique_ptr<FormRewriter> MakeFromFirst(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeMergeForms(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeLambdas(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeListComprehensions(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeOptionMap(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeNestedForms(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeObjectForm(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeAnyOfPath(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeWholeDocumentIndex(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeByAll(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeStarList(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeUnpackedColumns(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeTableArgument(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeQualify(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeSemiJoin(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakePercentLimit(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeNullTreatment(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeInterval(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeSampledQuery(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakePivot(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeUnpivot(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeUnionByName(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeMatchedJoin(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeInsertForms(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeFileTable(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeTrailingComma(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeOperatorSpellings(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeTryCast(const StatementTokens& tokens);
std::unique_ptr<FormRewriter> MakeParameters(const StatementTokens& tokens);

}  // namespace scaup
