// Names of tables that a program offers.
#include "main/session/registered_tables.hpp"

#include <algorithm>

namespace scaup {

std::string FoldedName(std::string_view name) {
  std::string folded(name);
  // Only ASCII letters are folded, as the parser folds identifiers; std::tolower would depend on the locale.
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; });
  return folded;
}

void RegisteredTables::Add(std::string_view name, std::shared_ptr<ArrowTable> table) {
  tables_[FoldedName(name)] = std::move(table);
}

bool RegisteredTables::Remove(std::string_view name) { return tables_.erase(FoldedName(name)) != 0; }

std::shared_ptr<ArrowTable> RegisteredTables::Find(std::string_view name) {
  const auto found = tables_.find(FoldedName(name));
  if (found != tables_.end()) return found->second;
  if (!finder_) return nullptr;
  // The finder is asked last, so that a registered table cannot be hidden by a variable of the program. It
  // returns a factory for a table that can be read again, or fills `once` with a stream that can be read
  // once.
  ArrowArrayStream once = {};
  ArrowFactory factory = finder_(name, &once);
  if (once.release != nullptr) return std::make_shared<ArrowTable>(&once);
  return factory ? std::make_shared<ArrowTable>(std::move(factory)) : nullptr;
}

}  // namespace scaup
