// The SQL text that makes tables, schemas, indexes and sequences again.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace scaup {

/// "NO ACTION", "CASCADE", ...
std::string_view ActionText(ReferentialAction action);
/// Whether foreign keys stand in CREATE TABLE. Without them tables can be made in any order.
enum class ForeignKeyText : bool { kInTable, kApart };
/// CREATE TABLE "schema"."table" (...); with a line for each column and constraint, or CREATE COLLECTION.
/// Bound again it gives the same. The sequences that defaults name have to exist; those of identity columns
/// come with the table.
/// REQUIRES: no element table.
std::string CreateStatementOf(const TableEntry& table,
                              ForeignKeyText foreign_keys = ForeignKeyText::kInTable);
/// CREATE ELEMENT TABLE; it stands in its collection's schema.
std::string CreateElementTableStatementOf(const TableEntry& table, const TableEntry& collection);
/// ALTER TABLE ... ADD CONSTRAINT ... FOREIGN KEY ...; for each.
std::string ForeignKeyStatementsOf(const TableEntry& table);
/// CREATE INDEX of an index that serves no constraint.
std::string CreateStatementOf(const IndexEntry& index);
/// CREATE SEQUENCE ...; with all options. It does not say where the counter stands.
std::string CreateStatementOf(const SequenceEntry& sequence);
/// CREATE VIEW ... with the names of its columns. What it reads has to exist. `with_sources`: also with the
/// types of its columns, and with what it knows of the columns of what it reads, where these have others now.
std::string CreateStatementOf(const ViewEntry& view, bool with_sources);
/// CREATE TYPE ... AS ENUM (...);
std::string CreateStatementOf(const TypeEntry& type);
/// CREATE SCHEMA IF NOT EXISTS "schema";
std::string CreateStatementOf(const SchemaEntry& schema);
/// COMMENT ON ...; for each comment on the entry, its columns and its constraints, "" if there is none. The
/// indexes of constraints have entries of their own.
std::string CommentStatementsOf(const CatalogEntry& entry);

}  // namespace scaup
