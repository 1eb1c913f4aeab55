// The reference: first updater wins on rows, validation by running everything again.
#include "histories/reference_system.hpp"

#include <algorithm>

namespace scaup::test {

std::unique_ptr<TestedSession> ReferenceSystem::Connect() {
  return std::make_unique<ReferenceSession>(*this);
}

ReferenceSession::~ReferenceSession() {
  std::lock_guard lock(system_.mutex_);
  End();
}

Outcome ReferenceSession::Begin(Level level, bool read_only) {
  std::lock_guard lock(system_.mutex_);
  level_ = level;
  read_only_ = read_only;
  is_failed_ = false;
  start_ = system_.clock_;
  snapshot_ = system_.committed_;
  workspace_ = std::make_unique<Workspace>(snapshot_);
  steps_.clear();
  system_.running_.insert(this);
  return {"", "0 changed"};
}

/// Others touched a key that this statement makes.
bool ReferenceSession::IsContended(const Effect& effect) const {
  for (const int64_t key : effect.made_keys) {
    const auto last = system_.last_key_commit_.find(key);
    if (last != system_.last_key_commit_.end() && last->second > start_) return true;
    for (const ReferenceSession* other : system_.running_) {
      if (other == this) continue;
      if (other->workspace_->effect().made_keys.contains(key)) return true;
      for (const RowName& row : other->workspace_->effect().written) {
        const Row* old = other->snapshot_.Find(row);
        if (row.first == TableName::kKeyed && old != nullptr && old->k == key) return true;
      }
    }
  }
  return false;
}

bool ReferenceSession::Conflicts(const Effect& effect, const Workspace& before, bool with_those_over) const {
  const Mistake mistake = system_.mistake_;
  if (mistake == Mistake::kNoWriteConflicts) return false;
  if (mistake == Mistake::kRefusesWriters && !effect.written.empty() && system_.running_.size() > 1)
    return true;
  for (const RowName& row : effect.written) {
    if (before.effect().written.contains(row)) continue;
    const auto last = system_.last_commit_.find(row);
    if (last != system_.last_commit_.end() && last->second > start_ &&
        mistake != Mistake::kConflictsOfRunning)
      return true;
    for (const ReferenceSession* other : system_.running_) {
      if (other == this || (other->IsOver() && !with_those_over)) continue;
      if (other->workspace_->effect().written.contains(row)) return true;
    }
  }
  if (mistake == Mistake::kNoUniqueness) return false;
  for (const int64_t key : effect.made_keys) {
    // One that it has made and taken back is free for others meanwhile.
    if (before.effect().made_keys.contains(key) && before.tables().FindKey(key)) continue;
    const auto holder = system_.committed_.FindKey(key);
    const RowName held{TableName::kKeyed, holder.value_or(0)};
    const bool is_own = effect.written.contains(held) || before.effect().written.contains(held);
    if (holder && !before.tables().FindKey(key) && !is_own) return true;
    for (const ReferenceSession* other : system_.running_) {
      if (other == this || (other->IsOver() && !with_those_over)) continue;
      if (other->workspace_->tables().FindKey(key) && !other->snapshot_.FindKey(key)) return true;
    }
  }
  return false;
}

Outcome ReferenceSession::Run(const Operation& operation) {
  std::lock_guard lock(system_.mutex_);
  const bool leads_out = is_failed_ && operation.kind == OperationKind::kRollbackTo;
  if (is_failed_ && !leads_out) return {"25P02", ""};
  Outcome outcome = RunLocked(operation);
  is_failed_ = !outcome.ok();
  steps_.push_back({operation, outcome});
  return outcome;
}

Outcome ReferenceSession::RunLocked(const Operation& operation) {
  before_last_ = std::make_unique<Workspace>(*workspace_);
  last_is_contended_ = false;
  const Mistake mistake = system_.mistake_;
  if (IsRead(operation.kind) && mistake != Mistake::kNone) {
    TableModel seen = workspace_->tables();
    if (mistake == Mistake::kReadsNewest && workspace_->effect().written.empty()) seen = system_.committed_;
    if (mistake == Mistake::kLosesOwn) seen = snapshot_;
    if (mistake == Mistake::kReadsUncommitted)
      for (const ReferenceSession* other : system_.running_)
        for (const RowName& row : other->workspace_->effect().written)
          if (const Row* value = other->workspace_->tables().Find(row))
            seen.rows(row.first)[row.second] = *value;
    return Apply(seen, operation);
  }
  if (operation.kind >= OperationKind::kSavepoint) {
    if (mistake == Mistake::kKeepsSavepoint && operation.kind == OperationKind::kRollbackTo)
      return {"", "0 changed"};
    return workspace_->Run(operation);
  }
  // What the statement alone would do.
  TableModel trial = workspace_->tables();
  Effect effect;
  const Outcome alone = Apply(trial, operation, &effect);
  last_is_contended_ = IsContended(effect);
  if (Conflicts(effect, *workspace_, false)) return {"40001", ""};
  last_is_contended_ = last_is_contended_ || Conflicts(effect, *workspace_, true);
  if (!alone.ok()) return alone;
  return workspace_->Run(operation);
}

void ReferenceSession::FailLast() {
  std::lock_guard lock(system_.mutex_);
  workspace_ = std::move(before_last_);
  steps_.back().outcome = {"40001", ""};
  is_failed_ = true;
}

bool ReferenceSession::IsStillValid() {
  std::lock_guard lock(system_.mutex_);
  return StillValidLocked();
}

bool ReferenceSession::HasWritten() {
  std::lock_guard lock(system_.mutex_);
  return !workspace_->effect().written.empty();
}

bool ReferenceSession::HasChanges() {
  std::lock_guard lock(system_.mutex_);
  return workspace_->tables() != snapshot_;
}

bool ReferenceSession::StillValidLocked() const {
  if (workspace_->effect().written.empty()) return true;
  Workspace again(system_.committed_);
  for (const Step& step : steps_) {
    // What failed did nothing, and is not taken to say anything of the order.
    if (!step.outcome.ok()) continue;
    if (again.Run(step.operation) == step.outcome) continue;
    const bool is_narrow =
        system_.mistake_ == Mistake::kValidatesPoints && step.operation.kind != OperationKind::kReadPoint;
    const bool forgets =
        system_.mistake_ == Mistake::kForgetsBefore &&
        again.tables().rows(step.operation.table).size() < snapshot_.rows(step.operation.table).size();
    if (!is_narrow && !forgets) return false;
  }
  // The same answers, but also the same rows: an UPDATE may set what it read.
  if (system_.mistake_ == Mistake::kValidatesPoints || system_.mistake_ == Mistake::kForgetsBefore)
    return true;
  return again.effect().written == workspace_->effect().written &&
         std::all_of(again.effect().written.begin(), again.effect().written.end(), [&](const RowName& name) {
           const Row* one = again.tables().Find(name);
           const Row* other = workspace_->tables().Find(name);
           return one == nullptr || other == nullptr ? one == other : *one == *other;
         });
}

void ReferenceSession::Publish() {
  if (workspace_->effect().written.empty()) return;
  system_.clock_++;
  for (const RowName& name : workspace_->effect().written) {
    const Row* value = workspace_->tables().Find(name);
    const Row* old = system_.committed_.Find(name);
    for (const Row* row : {value, old})
      if (row != nullptr && name.first == TableName::kKeyed)
        system_.last_key_commit_[row->k] = system_.clock_;
    if (value != nullptr) {
      system_.committed_.rows(name.first)[name.second] = *value;
    } else {
      system_.committed_.rows(name.first).erase(name.second);
    }
    system_.last_commit_[name] = system_.clock_;
    if (system_.mistake_ == Mistake::kLosesCommit) return;
  }
}

Outcome ReferenceSession::Commit() {
  std::lock_guard lock(system_.mutex_);
  Outcome outcome{"", "0 changed"};
  const bool others_wrote = system_.clock_ > start_;
  const bool validates = level_ == Level::kSerializable && system_.mistake_ != Mistake::kNoValidation;
  if (is_failed_) {
    End();
    return outcome;
  }
  if (validates && !StillValidLocked()) outcome = {"40001", ""};
  if (system_.mistake_ == Mistake::kRefusesReaders && read_only_ && others_wrote) outcome = {"40001", ""};
  if (outcome.ok()) Publish();
  End();
  return outcome;
}

Outcome ReferenceSession::Rollback() {
  std::lock_guard lock(system_.mutex_);
  if (system_.mistake_ == Mistake::kKeepsRolledBack) Publish();
  End();
  return {"", "0 changed"};
}

Outcome ReferenceSession::RunAlone(const Operation& operation) {
  Begin(Level::kSerializable, false);
  Outcome outcome = Run(operation);
  const Outcome end = outcome.ok() ? Commit() : Rollback();
  return end.ok() ? outcome : end;
}

void ReferenceSession::End() {
  system_.running_.erase(this);
  workspace_.reset();
  before_last_.reset();
}

}  // namespace scaup::test
