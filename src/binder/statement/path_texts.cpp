// Writes the schemas that the search path has found into texts. Functions and types are told by their tokens,
// as where texts are renamed; the relations of a query by binding it.
#include "binder/statement/path_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/scope/function_use.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/renaming.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "type/text/identifier_text.hpp"
#include "type/text/temporary_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

/// Schemas to write into a text, by the positions of the names that they are for.
using SchemasToAdd = std::map<size_t, std::string>;

std::string WithSchemas(const std::string& text, const SchemasToAdd& schemas) {
  std::string result;
  size_t copied = 0;
  for (const auto& [position, schema] : schemas) {
    result.append(text, copied, position - copied);
    result += IdentifierText(schema) + ".";
    copied = position;
  }
  return result + text.substr(copied);
}

bool IsWritten(const std::string& schema) {
  return schema != Catalog::kDefaultSchema && !IsTemporarySchema(schema);
}

/// The names of functions and types in one text.
class NamesOfText {
 public:
  NamesOfText(const BinderContext& context, const std::string& text)
      : context_(context), text_(text), tokens_(ScanTokens(text).tokens) {}

  SchemasToAdd Find() {
    std::vector<bool> is_cast;  // for each open parenthesis
    for (size_t i = 0; i < tokens_.size(); i++) {
      if (tokens_[i].Is('(')) is_cast.push_back(i > 0 && IsWord(i - 1, "cast"));
      if (tokens_[i].Is(')') && !is_cast.empty()) is_cast.pop_back();
      const std::string name = NameOfToken(text_, tokens_[i]);
      if (name.empty() || IsNext(i, '.') || (i > 0 && tokens_[i - 1].Is('.'))) continue;
      if (IsNext(i, '(') && !IsAlias(i)) AddFunction(i, name);
      if (IsType(i, !is_cast.empty() && is_cast.back())) AddType(i, name);
    }
    return std::move(found_);
  }

 private:
  bool IsNext(size_t i, char c) const { return i + 1 < tokens_.size() && tokens_[i + 1].Is(c); }
  bool IsWord(size_t i, std::string_view word) const {
    const std::string_view found =
        std::string_view(text_).substr(tokens_[i].origin, tokens_[i].origin_end - tokens_[i].origin);
    return std::equal(found.begin(), found.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
  }

  /// Returns whether a name before a parenthesis is that of a WITH query or an alias with its columns.
  bool IsAlias(size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens_[i - 1];
    if (before.type == TokenType::kAs || before.type == TokenType::kIdentifier || before.Is(')') ||
        IsWord(i - 1, "with") || IsWord(i - 1, "recursive"))
      return true;
    size_t depth = 0, end = i + 1;
    for (; end < tokens_.size(); end++) {
      if (tokens_[end].Is('(')) depth++;
      if (tokens_[end].Is(')') && --depth == 0) break;
    }
    if (end + 2 >= tokens_.size() || tokens_[end + 1].type != TokenType::kAs) return false;
    return tokens_[end + 2].Is('(') || IsWord(end + 2, "materialized") || IsWord(end + 2, "not");
  }

  bool IsType(size_t i, bool is_in_cast) const {
    const bool is_literal = i + 1 < tokens_.size() && tokens_[i + 1].type == TokenType::kString &&
                            tokens_[i].type == TokenType::kIdentifier;
    if (i == 0) return is_literal;
    return is_literal || tokens_[i - 1].type == TokenType::kTypeCast ||
           (is_in_cast && tokens_[i - 1].type == TokenType::kAs);
  }

  void AddFunction(size_t i, const std::string& name) {
    const auto overloads = FunctionsNamed(context_.catalog, context_.transaction, "", name);
    if (overloads.empty()) return RefuseHidden(name);
    const std::string& schema = overloads.front()->schema;
    const SearchPath& path = *SearchPath::Of(context_.transaction);
    if (IsBuiltinFunction(BindSession(context_), name) && !path.IsBeforeSystem(schema)) return;
    for (const FunctionEntryRef& other : overloads) {
      if (other->schema == schema) continue;
      ThrowNotSupported(
          fmt::format("\"{0}\" means functions of the schemas \"{1}\" and \"{2}\" here: a definition is "
                      "stored with one, so write it in front of the name, as \"{1}\".\"{0}\"",
                      name, schema, other->schema));
    }
    if (IsWritten(schema)) found_[tokens_[i].origin] = schema;
  }

  /// Throws 42883 for a function of the default schema if that is not on the path: stored, the name would
  /// mean this function.
  void RefuseHidden(const std::string& name) const {
    if (FunctionsNamed(context_.catalog, context_.transaction, Catalog::kDefaultSchema, name).empty() ||
        IsBuiltinFunction(BindSession(context_), name))
      return;
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("function {0} does not exist on the search path; there is \"{1}\".\"{0}\"", name,
                           Catalog::kDefaultSchema));
  }

  void AddType(size_t i, const std::string& name) {
    if (TypeFromName(name)) return;
    std::string schema;
    if (const auto type = context_.catalog.Find<TypeEntry>(context_.transaction, "", name)) {
      schema = type->schema;
    } else if (const auto domain = context_.catalog.Find<DomainEntry>(context_.transaction, "", name)) {
      schema = domain->schema;
    }
    if (!schema.empty() && IsWritten(schema)) found_[tokens_[i].origin] = schema;
  }

  const BinderContext& context_;
  const std::string& text_;
  const std::vector<Token> tokens_;
  SchemasToAdd found_;
};

const std::string& SchemaOfRead(const CatalogEntry& relation) {
  return relation.kind == CatalogEntryKind::kView ? static_cast<const ViewEntry&>(relation).schema
                                                  : static_cast<const TableEntry&>(relation).schema;
}

/// Adds the schemas of the tables and views that a query names without one.
void AddRelations(const BinderContext& context, const std::string& text, SchemasToAdd& schemas) {
  std::vector<ReadRelation> reads;
  BindSession session(context);
  session.reads = &reads;
  try {
    const auto statements = Parser(context.settings.max_expression_depth).Parse(text);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    BindQuery(session, statements[0]->As<ast::SelectStatement>(), nullptr);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted || error.kind() == ErrorKind::kInternal) throw;
    return;  // The same query is bound as a part of its statement, which tells where the error is.
  }
  const std::vector<Token> tokens = ScanTokens(text).tokens;
  for (const ReadRelation& read : reads) {
    const std::string& schema = SchemaOfRead(*read.entry);
    if (!IsWritten(schema)) continue;
    const auto token = std::find_if(tokens.begin(), tokens.end(),
                                    [&](const Token& each) { return each.origin == read.position; });
    const bool is_qualified = token != tokens.end() && token + 1 != tokens.end() && (token + 1)->Is('.');
    if (is_qualified) continue;
    if (token == tokens.end() || NameOfToken(text, *token) != read.entry->name) {
      ThrowNotSupported(fmt::format("the definition must name the schema of \"{1}\": write \"{0}\".\"{1}\"",
                                    schema, read.entry->name));
    }
    schemas[read.position] = schema;
  }
}

bool HasPath(const BinderContext& context) { return SearchPath::Of(context.transaction) != nullptr; }

}  // namespace

std::string WithSchemasOfPath(const BinderContext& context, const std::string& text) {
  if (text.empty() || !HasPath(context)) return text;
  return WithSequencesOfPath(context, WithSchemas(text, NamesOfText(context, text).Find()));
}

std::string QueryWithSchemasOfPath(const BinderContext& context, const std::string& text) {
  if (!HasPath(context)) return text;
  SchemasToAdd schemas = NamesOfText(context, text).Find();
  AddRelations(context, text, schemas);
  return WithSequencesOfPath(context, WithSchemas(text, schemas));
}

}  // namespace scaup
