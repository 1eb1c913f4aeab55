// Tables that a program offers to the statements of one connection.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "format/arrow/foreign_tables.hpp"

namespace scaup {

/// Tables by names, whose case does not count: SQL folds it. Guarded by the session's mutex.
class RegisteredTables final : public ForeignTables {
 public:
  /// ReplacementScan of scaup/connection.hpp.
  using Finder = std::function<ArrowFactory(std::string_view name, ArrowArrayStream* once)>;

  void Add(std::string_view name, std::shared_ptr<ArrowTable> table);
  /// False where there was none.
  bool Remove(std::string_view name);
  /// Sets the finder that is asked for names that are not here; null: none.
  void SetFinder(Finder finder) { finder_ = std::move(finder); }
  std::shared_ptr<ArrowTable> Find(std::string_view name) override;

 private:
  std::map<std::string, std::shared_ptr<ArrowTable>, std::less<>> tables_;  // Names in lower case.
  Finder finder_;
};

}  // namespace scaup
