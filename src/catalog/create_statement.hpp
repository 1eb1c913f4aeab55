// SQL texts that create the entries of the catalog again.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "catalog/function_entry.hpp"

namespace scaup {

/// Returns "NO ACTION", "CASCADE" and so on.
std::string_view ActionText(ReferentialAction action);
/// Whether foreign keys are part of CREATE TABLE. Without them, tables can be created in any order.
enum class ForeignKeyText : bool { kInTable, kApart };
/// Returns CREATE TABLE "schema"."table" (...); with a line for each column and constraint, or CREATE
/// COLLECTION. Running it gives an equal entry. The sequences of defaults have to exist; those of identity
/// columns come with the table. REQUIRES: no element table.
std::string CreateStatementOf(const TableEntry& table,
                              ForeignKeyText foreign_keys = ForeignKeyText::kInTable);
/// Returns CREATE ELEMENT TABLE. The table is in the schema of its collection.
std::string CreateElementTableStatementOf(const TableEntry& table, const TableEntry& collection);
/// Returns ALTER TABLE ... ADD CONSTRAINT ...; for each foreign key, and each check that is NOT VALID.
std::string ForeignKeyStatementsOf(const TableEntry& table);
/// Returns CREATE TRIGGER. The function has to exist.
std::string CreateStatementOf(const TriggerDefinition& trigger, const TableEntry& table);
/// Returns CREATE TRIGGER of each trigger, with ALTER TABLE for those that are not simply enabled, and their
/// comments.
std::string TriggerStatementsOf(const TableEntry& table);
/// Returns CREATE INDEX of an index that serves no constraint.
std::string CreateStatementOf(const IndexEntry& index, const TableEntry& table);
/// The SQL of an index: for each column its name, "" for an expression, and its SQL; and the condition of a
/// partial index.
struct IndexText {
  std::vector<std::string> columns;
  std::vector<std::string> keys;
  std::string condition;  ///< "" if there is none
};
IndexText TextOf(const IndexEntry& index, const TableEntry& table);
/// Returns CREATE SEQUENCE ...; with all options, but without the position of the counter.
std::string CreateStatementOf(const SequenceEntry& sequence);
/// Returns ALTER SEQUENCE with all options, for sequences that CREATE TABLE makes.
std::string AlterStatementOf(const SequenceEntry& sequence);
/// Returns CREATE VIEW ... with the names of its columns. What it reads has to exist. `with_sources` adds the
/// types of its columns, and what it knows of the columns of its sources, in case these have other columns
/// now.
std::string CreateStatementOf(const ViewEntry& view, bool with_sources);
/// Returns CREATE MATERIALIZED VIEW of a table with its query.
std::string CreateStatementOf(const TableEntry& materialized, const ViewEntry& query);
/// Returns CREATE TYPE ... AS ENUM (...);
std::string CreateStatementOf(const TypeEntry& type);
std::string CreateStatementOf(const DomainEntry& domain);
/// Returns CREATE FUNCTION or CREATE MACRO. What the body uses has to exist, unless bodies are not checked.
std::string CreateStatementOf(const FunctionEntry& function);
/// Returns CREATE SCHEMA IF NOT EXISTS "schema"; since a new database has "main".
std::string CreateStatementOf(const SchemaEntry& schema);
/// Returns COMMENT ON ...; for each comment on the entry, its columns and its constraints; "" if there is
/// none. Indexes of constraints have entries of their own.
std::string CommentStatementsOf(const CatalogEntry& entry);

}  // namespace scaup
