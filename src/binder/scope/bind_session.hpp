// What the parts of the binder share while they bind one statement.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/settings.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "function/function_context.hpp"
#include "function/function_registry.hpp"
#include "scaup/type.hpp"

namespace scaup {

class CollectionUse;
class ForeignTables;
class VisibleAttributes;

/// The environment that a statement is bound against. Borrowed; must outlive the binder.
struct BinderContext {
  const Catalog& catalog;
  const Transaction& transaction;
  const FunctionContext& functions;
  const FunctionRegistry& registry;
  const Settings& settings;
  /// Tables that the program offers; null: none.
  ForeignTables* foreign = nullptr;
};

/// A table or view that a query reads, for the definition of a view.
struct ReadRelation {
  CatalogEntryRef entry;
  size_t table_index;  ///< under which its columns are bound
  size_t position;     ///< of its name in the query's text
  bool has_alias;
  bool has_sample;
};

/// A collection that a statement reads, and the version of the attributes that it saw when names of its paths
/// were bound.
struct KnownAttributes {
  std::shared_ptr<const Table> collection;
  uint64_t epoch;  ///< VisibleAttributes::epoch
  /// Paths that the statement depends on: VisibleAttributes::asked.
  std::shared_ptr<const std::set<PathId>> paths;
};

/// Counters and parameter types of one statement. One thread.
class BindSession {
 public:
  explicit BindSession(const BinderContext& context) : context_(context) {}
  const BinderContext& context() const { return context_; }

  /// An index that no other table of the statement has.
  size_t NewTableIndex() { return next_table_index_++; }
  size_t next_table_index() const { return next_table_index_; }

  /// Counts a query and refuses to go on (54001) when inlined CTEs have grown without bound.
  void CountQuery(size_t position);

  /// In what the query that is bound stands: where a recursive query may not name itself.
  struct Surroundings {
    size_t subqueries = 0;   ///< in expressions
    size_t outer_joins = 0;  ///< on a side whose columns may become NULL
    size_t intersects = 0;
    size_t excepts = 0;
  };
  Surroundings surroundings;
  /// Whether WITH in front of the statement that is bound may change data.
  bool allows_changes = false;
  /// The level around a statement in WITH, whose names it sees; null for any other.
  struct QueryLevel* around = nullptr;
  /// Whether what the statement means depends on the types of the values that are given for untyped
  /// parameters: it reads paths of documents, or puts values into documents.
  bool follows_given_types = false;
  /// The view whose query is bound; null outside of views.
  const ViewEntry* view = nullptr;
  /// Where tables and views are noted that the query of a new view reads; null: nobody asks.
  std::vector<ReadRelation>* reads = nullptr;

  /// Makes FindCollection know a collection that the statement reads.
  void AddCollection(std::shared_ptr<CollectionUse> use);
  /// The collection bound under a table index; null where it is none.
  CollectionUse* FindCollection(size_t table_index) const;
  /// How many uses of collections the statement has so far.
  size_t collection_count() const { return collections_.size(); }
  /// The attributes of a collection that the statement sees. What names of paths mean depends on them, so
  /// they are noted for plans that are kept.
  const std::shared_ptr<VisibleAttributes>& AttributesOf(const TableEntry& collection);
  /// The attributes of documents by a dictionary: those of a collection of the statement, or all that it
  /// knows.
  const std::shared_ptr<VisibleAttributes>& AttributesOf(
      const std::shared_ptr<AttributeDictionary>& dictionary) const;
  /// Returns what the statement has asked so far about the attributes of each collection.
  std::vector<KnownAttributes> known_attributes() const;

  /// Notes a column that queries give, whose values are those of paths though no collection has it.
  void NoteDocumentColumn(size_t table_index, size_t column) {
    document_columns_.emplace(table_index, column);
  }
  bool IsDocumentColumn(size_t table_index, size_t column) const {
    return document_columns_.contains({table_index, column});
  }

  void ReserveParameters(size_t count) { parameter_types_.resize(count); }
  /// kNull while nothing has said what $index+1 is.
  LogicalType ParameterType(size_t index) const;
  /// The first to ask decides.
  void SetParameterType(size_t index, const LogicalType& type);
  /// Makes VARCHAR of parameters that nothing gave a type.
  void SettleParameters();
  const std::vector<LogicalType>& parameter_types() const { return parameter_types_; }

 private:
  const BinderContext& context_;
  size_t next_table_index_ = 0;
  size_t query_count_ = 0;
  std::vector<LogicalType> parameter_types_;
  std::map<size_t, std::shared_ptr<CollectionUse>> collections_;
  std::vector<KnownAttributes> known_attributes_;
  mutable std::map<const AttributeDictionary*, std::shared_ptr<VisibleAttributes>> attributes_;
  std::set<std::pair<size_t, size_t>> document_columns_;
};

}  // namespace scaup
