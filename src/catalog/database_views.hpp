// The databases that a statement can name: each with its catalog and its part of the transaction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// A database as one statement sees it. Borrows the catalog and the transaction.
struct DatabaseView {
  std::string name;
  Catalog* catalog;
  Transaction* transaction;  ///< the member of the statement's transaction in this database
};

/// The databases of one statement: the one that was opened, which comes first and has the temporary
/// relations, and those that are attached. Unqualified names mean `home`. Made for one statement and used by
/// one thread; immutable.
class DatabaseViews {
 public:
  /// REQUIRES: `home` is less than the number of views, which is not 0.
  DatabaseViews(std::vector<DatabaseView> views, size_t home);

  const std::vector<DatabaseView>& all() const { return views_; }
  const DatabaseView& main() const { return views_.front(); }
  const DatabaseView& home() const { return views_[home_]; }
  /// Returns the database of that name; null if there is none.
  const DatabaseView* Find(std::string_view name) const;
  /// Throws Error(kCatalog, 3D000) if there is none.
  const DatabaseView& Require(std::string_view name, size_t position) const;
  /// Returns the database of a table; the home for a table of no database.
  const DatabaseView& Of(const Table& table) const;
  /// Returns the database that the first of two names means, as in database.table; null if it is the name of
  /// a schema of `own`, in which the names stand. If it is both, a schema of the database of the same name
  /// goes before; for any other database throws Error(kCatalog, 42P09), as DuckDB does.
  const DatabaseView* FirstOfTwo(std::string_view first, const DatabaseView& own, size_t position) const;

 private:
  std::vector<DatabaseView> views_;
  size_t home_;
};

}  // namespace scaup
