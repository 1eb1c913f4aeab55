// The cache of a session's statements.
#include "main/session/statement_cache.hpp"

#include <algorithm>
#include <utility>

#include "common/hash.hpp"
#include "common/stack_bound.hpp"

namespace scaup {

namespace {

/// A longer text also takes long to run, so parsing it matters less. The bounds limit the memory of the
/// cache, together with the number of its statements.
constexpr size_t kLongestText = 4000;
constexpr size_t kMostColumns = 200;

uint64_t KeyOf(std::string_view sql, std::span<const LogicalType> parameter_types) {
  uint64_t hash = HashBytes(sql.data(), sql.size());
  for (const LogicalType& type : parameter_types)
    hash = HashInteger(hash ^ (static_cast<uint64_t>(type.id()) + 1));
  return hash == 0 ? 1 : hash;  // 0 marks free places.
}

/// Returns whether the plan of a statement depends on the catalog alone. Plans of SHOW and the like contain
/// their answer, so they serve once.
bool IsReusable(const ast::Statement& statement) {
  CheckStack();
  return statement.kind == ast::StatementKind::kSelect || statement.kind == ast::StatementKind::kInsert ||
         statement.kind == ast::StatementKind::kUpdate || statement.kind == ast::StatementKind::kDelete ||
         statement.kind == ast::StatementKind::kMerge;
}

/// Returns whether a plan can be reused. Table functions read files, listings and settings when they are
/// bound, and these may change without a change of the catalog.
bool IsReusable(const LogicalOperator& plan) {
  CheckStack();
  return plan.kind() != LogicalKind::kTableFunction &&
         std::all_of(plan.children.begin(), plan.children.end(),
                     [](const LogicalOperatorPtr& child) { return IsReusable(*child); });
}

}  // namespace

bool DependsOnCatalogAlone(const ast::Statement& statement, const PreparedPlan& prepared) {
  return prepared.plan && prepared.catalog_version != 0 && prepared.plan->types.size() <= kMostColumns &&
         IsReusable(statement) && IsReusable(*prepared.plan->root);
}

StatementCache::Entries::iterator StatementCache::FindEntry(uint64_t hash, std::string_view sql,
                                                            std::span<const LogicalType> types) {
  const auto [begin, end] = by_hash_.equal_range(hash);
  const auto found = std::find_if(begin, end, [&](const auto& place) {
    const Entry& entry = *place.second;
    return entry.sql == sql &&
           std::equal(types.begin(), types.end(), entry.parameter_types.begin(), entry.parameter_types.end());
  });
  return found == end ? entries_.end() : found->second;
}

CachedStatement* StatementCache::Find(std::string_view sql, std::span<const LogicalType> parameter_types,
                                      uint64_t catalog_version) {
  // All entries have one version, so comparing it once suffices. Dropping them all also releases dropped
  // tables.
  if (std::exchange(catalog_version_, catalog_version) != catalog_version) {
    by_hash_.clear();
    entries_.clear();
  }
  if (sql.size() > kLongestText || entries_.empty()) return nullptr;
  const auto entry = FindEntry(KeyOf(sql, parameter_types), sql, parameter_types);
  if (entry == entries_.end()) return nullptr;
  // Splicing moves the entry to the front and leaves the iterators in by_hash_ valid.
  entries_.splice(entries_.begin(), entries_, entry);
  return &entry->statement;
}

bool StatementCache::HasSeen(std::string_view sql, std::span<const LogicalType> parameter_types) const {
  const uint64_t hash = KeyOf(sql, parameter_types);
  return seen_[hash % seen_.size()] == hash;
}

bool StatementCache::See(std::string_view sql, std::span<const LogicalType> parameter_types) {
  const uint64_t hash = KeyOf(sql, parameter_types);
  // The array has a fixed size: a flood of different texts must not grow it.
  return std::exchange(seen_[hash % seen_.size()], hash) == hash;
}

bool StatementCache::MayKeep(const ast::Statement& statement, const PreparedPlan& prepared) const {
  return prepared.catalog_version == catalog_version_ && DependsOnCatalogAlone(statement, prepared);
}

bool StatementCache::WouldKeep(std::string_view sql, std::span<const LogicalType> parameter_types,
                               const ast::Statement& statement, const PreparedPlan& prepared) {
  if (sql.size() > kLongestText || !prepared.plan || prepared.catalog_version != catalog_version_)
    return false;
  // Noted before the other tests, so that it happens at each first time.
  return See(sql, parameter_types) && MayKeep(statement, prepared);
}

CachedStatement& StatementCache::Add(std::string_view sql, std::span<const LogicalType> parameter_types,
                                     CachedStatement statement) {
  const uint64_t hash = KeyOf(sql, parameter_types);
  const auto known = FindEntry(hash, sql, parameter_types);
  if (known != entries_.end()) Erase(known);
  if (entries_.size() >= most_statements_) Erase(std::prev(entries_.end()));
  entries_.push_front(
      {hash, std::string(sql), {parameter_types.begin(), parameter_types.end()}, std::move(statement)});
  by_hash_.emplace(hash, entries_.begin());
  return entries_.front().statement;
}

void StatementCache::Clear() {
  by_hash_.clear();
  entries_.clear();
  seen_.fill(0);
}

void StatementCache::Erase(Entries::iterator entry) {
  const auto [begin, end] = by_hash_.equal_range(entry->hash);
  by_hash_.erase(std::find_if(begin, end, [&](const auto& place) { return place.second == entry; }));
  entries_.erase(entry);
}

}  // namespace scaup
