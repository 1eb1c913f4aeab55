// The SQL text that makes a table or schema again.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace scaup {

/// "name", in double quotes whatever it is.
std::string QuotedIdentifier(std::string_view name);
/// 'text', in single quotes.
std::string QuotedText(std::string_view text);
/// CREATE TABLE "schema"."table" (...); with a line for each column. Bound again it gives the same columns.
std::string CreateStatementOf(const TableEntry& table);
/// CREATE SCHEMA IF NOT EXISTS "schema";
std::string CreateStatementOf(const SchemaEntry& schema);

}  // namespace scaup
