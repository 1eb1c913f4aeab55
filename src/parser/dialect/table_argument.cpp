// Arguments of functions that are tables: TABLE t and TABLE g(...) become subqueries, and clauses behind it a
// marked definition of a WINDOW clause.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class TableArgument final : public FormRewriter {
 public:
  explicit TableArgument(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!BeginsArgument(index)) return index;
    const bool has_word = tokens_.Is(index, TokenType::kTable);
    const Source source = SourceAt(has_word ? index + 1 : index, has_word);
    if (source.end > tokens_.size()) return index;
    const size_t end = source.end;
    const size_t argument_end = EndOf(end);
    const bool has_clauses = BeginsClause(end, has_word);
    if (argument_end == tokens_.size() || (!has_clauses && (!has_word || argument_end != end))) return index;
    if (has_clauses) WriteSelect(rewriter, index);
    WriteSource(rewriter, index, source);
    if (!has_clauses) return end;
    rewriter.Write(end, "AS", TokenType::kAs);
    if (source.kind == Source::Kind::kQuery) {
      rewriter.Write(end, "\"table\"", TokenType::kIdentifier);
    } else {
      rewriter.WriteName(source.name_end - 1);
    }
    rewriter.Write(end, "WINDOW", TokenType::kWindow);
    rewriter.Write(end, "clauses", TokenType::kIdentifier);
    rewriter.Write(end, "AS", TokenType::kAs);
    rewriter.Write(end, "(", TokenType::kLeftParen).mark = TokenMark::kPartition;
    WriteClauses(rewriter, end, argument_end);
    rewriter.Write(argument_end - 1, ")", TokenType::kRightParen);
    rewriter.Write(argument_end - 1, ")", TokenType::kRightParen);
    return argument_end;
  }

 private:
  /// The table of an argument: a name, a call, or a query in parentheses.
  struct Source {
    enum class Kind : uint8_t { kName, kCall, kQuery } kind = Kind::kQuery;
    size_t first = 0;       ///< its first token
    size_t last = 0;        ///< the one behind its last token
    size_t name_end = 0;    ///< the one behind the name
    size_t end = SIZE_MAX;  ///< the one behind it and the parentheses around it
  };

  /// Reads t, g(...) and, after TABLE, (t) and (g(...)), or a query in parentheses.
  Source SourceAt(size_t begin, bool has_word) const {
    const bool is_bracket = tokens_.Is(begin, '(');
    const size_t inner = is_bracket ? begin + 1 : begin;
    const size_t close = is_bracket ? tokens_.Partner(begin) : tokens_.size();
    if (is_bracket && close == tokens_.size()) return {};
    if (has_word && !tokens_.BeginsQuery(inner)) {
      Source source{Source::Kind::kName, inner, tokens_.NameEnd(inner), tokens_.NameEnd(inner), 0};
      if (tokens_.Is(source.last, '(')) {
        source.kind = Source::Kind::kCall;
        source.last = tokens_.Partner(source.last) + 1;
      }
      source.end = is_bracket ? close + 1 : source.last;
      if (is_bracket && source.last != close) return {};
      return source;
    }
    if (!is_bracket) return {};
    return {Source::Kind::kQuery, begin, close + 1, close + 1, close + 1};
  }

  static void WriteSelect(Rewriter& rewriter, size_t index) {
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "SELECT", TokenType::kSelect);
    rewriter.Write(index, "*", CharacterToken('*'));
    rewriter.Write(index, "FROM", TokenType::kFrom);
  }

  static void WriteSource(Rewriter& rewriter, size_t index, const Source& source) {
    if (source.kind == Source::Kind::kQuery) {
      rewriter.Copy(source.first);
      rewriter.Rewrite(source.first + 1, source.last - 1, source.first + 1);
      rewriter.Copy(source.last - 1);
      return;
    }
    WriteSelect(rewriter, index);
    rewriter.Rewrite(source.first, source.last);
    rewriter.Write(source.last - 1, ")", TokenType::kRightParen);
  }

  /// Returns whether TABLE or a query in parentheses begins here as an argument of a call, or its value after
  /// name => or name :=.
  bool BeginsArgument(size_t index) const {
    if (index < 2) return false;
    const bool may_begin =
        tokens_.Is(index, TokenType::kTable) || (tokens_.Is(index, '(') && tokens_.BeginsQuery(index + 1));
    if (!may_begin) return false;
    if (tokens_.Is(index - 1, TokenType::kEqualsGreater) || tokens_.Is(index - 1, TokenType::kColonEquals))
      return true;
    if (tokens_.Is(index - 1, ',')) return true;
    // f(: a name that is no keyword, before the parenthesis.
    return tokens_.Is(index - 1, '(') && tokens_.Is(index - 2, TokenType::kIdentifier);
  }
  /// ORDER BY alone behind a subquery belongs to an aggregate, as in string_agg(a, (SELECT ',') ORDER BY b).
  bool BeginsClause(size_t index, bool has_word) const {
    return tokens_.AreWords(index, {"partition", "by"}) ||
           (has_word && tokens_.AreWords(index, {"order", "by"}));
  }
  /// Writes PARTITION BY (a, b) ORDER BY (c, d) without the parentheses, which separate several keys from the
  /// next argument.
  void WriteClauses(Rewriter& rewriter, size_t begin, size_t end) const {
    for (size_t i = begin; i < end;) {
      size_t clause_end = i + 2;
      while (clause_end < end && !tokens_.AreWords(clause_end, {"order", "by"})) clause_end++;
      rewriter.Copy(i);
      rewriter.Copy(i + 1);
      const bool is_list = tokens_.Is(i + 2, '(') && tokens_.Partner(i + 2) + 1 == clause_end;
      rewriter.Rewrite(i + (is_list ? 3 : 2), clause_end - (is_list ? 1 : 0));
      i = clause_end;
    }
  }
  /// Returns the index of the token that ends the argument.
  size_t EndOf(size_t begin) const {
    for (size_t i = begin; i < tokens_.size(); i++) {
      if (tokens_.Is(i, ')') || tokens_.Is(i, ',')) return i;
      if ((tokens_.Is(i, '(') || tokens_.Is(i, '[')) && tokens_.Partner(i) != tokens_.size())
        i = tokens_.Partner(i);
    }
    return tokens_.size();
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeTableArgument(const StatementTokens& tokens) {
  return std::make_unique<TableArgument>(tokens);
}

}  // namespace scaup
