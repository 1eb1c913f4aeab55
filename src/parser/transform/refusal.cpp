// Errors for valid SQL that our syntax tree cannot represent.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

struct FieldName {
  std::string_view field;
  std::string_view words;
};

/// SQL names for fields of libpg_query's nodes. Other fields appear in messages under their own names.
constexpr FieldName kFieldNames[] = {
    {"intoClause", "SELECT INTO (use CREATE TABLE ... AS)"},
    {"catalogname", "a database name in front of the schema"},
    {"onConflictClause", "ON CONFLICT"},
    {"returningList", "RETURNING"},
    {"inhRelations", "INHERITS"},
    {"partspec", "PARTITION BY"},
    {"partbound", "PARTITION OF"},
    {"ofTypename", "CREATE TABLE ... OF a type"},
    {"tablespacename", "TABLESPACE"},
    {"tableSpaceName", "TABLESPACE"},
    {"accessMethod", "USING an access method"},
    {"options", "an option list"},
    {"constraints", "a table constraint"},
    {"fdwoptions", "OPTIONS"},
    {"authrole", "AUTHORIZATION"},
    {"schemaElts", "a schema element"},
    {"is_program", "PROGRAM"},
    {"whereClause", "WHERE"},
    {"join_using_alias", "an alias of a USING list"},
    {"is_rowsfrom", "ROWS FROM"},
    {"coldeflist", "a column definition list"},
    {"func_variadic", "VARIADIC"},
    {"is_local", "LOCAL"},
    {"chain", "AND CHAIN"},
    {"indirection", "a subscript or field"},
    {"setof", "SETOF"},
    {"nulls_not_distinct", "NULLS NOT DISTINCT"},
    {"including", "INCLUDE"},
    {"is_no_inherit", "NO INHERIT"},
    {"skip_validation", "NOT VALID"},
    {"pct_type", "%TYPE"},
    {"constrrel", "FROM a table"},
};

std::string_view Words(std::string_view field) {
  const auto found = std::find_if(std::begin(kFieldNames), std::end(kFieldNames),
                                  [field](const FieldName& name) { return name.field == field; });
  return found == std::end(kFieldNames) ? field : found->words;
}

}  // namespace

void Refuse(const StatementText& text, std::string_view construct, int64_t location) {
  ThrowNotSupported(fmt::format("{} is not supported", construct), text.Position(location));
}

void SyntaxErrorAt(const StatementText& text, const std::string& message, int64_t location) {
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, message, text.Position(location));
}

void RefuseOtherFields(const StatementText& text, TreeNode body, std::string_view construct,
                       std::initializer_list<std::string_view> known, int64_t location) {
  for (const std::string_view key : body.Keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    Refuse(text, fmt::format("{} in {}", Words(key), construct), location);
  }
}

}  // namespace scaup
