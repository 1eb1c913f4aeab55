// Writes queries and expressions of SQLite as the engine's SQL.
#include "writer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "error.hpp"
#include "query_shape.hpp"

namespace scaup::sqlite {

using Clause = QueryLevel::Clause;

namespace {

void Append(std::string& out, std::string_view text) {
  if (!out.empty() && out.back() != ' ' && out.back() != '(') out.push_back(' ');
  out += text;
}

[[noreturn]] void Throw(const std::string& message) { throw SqliteError(SQLITE_ERROR, message); }

bool IsArithmetic(const Token& token) {
  static constexpr std::string_view kOperators[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "~"};
  return token.kind == TokenKind::kOperator &&
         std::any_of(std::begin(kOperators), std::end(kOperators),
                     [&](std::string_view text) { return token.text == text; });
}

bool IsWindowWord(const Token& token) {
  static constexpr std::string_view kWords[] = {"PARTITION", "ROWS",      "RANGE",   "GROUPS", "UNBOUNDED",
                                                "PRECEDING", "FOLLOWING", "CURRENT", "ROW",    "EXCLUDE",
                                                "NO",        "OTHERS",    "TIES"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return token.Is(word); });
}

/// Returns whether the word ends a condition, or a part of it.
bool EndsCondition(const Token& token) {
  static constexpr std::string_view kWords[] = {"AND",   "OR",     "GROUP",     "ORDER", "LIMIT",
                                                "UNION", "EXCEPT", "INTERSECT", "HAVING"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return token.Is(word); });
}

const Source* FindSource(const QueryLevel& level, const std::string& alias) {
  for (const QueryLevel* at = &level; at != nullptr; at = at->parent) {
    for (const Source& source : at->sources) {
      if (source.alias == alias) return &source;
    }
  }
  return nullptr;
}

}  // namespace

SqlWriter::SqlWriter(const Tokens& tokens, TranslationState& state)
    : tokens_(tokens), state_(state), common_tables_(CommonTables(tokens)) {}

std::string SqlWriter::WriteQuery(size_t begin, size_t end) { return WriteOver(begin, end, {}); }

std::string SqlWriter::WriteOver(size_t begin, size_t end, const std::vector<Source>& sources) {
  QueryLevel level;
  level.sources = sources;
  level.begin = begin;
  level.end = end;
  std::string out;
  WriteLevel(level, out);
  return out;
}

std::string SqlWriter::WriteReturning(size_t begin, size_t end, const SchemaTable& table) {
  std::string out;
  for (const Tokens& item : SplitAtCommas(tokens_, begin, end)) {
    if (item.empty()) ThrowSyntaxError(tokens_, end);
    if (item.size() == 1 && item[0].IsOperator("*")) {
      for (const SchemaColumn& column : table.columns)
        out += (out.empty() ? "" : ", ") + QuoteName(column.name);
    } else {
      const auto first = static_cast<size_t>(
          std::find_if(tokens_.begin(), tokens_.end(),
                       [&](const Token& token) { return token.position == item[0].position; }) -
          tokens_.begin());
      QueryLevel level;
      level.sources = {{table.name, &table}};
      level.clause = Clause::kList;
      level.begin = first;
      level.end = first + item.size();
      std::string text;
      WriteLevel(level, text);
      out += (out.empty() ? "" : ", ") + text;
    }
  }
  return out;
}

std::string SqlWriter::WriteNested(size_t begin, size_t end, const QueryLevel& parent, bool is_window) {
  QueryLevel level;
  level.parent = &parent;
  level.is_window = is_window;
  level.is_values = parent.is_values && begin > 0 && (tokens_[begin - 1].IsOperator("("));
  level.begin = begin;
  level.end = end;
  std::string out;
  if (++depth_ > static_cast<size_t>(state_.limits[SQLITE_LIMIT_EXPR_DEPTH]))
    Throw("Expression tree is too large (maximum depth " +
          std::to_string(state_.limits[SQLITE_LIMIT_EXPR_DEPTH]) + ")");
  WriteLevel(level, out);
  depth_--;
  return out;
}

std::string SqlWriter::WriteAny(size_t begin, size_t end, const QueryLevel& level) {
  if (end == begin + 1 && tokens_[begin].kind == TokenKind::kParameter)
    state_.exact_parameters.insert(
        state_.parameters.Add(tokens_[begin], state_.limits[SQLITE_LIMIT_VARIABLE_NUMBER]));
  // Values of any kind are taken as they are.
  const DynamicUse use = std::exchange(state_.dynamic_use, DynamicUse::kAsIs);
  // A text that stands alone would pass for whatever the engine likes best.
  const bool is_text = end == begin + 1 && tokens_[begin].kind == TokenKind::kString;
  std::string text = "\"sqlite_any\"(" + WriteNested(begin, end, level) + (is_text ? "::varchar)" : ")");
  // Whole numbers in a NUMERIC column are integers, also where the engine stores real numbers.
  const bool is_qualified = end == begin + 3 && tokens_[begin + 1].IsOperator(".");
  if ((end == begin + 1 || is_qualified) && tokens_[end - 1].IsName()) {
    const FoundColumn found =
        FindColumnName(level, is_qualified ? tokens_[begin].Name() : "", tokens_[end - 1].Name());
    if (found.column != nullptr && found.column->affinity == Affinity::kNumeric &&
        found.column->storage == Storage::kReal)
      text = "\"sqlite_any\"(\"sqlite_numeric\"(" + text + "))";
  }
  state_.dynamic_use = use;
  return text;
}

std::string SqlWriter::Unwrap(const std::string& text, size_t begin, size_t end, const QueryLevel& level) {
  if (IsBareItem(tokens_, begin, end, level)) return text;
  state_.has_dynamic = true;
  switch (state_.dynamic_use) {
    case DynamicUse::kAsIs: return text;
    case DynamicUse::kInteger: return "\"sqlite_integer\"(" + text + ")";
    case DynamicUse::kReal: return "\"sqlite_real\"(" + text + ")";
    case DynamicUse::kText: return "\"sqlite_text\"(" + text + ")";
    case DynamicUse::kBlob: return "\"sqlite_blob\"(" + text + ")";
    case DynamicUse::kBoolean: return "\"sqlite_boolean\"(" + text + ")";
  }
  return text;
}

void SqlWriter::WriteLevel(QueryLevel& level, std::string& out) {
  for (size_t at = level.begin; at < level.end;) {
    at = WriteToken(at, level, out);
    // SQLite names a column without a name by its text.
    const auto alias = level.aliases.find(at);
    if (alias != level.aliases.end()) out += " AS " + QuoteName(alias->second);
  }
}

size_t SqlWriter::WriteToken(size_t at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  const auto write_operand = [&](const std::string& text) {
    Append(out, "");
    level.operand = out.size();
    out += text;
    return at + 1;
  };
  switch (token.kind) {
    case TokenKind::kIllegal: ThrowSyntaxError(tokens_, at);
    case TokenKind::kString:
      if (level.expects_table) return WriteTable(at, level, out);
      Append(out, "");
      level.operand = out.size();
      if (WriteCompared(tokens_, at, level, out)) return at + 1;
      if (at > level.begin && tokens_[at - 1].Is("AS")) return write_operand(QuoteName(token.Name()));
      // Beside a value of any kind it must not pass for a number.
      return write_operand(QuoteText(token.Unquoted()) +
                           (state_.dynamic_use == DynamicUse::kAsIs ? "" : "::varchar"));
    case TokenKind::kBlob: {
      const std::string_view digits = token.text.substr(2, token.text.size() - 3);
      return write_operand("('\\x" + std::string(digits) + "'::bytea)");
    }
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      Append(out, "");
      level.operand = out.size();
      return WriteCompared(tokens_, at, level, out) ? at + 1 : WriteNumber(at, level, out);
    case TokenKind::kParameter: {
      const size_t number = state_.parameters.Add(token, state_.limits[SQLITE_LIMIT_VARIABLE_NUMBER]);
      return write_operand("$" + std::to_string(number));
    }
    case TokenKind::kOperator: return WriteOperator(at, level, out);
    case TokenKind::kQuoted:
      return level.expects_table ? WriteTable(at, level, out) : WriteName(at, level, out);
    case TokenKind::kWord: return WriteWord(at, level, out);
  }
  return at + 1;
}

size_t SqlWriter::WriteNumber(size_t at, const QueryLevel& level, std::string& out) const {
  const Token& token = tokens_[at];
  if (token.kind == TokenKind::kFloat) {
    if (NumberOfText(token.text).AsReal() > 1.7976931348623157e308) {
      out += "'Infinity'::double precision";
      return at + 1;
    }
    out += "('" + std::string(token.text) + "'::double precision)";
    return at + 1;
  }
  std::string digits(token.text);
  if (digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X')) {
    uint64_t bits = 0;
    const auto [end, error] = std::from_chars(digits.data() + 2, digits.data() + digits.size(), bits, 16);
    if (error != std::errc()) Throw("hex literal too big: " + digits);
    digits = std::to_string(static_cast<int64_t>(bits));
    if (digits[0] == '-') {
      out += "(" + digits + ")";
      return at + 1;
    }
  }
  if (NumberOfText(digits).is_real() &&
      !(at > 0 && tokens_[at - 1].IsOperator("-") && digits == "9223372036854775808")) {
    out += "('" + digits + "'::double precision)";
    return at + 1;
  }
  if (digits == "9223372036854775808") {
    out += digits;
    return at + 1;
  }
  // SQLite counts in 64 bits; the position of a column, as in ORDER BY 1, stays as it is.
  const bool is_operand = (at > level.begin && IsArithmetic(tokens_[at - 1])) ||
                          (at + 1 < level.end && IsArithmetic(tokens_[at + 1]));
  out += is_operand || level.clause == Clause::kList || level.is_values ? digits + "::bigint" : digits;
  return at + 1;
}

size_t SqlWriter::WriteOperator(size_t at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  if (token.IsOperator("(")) {
    const size_t end = SkipParentheses(tokens_, at);
    if (end > level.end) ThrowSyntaxError(tokens_, level.end);
    const bool is_window =
        at > level.begin && (tokens_[at - 1].Is("OVER") || level.is_window || tokens_[at - 1].Is("AS"));
    Append(out, "");
    level.operand = out.size();
    out += "(";
    if (level.expects_table && !IsAt(tokens_, at + 1, end, "SELECT") &&
        !IsAt(tokens_, at + 1, end, "VALUES") && !IsAt(tokens_, at + 1, end, "WITH")) {
      // Joins in parentheses.
      QueryLevel joins;
      joins.parent = &level;
      joins.clause = Clause::kFrom;
      joins.expects_table = true;
      joins.begin = at + 1;
      joins.end = end - 1;
      WriteLevel(joins, out);
    } else {
      out += WriteNested(at + 1, end - 1, level, is_window);
    }
    out += ")";
    level.expects_table = false;
    return end;
  }
  if (token.IsOperator(")")) ThrowSyntaxError(tokens_, at);
  if (token.IsOperator("*") && level.clause == Clause::kList &&
      (tokens_[at - 1].IsOperator(",") || tokens_[at - 1].Is("SELECT") || tokens_[at - 1].Is("DISTINCT") ||
       tokens_[at - 1].Is("ALL")))
    return WriteStar(at, level, out);
  if (token.IsOperator("||") && at > level.begin) return WriteConcatenation(at, level, out);
  if (token.IsOperator("%")) CheckModulus(tokens_, at, level);
  if (token.IsOperator(",") && level.clause == Clause::kFrom) level.expects_table = true;
  if (token.IsOperator("->") || token.IsOperator("->>"))
    Throw("operator " + std::string(token.text) + " is not supported");
  Append(out, token.IsOperator("==") ? "=" : token.text);
  return at + 1;
}

size_t SqlWriter::WriteConcatenation(size_t at, QueryLevel& level, std::string& out) {
  const size_t end = PrimaryEnd(tokens_, at + 1, level.end);
  std::string left = out.substr(level.operand);
  std::string right;
  const auto is_text = [&](size_t begin, size_t last) {
    const bool is_single = last == begin + 1 || (last == begin + 3 && tokens_[begin + 1].IsOperator("."));
    return is_single && IsTextOperand(tokens_, last - 1, level);
  };
  const bool right_is_text = is_text(at + 1, end);
  // Output of this function begins with two parentheses: it is a text.
  const bool left_is_text = left.rfind("((", 0) == 0 || IsTextOperand(tokens_, at - 1, level);
  if (state_.is_stored || right_is_text) {
    right = WriteNested(at + 1, end, level);
  } else {
    right = "\"sqlite_cast_text\"(" + WriteAny(at + 1, end, level) + ")";
  }
  if (!state_.is_stored && !left_is_text) {
    if (tokens_[at - 1].kind == TokenKind::kParameter)
      state_.exact_parameters.insert(
          state_.parameters.Add(tokens_[at - 1], state_.limits[SQLITE_LIMIT_VARIABLE_NUMBER]));
    left = "\"sqlite_cast_text\"(\"sqlite_any\"(" + left + "))";
  }
  out.resize(level.operand);
  // It binds more closely in SQLite than in the engine.
  out += "((" + left + ") || " + right + ")";
  return end;
}

size_t SqlWriter::WriteStar(size_t at, const QueryLevel& level, std::string& out) {
  bool has_hidden = false;
  for (const Source& source : level.sources) {
    if (source.table == nullptr) continue;
    has_hidden = has_hidden || source.table->has_hidden_rowid;
    for (const SchemaColumn& column : source.table->columns)
      state_.reads.insert({source.table->shown_name, column.shown_name});
  }
  Append(out, has_hidden ? "* EXCLUDE (rowid)" : "*");
  return at + 1;
}

size_t SqlWriter::WriteWord(size_t at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  const bool is_qualified = at > level.begin && tokens_[at - 1].IsOperator(".");
  const bool qualifies = at + 1 < level.end && tokens_[at + 1].IsOperator(".");
  if (!is_qualified && !qualifies) {
    if (level.expects_table && !IsReserved(token)) return WriteTable(at, level, out);
    if (WriteClauseWord(at, level, out) || WriteExpressionWord(at, level, out)) return at;
    if (IsReserved(token)) {
      Append(out, ToUpper(token.text));
      return at + 1;
    }
    const bool is_call = at + 1 < level.end && tokens_[at + 1].IsOperator("(");
    const bool defines = at > level.begin && (tokens_[at - 1].Is("WITH") || tokens_[at - 1].Is("RECURSIVE"));
    if (is_call && !defines && !common_tables_.contains(token.Name()))
      return WriteCall(*this, at, level, out);
  } else if (level.expects_table) {
    return WriteTable(at, level, out);
  }
  return WriteName(at, level, out);
}

bool SqlWriter::WriteClauseWord(size_t& at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  if (token.Is("SELECT")) {
    level.sources = SourcesOfQuery(tokens_, at, level.end, *state_.schema, common_tables_);
    level.clause = Clause::kList;
    if (level.parent != nullptr || state_.is_stored)
      level.aliases = MissingAliases(tokens_, at + 1, level.end);
  } else if (token.Is("FROM") && !(at > level.begin && tokens_[at - 1].Is("DISTINCT"))) {
    level.clause = Clause::kFrom;
    level.expects_table = true;
  } else if (token.Is("JOIN")) {
    level.expects_table = true;
  } else if (token.Is("NATURAL")) {
    const auto hidden = std::count_if(level.sources.begin(), level.sources.end(), [](const Source& source) {
      return source.table != nullptr && source.table->has_hidden_rowid;
    });
    if (hidden > 1)
      Throw(
          "NATURAL JOIN is not supported for tables without INTEGER PRIMARY KEY; name the columns with "
          "USING");
  } else if (token.Is("WHERE") || token.Is("HAVING")) {
    level.clause = Clause::kCondition;
    // A number alone is true unless it is 0.
    const bool is_number = at + 1 < level.end && tokens_[at + 1].kind == TokenKind::kInteger;
    if (is_number && (at + 2 == level.end || EndsCondition(tokens_[at + 2]))) {
      Append(out, ToUpper(token.text) +
                      (NumberOfText(tokens_[at + 1].text).AsInteger() != 0 ? " TRUE" : " FALSE"));
      at += 2;
      return true;
    }
  } else if (token.Is("ORDER") || token.Is("GROUP")) {
    level.clause = Clause::kOrder;
  } else if (token.Is("LIMIT")) {
    at = WriteLimit(at, level, out);
    return true;
  } else if (token.Is("VALUES")) {
    level.is_values = true;
  } else if (token.Is("UNION") || token.Is("INTERSECT") || token.Is("EXCEPT")) {
    level.clause = Clause::kNone;
  } else if (token.Is("INDEXED")) {
    // INDEXED BY i is a hint for SQLite's planner.
    at += IsAt(tokens_, at + 1, level.end, "BY") ? 3 : 1;
    return true;
  } else if (token.Is("RECURSIVE") || token.Is("MATERIALIZED") || token.Is("OVER") || token.Is("FILTER")) {
    const Token* const before = at > level.begin ? &tokens_[at - 1] : nullptr;
    const bool is_keyword = before != nullptr && (before->Is("WITH") || before->Is("AS") ||
                                                  before->Is("NOT") || before->IsOperator(")"));
    if (!is_keyword) return false;
  } else {
    const bool is_null_order =
        (token.Is("FIRST") || token.Is("LAST")) && at > level.begin && tokens_[at - 1].Is("NULLS");
    if (!is_null_order && !(level.is_window && IsWindowWord(token))) return false;
  }
  Append(out, ToUpper(token.text));
  at++;
  return true;
}

bool SqlWriter::WriteExpressionWord(size_t& at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  const size_t end = level.end;
  if (token.Is("IS")) {
    const bool is_negated = IsAt(tokens_, at + 1, end, "NOT");
    const size_t operand = at + (is_negated ? 2 : 1);
    const bool is_plain = IsAt(tokens_, operand, end, "NULL") || IsAt(tokens_, operand, end, "DISTINCT") ||
                          IsAt(tokens_, operand, end, "TRUE") || IsAt(tokens_, operand, end, "FALSE");
    Append(out, is_plain ? (is_negated ? "IS NOT" : "IS")
                         : (is_negated ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM"));
    at = operand;
  } else if (token.Is("NOT") && IsAt(tokens_, at + 1, end, "NULL")) {
    Append(out, "IS NOT NULL");
    at += 2;
  } else if (token.Is("NOT") && IsAt(tokens_, at + 1, end, "INDEXED")) {
    at += 2;
  } else if (token.Is("LIKE") || token.Is("GLOB") || token.Is("REGEXP") || token.Is("MATCH")) {
    at = WriteMatch(at, level, out);
  } else if (token.Is("COLLATE")) {
    at = WriteCollation(at, level, out);
  } else if (token.Is("CAST") && at + 1 < end && tokens_[at + 1].IsOperator("(")) {
    Append(out, "");
    level.operand = out.size();
    at = WriteCast(*this, at, level, out);
  } else if (token.Is("CURRENT_TIMESTAMP") || token.Is("CURRENT_DATE") || token.Is("CURRENT_TIME")) {
    if (state_.is_stored)
      Throw(ToUpper(token.text) + " is not supported here; use it as a DEFAULT by itself, or in a statement");
    const char* const function = token.Is("CURRENT_DATE")   ? "date"
                                 : token.Is("CURRENT_TIME") ? "time"
                                                            : "datetime";
    Append(out, "\"sqlite_" + std::string(function) + "\"(\"sqlite_any\"('now'::varchar))");
    at++;
  } else {
    return false;
  }
  return true;
}

size_t SqlWriter::WriteMatch(size_t at, QueryLevel& level, std::string& out) {
  const Token& token = tokens_[at];
  const size_t end = OperandEnd(tokens_, at + 1, level.end);
  if (end == at + 1) ThrowSyntaxError(tokens_, end);
  if (token.Is("LIKE")) {
    // Backslashes are plain characters unless ESCAPE says otherwise.
    const bool has_escape = IsAt(tokens_, end, level.end, "ESCAPE");
    Append(out, "ILIKE " + WriteNested(at + 1, end, level) + (has_escape ? "" : " ESCAPE ''"));
    return end;
  }
  if (state_.is_stored) Throw(ToUpper(token.text) + " is not supported in what the database stores");
  if (token.Is("GLOB")) {
    Append(out, "~ \"sqlite_glob\"(" + WriteAny(at + 1, end, level) + ")");
    return end;
  }
  const std::string name = ToLower(token.text);
  const CreatedFunction* const function = state_.functions->Find(name, 2);
  if (function == nullptr) Throw("no such function: " + ToUpper(name));
  if (at > level.begin && tokens_[at - 1].Is("NOT"))
    Throw("NOT " + ToUpper(name) + " is not supported; write NOT (x " + ToUpper(name) + " y)");
  const std::string left = out.substr(level.operand);
  out.resize(level.operand);
  out += "\"sqlite_boolean\"(" + QuoteName(FunctionRegistry::EngineName(*function)) + "(" +
         WriteAny(at + 1, end, level) + ", \"sqlite_any\"(" + left + ")))";
  return end;
}

size_t SqlWriter::WriteCollation(size_t at, QueryLevel& level, std::string& out) {
  if (at + 1 >= level.end || !tokens_[at + 1].IsName()) ThrowSyntaxError(tokens_, at + 1);
  const std::string name = ToUpper(tokens_[at + 1].Unquoted());
  if (name == "BINARY") return at + 2;
  if (name != "NOCASE" && name != "RTRIM") {
    if (state_.collations->contains(name))
      Throw("collation " + tokens_[at + 1].Unquoted() +
            " is supported only at the end of a statement's ORDER BY with one expression");
    Throw("no such collation sequence: " + tokens_[at + 1].Unquoted());
  }
  if (level.clause != Clause::kOrder || level.is_window)
    Throw("COLLATE " + name +
          " is supported only in ORDER BY and GROUP BY; compare lower(x) or rtrim(x) instead");
  out.insert(level.operand, name == "NOCASE" ? "lower(" : "rtrim(");
  out += ")";
  return at + 2;
}

size_t SqlWriter::WriteLimit(size_t at, QueryLevel& level, std::string& out) {
  level.clause = Clause::kLimit;
  size_t comma = at + 1;
  while (comma < level.end && !tokens_[comma].IsOperator(",") && !tokens_[comma].Is("OFFSET"))
    comma = tokens_[comma].IsOperator("(") ? SkipParentheses(tokens_, comma) : comma + 1;
  size_t limit_begin = at + 1;
  size_t limit_end = comma;
  size_t offset_begin = level.end;
  size_t offset_end = level.end;
  if (comma < level.end) {
    offset_begin = comma + 1;
    if (tokens_[comma].IsOperator(",")) {
      // LIMIT offset, count
      std::swap(limit_begin, offset_begin);
      std::swap(limit_end, offset_end);
    }
  }
  if (limit_begin == limit_end) ThrowSyntaxError(tokens_, limit_end);
  // Parameters are counted as they are written.
  std::string limit;
  std::string offset;
  if (offset_begin < limit_begin) offset = WriteNested(offset_begin, offset_end, level);
  limit = WriteNested(limit_begin, limit_end, level);
  if (offset_begin > limit_begin) offset = WriteNested(offset_begin, offset_end, level);
  SqliteValue literal;
  if (!ReadLiteral(tokens_, limit_begin, limit_end, literal)) {
    Append(out, "LIMIT (CASE WHEN (" + limit + ")::bigint < 0 THEN NULL ELSE (" + limit + ")::bigint END)");
  } else if (literal.AsInteger() >= 0) {
    Append(out, "LIMIT " + limit);
  }
  if (!offset.empty()) Append(out, "OFFSET greatest((" + offset + ")::bigint, 0)");
  return level.end;
}

size_t SqlWriter::WriteName(size_t at, QueryLevel& level, std::string& out) {
  size_t begin = at;
  std::string alias;
  while (at + 2 < level.end && tokens_[at + 1].IsOperator(".") &&
         (tokens_[at + 2].IsName() || tokens_[at + 2].IsOperator("*"))) {
    alias = tokens_[at].Name();
    at += 2;
  }
  Append(out, "");
  const bool is_operand = begin == level.begin || !tokens_[begin - 1].Is("AS");
  if (is_operand) level.operand = out.size();
  if (tokens_[at].IsOperator("*")) {
    const Source* const source = FindSource(level, alias);
    out += QuoteName(alias) + ".*";
    if (source == nullptr || source->table == nullptr) return at + 1;
    if (source->table->has_hidden_rowid) out += " EXCLUDE (rowid)";
    for (const SchemaColumn& column : source->table->columns)
      state_.reads.insert({source->table->shown_name, column.shown_name});
    return at + 1;
  }
  const std::string name = tokens_[at].Name();
  const FoundColumn found = is_operand ? FindColumnName(level, alias, name) : FoundColumn();
  const std::string qualifier = alias.empty() ? "" : QuoteName(alias) + ".";
  if (found.column == nullptr) {
    out += qualifier + QuoteName(found.is_hidden_rowid ? "rowid" : name);
    return at + 1;
  }
  state_.reads.insert({found.table->shown_name, found.column->shown_name});
  const std::string text = qualifier + QuoteName(found.column->name);
  out += found.column->storage == Storage::kDynamic ? Unwrap(text, begin, at + 1, level) : text;
  return at + 1;
}

size_t SqlWriter::WriteTable(size_t at, QueryLevel& level, std::string& out) {
  level.expects_table = false;
  std::string schema;
  std::string shown = tokens_[at++].Unquoted();
  if (at + 1 < level.end && tokens_[at].IsOperator(".")) {
    schema = ToLower(std::exchange(shown, tokens_[at + 1].Unquoted()));
    at += 2;
  }
  std::string name = ToLower(shown);
  const bool is_call = at < level.end && tokens_[at].IsOperator("(");
  std::string argument;
  if (is_call) {
    const size_t end = SkipParentheses(tokens_, at);
    if (end == at + 3) argument = tokens_[at + 1].Unquoted();
    at = end;
  }
  std::string text;
  const SchemaTable* const table = state_.schema->Find(schema, name);
  if (!is_call && schema.empty() && common_tables_.contains(name)) {
    text = QuoteName(name);
  } else if (const std::string rows = table == nullptr ? state_.catalog_table(name, argument) : "";
             !rows.empty()) {
    state_.reads_catalog = true;
    state_.reads.insert({shown, ""});
    text = rows;
  } else if (table != nullptr && !is_call) {
    state_.reads.insert({table->shown_name, ""});
    text = table->QuotedName();
  } else {
    Throw("no such table: " + (schema.empty() ? "" : schema + ".") + shown);
  }
  Append(out, text);
  const bool has_alias = IsAt(tokens_, at, level.end, "AS") ||
                         (at < level.end && tokens_[at].IsName() && !IsReserved(tokens_[at]));
  if (!has_alias) {
    if (text[0] == '(' || table != nullptr) out += " AS " + QuoteName(name);
  } else {
    if (tokens_[at].Is("AS")) at++;
    if (at >= level.end || !tokens_[at].IsName()) ThrowSyntaxError(tokens_, at);
    out += " AS " + QuoteName(tokens_[at++].Name());
  }
  return at;
}

}  // namespace scaup::sqlite
