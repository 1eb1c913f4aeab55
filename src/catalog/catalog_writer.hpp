// The way of a change into the catalog: what all changes of entries have in common.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "common/byte_stream.hpp"
#include "storage/wal/log_record_kind.hpp"

namespace scaup {

/// Puts and removes entries for one transaction, and notes what was done. Made by each function of
/// catalog_changes.hpp for the time of its call; used by one thread. A change is complete when it is noted:
/// before, it has no log record and raises no version.
class CatalogWriter {
 public:
  CatalogWriter(Catalog& catalog, Transaction& transaction) : catalog_(catalog), transaction_(transaction) {}

  Catalog& catalog() const { return catalog_; }
  Transaction& transaction() const { return transaction_; }

  /// Finds a schema. Throws Error(kCatalog, 3F000) if there is none.
  SchemaEntryRef FindSchema(std::string_view schema) const;
  /// Finds an entry of one kind. Throws Error(kCatalog): 3F000 without the schema, 42P01 without the entry.
  template <typename Entry>
  std::shared_ptr<const Entry> Find(const std::string& schema, const std::string& name) const {
    FindSchema(schema);
    auto found = catalog_.Find<Entry>(transaction_, schema, name);
    if (!found) ThrowMissing(Entry::kEntryKind, name);
    return found;
  }
  /// Throws Error(kCatalog): 3F000 without the schema, 42P07 or 42710 if it has an entry of that name.
  void CheckIsFree(const std::string& schema, const std::string& name) const;

  /// Puts an entry under its own name as its newest version. Putting the version that is there makes changing
  /// the entry at the same time a conflict.
  template <typename EntryRef>
  void Put(const EntryRef& entry) {
    catalog_.RequireWritable(transaction_, entry->schema);
    FindSchema(entry->schema)->relations->Put(transaction_, entry->name, entry);
  }
  template <typename Entry>
  void Remove(const Entry& entry) {
    catalog_.RequireWritable(transaction_, entry.schema);
    FindSchema(entry.schema)->relations->Put(transaction_, entry.name, nullptr);
  }
  /// Puts an entry in the place of `old`, which may have another name or schema.
  template <typename Entry, typename EntryRef>
  void Replace(const Entry& old, const EntryRef& entry) {
    if (old.schema != entry->schema || old.name != entry->name) Remove(old);
    Put(entry);
  }
  /// Puts a version of a schema; null means a deletion.
  void PutSchema(const std::string& name, SchemaEntryRef schema);

  /// Notes a change of an entry in `schema`, with its log record, which temporary entries do not get.
  /// `dropped` is storage that other transactions must not change any more, of the table `dropped_name`.
  void Note(std::string_view schema, ByteWriter record, std::shared_ptr<Table> dropped = nullptr,
            std::string_view dropped_name = {});

 private:
  [[noreturn]] static void ThrowMissing(CatalogEntryKind kind, const std::string& name);

  Catalog& catalog_;
  Transaction& transaction_;
};

/// Begins the log record of a change.
ByteWriter ChangeRecord(LogRecordKind kind);
/// Begins the log record of a change of the entry of that name.
ByteWriter ChangeRecord(LogRecordKind kind, std::string_view schema, std::string_view name);

/// Throws Error(kCatalog, 2BP01): `what` is not dropped, as `dependent` needs it.
[[noreturn]] void ThrowDependent(const std::string& what, const std::string& dependent);

}  // namespace scaup
