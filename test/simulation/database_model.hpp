// What a database must contain, kept apart from it, and the comparison of both.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scaup/result.hpp"
#include "unit/document/document_model.hpp"

namespace scaup::test {

/// A statement that does what idle time does: one row group of documents is written anew, if one should be.
inline constexpr const char* kMaterializerStep = "MATERIALIZE one row group";

/// A database under test: opened from a SimulatedFileSystem, closed by its destructor. One thread at a time.
/// A key that no document had is NULL.
class TestedDatabase {
 public:
  virtual ~TestedDatabase() = default;
  /// SQL, or kMaterializerStep.
  virtual QueryResult Execute(const std::string& sql) = 0;
  /// Another session of the same database; null if there can be but one.
  virtual std::unique_ptr<TestedDatabase> OpenSession() { return nullptr; }
};

struct ColumnModel {
  std::string name;
  std::string type;
  bool not_null = false;
  std::string default_sql;  ///< "" if none
  std::string comment;      ///< the same
};

/// Columns whose values no two rows may share, unless one of these is NULL. "" as a name: a constraint.
struct UniqueKeyModel {
  std::string index_name;
  std::vector<size_t> columns;
};

/// Columns, rows in their order (values as text with `|` between, \N for NULL), and what CREATE INDEX made.
struct TableModel {
  std::vector<ColumnModel> columns;
  std::vector<std::string> rows;
  std::vector<UniqueKeyModel> unique_keys;
  std::map<std::string, std::string> indexes;  ///< by name: "UNIQUE (c0, c1)" or "(c0, c1)"
};

struct DocumentModel {
  std::string text;
  std::shared_ptr<const JsonModel> value;  ///< null if it was read from a database
};

/// Documents in their order, and text indexes.
struct CollectionModel {
  std::vector<DocumentModel> documents;
  std::map<std::string, std::string> indexes;     ///< by name: "(*)", or paths
  std::vector<std::vector<std::string>> answers;  ///< to DocumentQuestions; only if read from a database
};

/// All tables and collections by schema and name, and schemas besides `main`. Copies share the tables.
struct DatabaseModel {
  using TableName = std::pair<std::string, std::string>;
  std::set<std::string> schemas;
  std::map<TableName, std::shared_ptr<const TableModel>> tables;
  std::map<TableName, std::shared_ptr<const CollectionModel>> collections;
};

/// What is there, read by SQL; `schemas` stays empty. Throws what the database throws.
DatabaseModel ReadDatabase(TestedDatabase& database);

/// The first difference between tables and collections, in words; "" if there is none.
std::string Difference(const DatabaseModel& expected, const DatabaseModel& found);

/// The name of a schema of the model that the database lacks; "" if it has all.
std::string MissingSchema(const DatabaseModel& expected, TestedDatabase& database);

}  // namespace scaup::test
