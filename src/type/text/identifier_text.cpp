// Identifiers as SQL writes them.
#include "type/text/identifier_text.hpp"

#include <algorithm>
#include <iterator>

#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// PostgreSQL's keywords that are not names everywhere, in order.
constexpr std::string_view kKeywords[] = {"all",
                                          "analyse",
                                          "analyze",
                                          "and",
                                          "any",
                                          "array",
                                          "as",
                                          "asc",
                                          "asymmetric",
                                          "authorization",
                                          "between",
                                          "bigint",
                                          "binary",
                                          "bit",
                                          "boolean",
                                          "both",
                                          "case",
                                          "cast",
                                          "char",
                                          "character",
                                          "check",
                                          "coalesce",
                                          "collate",
                                          "collation",
                                          "column",
                                          "concurrently",
                                          "constraint",
                                          "create",
                                          "cross",
                                          "current_catalog",
                                          "current_date",
                                          "current_role",
                                          "current_schema",
                                          "current_time",
                                          "current_timestamp",
                                          "current_user",
                                          "dec",
                                          "decimal",
                                          "default",
                                          "deferrable",
                                          "desc",
                                          "distinct",
                                          "do",
                                          "else",
                                          "end",
                                          "except",
                                          "exists",
                                          "extract",
                                          "false",
                                          "fetch",
                                          "float",
                                          "for",
                                          "foreign",
                                          "freeze",
                                          "from",
                                          "full",
                                          "grant",
                                          "greatest",
                                          "group",
                                          "grouping",
                                          "having",
                                          "ilike",
                                          "in",
                                          "initially",
                                          "inner",
                                          "inout",
                                          "int",
                                          "integer",
                                          "intersect",
                                          "interval",
                                          "into",
                                          "is",
                                          "isnull",
                                          "join",
                                          "lateral",
                                          "leading",
                                          "least",
                                          "left",
                                          "like",
                                          "limit",
                                          "localtime",
                                          "localtimestamp",
                                          "national",
                                          "natural",
                                          "nchar",
                                          "none",
                                          "normalize",
                                          "not",
                                          "notnull",
                                          "null",
                                          "nullif",
                                          "numeric",
                                          "offset",
                                          "on",
                                          "only",
                                          "or",
                                          "order",
                                          "out",
                                          "outer",
                                          "overlaps",
                                          "overlay",
                                          "placing",
                                          "position",
                                          "precision",
                                          "primary",
                                          "real",
                                          "references",
                                          "returning",
                                          "right",
                                          "row",
                                          "select",
                                          "session_user",
                                          "setof",
                                          "similar",
                                          "smallint",
                                          "some",
                                          "substring",
                                          "symmetric",
                                          "table",
                                          "tablesample",
                                          "then",
                                          "time",
                                          "timestamp",
                                          "to",
                                          "trailing",
                                          "treat",
                                          "trim",
                                          "true",
                                          "union",
                                          "unique",
                                          "user",
                                          "using",
                                          "values",
                                          "varchar",
                                          "variadic",
                                          "verbose",
                                          "when",
                                          "where",
                                          "window",
                                          "with",
                                          "xmlattributes",
                                          "xmlconcat",
                                          "xmlelement",
                                          "xmlexists",
                                          "xmlforest",
                                          "xmlnamespaces",
                                          "xmlparse",
                                          "xmlpi",
                                          "xmlroot",
                                          "xmlserialize",
                                          "xmltable"};
static_assert(std::is_sorted(std::begin(kKeywords), std::end(kKeywords)));

}  // namespace

std::string IdentifierText(std::string_view name) {
  const auto is_start = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  bool is_plain = !name.empty() && is_start(name[0]);
  for (const char c : name) is_plain &= is_start(c) || (c >= '0' && c <= '9');
  const bool is_keyword = std::binary_search(std::begin(kKeywords), std::end(kKeywords), name);
  return is_plain && !is_keyword ? std::string(name) : QuotedIdentifier(name);
}

bool IsOperandText(std::string_view text) {
  const auto is_name = [](char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  size_t end = 0;
  while (end < text.size() && is_name(text[end])) end++;
  if (end == text.size()) return true;
  if (text[end] != '(') return false;
  // Brackets or quotes within are no matter, as long as the first bracket is closed at the end.
  int depth = 0;
  char quote = 0;
  for (size_t i = end; i < text.size(); i++) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return i + 1 == text.size();
    }
  }
  return false;
}

}  // namespace scaup
