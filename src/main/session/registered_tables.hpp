// Registered tables: Arrow tables that a program offers to the statements of one connection.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "format/arrow/foreign_tables.hpp"

namespace scaup {

/// Returns the name as SQL folds it when it is not quoted.
std::string FoldedName(std::string_view name);

/// Registered tables by name, without regard to case. Owned by a session and guarded by its mutex. Statements
/// share the tables, so one that is removed lives until they end.
class RegisteredTables final : public ForeignTables {
 public:
  /// The ReplacementScan of scaup/connection.hpp.
  using Finder = std::function<ArrowFactory(std::string_view name, ArrowArrayStream* once)>;

  void Add(std::string_view name, std::shared_ptr<ArrowTable> table);
  /// Returns false if there is none of that name.
  bool Remove(std::string_view name);
  /// Sets the finder that is asked for unknown names; null for none.
  void SetFinder(Finder finder) { finder_ = std::move(finder); }
  std::shared_ptr<ArrowTable> Find(std::string_view name) override;

 private:
  std::map<std::string, std::shared_ptr<ArrowTable>, std::less<>> tables_;  // names in lower case
  Finder finder_;
};

}  // namespace scaup
