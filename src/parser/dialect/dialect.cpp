// Rewrites the few statements that PostgreSQL's grammar lacks into ones it knows.
#include "parser/dialect/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "common/throw.hpp"
#include "parser/dialect/collection_syntax.hpp"
#include "parser/dialect/from_first.hpp"
#include "parser/dialect/nested_syntax.hpp"

namespace scaup {

namespace {

constexpr size_t kMostParameters = 65535;  ///< PostgreSQL's own limit

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

/// As a string literal.
std::string QuotedText(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += c;
    literal += c;
  }
  return literal + '\'';
}

class DialectStep {
 public:
  DialectStep(std::string_view sql, std::span<const Token> tokens) : sql_(sql), tokens_(tokens) {
    result_.sql = sql;
    result_.position = tokens.front().origin;
    result_.length = tokens.back().origin_end - tokens.front().origin;
  }

  StatementText Run() {
    result_.tokens.reserve(tokens_.size() + 4);
    nested_forms_ = FindNestedForms(sql_, tokens_);
    if (IsWord(0, "describe") || tokens_[0].type == TokenType::kDesc) {
      Describe();
    } else if (IsWord(0, "summarize")) {
      Summarize();
    } else if (IsWord(0, "pragma")) {
      Pragma();
    } else if (IsPlainWord(0, "export") && IsPlainWord(1, "database")) {
      ExportDatabase();
    } else if (IsPlainWord(0, "import") && IsPlainWord(1, "database")) {
      ImportDatabase();
    } else if (IsPlainWord(1, "collection") && (IsPlainWord(0, "create") || IsPlainWord(0, "drop"))) {
      Collection();
    } else if (IsPlainWord(1, "element") && IsPlainWord(2, "table") &&
               (IsPlainWord(0, "create") || IsPlainWord(0, "drop"))) {
      ElementTable();
    } else if (IsPlainWord(0, "materialize")) {
      Materialize();
    } else {
      if (IsPlainWord(0, "merge") || IsPlainWord(0, "with") || IsPlainWord(0, "explain") ||
          IsPlainWord(0, "prepare"))
        FindMergeForms(0, tokens_.size());
      Emit(0, SkipIfNotExists(), 0);
      if (result_.if_not_exists) Emit(5, tokens_.size(), 0);
    }
    return std::move(result_);
  }

 private:
  /// CREATE VIEW IF NOT EXISTS v ...: where the words begin that the grammar does not get; else the end.
  size_t SkipIfNotExists() {
    if (!IsPlainWord(0, "create") || !IsPlainWord(1, "view") || !IsPlainWord(2, "if") ||
        !IsPlainWord(3, "not") || !Is(4, TokenType::kExists))
      return tokens_.size();
    result_.if_not_exists = true;
    return 2;
  }

  std::string_view TextOf(const Token& token) const {
    return sql_.substr(token.origin, token.origin_end - token.origin);
  }
  bool IsWord(size_t index, std::string_view lower) const {
    return index < tokens_.size() && tokens_[index].type == TokenType::kIdentifier &&
           EqualsIgnoringCase(TextOf(tokens_[index]), lower);
  }
  /// As IsWord, but whether the word is a keyword of PostgreSQL's or not.
  bool IsPlainWord(size_t index, std::string_view lower) const {
    return index < tokens_.size() && EqualsIgnoringCase(TextOf(tokens_[index]), lower);
  }
  bool Is(size_t index, TokenType type) const {
    return index < tokens_.size() && tokens_[index].type == type;
  }
  const FromFirstFinder& finder() {
    if (!finder_) finder_.emplace(tokens_);
    return *finder_;
  }

  [[noreturn]] void SyntaxError(size_t index) const {
    if (index >= tokens_.size()) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "syntax error at end of input",
                 tokens_.back().origin_end);
    }
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               fmt::format("syntax error at or near \"{}\"", TextOf(tokens_[index])), tokens_[index].origin);
  }

  // --- Output
  // ------------------------------------------------------------------------------------------------------

  /// Appends text that stands for what the user wrote at `origin`.
  Token& Append(std::string_view text, TokenType type, size_t origin, size_t origin_end) {
    if (!result_.text.empty()) result_.text += ' ';
    Token& token = result_.tokens.emplace_back();
    token.start = static_cast<uint32_t>(result_.text.size());
    result_.text += text;
    token.end = static_cast<uint32_t>(result_.text.size());
    token.origin = static_cast<uint32_t>(origin);
    token.origin_end = static_cast<uint32_t>(origin_end);
    token.type = type;
    return token;
  }

  Token& AppendFor(const Token& origin, std::string_view text, TokenType type) {
    return Append(text, type, origin.origin, origin.origin_end);
  }

  /// Copies a token with the space or comment that stood before it, so that what was apart stays apart.
  void Copy(size_t index) {
    const Token& token = tokens_[index];
    if (index > 0 && !result_.tokens.empty() && last_copied_ == index - 1) {
      const size_t gap_begin = tokens_[index - 1].origin_end;
      result_.text.append(sql_.substr(gap_begin, token.origin - gap_begin));
    } else if (!result_.text.empty()) {
      result_.text += ' ';
    }
    Token& copy = result_.tokens.emplace_back(token);
    copy.start = static_cast<uint32_t>(result_.text.size());
    result_.text += TextOf(token);
    copy.end = static_cast<uint32_t>(result_.text.size());
    last_copied_ = index;
  }

  void Emit(size_t begin, size_t end, size_t query_begin) {
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].type == TokenType::kFrom && finder().BeginsQuery(i, query_begin)) {
        i = EmitFromFirst(i) - 1;
      } else if (const auto form = merge_forms_.find(i); form != merge_forms_.end()) {
        i = EmitMergeForm(i, form->second) - 1;
      } else if (const auto nested = nested_forms_.find(i); nested != nested_forms_.end()) {
        EmitNestedForm(i, nested->second);
      } else if (IsPlainWord(i, "object") && IsObject(i + 1)) {
        i = EmitObjects(i) - 1;
      } else if (const size_t path_end = PathEndBehindAny(sql_, tokens_, i); path_end > 0) {
        i = EmitAnyOfPath(i, path_end) - 1;
      } else {
        EmitToken(i);
      }
    }
  }

  /// FROM t SELECT a ... becomes SELECT a FROM t ...; without SELECT, all columns.
  size_t EmitFromFirst(size_t index) {
    const FromFirst extent = finder().Extent(index);
    if (extent.select_end == extent.from_end) {
      AppendFor(tokens_[index], "SELECT", TokenType::kSelect);
      AppendFor(tokens_[index], "*", CharacterToken('*'));
    } else {
      Emit(extent.from_end, extent.select_end, tokens_.size());
    }
    Copy(index);
    Emit(index + 1, extent.from_end, tokens_.size());
    return extent.select_end;
  }

  /// CREATE INDEX ON collection USING text (*).
  bool IsWholeDocument(size_t index) const {
    return tokens_[index].Is('*') && index > 3 && IsPlainWord(0, "create") &&
           IsPlainWord(index - 3, "using") && IsPlainWord(index - 2, "text") &&
           Is(index - 1, CharacterToken('(')) && Is(index + 1, CharacterToken(')'));
  }

  void EmitToken(size_t index) {
    const Token& token = tokens_[index];
    if (IsWholeDocument(index)) {
      AppendFor(token, "\"*\"", TokenType::kIdentifier);
      return;
    }
    switch (token.type) {
      case TokenType::kParameter: TakeNumberedParameter(index); break;
      case TokenType::kOperator:
        if (TextOf(token).find('?') != std::string_view::npos && !IsJsonOperator(index))
          return EmitQuestionMarks(token);
        break;
      case TokenType::kIdentifier:
        if (Is(index + 1, CharacterToken('(')) && IsWord(index, "try_cast") &&
            (index == 0 || !tokens_[index - 1].Is('.'))) {
          AppendFor(token, "CAST", TokenType::kIdentifier).is_try = true;
          return;
        }
        break;
      default: break;
    }
    Copy(index);
  }

  // --- Lists and structs
  // -------------------------------------------------------------------------------------------

  void EmitNestedForm(size_t index, NestedForm form) {
    const Token& token = tokens_[index];
    switch (form) {
      case NestedForm::kFieldName:
        EmitName(index);
        AppendFor(token, "::", TokenType::kTypeCast);
        return;
      case NestedForm::kListOpen:
        AppendFor(token, "ARRAY", TokenType::kIdentifier);
        Copy(index);
        return;
      case NestedForm::kStructOpen:
        AppendFor(token, "struct_pack", TokenType::kIdentifier);
        AppendFor(token, "(", TokenType::kLeftParen);
        return;
      case NestedForm::kKey: EmitName(index); return;
      case NestedForm::kColon: AppendFor(token, ":=", TokenType::kColonEquals); return;
      case NestedForm::kStructClose: AppendFor(token, ")", TokenType::kRightParen); return;
    }
  }

  /// A name that may be a keyword or a plain string, as a quoted one.
  void EmitName(size_t index) {
    const Token& token = tokens_[index];
    std::string_view text = TextOf(token);
    if (text[0] == '"') return Copy(index);
    const bool is_string = text[0] == '\'';
    if (is_string) text = text.substr(1, text.size() - 2);
    std::string name = "\"";
    for (size_t i = 0; i < text.size(); i++) {
      char c = text[i];
      if (is_string && c == '\'') i++;  // Quotes in strings are doubled.
      if (!is_string && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c == '"') name += '"';
      name += c;
    }
    AppendFor(token, name + "\"", TokenType::kIdentifier);
  }

  // --- MERGE
  // -------------------------------------------------------------------------------------------------------

  enum class MergeForm : uint8_t { kByTarget, kBySource, kReturning };

  struct FoundForm {
    MergeForm form;
    size_t end;  ///< of the statement
  };

  /// What PostgreSQL 17's MERGE has beyond 15's, by the index of its first token: of the statement between
  /// these tokens, and of those in its WITH.
  void FindMergeForms(size_t begin, size_t end) {
    bool is_merge = false;
    for (size_t i = begin; i < end; ++i) {
      if (Is(i, TokenType::kLeftParen)) {
        const size_t close = std::min(finder().Match(i), end - 1);
        const bool is_in_with =
            i > begin && (Is(i - 1, TokenType::kAs) || IsPlainWord(i - 1, "materialized"));
        if (is_in_with) FindMergeForms(i + 1, close);
        i = close;
      }
      is_merge = is_merge || (IsPlainWord(i, "merge") && Is(i + 1, TokenType::kInto));
      if (!is_merge) continue;
      if (Is(i, TokenType::kWhen) && Is(i + 1, TokenType::kNot) && IsPlainWord(i + 2, "matched") &&
          Is(i + 3, TokenType::kBy)) {
        if (IsPlainWord(i + 4, "source")) merge_forms_[i] = {MergeForm::kBySource, end};
        if (IsPlainWord(i + 4, "target")) merge_forms_[i] = {MergeForm::kByTarget, end};
      } else if (Is(i, TokenType::kReturning)) {
        merge_forms_[i] = {MergeForm::kReturning, end};
        // What follows goes between brackets.
        for (size_t j = i + 1; j < end; ++j) {
          if (Is(j, TokenType::kLeftParen))
            j = std::min(finder().Match(j), end - 1);
          else if (Is(j, TokenType::kRightParen))
            SyntaxError(j);
        }
        return;
      }
    }
  }

  /// Returns the index of the token behind.
  size_t EmitMergeForm(size_t index, const FoundForm& found) {
    const Token& token = tokens_[index];
    switch (found.form) {
      case MergeForm::kByTarget:
        for (size_t i = index; i < index + 3; ++i) Copy(i);
        return index + 5;
      case MergeForm::kBySource:
        AppendFor(token, "WHEN", TokenType::kWhen).is_by_source = true;
        Copy(index + 2);
        return index + 5;
      case MergeForm::kReturning: break;
    }
    // The list becomes that of a query in a clause, which the transformation takes away again.
    if (index + 1 == found.end) SyntaxError(index + 1);
    AppendFor(token, "WHEN", TokenType::kWhen).is_returning = true;
    AppendFor(token, "NOT", TokenType::kNot);
    AppendFor(token, "MATCHED", TokenType::kIdentifier);
    AppendFor(token, "AND", TokenType::kAnd);
    AppendFor(token, "EXISTS", TokenType::kExists);
    AppendFor(token, "(", TokenType::kLeftParen);
    AppendFor(token, "SELECT", TokenType::kSelect);
    Emit(index + 1, found.end, found.end);
    const Token& last = tokens_[found.end - 1];
    AppendFor(last, ")", TokenType::kRightParen);
    AppendFor(last, "THEN", TokenType::kThen);
    AppendFor(last, "DO", TokenType::kIdentifier);
    AppendFor(last, "NOTHING", TokenType::kIdentifier);
    return found.end;
  }

  // --- Collections
  // -------------------------------------------------------------------------------------------------

  /// CREATE COLLECTION [IF NOT EXISTS] c is CREATE TABLE ... c (), DROP COLLECTION ... is DROP TABLE ...
  void Collection() {
    result_.is_collection = true;
    const bool is_create = IsPlainWord(0, "create");
    size_t name = 2;
    if (IsPlainWord(2, "if") && IsPlainWord(3, "not") && Is(4, TokenType::kExists)) name = 5;
    const size_t end = NameEnd(tokens_, name);
    if (is_create && end != tokens_.size()) SyntaxError(end);
    Copy(0);
    AppendFor(tokens_[1], "TABLE", TokenType::kTable);
    Emit(2, tokens_.size(), tokens_.size());
    if (!is_create) return;
    AppendFor(tokens_.back(), "(", TokenType::kLeftParen);
    AppendFor(tokens_.back(), ")", TokenType::kRightParen);
  }

  /// CREATE ELEMENT TABLE name ON c (path) is CREATE INDEX ..., DROP ELEMENT TABLE ... is DROP TABLE ...
  void ElementTable() {
    result_.is_element_table = true;
    const bool is_create = IsPlainWord(0, "create");
    const size_t name = is_create && IsPlainWord(3, "if") ? 6 : 3;
    if (is_create && !IsPlainWord(name + 1, "on")) SyntaxError(name + 1);
    const size_t end = is_create ? NameEnd(tokens_, name + 2) : 0;
    if (is_create && !Is(end, CharacterToken('('))) SyntaxError(end);
    Copy(0);
    AppendFor(tokens_[1], is_create ? "INDEX" : "TABLE", TokenType::kIdentifier);
    Emit(3, tokens_.size(), tokens_.size());
  }

  /// MATERIALIZE [c, ...] is VACUUM (materialize) [c, ...].
  void Materialize() {
    AppendFor(tokens_[0], "VACUUM", TokenType::kIdentifier);
    AppendFor(tokens_[0], "(", TokenType::kLeftParen);
    AppendFor(tokens_[0], "materialize", TokenType::kIdentifier);
    AppendFor(tokens_[0], ")", TokenType::kRightParen);
    Emit(1, tokens_.size(), tokens_.size());
  }

  /// A token that MaskObjects has made of an object.
  bool IsObject(size_t index) const {
    return Is(index, TokenType::kString) && TextOf(tokens_[index]).front() == '{';
  }

  /// OBJECT {...}, {...} becomes VALUES ('{...}'::json), ('{...}'::json). Returns the index of the token
  /// behind.
  size_t EmitObjects(size_t index) {
    const bool is_in_merge =
        index > 1 && Is(index - 1, TokenType::kInsert) && Is(index - 2, TokenType::kThen);
    if (!is_in_merge && !FollowsInsertInto(tokens_, index)) SyntaxError(index);
    AppendFor(tokens_[index], "VALUES", TokenType::kValues).is_object = true;
    for (size_t i = index + 1;; i += 2) {
      const Token& token = tokens_[i];
      const std::string_view object = TextOf(token);
      if (object.back() != '}') SyntaxError(i);  // The scanner has joined it with a string in the next line.
      AppendFor(token, "(", TokenType::kLeftParen);
      AppendFor(token, QuotedText(object), TokenType::kString);
      AppendFor(token, "::", TokenType::kTypeCast);
      AppendFor(token, "json", TokenType::kIdentifier);
      AppendFor(token, ")", TokenType::kRightParen);
      if (!Is(i + 1, CharacterToken(',')) || !IsObject(i + 2)) return i + 1;
      Copy(i + 1);
    }
  }

  /// ANY path becomes ANY (path).
  size_t EmitAnyOfPath(size_t index, size_t path_end) {
    Copy(index);
    AppendFor(tokens_[index + 1], "(", TokenType::kLeftParen);
    Emit(index + 1, path_end, tokens_.size());
    AppendFor(tokens_[path_end - 1], ")", TokenType::kRightParen);
    return path_end;
  }

  // --- Parameters
  // --------------------------------------------------------------------------------------------------

  void RefuseMixedParameters(size_t position) const {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "a statement takes its parameters either as ? or as $1, $2, ..., not both", position);
  }
  void CheckParameterCount(size_t number, size_t position) const {
    if (number <= kMostParameters) return;
    ThrowError(ErrorKind::kSyntax, sqlstate::kProgramLimitExceeded,
               fmt::format("a statement can have at most {} parameters", kMostParameters), position);
  }

  void TakeNumberedParameter(size_t index) {
    const Token& token = tokens_[index];
    if (has_question_marks_) RefuseMixedParameters(token.origin);
    has_numbered_ = true;
    size_t number = 0;
    for (const char digit : TextOf(token).substr(1)) {
      number = std::min<size_t>(number * 10 + static_cast<size_t>(digit - '0'), kMostParameters + 1);
    }
    if (number == 0) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kUndefinedParameter,
                 "there is no parameter $0: they begin with $1", token.origin);
    }
    CheckParameterCount(number, token.origin);
    result_.parameter_count = std::max(result_.parameter_count, number);
  }

  /// ?, ?| and ?& of JSONB rather than a parameter: between two operands, where no parameter could stand.
  bool IsJsonOperator(size_t index) const {
    const std::string_view text = TextOf(tokens_[index]);
    if ((text != "?" && text != "?|" && text != "?&") || index == 0) return false;
    return EndsOperand(index - 1) && BeginsOperand(index + 1);
  }

  bool EndsOperand(size_t index) const {
    const Token& token = tokens_[index];
    if (token.Is(')')) return !IsDistinctOn(index);
    return token.Is(']') || token.type == TokenType::kString || token.type == TokenType::kIdentifier ||
           token.type == TokenType::kParameter || (token.is_keyword && IsColumnWord(TextOf(token)));
  }

  /// Keywords that are not reserved, that nothing can follow as an operand, and that columns are called.
  static bool IsColumnWord(std::string_view word) {
    static constexpr std::string_view kWords[] = {"attribute", "comment", "content", "data", "document",
                                                  "header",    "key",     "label",   "name", "object",
                                                  "options",   "text",    "type",    "value"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [word](std::string_view lower) { return EqualsIgnoringCase(word, lower); });
  }

  bool BeginsOperand(size_t index) const {
    if (index >= tokens_.size()) return false;
    const Token& token = tokens_[index];
    return token.Is('(') || token.type == TokenType::kString || token.type == TokenType::kIdentifier ||
           token.type == TokenType::kParameter || TextOf(token) == "?";
  }

  /// The parenthesis that ends DISTINCT ON (...), after which an expression begins.
  bool IsDistinctOn(size_t close) const {
    size_t depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (tokens_[i].Is(')')) depth++;
      if (tokens_[i].Is('(') && --depth == 0) return i > 0 && IsWord(i - 1, "on");
    }
    return false;
  }

  /// The scanner takes ? for a part of operators: "=?" is one token. Cuts it into operators and parameters.
  void EmitQuestionMarks(const Token& token) {
    const std::string_view text = TextOf(token);
    for (size_t i = 0; i < text.size();) {
      const size_t origin = token.origin + i;
      if (text[i] == '?') {
        if (has_numbered_) RefuseMixedParameters(origin);
        has_question_marks_ = true;
        CheckParameterCount(++result_.parameter_count, origin);
        Append(fmt::format("${}", result_.parameter_count), TokenType::kParameter, origin, origin + 1);
        ++i;
      } else {
        const size_t end = std::min(text.find('?', i), text.size());
        Append(text.substr(i, end - i), TokenType::kOperator, origin, token.origin + end);
        i = end;
      }
    }
  }

  // --- EXPORT and IMPORT
  // -------------------------------------------------------------------------------------------

  void ExportDatabase() {
    result_.form = StatementForm::kExportDatabase;
    if (!Is(2, TokenType::kString)) SyntaxError(2);
    if (tokens_.size() > 3) {
      if (!Is(3, CharacterToken('('))) SyntaxError(3);
      const size_t close = finder().Match(3);
      if (close + 1 < tokens_.size()) SyntaxError(close + 1);
    }
    AppendFor(tokens_[0], "COPY", TokenType::kIdentifier);
    Copy(1);
    AppendFor(tokens_[1], "TO", TokenType::kIdentifier);
    Emit(2, tokens_.size(), tokens_.size());
  }

  void ImportDatabase() {
    result_.form = StatementForm::kImportDatabase;
    if (!Is(2, TokenType::kString)) SyntaxError(2);
    if (tokens_.size() > 3) SyntaxError(3);
    AppendFor(tokens_[0], "COPY", TokenType::kIdentifier);
    Copy(1);
    AppendFor(tokens_[1], "FROM", TokenType::kFrom);
    Copy(2);
  }

  // --- DESCRIBE, SUMMARIZE and PRAGMA
  // -----------------------------------------------------------------------------------------

  void Describe() {
    result_.form = StatementForm::kDescribe;
    if (tokens_.size() == 1) SyntaxError(1);
    switch (tokens_[1].type) {
      case TokenType::kSelect:
      case TokenType::kWith:
      case TokenType::kValues:
      case TokenType::kFrom:
      case TokenType::kTable:
      case TokenType::kLeftParen: Emit(1, tokens_.size(), 1); return;
      default: break;
    }
    // A name with dots, perhaps a table function's call.
    size_t i = 2;
    while (Is(i, CharacterToken('.')) && i + 1 < tokens_.size()) i += 2;
    if (Is(i, CharacterToken('(')) && finder().Match(i) < tokens_.size()) i = finder().Match(i) + 1;
    if (i < tokens_.size()) SyntaxError(i);
    AppendFor(tokens_[0], "SELECT", TokenType::kSelect);
    AppendFor(tokens_[0], "*", CharacterToken('*'));
    AppendFor(tokens_[0], "FROM", TokenType::kFrom);
    Emit(1, tokens_.size(), tokens_.size());
  }

  /// SUMMARIZE t is PRAGMA summarize('FROM t'), and of a query the same with its text.
  void Summarize() {
    result_.form = StatementForm::kPragmaFunction;
    if (tokens_.size() == 1) SyntaxError(1);
    std::string query;
    switch (tokens_[1].type) {
      case TokenType::kSelect:
      case TokenType::kWith:
      case TokenType::kValues:
      case TokenType::kFrom:
      case TokenType::kTable:
      case TokenType::kLeftParen: break;
      default: query = "FROM ";
    }
    query += sql_.substr(tokens_[1].origin, tokens_.back().origin_end - tokens_[1].origin);
    AppendFor(tokens_[0], "SELECT", TokenType::kSelect);
    AppendFor(tokens_[0], "summarize", TokenType::kIdentifier);
    AppendFor(tokens_[0], "(", TokenType::kLeftParen);
    Append(QuotedText(query), TokenType::kString, tokens_[1].origin, tokens_.back().origin_end);
    AppendFor(tokens_.back(), ")", TokenType::kRightParen);
  }

  void Pragma() {
    if (tokens_.size() == 1) SyntaxError(1);
    result_.form = StatementForm::kPragmaSetting;
    if (Is(2, CharacterToken('('))) {
      const size_t close = finder().Match(2);
      if (close + 1 < tokens_.size()) SyntaxError(close + 1);
      result_.form = StatementForm::kPragmaFunction;
      AppendFor(tokens_[0], "SELECT", TokenType::kSelect);
    } else {
      size_t i = 2;
      while (Is(i, CharacterToken('.'))) i += 2;
      AppendFor(tokens_[0], Is(i, CharacterToken('=')) ? "SET" : "SHOW", TokenType::kSet);
    }
    Emit(1, tokens_.size(), tokens_.size());
  }

  std::string_view sql_;
  std::span<const Token> tokens_;
  StatementText result_;
  std::optional<FromFirstFinder> finder_;
  std::map<size_t, FoundForm> merge_forms_;
  std::map<size_t, NestedForm> nested_forms_;
  size_t last_copied_ = 0;
  bool has_question_marks_ = false;
  bool has_numbered_ = false;
};

}  // namespace

StatementText ApplyDialect(std::string_view sql, std::span<const Token> tokens) {
  return DialectStep(sql, tokens).Run();
}

}  // namespace scaup
