// SQL text: reserved words and quoting.
#include "sql_text.hpp"

#include <algorithm>
#include <cctype>

namespace scaup::shell {

namespace {

// The words that PostgreSQL's grammar reserves, which need quotes as names. Sorted.
constexpr std::string_view kReserved[] = {
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "authorization",
    "binary",
    "both",
    "case",
    "cast",
    "check",
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
    "default",
    "deferrable",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "freeze",
    "from",
    "full",
    "grant",
    "group",
    "having",
    "ilike",
    "in",
    "initially",
    "inner",
    "intersect",
    "into",
    "is",
    "isnull",
    "join",
    "lateral",
    "leading",
    "left",
    "like",
    "limit",
    "localtime",
    "localtimestamp",
    "natural",
    "not",
    "notnull",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "overlaps",
    "placing",
    "primary",
    "references",
    "returning",
    "right",
    "select",
    "session_user",
    "similar",
    "some",
    "symmetric",
    "table",
    "tablesample",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "variadic",
    "verbose",
    "when",
    "where",
    "window",
    "with",
};

}  // namespace

std::string QuoteText(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string QuoteName(std::string_view name) {
  bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (char c : name)
    plain = plain && (std::islower(static_cast<unsigned char>(c)) ||
                      std::isdigit(static_cast<unsigned char>(c)) || c == '_');
  if (plain && !std::binary_search(std::begin(kReserved), std::end(kReserved), name))
    return std::string(name);
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string QuoteQualifiedName(std::string_view name) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return QuoteName(name);
  return QuoteName(name.substr(0, dot)) + "." + QuoteName(name.substr(dot + 1));
}

std::string FirstKeyword(std::string_view sql) {
  size_t position = 0;
  while (position < sql.size()) {
    if (std::isspace(static_cast<unsigned char>(sql[position]))) {
      ++position;
    } else if (sql.substr(position, 2) == "--") {
      position = std::min(sql.find('\n', position), sql.size());
    } else if (sql.substr(position, 2) == "/*") {
      const size_t end = sql.find("*/", position + 2);
      position = end == std::string_view::npos ? sql.size() : end + 2;
    } else {
      break;
    }
  }
  if (position < sql.size() && sql[position] == '(') return "(";
  std::string word;
  while (position < sql.size() && std::isalpha(static_cast<unsigned char>(sql[position]))) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(sql[position++])));
  }
  return word;
}

}  // namespace scaup::shell
