// Finds columns by name, and what their affinities make of the literals beside them.
#include <algorithm>

#include "error.hpp"
#include "query_shape.hpp"
#include "writer.hpp"

namespace scaup::sqlite {

namespace {

const Source* SourceOf(const QueryLevel& level, const std::string& alias) {
  for (const QueryLevel* at = &level; at != nullptr; at = at->parent) {
    for (const Source& source : at->sources) {
      if (source.alias == alias) return &source;
    }
  }
  return nullptr;
}

bool IsRowidName(const std::string& name) { return name == "rowid" || name == "oid" || name == "_rowid_"; }

FoundColumn FindIn(const SchemaTable& table, const std::string& name) {
  if (const SchemaColumn* const column = table.Find(name)) return {&table, column, false};
  if (!IsRowidName(name) || table.rowid_column.empty()) return {};
  return {&table, table.Find(table.rowid_column), table.has_hidden_rowid};
}

bool IsComparison(const Token& token) {
  static constexpr std::string_view kOperators[] = {"=", "==", "<>", "!=", "<", ">", "<=", ">="};
  return token.kind == TokenKind::kOperator &&
         std::any_of(std::begin(kOperators), std::end(kOperators),
                     [&](std::string_view text) { return token.text == text; });
}

bool EndsOperand(const Token& token) {
  return token.kind != TokenKind::kOperator || token.IsOperator(",") || IsComparison(token) ||
         token.IsOperator("(");
}

/// Returns the column whose name, all by itself, ends at `last` on the left of a comparison, or begins at
/// `first` on its right.
const SchemaColumn* ColumnBefore(const Tokens& tokens, size_t last, const QueryLevel& level) {
  if (!tokens[last].IsName() || tokens[last].kind == TokenKind::kString || IsReserved(tokens[last]))
    return nullptr;
  const bool is_qualified = last >= level.begin + 2 && tokens[last - 1].IsOperator(".");
  const size_t first = is_qualified ? last - 2 : last;
  if (first > level.begin && !EndsOperand(tokens[first - 1])) return nullptr;
  return FindColumnName(level, is_qualified ? tokens[first].Name() : "", tokens[last].Name()).column;
}

const SchemaColumn* ColumnAfter(const Tokens& tokens, size_t first, const QueryLevel& level) {
  if (first >= level.end || !tokens[first].IsName() || tokens[first].kind == TokenKind::kString ||
      IsReserved(tokens[first]))
    return nullptr;
  const bool is_qualified = first + 2 < level.end && tokens[first + 1].IsOperator(".");
  const size_t last = is_qualified ? first + 2 : first;
  if (last + 1 < level.end && tokens[last + 1].kind == TokenKind::kOperator &&
      !tokens[last + 1].IsOperator(","))
    return nullptr;
  return FindColumnName(level, is_qualified ? tokens[first].Name() : "", tokens[last].Name()).column;
}

bool IsReal(const Tokens& tokens, size_t at, const QueryLevel& level) {
  if (at < level.begin || at >= level.end) return false;
  if (tokens[at].kind == TokenKind::kFloat) return true;
  if (!tokens[at].IsName() || tokens[at].kind == TokenKind::kString || IsReserved(tokens[at])) return false;
  const SchemaColumn* const column = FindColumnName(level, "", tokens[at].Name()).column;
  return column != nullptr && column->storage == Storage::kReal;
}

}  // namespace

FoundColumn FindColumnName(const QueryLevel& level, const std::string& alias, const std::string& name) {
  if (!alias.empty()) {
    const Source* const source = SourceOf(level, alias);
    return source == nullptr || source->table == nullptr ? FoundColumn() : FindIn(*source->table, name);
  }
  for (const QueryLevel* at = &level; at != nullptr; at = at->parent) {
    for (const Source& source : at->sources) {
      const FoundColumn found = source.table == nullptr ? FoundColumn() : FindIn(*source.table, name);
      if (found.table != nullptr) return found;
    }
  }
  return {};
}

bool WriteCompared(const Tokens& tokens, size_t at, const QueryLevel& level, std::string& out) {
  const bool is_right = at > level.begin + 1 && IsComparison(tokens[at - 1]);
  const bool is_left = at + 1 < level.end && IsComparison(tokens[at + 1]) &&
                       (at == level.begin || EndsOperand(tokens[at - 1]));
  if (!is_right && !is_left) return false;
  if (is_right && at + 1 < level.end && !EndsOperand(tokens[at + 1]) && !tokens[at + 1].IsOperator(")"))
    return false;
  const SchemaColumn* const column =
      is_right ? ColumnBefore(tokens, at - 2, level) : ColumnAfter(tokens, at + 2, level);
  const bool is_text = tokens[at].kind == TokenKind::kString;
  SqliteValue value;
  if (!ReadLiteral(tokens, at, at + 1, value)) return false;
  if (column == nullptr) {
    if (is_text) out += QuoteText(value.AsText()) + "::varchar";
    return is_text;
  }
  if (column->affinity == Affinity::kText && column->storage == Storage::kText && !is_text) {
    out += QuoteText(value.AsText());
    return true;
  }
  const bool is_number = column->storage == Storage::kInteger || column->storage == Storage::kReal;
  if (!is_text || !is_number) return false;
  const SqliteValue number = NumberOfText(value.AsText());
  // A column without affinity, or a text that is no number: SQLite compares the kinds, the engine refuses
  // that.
  const bool converts = column->affinity != Affinity::kBlob && !number.is_null();
  out += converts ? WriteConstant(number) : QuoteText(value.AsText()) + "::varchar";
  return true;
}

bool IsTextOperand(const Tokens& tokens, size_t at, const QueryLevel& level) {
  if (tokens[at].kind == TokenKind::kString) return true;
  if (!tokens[at].IsName() || IsReserved(tokens[at])) return false;
  const bool is_qualified = at >= level.begin + 2 && tokens[at - 1].IsOperator(".");
  const SchemaColumn* const column =
      FindColumnName(level, is_qualified ? tokens[at - 2].Name() : "", tokens[at].Name()).column;
  return column != nullptr && column->storage == Storage::kText;
}

void CheckModulus(const Tokens& tokens, size_t at, const QueryLevel& level) {
  if (IsReal(tokens, at - 1, level) || IsReal(tokens, at + 1, level))
    throw SqliteError(SQLITE_ERROR, "% of real numbers is not supported; use CAST(x AS INTEGER)");
}

}  // namespace scaup::sqlite
