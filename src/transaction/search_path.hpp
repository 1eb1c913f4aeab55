// The schemas in which names without one are looked up.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/settings/settings.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The setting search_path as a list of schemas, which the transaction of a statement knows in the database
/// that the session uses. Those of replays and of other databases know none, and mean the default schema.
/// Immutable; shared by whoever holds it.
class SearchPath final : public TransactionLocal, public std::enable_shared_from_this<SearchPath> {
 public:
  /// REQUIRES: SplitSearchPath accepts the text.
  explicit SearchPath(const std::string& text);
  /// Returns the path that the settings tell; null for that of the default schema alone.
  static std::shared_ptr<const SearchPath> Of(const Settings& settings);
  /// Returns the path of a transaction; null for that of the default schema alone.
  static const SearchPath* Of(const Transaction& transaction);
  /// Gives a transaction a path, or none, for the statements that come.
  static void Give(Transaction& transaction, std::shared_ptr<const SearchPath> path);

  /// The schemas in the order in which they are searched, by their names in the catalog: those of the
  /// setting, and before them that of temporary relations, unless the setting has it itself. Some may not
  /// exist. Those of the system are left out.
  const std::vector<std::string>& searched() const { return searched_; }
  /// The schemas of the setting, in which new objects may be created.
  const std::vector<std::string>& named() const { return named_; }
  /// Returns whether the schema stands before pg_catalog, which comes first unless the setting has it.
  bool IsBeforeSystem(std::string_view schema) const;

 private:
  std::vector<std::string> searched_;
  std::vector<std::string> named_;
  size_t before_system_ = 0;  // the number of named schemas before pg_catalog; 0 if it is not named
};

/// The time while SQL of the engine's own runs, in which names without a schema mean the default one. Lives
/// on the stack.
class NoSearchPath {
 public:
  explicit NoSearchPath(Transaction& transaction);
  ~NoSearchPath() { SearchPath::Give(transaction_, std::move(path_)); }
  NoSearchPath(const NoSearchPath&) = delete;
  NoSearchPath& operator=(const NoSearchPath&) = delete;

 private:
  Transaction& transaction_;
  std::shared_ptr<const SearchPath> path_;
};

}  // namespace scaup
