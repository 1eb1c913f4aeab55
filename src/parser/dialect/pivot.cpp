// PIVOT and UNPIVOT, as statements and in FROM: become a cross join with a marked subquery.
#include <algorithm>
#include <optional>
#include <vector>

#include "common/check.hpp"
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// Tokens [begin, end).
struct Extent {
  size_t begin = 0;
  size_t end = 0;
  bool empty() const { return begin == end; }
};

/// A value that becomes columns, or the columns that become a value: `of IN (list)`.
struct Axis {
  Extent of;
  Extent list;  ///< empty without IN
  bool is_query = false;
};

/// The parts of the form, wherever they stand.
struct Parts {
  bool keeps_nulls = false;
  Extent values;           ///< the aggregates, or the names of the values
  std::vector<Axis> axes;  ///< of UNPIVOT: the name's column, and the columns
  Extent groups;
  size_t end = 0;  ///< the token after all
};

class Pivot final : public FormRewriter {
 public:
  Pivot(const StatementTokens& tokens, bool is_unpivot) : tokens_(tokens), is_unpivot_(is_unpivot) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.IsName(index, is_unpivot_ ? "unpivot" : "pivot")) return index;
    if (const auto parts = InFrom(index)) {
      Write(rewriter, index, *parts);
      return parts->end;
    }
    if (!BeginsStatement(index, rewriter.query_begin())) return index;
    const size_t on = Find(index + 1, [&](size_t i) { return tokens_.Is(i, TokenType::kOn); });
    const Parts parts = OfStatement(index, on);
    rewriter.Write(index, "SELECT", TokenType::kSelect);
    rewriter.Write(index, "*", CharacterToken('*'));
    rewriter.Write(index, "FROM", TokenType::kFrom);
    rewriter.Rewrite(index + 1, on);
    Write(rewriter, index, parts);
    return parts.end;
  }

 private:
  bool Opens(size_t index) const { return tokens_.Is(index, '(') || tokens_.Is(index, '['); }
  bool Closes(size_t index) const { return tokens_.Is(index, ')') || tokens_.Is(index, ']'); }

  /// Returns the first token from `index` on, outside of brackets, for which `ends` holds; the closing
  /// bracket or the statement's end if there is none.
  template <typename Ends>
  size_t Find(size_t index, const Ends& ends) const {
    while (index < tokens_.size() && !Closes(index) && !ends(index)) {
      if (Opens(index) && tokens_.Partner(index) < tokens_.size()) index = tokens_.Partner(index);
      index++;
    }
    return index;
  }

  bool BeginsClause(size_t index) const {
    return tokens_.IsWord(index, "using") || tokens_.AreWords(index, {"group", "by"}) ||
           tokens_.AreWords(index, {"into", "name"}) || tokens_.BeginsLaterClause(index);
  }

  /// Returns the form that begins in FROM; nothing if the word is the alias of a table there.
  std::optional<Parts> InFrom(size_t index) const {
    if (index == 0) return std::nullopt;
    const Token& before = tokens_[index - 1];
    if (before.type == TokenType::kFrom || before.type == TokenType::kJoin || before.Is(',') ||
        before.Is('.') || before.Is('('))
      return std::nullopt;
    Parts parts;
    size_t open = index + 1;
    if (is_unpivot_ && tokens_.IsWord(open + 1, "nulls") &&
        (tokens_.IsWord(open, "include") || tokens_.IsWord(open, "exclude"))) {
      parts.keeps_nulls = tokens_.IsWord(open, "include");
      open += 2;
    }
    if (!tokens_.Is(open, '(') || tokens_.Partner(open) >= tokens_.size()) return std::nullopt;
    const size_t close = tokens_.Partner(open);
    const size_t word = Find(open + 1, [&](size_t i) { return tokens_.Is(i, TokenType::kFor); });
    if (word >= close) return std::nullopt;  // a list of column aliases
    parts.values = {open + 1, word};
    if (parts.values.empty()) tokens_.ThrowSyntaxError(word);
    size_t at = word + 1;
    while (at < close && !tokens_.AreWords(at, {"group", "by"})) {
      const size_t in = Find(at, [&](size_t i) { return tokens_.Is(i, TokenType::kIn); });
      if (in >= close || in == at || !tokens_.Is(in + 1, '('))
        tokens_.ThrowSyntaxError(in < close ? in + 1 : in);
      parts.axes.push_back(AxisWithList({at, in}));
      at = parts.axes.back().list.end + 1;
    }
    if (at < close) parts.groups = {at + 2, close};
    if (parts.axes.empty() || (is_unpivot_ && (parts.axes.size() > 1 || at < close)) ||
        (at < close && parts.groups.empty()))
      tokens_.ThrowSyntaxError(parts.axes.empty() ? word + 1 : at);
    parts.end = close + 1;
    return parts;
  }

  /// REQUIRES: IN and a parenthesis follow.
  Axis AxisWithList(Extent of) const {
    SCAUP_ASSERT(tokens_.Is(of.end, TokenType::kIn) && tokens_.Is(of.end + 1, '('));
    Axis axis;
    axis.of = of;
    axis.list = {of.end + 2, tokens_.Partner(of.end + 1)};
    if (axis.list.end >= tokens_.size() || axis.list.empty()) tokens_.ThrowSyntaxError(axis.list.begin);
    axis.is_query =
        tokens_.Is(axis.list.begin, TokenType::kSelect) || tokens_.Is(axis.list.begin, TokenType::kFrom) ||
        tokens_.Is(axis.list.begin, TokenType::kWith) || tokens_.Is(axis.list.begin, TokenType::kValues);
    return axis;
  }

  /// Returns whether a statement or a query begins with the word: a table and ON follow.
  bool BeginsStatement(size_t index, size_t query_begin) const {
    const bool has_table = tokens_.Is(index + 1, TokenType::kIdentifier) || tokens_.Is(index + 1, '(') ||
                           tokens_.Is(index + 1, TokenType::kString);
    if (!has_table) return false;
    if (index != 0 && index != query_begin) {
      const Token& before = tokens_[index - 1];
      const bool may_begin = before.Is('(') || before.type == TokenType::kExplain ||
                             IsSetOperation(before.type) || before.type == TokenType::kAll ||
                             (before.type == TokenType::kAs &&
                              (tokens_.Is(0, TokenType::kCreate) || tokens_.IsWord(0, "prepare"))) ||
                             (before.Is(')') && tokens_.Is(index + 1, TokenType::kIdentifier));
      if (!may_begin) return false;
    }
    return tokens_.Is(Find(index + 1, [&](size_t i) { return tokens_.Is(i, TokenType::kOn); }),
                      TokenType::kOn);
  }

  Parts OfStatement(size_t index, size_t on) const {
    Parts parts;
    const size_t axes_end = Find(on + 1, [&](size_t i) { return BeginsClause(i); });
    if (axes_end == on + 1) tokens_.ThrowSyntaxError(axes_end);
    size_t at = axes_end;
    if (is_unpivot_) {
      // The columns follow ON, and the name's column INTO NAME.
      Axis axis;
      axis.list = {on + 1, axes_end};
      if (tokens_.AreWords(at, {"into", "name"})) {
        if (!tokens_.Is(at + 2, TokenType::kIdentifier) && !tokens_.IsWord(at + 2, "name"))
          tokens_.ThrowSyntaxError(at + 2);
        axis.of = {at + 2, at + 3};
        at += 3;
        if (!tokens_.IsWord(at, "value")) tokens_.ThrowSyntaxError(at);
        parts.values = {at + 1, Find(at + 1, [&](size_t i) { return BeginsClause(i); })};
        if (parts.values.empty()) tokens_.ThrowSyntaxError(at + 1);
        at = parts.values.end;
      }
      parts.axes.push_back(axis);
    } else {
      for (size_t begin = on + 1; begin < axes_end;) {
        const size_t end = std::min(axes_end, Find(begin, [&](size_t i) { return tokens_.Is(i, ','); }));
        if (end == begin) tokens_.ThrowSyntaxError(begin);
        const size_t in = Find(begin, [&](size_t i) { return i >= end || tokens_.Is(i, TokenType::kIn); });
        if (in < end && tokens_.Is(in + 1, '(') && tokens_.Partner(in + 1) + 1 == end) {
          parts.axes.push_back(AxisWithList({begin, in}));
        } else {
          parts.axes.push_back({{begin, end}, {end, end}, false});
        }
        begin = end + 1;
      }
      if (tokens_.IsWord(at, "using")) {
        parts.values = {at + 1, Find(at + 1, [&](size_t i) { return BeginsClause(i); })};
        if (parts.values.empty()) tokens_.ThrowSyntaxError(at + 1);
        at = parts.values.end;
      }
      if (tokens_.AreWords(at, {"group", "by"})) {
        parts.groups = {at + 2, Find(at + 2, [&](size_t i) { return BeginsClause(i); })};
        if (parts.groups.empty()) tokens_.ThrowSyntaxError(at + 2);
        at = parts.groups.end;
      }
    }
    parts.end = at;
    return parts;
  }

  void Write(Rewriter& rewriter, size_t index, const Parts& parts) const {
    rewriter.Write(index, "CROSS", TokenType::kIdentifier).is_keyword = true;
    rewriter.Write(index, "JOIN", TokenType::kJoin);
    OpenSelect(rewriter, index);
    rewriter.Write(index, "\"pivot\"", TokenType::kIdentifier).mark = !is_unpivot_ ? TokenMark::kPivot
                                                                      : parts.keeps_nulls
                                                                          ? TokenMark::kUnpivotNulls
                                                                          : TokenMark::kUnpivot;
    rewriter.Write(index, ",", TokenType::kComma);
    if (!parts.values.empty()) {
      WriteValues(rewriter, parts);
    } else if (is_unpivot_) {
      rewriter.Write(index, "value", TokenType::kIdentifier);
    } else {
      rewriter.Write(index, "count", TokenType::kIdentifier);
      rewriter.Write(index, "(", TokenType::kLeftParen);
      rewriter.Write(index, "*", CharacterToken('*'));
      rewriter.Write(index, ")", TokenType::kRightParen);
    }
    rewriter.Write(index, "FROM", TokenType::kFrom);
    for (size_t i = 0; i < parts.axes.size(); i++) {
      if (i != 0) rewriter.Write(index, ",", TokenType::kComma);
      WriteAxis(rewriter, index, parts.axes[i]);
    }
    if (!parts.groups.empty()) {
      rewriter.Write(parts.groups.begin, "GROUP", TokenType::kGroup);
      rewriter.Write(parts.groups.begin, "BY", TokenType::kBy);
      rewriter.Rewrite(parts.groups.begin, parts.groups.end);
    }
    rewriter.Write(parts.end - 1, ")", TokenType::kRightParen);
  }

  void OpenSelect(Rewriter& rewriter, size_t index) const {
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "SELECT", TokenType::kSelect);
  }

  void WriteValues(Rewriter& rewriter, const Parts& parts) const {
    // The names of several values may be in parentheses.
    const bool is_list = is_unpivot_ && tokens_.Is(parts.values.begin, '(') &&
                         tokens_.Partner(parts.values.begin) + 1 == parts.values.end;
    rewriter.Rewrite(parts.values.begin + is_list, parts.values.end - is_list);
  }

  void WriteAxis(Rewriter& rewriter, size_t index, const Axis& axis) const {
    const size_t begin = axis.of.empty() ? index : axis.of.begin;
    OpenSelect(rewriter, begin);
    if (axis.of.empty()) {
      rewriter.Write(index, "name", TokenType::kIdentifier);
    } else {
      rewriter.Rewrite(axis.of.begin, axis.of.end);
    }
    if (!axis.list.empty()) {
      rewriter.Write(axis.list.begin, ",", TokenType::kComma);
      if (axis.is_query) rewriter.Write(axis.list.begin, "(", TokenType::kLeftParen);
      if (axis.is_query) {
        rewriter.Rewrite(axis.list.begin, axis.list.end, axis.list.begin);
      } else {
        RewriteItems(rewriter, axis.list);
      }
      if (axis.is_query) rewriter.Write(axis.list.end, ")", TokenType::kRightParen);
    }
    rewriter.Write(axis.list.empty() ? begin : axis.list.end - 1, ")", TokenType::kRightParen);
  }

  /// Writes a list; an alias that is written as a string becomes a name.
  void RewriteItems(Rewriter& rewriter, Extent list) const {
    size_t begin = list.begin;
    for (size_t i = list.begin; i + 1 < list.end; i++) {
      if (!tokens_.Is(i, TokenType::kAs) || !tokens_.Is(i + 1, TokenType::kString)) continue;
      rewriter.Rewrite(begin, i + 1);
      rewriter.WriteName(i + 1);
      begin = i + 2;
    }
    rewriter.Rewrite(begin, list.end);
  }

  const StatementTokens& tokens_;
  const bool is_unpivot_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakePivot(const StatementTokens& tokens) {
  return std::make_unique<Pivot>(tokens, false);
}

std::unique_ptr<FormRewriter> MakeUnpivot(const StatementTokens& tokens) {
  return std::make_unique<Pivot>(tokens, true);
}

}  // namespace scaup
