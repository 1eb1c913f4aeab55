// The changes of the catalog: creating, replacing and dropping entries of each kind, with what depends on
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "catalog/comment_target.hpp"

namespace scaup {

class Catalog;
class Transaction;

// Each function is one change in a transaction, with its record for the log. They throw Error(kCatalog):
// 42P06 or 42P07 for an entry that exists, 3F000 or 42P01 for one that does not, and 2BP01 for one that
// others depend on, without CASCADE; and Error(kTransaction, 40001) if another transaction changes an entry
// at the same time.

// --- Schemas

void CreateSchema(Catalog& catalog, Transaction& transaction, const std::string& schema);
void DropSchema(Catalog& catalog, Transaction& transaction, const std::string& schema, bool cascade);
/// Takes all schemas but the temporary one out of the catalog with what is in them, for a process that reads
/// the catalog anew which another one has written. What is in them is not changed: transactions that see it
/// go on with it.
void ForgetSchemas(Catalog& catalog, Transaction& transaction);

// --- Tables

/// Creates a table with the indexes of its constraints. Returns the entry as it is in the catalog.
TableEntryRef CreateTable(Catalog& catalog, Transaction& transaction, TableEntryRef table);
/// Drops a table with its indexes and sequences. CASCADE also drops foreign keys that refer to it, views
/// over it, and its element tables.
void DropTable(Catalog& catalog, Transaction& transaction, const std::string& schema,
               const std::string& table, bool cascade = false);
/// Drops a table for CREATE OR REPLACE TABLE, without CASCADE. Does nothing if there is none.
void DropTableIfExists(Catalog& catalog, Transaction& transaction, const std::string& schema,
                       const std::string& table);
/// Drops several tables, which may refer to one another.
void DropTables(Catalog& catalog, Transaction& transaction, const std::vector<TableEntryRef>& named,
                bool cascade);

/// ALTER TABLE: replaces `old` by `table`, perhaps with another name, schema or storage. The other indexes
/// and sequences of the table, and the foreign keys of other tables, follow the new names. Indexes over
/// dropped columns are dropped. New unique constraints are checked (23505). CASCADE drops foreign keys
/// whose columns are no longer unique, and views over dropped columns. The catalog does not understand the
/// texts of views, so the caller replaces views that use old names first; 0A000 if a view still uses an old
/// name, or a column of another type.
struct TableReplacement {
  TableEntryRef old;
  TableEntryRef table;
  std::vector<std::pair<std::string, std::string>> renamed_columns;  ///< from, to
  bool cascade = false;
};
TableEntryRef ReplaceTable(Catalog& catalog, Transaction& transaction, const TableReplacement& replacement);

// --- Indexes

/// Creates an index over all rows; see Table::CreateIndex.
void CreateIndex(Catalog& catalog, Transaction& transaction, const IndexEntryRef& index);
/// Renames an index that serves no constraint.
void RenameIndex(Catalog& catalog, Transaction& transaction, const IndexEntry& old, const std::string& name);
/// Drops an index; 2BP01 if it serves a constraint.
void DropIndex(Catalog& catalog, Transaction& transaction, const std::string& schema,
               const std::string& index);

// --- Views

void CreateView(Catalog& catalog, Transaction& transaction, const ViewEntryRef& view);
/// Replaces a view, perhaps under another name: 0A000 if another view uses the old name. An entry that the
/// new view reads may get its name later in the transaction.
void ReplaceView(Catalog& catalog, Transaction& transaction, const ViewEntry& old, const ViewEntryRef& view);
/// Drops views. Without CASCADE, 2BP01 if another view reads one of them; with it, such views are dropped,
/// too.
void DropViews(Catalog& catalog, Transaction& transaction, const std::vector<ViewEntryRef>& views,
               bool cascade);

// --- Types

/// Creates an enum; 42710 if the name is taken.
void CreateType(Catalog& catalog, Transaction& transaction, const TypeEntryRef& type);
/// ALTER TYPE: replaces an enum, perhaps under another name or schema. The columns of tables and views
/// change with it, but rows do not: unless labels keep their positions (KeepsLabelPlaces), the caller must
/// rewrite the rows.
void ReplaceType(Catalog& catalog, Transaction& transaction, const TypeEntry& old, const TypeEntryRef& type);
/// Drops an enum; 2BP01 if tables or views use it.
void DropType(Catalog& catalog, Transaction& transaction, const TypeEntry& type);

// --- Domains

/// Creates a domain: 42710 if the name is taken.
void CreateDomain(Catalog& catalog, Transaction& transaction, const DomainEntryRef& domain);
/// Replaces a domain, perhaps under another name, which columns and other domains follow. Rows are the
/// caller's business.
void ReplaceDomain(Catalog& catalog, Transaction& transaction, const DomainEntry& old,
                   const DomainEntryRef& domain);
/// Drops a domain; 2BP01 while columns or other domains are of it.
void DropDomain(Catalog& catalog, Transaction& transaction, const DomainEntry& domain);

// --- Sequences

void CreateSequence(Catalog& catalog, Transaction& transaction, const SequenceEntryRef& sequence);
/// Drops a sequence. The catalog does not understand texts, so the caller looks after those that name it.
void DropSequence(Catalog& catalog, Transaction& transaction, const std::string& schema,
                  const std::string& sequence);
/// ALTER SEQUENCE: replaces a sequence, perhaps under another name.
void ReplaceSequence(Catalog& catalog, Transaction& transaction, const SequenceEntry& old,
                     const SequenceEntryRef& sequence);
/// Notes that a transaction has taken or set values, so that its commit logs the position of the counter. No
/// entry changes.
void NoteSequenceUse(Transaction& transaction, const SequenceEntryRef& sequence);

// --- Comments

/// COMMENT ON: sets a comment; "" removes it. Throws Error(kCatalog) if the target does not exist.
void SetComment(Catalog& catalog, Transaction& transaction, const CommentTarget& target,
                const std::string& comment);

}  // namespace scaup
