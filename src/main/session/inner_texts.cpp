// The texts that functions of a session have run.
#include "main/session/inner_texts.hpp"

#include <algorithm>
#include <utility>

#include "main/session/statement_cache.hpp"

namespace scaup {

namespace {

constexpr size_t kMostTexts = 16;
/// Longer texts take long to run, too, and would take much memory.
constexpr size_t kLongestInnerText = 4000;

}  // namespace

std::unique_ptr<InnerText> InnerTexts::TakeLocked(std::string_view sql, std::span<const LogicalType> types) {
  const auto found = std::ranges::find_if(texts_, [&](const std::unique_ptr<InnerText>& each) {
    return each->sql == sql && std::ranges::equal(each->types, types);
  });
  if (found == texts_.end()) return nullptr;
  std::unique_ptr<InnerText> text = std::move(*found);
  texts_.erase(found);
  return text;
}

std::unique_ptr<InnerText> InnerTexts::Take(std::string_view sql, std::span<const LogicalType> types) {
  const MutexLock lock(mutex_);
  return TakeLocked(sql, types);
}

void InnerTexts::Give(std::unique_ptr<InnerText> text) {
  if (text->sql.size() > kLongestInnerText) return;
  text->answer.reset();
  text->answered.clear();
  text->prepared_by = nullptr;
  if (text->prepared.plan && !DependsOnCatalogAlone(*text->statement, text->prepared)) {
    text->prepared = PreparedPlan();
    text->was_run = false;
  }
  // Destroyed without the lock, as a plan may own functions of the program.
  std::unique_ptr<InnerText> same, oldest;
  const MutexLock lock(mutex_);
  same = TakeLocked(text->sql, text->types);
  texts_.push_front(std::move(text));
  if (texts_.size() <= kMostTexts) return;
  oldest = std::move(texts_.back());
  texts_.pop_back();
}

void InnerTexts::Follow(uint64_t catalog_version) {
  if (catalog_version_.exchange(catalog_version, std::memory_order_relaxed) == catalog_version) return;
  std::vector<PreparedPlan> dropped;
  const MutexLock lock(mutex_);
  for (const std::unique_ptr<InnerText>& text : texts_)
    dropped.push_back(std::exchange(text->prepared, PreparedPlan()));
}

}  // namespace scaup
