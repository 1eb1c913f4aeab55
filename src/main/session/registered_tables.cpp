// Names of tables that a program offers.
#include "main/session/registered_tables.hpp"

#include <algorithm>

namespace scaup {

namespace {

std::string Folded(std::string_view name) {
  std::string folded(name);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; });
  return folded;
}

}  // namespace

void RegisteredTables::Add(std::string_view name, std::shared_ptr<ArrowTable> table) {
  tables_[Folded(name)] = std::move(table);
}

bool RegisteredTables::Remove(std::string_view name) { return tables_.erase(Folded(name)) != 0; }

std::shared_ptr<ArrowTable> RegisteredTables::Find(std::string_view name) {
  const auto found = tables_.find(Folded(name));
  if (found != tables_.end()) return found->second;
  if (!finder_) return nullptr;
  ArrowArrayStream once = {};
  ArrowFactory factory = finder_(name, &once);
  if (once.release != nullptr) return std::make_shared<ArrowTable>(&once);
  return factory ? std::make_shared<ArrowTable>(std::move(factory)) : nullptr;
}

}  // namespace scaup
