// The way of values into columns: conversions by affinity, and columns whose type follows what is stored.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "schema.hpp"
#include "value.hpp"
#include "writer.hpp"

struct sqlite3;

namespace scaup::sqlite {

/// Converts a value as a column of this storage and affinity stores it. Throws Error(kConversion) if it
/// cannot.
SqliteValue StoreValue(Storage storage, Affinity affinity, const SqliteValue& value);

/// Returns whether the type of the column in the engine follows what is stored in it.
bool IsFlexible(const SchemaColumn& column);
/// Kinds of the values that a statement stores in columns without a fixed type.
using StoredKinds = std::map<std::string, std::set<Storage>>;

/// A parameter whose value goes into a column. A value type.
struct BoundColumn {
  size_t parameter = 0;
  Storage storage = Storage::kOther;
  Affinity affinity = Affinity::kBlob;
};

/// Writes the values that a statement stores. Lives on the stack of its translation.
class StoredWriter {
 public:
  /// `bindings` is null while the parameters have no values.
  StoredWriter(sqlite3& db, SqlWriter& writer, const std::vector<SqliteValue>* bindings)
      : db_(db), writer_(writer), bindings_(bindings) {}

  /// Writes an expression over `sources` for a column.
  std::string Write(const SchemaColumn& column, size_t begin, size_t end, const std::vector<Source>& sources);
  /// Writes `expression`, which the engine gives in this storage, for a column.
  std::string Wrap(const SchemaColumn& column, const std::string& expression, Storage given);
  /// Notes that a query gives values of this kind for a column.
  void AddQueryKind(const SchemaColumn& column, Storage kind);
  /// Returns the kinds of values that the query's columns have; kOther for NULL alone.
  std::vector<Storage> KindsOf(const std::string& query);
  /// Returns whether the parameter stands in the statement once, so that its value may be converted when it
  /// is bound.
  bool IsUsedOnce(size_t parameter) const;

  const StoredKinds& kinds() const { return kinds_; }
  const std::vector<BoundColumn>& bound_columns() const { return bound_columns_; }

 private:
  void AddKind(const SchemaColumn& column, const SqliteValue& value);

  sqlite3& db_;
  SqlWriter& writer_;
  const std::vector<SqliteValue>* bindings_;
  StoredKinds kinds_;
  std::vector<BoundColumn> bound_columns_;
};

/// Changes the types of columns in the engine to hold values of these kinds. Returns whether it has changed
/// any.
bool AdaptColumns(sqlite3& db, const SchemaTable& table, const StoredKinds& kinds);

}  // namespace scaup::sqlite
