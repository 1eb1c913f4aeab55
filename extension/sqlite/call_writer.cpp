// Writes calls of functions: the program's, SQLite's, and the engine's of the same meaning.
#include <algorithm>

#include "error.hpp"
#include "query_shape.hpp"
#include "writer.hpp"

namespace scaup::sqlite {

namespace {

/// A call in the tokens.
struct FunctionCall {
  std::string name;  ///< in lower case
  size_t at = 0;     ///< of the name
  size_t open = 0;
  size_t end = 0;    ///< behind the closing parenthesis
  size_t after = 0;  ///< behind FILTER and OVER
  bool is_distinct = false;
  std::vector<std::pair<size_t, size_t>> arguments;
};

/// The call of a function of SQLite in the engine.
struct Rewrite {
  const char* name;
  int fewest;
  int most;
  const char* engine_name;
  bool is_dynamic = false;  ///< gives a value of any kind
};

// Functions whose arguments are passed as values of any kind.
constexpr Rewrite kRewrites[] = {{"typeof", 1, 1, "sqlite_typeof"},
                                 {"quote", 1, 1, "sqlite_quote"},
                                 {"hex", 1, 1, "sqlite_hex"},
                                 {"instr", 2, 2, "sqlite_instr"},
                                 {"substr", 2, 3, "sqlite_substr"},
                                 {"substring", 2, 3, "sqlite_substr"},
                                 {"length", 1, 1, "sqlite_length"},
                                 {"char", 1, 1000, "sqlite_char"},
                                 {"unicode", 1, 1, "sqlite_unicode"},
                                 {"zeroblob", 1, 1, "sqlite_zeroblob"},
                                 {"randomblob", 1, 1, "sqlite_randomblob"},
                                 {"round", 1, 2, "sqlite_round"},
                                 {"max", 2, 1000, "sqlite_max", true},
                                 {"min", 2, 1000, "sqlite_min", true},
                                 {"date", 0, 1000, "sqlite_date"},
                                 {"time", 0, 1000, "sqlite_time"},
                                 {"datetime", 0, 1000, "sqlite_datetime"},
                                 {"strftime", 1, 1000, "sqlite_strftime"},
                                 {"julianday", 0, 1000, "sqlite_julianday"},
                                 {"unixepoch", 0, 1000, "sqlite_unixepoch"},
                                 {"random", 0, 0, "sqlite_random"},
                                 {"last_insert_rowid", 0, 0, "sqlite_last_insert_rowid"},
                                 {"changes", 0, 0, "sqlite_changes"},
                                 {"total_changes", 0, 0, "sqlite_total_changes"}};

// Functions of SQLite that are not there, though the engine may have others of the same name.
constexpr const char* kMissing[] = {"json",
                                    "json_array",
                                    "json_array_length",
                                    "json_extract",
                                    "json_insert",
                                    "json_object",
                                    "json_patch",
                                    "json_remove",
                                    "json_replace",
                                    "json_set",
                                    "json_type",
                                    "json_valid",
                                    "json_quote",
                                    "json_group_array",
                                    "json_group_object",
                                    "json_each",
                                    "json_tree",
                                    "printf",
                                    "format",
                                    "like",
                                    "glob",
                                    "likelihood",
                                    "likely",
                                    "unlikely",
                                    "load_extension",
                                    "soundex",
                                    "sqlite_offset",
                                    "sqlite_compileoption_get",
                                    "subtype",
                                    "timediff",
                                    "octet_length",
                                    "concat",
                                    "concat_ws",
                                    "unhex"};

[[noreturn]] void Throw(const std::string& message) { throw SqliteError(SQLITE_ERROR, message); }

FunctionCall ReadCall(const Tokens& tokens, size_t at, const QueryLevel& level) {
  FunctionCall call;
  call.name = tokens[at].Name();
  call.at = at;
  call.open = at + 1;
  call.end = SkipParentheses(tokens, call.open);
  if (call.end > level.end) ThrowSyntaxError(tokens, level.end);
  size_t begin = call.open + 1;
  call.is_distinct = IsAt(tokens, begin, call.end, "DISTINCT");
  if (call.is_distinct) begin++;
  size_t argument = begin;
  for (size_t i = begin; i < call.end - 1;) {
    if (tokens[i].IsOperator(",")) {
      call.arguments.emplace_back(argument, i);
      argument = i + 1;
    }
    i = tokens[i].IsOperator("(") ? SkipParentheses(tokens, i) : i + 1;
  }
  if (begin < call.end - 1) call.arguments.emplace_back(argument, call.end - 1);
  call.after = call.end;
  if (IsAt(tokens, call.after, level.end, "FILTER") && call.after + 1 < level.end)
    call.after = SkipParentheses(tokens, call.after + 1);
  if (IsAt(tokens, call.after, level.end, "OVER") && call.after + 1 < level.end)
    call.after =
        tokens[call.after + 1].IsOperator("(") ? SkipParentheses(tokens, call.after + 1) : call.after + 2;
  return call;
}

/// Writes FILTER and OVER.
std::string WriteTail(SqlWriter& writer, const FunctionCall& call, const QueryLevel& level) {
  std::string text;
  for (size_t i = call.end; i < call.after;) {
    if (writer.tokens()[i].IsOperator("(")) {
      const size_t end = SkipParentheses(writer.tokens(), i);
      const bool is_window = writer.tokens()[i - 1].Is("OVER");
      text += " (" + writer.WriteNested(i + 1, end - 1, level, is_window) + ")";
      i = end;
    } else {
      const Token& token = writer.tokens()[i++];
      text += " " + (token.Is("FILTER") || token.Is("OVER") ? ToUpper(token.text) : QuoteName(token.Name()));
    }
  }
  return text;
}

std::string AnyArguments(SqlWriter& writer, const FunctionCall& call, const QueryLevel& level) {
  std::string text;
  for (const auto& [begin, end] : call.arguments)
    text += (text.empty() ? "" : ", ") + writer.WriteAny(begin, end, level);
  return text;
}

bool IsStar(const Tokens& tokens, const FunctionCall& call) {
  return call.arguments.size() == 1 && call.arguments[0].second == call.arguments[0].first + 1 &&
         tokens[call.arguments[0].first].IsOperator("*");
}

std::string WriteCreated(SqlWriter& writer, const FunctionCall& call, const CreatedFunction& function,
                         const QueryLevel& level) {
  const std::string name = QuoteName(FunctionRegistry::EngineName(function));
  if (!function.is_aggregate()) return name + "(" + AnyArguments(writer, call, level) + ")";
  // The rows of a group as a list, which the function steps through.
  const bool has_arguments = !call.arguments.empty() && !IsStar(writer.tokens(), call);
  const std::string row =
      has_arguments ? "\"sqlite_row\"(" + AnyArguments(writer, call, level) + ")" : "''::bytea";
  return name + "(array_agg(" + (call.is_distinct ? "DISTINCT " : "") + row + ")" +
         WriteTail(writer, call, level) + ")";
}

/// Writes functions that are expressions in the engine. Returns "" for others.
std::string WriteExpressionCall(SqlWriter& writer, const FunctionCall& call, const QueryLevel& level) {
  const auto argument = [&](size_t index) {
    return writer.WriteNested(call.arguments[index].first, call.arguments[index].second, level);
  };
  const size_t count = call.arguments.size();
  if (call.name == "iif" && count == 3) {
    const std::string condition = argument(0);
    const std::string yes = argument(1);
    return "(CASE WHEN " + condition + " THEN " + yes + " ELSE " + argument(2) + " END)";
  }
  const std::string distinct = call.is_distinct ? "DISTINCT " : "";
  if (call.name == "total" && count == 1)
    return "coalesce(sum(" + distinct + "(" + argument(0) + ")::double precision)" +
           WriteTail(writer, call, level) + ", '0'::double precision)";
  if ((call.name == "group_concat" || call.name == "string_agg") && (count == 1 || count == 2)) {
    // A number becomes a text as SQLite writes it.
    const auto text = [&](size_t index) {
      const auto [begin, end] = call.arguments[index];
      const bool is_text = end == begin + 1 && IsTextOperand(writer.tokens(), begin, level);
      if (writer.state().is_stored) return "(" + argument(index) + ")::varchar";
      return is_text ? argument(index) : "\"sqlite_cast_text\"(" + writer.WriteAny(begin, end, level) + ")";
    };
    const std::string value = "string_agg(" + distinct + text(0) + ", ";
    return value + (count == 2 ? text(1) : "','") + ")" + WriteTail(writer, call, level);
  }
  if (call.name == "sqlite_version" && count == 0) return QuoteText(SQLITE_VERSION);
  return {};
}

const Rewrite* FindRewrite(const FunctionCall& call) {
  const auto count = static_cast<int>(call.arguments.size());
  for (const Rewrite& rewrite : kRewrites) {
    if (call.name == rewrite.name && count >= rewrite.fewest && count <= rewrite.most) return &rewrite;
  }
  return nullptr;
}

/// Throws if SQLite has a function of this name that is not called like this, or is not there.
void CheckKnown(SqlWriter& writer, const FunctionCall& call) {
  bool is_known = writer.state().functions->HasName(call.name);
  for (const Rewrite& rewrite : kRewrites)
    is_known = is_known || (call.name == rewrite.name && call.name != "max" && call.name != "min");
  if (is_known) Throw("wrong number of arguments to function " + call.name + "()");
  for (const char* const name : kMissing) {
    if (call.name == name) Throw("no such function: " + call.name);
  }
}

/// Writes a call of the engine's function of this name.
std::string WritePlain(SqlWriter& writer, const FunctionCall& call, const QueryLevel& level) {
  std::string text = QuoteName(call.name == "ifnull" ? "coalesce" : call.name);
  // COALESCE and NULLIF are expressions, whose names take no quotes.
  static constexpr const char* kExpressions[] = {"\"coalesce\"", "\"nullif\""};
  for (const char* const name : kExpressions) {
    if (text == name) text = text.substr(1, text.size() - 2);
  }
  text += call.is_distinct ? "(DISTINCT " : "(";
  if (IsStar(writer.tokens(), call)) {
    text += "*";
  } else {
    for (size_t i = 0; i < call.arguments.size(); i++)
      text +=
          (i == 0 ? "" : ", ") + writer.WriteNested(call.arguments[i].first, call.arguments[i].second, level);
  }
  return text + ")" + WriteTail(writer, call, level);
}

/// Writes a call in a text that the engine stores, where functions of the connection would be missing for
/// others.
size_t WriteStoredCall(SqlWriter& writer, const FunctionCall& call, const QueryLevel& level,
                       std::string& out) {
  static constexpr const char* kSame[] = {"length", "substr", "substring", "instr", "round"};
  const bool is_same =
      std::any_of(std::begin(kSame), std::end(kSame), [&](const char* name) { return call.name == name; });
  const bool is_created = writer.state().functions->HasName(call.name);
  const std::string expression = is_created ? "" : WriteExpressionCall(writer, call, level);
  if (!expression.empty()) {
    out += expression;
    return call.after;
  }
  if (is_created || (FindRewrite(call) != nullptr && !is_same))
    Throw("function " + call.name +
          "() is not supported in what the database stores: views, CHECK, DEFAULT and generated columns");
  if (!is_same) CheckKnown(writer, call);
  out += WritePlain(writer, call, level);
  return call.after;
}

}  // namespace

size_t WriteCall(SqlWriter& writer, size_t at, const QueryLevel& level, std::string& out) {
  const FunctionCall call = ReadCall(writer.tokens(), at, level);
  TranslationState& state = writer.state();
  if (static_cast<int>(call.arguments.size()) > state.limits[SQLITE_LIMIT_FUNCTION_ARG])
    Throw("too many arguments on function " + std::string(writer.tokens()[at].text));
  state.functions_called.insert(call.name);
  if (!out.empty() && out.back() != ' ' && out.back() != '(') out.push_back(' ');
  if (state.is_stored) return WriteStoredCall(writer, call, level, out);
  const CreatedFunction* const created =
      state.functions->Find(call.name, static_cast<int>(call.arguments.size()));
  if (created != nullptr) {
    out += writer.Unwrap(WriteCreated(writer, call, *created, level), at,
                         created->is_aggregate() ? call.after : call.end, level);
    return created->is_aggregate() ? call.after : call.end;
  }
  const std::string expression = WriteExpressionCall(writer, call, level);
  if (!expression.empty()) {
    out += expression;
    return call.after;
  }
  if (const Rewrite* const rewrite = FindRewrite(call)) {
    const bool wants_now = call.arguments.empty() && rewrite->most == 1000;
    const std::string arguments =
        wants_now ? "\"sqlite_any\"('now'::varchar)" : AnyArguments(writer, call, level);
    const std::string text = QuoteName(rewrite->engine_name) + "(" + arguments + ")";
    out += rewrite->is_dynamic ? writer.Unwrap(text, at, call.end, level) : text;
    return call.end;
  }
  CheckKnown(writer, call);
  out += WritePlain(writer, call, level);
  return call.after;
}

size_t WriteCast(SqlWriter& writer, size_t at, const QueryLevel& level, std::string& out) {
  const Tokens& tokens = writer.tokens();
  const size_t end = SkipParentheses(tokens, at + 1);
  if (end > level.end) ThrowSyntaxError(tokens, level.end);
  const size_t as = FindWord(tokens, at + 2, end - 1, {"AS"});
  if (as + 1 >= end - 1) ThrowSyntaxError(tokens, end - 1);
  const char* const type_end = tokens[end - 2].text.data() + tokens[end - 2].text.size();
  const std::string_view type(tokens[as + 1].text.data(),
                              static_cast<size_t>(type_end - tokens[as + 1].text.data()));
  if (writer.state().is_stored) {
    const Storage storage = AffinityOf(type) == Affinity::kInteger ? Storage::kInteger
                            : AffinityOf(type) == Affinity::kText  ? Storage::kText
                            : AffinityOf(type) == Affinity::kBlob  ? Storage::kBlob
                                                                   : Storage::kReal;
    const std::string operand = writer.WriteNested(at + 2, as, level);
    // A cast to an integer drops the fraction.
    out += "CAST(" + (storage == Storage::kInteger ? "trunc((" + operand + ")::double precision)" : operand) +
           " AS " + EngineType(storage) + ")";
    return end;
  }
  const std::string value = writer.WriteAny(at + 2, as, level);
  switch (AffinityOf(type)) {
    case Affinity::kInteger: out += "\"sqlite_cast_integer\"(" + value + ")"; break;
    case Affinity::kReal: out += "\"sqlite_cast_real\"(" + value + ")"; break;
    case Affinity::kText: out += "\"sqlite_cast_text\"(" + value + ")"; break;
    case Affinity::kBlob: out += "\"sqlite_cast_blob\"(" + value + ")"; break;
    case Affinity::kNumeric:
      out += writer.Unwrap("\"sqlite_cast_numeric\"(" + value + ")", at, end, level);
      break;
  }
  return end;
}

}  // namespace scaup::sqlite
