// Deferred checks: the keys of a transaction that are checked at its commit.
#include "main/key/deferred_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// More keys than these are kept as they came; fewer are copied to those of earlier statements, so that a
/// transaction of many small statements has few checks.
constexpr uint64_t kMostCopiedKeys = 16 * kVectorSize;

std::unique_ptr<SpillableRows> CopyOf(QueryContext& context, const SpillableRows& keys) {
  return std::make_unique<SpillableRows>(context, keys.types());
}

void AppendAll(const SpillableRows& from, SpillableRows& into) {
  DataChunk chunk(from.types());
  for (size_t piece = 0; piece < from.piece_count(); piece++) {
    from.Read(piece, chunk);
    into.Append(chunk);
  }
}

std::unique_ptr<SpillableRows>& KeysOf(DeferredCheck& check) {
  return check.written ? check.written->keys : check.removed->keys;
}

/// Returns whether both checks ask the same of their keys.
bool AreAlike(const DeferredCheck& a, const DeferredCheck& b) {
  if (a.written && b.written)
    return a.written->table == b.written->table && a.written->foreign_key == b.written->foreign_key;
  if (!a.removed || !b.removed) return false;
  const KeyChanges::Removed &x = *a.removed, &y = *b.removed;
  return x.reference.from == y.reference.from && x.reference.foreign_key == y.reference.foreign_key &&
         x.is_update == y.is_update;
}

}  // namespace

bool DeferredChecks::IsDeferred(const ConstraintPlace& constraint, const Deferral& deferral) const {
  if (!deferral.is_deferrable) return false;
  const auto named =
      std::find_if(named_.begin(), named_.end(), [&](const auto& mode) { return mode.first == constraint; });
  if (named != named_.end()) return named->second;
  return all_.value_or(deferral.is_deferred);
}

void DeferredChecks::SetAll(bool is_deferred) {
  all_ = is_deferred;
  named_.clear();
}

void DeferredChecks::Set(const ConstraintPlace& constraint, bool is_deferred) {
  std::erase_if(named_, [&](const auto& mode) { return mode.first == constraint; });
  named_.emplace_back(constraint, is_deferred);
}

void DeferredChecks::AddUnique(DeferredCheck check) {
  // The late keys of all statements are in one list.
  const bool is_there = std::any_of(checks_.begin(), checks_.end(), [&](const auto& other) {
    return other->unique == check.unique && other->is_pending();
  });
  if (is_there) return;
  check.added = ++count_;
  checks_.push_back(std::make_unique<DeferredCheck>(std::move(check)));
}

void DeferredChecks::AddKeys(QueryContext& context, DeferredCheck check) {
  const SpillableRows& keys = *KeysOf(check);
  check.added = ++count_;
  if (keys.row_count() > kMostCopiedKeys) {
    checks_.push_back(std::make_unique<DeferredCheck>(std::move(check)));
    return;
  }
  auto place = std::find_if(checks_.begin(), checks_.end(), [&](const auto& other) {
    return other->takes_more && other->is_pending() && AreAlike(*other, check);
  });
  if (place != checks_.end()) return AppendAll(keys, *KeysOf(**place));
  auto copy = CopyOf(context, keys);
  AppendAll(keys, *copy);
  KeysOf(check) = std::move(copy);
  check.takes_more = true;
  checks_.push_back(std::make_unique<DeferredCheck>(std::move(check)));
}

bool DeferredChecks::has_pending() const {
  return std::any_of(checks_.begin(), checks_.end(), [](const auto& check) { return check->is_pending(); });
}

std::vector<DeferredCheck*> DeferredChecks::Pending(bool with_deferred) {
  std::vector<DeferredCheck*> pending;
  for (const auto& check : checks_) {
    if (!check->is_pending()) continue;
    if (!with_deferred && IsDeferred(check->constraint, check->deferral)) continue;
    if (std::exchange(check->takes_more, false)) KeysOf(*check)->Finish();
    pending.push_back(check.get());
  }
  return pending;
}

void DeferredChecks::ForgetPassed() {
  std::erase_if(checks_, [](const auto& check) { return !check->is_pending(); });
}

void DeferredChecks::RequireNonePending(const TableEntry& table, const char* command) const {
  for (const auto& check : checks_) {
    if (!check->is_pending() || check->table->storage != table.storage) continue;
    ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
               fmt::format("cannot {} \"{}\" because a check of constraint \"{}\" is deferred to the commit: "
                           "SET CONSTRAINTS ALL IMMEDIATE first",
                           command, table.name, check->constraint.name));
  }
}

void DeferredChecks::RollBackTo(const Mark& mark) {
  std::erase_if(checks_, [&](const auto& check) { return check->added > mark.count; });
  for (const auto& check : checks_) {
    // A change that was rolled back may be why it was passed.
    if (check->run > mark.count) check->run.reset();
  }
  all_ = mark.all;
  named_ = mark.named;
}

void DeferredChecks::Clear() {
  checks_.clear();
  all_.reset();
  named_.clear();
  savepoint_count_ = 0;
}

}  // namespace scaup
