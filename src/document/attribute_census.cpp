// Counts of documents per attribute: pages of counts, copied on write at a commit.
#include "document/attribute_census.hpp"

#include <algorithm>

#include "document/document_record.hpp"

namespace scaup {

void AttributeDelta::Add(AttributeId id, int64_t documents) {
  const auto [place, is_new] = places_.try_emplace(id, entries_.size());
  if (is_new) entries_.emplace_back(id, 0);
  entries_[place->second].second += documents;
}

void AttributeDelta::AddRecord(const DocumentRecord& record, int64_t documents) {
  for (size_t place = 0; place < record.size(); place++) Add(record.id(record.InOrder(place)), documents);
}

AttributeCensus::Entry& AttributeCensus::Require(AttributeId id, std::vector<bool>& is_own) {
  const size_t page = id / kPageSize;
  if (page >= pages_.size()) pages_.resize(page + 1);
  is_own.resize(pages_.size());
  // Pages are shared with other versions, so the first change of one copies it.
  if (!is_own[page]) {
    pages_[page] = pages_[page] ? std::make_shared<Page>(*pages_[page]) : std::make_shared<Page>();
    is_own[page] = true;
  }
  return (*pages_[page])[id % kPageSize];
}

std::shared_ptr<const AttributeCensus> AttributeCensus::After(const AttributeChanges& changes,
                                                              AttributeDictionary& dictionary) const {
  auto next = std::make_shared<AttributeCensus>(*this);
  next->moved_.clear();
  std::vector<bool> is_own;
  std::vector<std::pair<uint64_t, AttributeId>> met;  // appearing attributes, by their ranks
  for (const auto& [id, change] : changes.changes()) {
    if (change.documents == 0) continue;
    Entry& entry = next->Require(id, is_own);
    const bool was_present = entry.documents != 0;
    // Clamped at 0, because the count from a damaged file may be too low.
    entry.documents = change.documents < 0 && entry.documents < static_cast<uint64_t>(-change.documents)
                          ? 0
                          : entry.documents + static_cast<uint64_t>(change.documents);
    const bool is_present = entry.documents != 0;
    if (is_present && !was_present) met.emplace_back(change.rank, id);
    if (is_present != was_present) next->moved_.push_back(id);
  }
  std::sort(met.begin(), met.end());
  for (const auto& [rank, id] : met) next->Require(id, is_own).rank = next->next_rank_++;
  if (!next->moved_.empty()) next->epoch_ = dictionary.NextEpoch();
  return next;
}

void AttributeCensus::Write(ByteWriter& writer) const {
  std::vector<std::pair<uint64_t, AttributeId>> present;
  const auto end = static_cast<AttributeId>(attribute_end());
  for (AttributeId id = 0; id < end; id++) {
    if (Has(id)) present.emplace_back((*this)[id].rank, id);
  }
  std::sort(present.begin(), present.end());
  writer.WriteVarint(present.size());
  for (const auto& [rank, id] : present) {
    writer.WriteVarint(id);
    writer.WriteVarint((*this)[id].documents);
  }
}

std::shared_ptr<const AttributeCensus> AttributeCensus::Read(AttributeDictionary& dictionary,
                                                             ByteReader& reader) {
  auto census = std::make_shared<AttributeCensus>();
  std::vector<bool> is_own;
  const size_t count = reader.ReadCount("census of attributes", 2);
  for (size_t i = 0; i < count; i++) {
    const uint64_t id = reader.ReadVarint("census of attributes");
    if (id >= dictionary.attribute_count()) reader.Fail("census of attributes", "there is no such attribute");
    Entry& entry = census->Require(static_cast<AttributeId>(id), is_own);
    if (entry.documents != 0) reader.Fail("census of attributes", "an attribute is counted twice");
    entry.documents = reader.ReadVarint("census of attributes");
    if (entry.documents == 0)
      reader.Fail("census of attributes", "no document has an attribute that is listed");
    entry.rank = census->next_rank_++;
  }
  census->epoch_ = dictionary.NextEpoch();
  return census;
}

void AttributeChanges::Add(const AttributeDelta& delta, const AttributeCensus& seen,
                           AttributeDictionary& dictionary) {
  // Allocations come first, so that nothing is changed when one fails.
  for (const auto& [id, documents] : delta.entries()) changes_.try_emplace(id);
  bool is_other_set = false;
  for (const auto& [id, documents] : delta.entries()) {
    Change& change = changes_.find(id)->second;
    const auto before = static_cast<int64_t>(seen[id].documents) + change.documents;
    change.documents += documents;
    const int64_t after = before + documents;
    if (before <= 0 && after > 0) change.rank = next_rank_++;
    is_other_set = is_other_set || (before > 0) != (after > 0);
  }
  if (is_other_set) epoch_ = dictionary.NextEpoch();
}

void AttributeChanges::TakeBack(const AttributeDelta& delta, AttributeDictionary& dictionary) noexcept {
  for (const auto& [id, documents] : delta.entries()) changes_.find(id)->second.documents -= documents;
  if (!delta.empty() && epoch_ != 0) epoch_ = dictionary.NextEpoch();
}

}  // namespace scaup
