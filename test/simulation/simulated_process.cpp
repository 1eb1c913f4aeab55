// The calls that a process makes: each is counted, may go wrong, and else does as the POSIX file system.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/file/io_error.hpp"
#include "common/file/path_pattern.hpp"
#include "simulation/simulation_state.hpp"

namespace scaup::test {

namespace {

bool Fits(FaultKind fault, CallKind call) {
  switch (fault) {
    case FaultKind::kPartialError:
      return call == CallKind::kWrite || call == CallKind::kRename || call == CallKind::kSync;
    case FaultKind::kSyncLost: return call == CallKind::kSync;
    case FaultKind::kSyncLies: return call == CallKind::kSync || call == CallKind::kSyncDirectory;
    case FaultKind::kError:
    case FaultKind::kDiskFull:
    case FaultKind::kCrash:
    case FaultKind::kCrashInside:
    case FaultKind::kKill:
    case FaultKind::kKillInside: return true;
  }
  return true;
}

bool IsInside(FaultKind fault) { return fault == FaultKind::kCrashInside || fault == FaultKind::kKillInside; }

bool Strikes(const ArmedFault& fault, const IoCall& call, uint64_t number) {
  return number >= fault.from_call && Fits(fault.kind, call.kind) &&
         (!fault.call_kind || *fault.call_kind == call.kind) &&
         call.path.find(fault.path_part) != std::string::npos;
}

class SimulatedFile final : public File {
 public:
  SimulatedFile(std::shared_ptr<SimulationState> state, uint64_t process, DiskNodePtr node, std::string path,
                bool may_write, bool name_is_durable)
      : state_(std::move(state)),
        node_(std::move(node)),
        path_(std::move(path)),
        process_(process),
        may_write_(may_write),
        name_is_durable_(name_is_durable) {}
  ~SimulatedFile() override {
    const std::lock_guard lock(state_->mutex);
    UnlockAll();
  }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    const CallLock lock(*state_);
    if (Enter("read", CallKind::kRead, offset, size_bytes)) state_->GoDown();
    if (offset >= node_->seen.size()) return 0;
    const size_t done = std::min<uint64_t>(size_bytes, node_->seen.size() - offset);
    std::memcpy(buffer, node_->seen.data() + offset, done);
    return done;
  }

  void Write(uint64_t offset, const void* buffer, size_t size_bytes) override {
    const CallLock lock(*state_);
    const bool was_full = state_->is_full;
    const auto fault = Enter("write", CallKind::kWrite, offset, size_bytes);
    if (!may_write_) ThrowIoError("write", path_, EBADF);
    const char* bytes = static_cast<const char*>(buffer);
    if (fault) {
      // A crash may come when all is written, too; an error comes before that.
      const size_t end = size_bytes + (IsInside(*fault) ? 1 : 0);
      const size_t part = end == 0 ? 0 : state_->random() % end;
      state_->disk.Write(*node_, offset, bytes, part);
      if (IsInside(*fault)) state_->GoDown();
      ThrowIoError("write", path_, EIO);
    }
    uint64_t room = state_->is_full ? (was_full ? 0 : size_bytes / 2) : size_bytes;
    const uint64_t end = offset + size_bytes, growth = end - std::min(end, node_->seen.size());
    const uint64_t granted = state_->RoomFor(growth);
    if (granted < growth) room = std::min(room, size_bytes - std::min(size_bytes, growth - granted));
    state_->disk.Write(*node_, offset, bytes, room);
    if (room < size_bytes) ThrowIoError("write", path_, ENOSPC);
  }

  uint64_t Size() override {
    const CallLock lock(*state_);
    if (Enter("examine", CallKind::kSize, 0, 0)) state_->GoDown();
    return node_->seen.size();
  }

  void Truncate(uint64_t size_bytes) override {
    const CallLock lock(*state_);
    const auto fault = Enter("truncate", CallKind::kTruncate, size_bytes, 0);
    if (!may_write_) ThrowIoError("truncate", path_, EINVAL);
    state_->disk.Truncate(*node_, size_bytes);
    if (fault) state_->GoDown();
  }

  void Sync() override {
    const CallLock lock(*state_);
    const auto fault = Enter("sync", CallKind::kSync, 0, 0);
    if (fault == FaultKind::kSyncLies) return;
    if (fault == FaultKind::kSyncLost) {
      SimulatedDisk::DropPending(*node_, state_->random);
      ThrowIoError("sync", path_, EIO);
    }
    // A crash inside: what is pending gets to disk in part, as Crash decides.
    if (fault && IsInside(*fault)) state_->GoDown();
    SimulatedDisk::SyncBytes(*node_);
    if (fault == FaultKind::kPartialError) ThrowIoError("sync directory of", path_, EIO);
    if (!name_is_durable_) state_->disk.SyncNames(ParentDirectory(NormalPath(path_)));
    name_is_durable_ = true;
  }

  bool TryLock(const FileRange& range, bool exclusive) override {
    const CallLock lock(*state_);
    if (Enter("lock", CallKind::kLock, range.begin, range.size_bytes)) state_->GoDown();
    if (exclusive && !may_write_) ThrowIoError("lock", path_, EBADF);
    auto& holders = state_->locks[node_.get()];
    for (const auto& [holder, locks] : holders) {
      if (holder != this && locks.ConflictsWith(range, exclusive)) return false;
    }
    holders[this].process = process_;
    holders[this].Set(range, exclusive);
    return true;
  }

  void Unlock(const FileRange& range) override {
    const CallLock lock(*state_);
    if (Enter("unlock", CallKind::kLock, range.begin, range.size_bytes)) state_->GoDown();
    state_->locks[node_.get()][this].Clear(range);
  }

  std::optional<FileRange> FindLock(const FileRange& range) override {
    const CallLock lock(*state_);
    if (Enter("ask for locks of", CallKind::kLock, range.begin, range.size_bytes)) state_->GoDown();
    for (const auto& [holder, locks] : state_->locks[node_.get()]) {
      if (holder == this) continue;
      if (const auto found = locks.Find(range)) return found;
    }
    return std::nullopt;
  }

  const std::string& path() const override { return path_; }

 private:
  std::optional<FaultKind> Enter(const char* action, CallKind kind, uint64_t offset, uint64_t size_bytes) {
    return state_->Enter(action, {kind, path_, offset, size_bytes}, process_);
  }
  void UnlockAll() {
    const auto found = state_->locks.find(node_.get());
    if (found == state_->locks.end()) return;
    found->second.erase(this);
    if (found->second.empty()) state_->locks.erase(found);
  }

  std::shared_ptr<SimulationState> state_;
  DiskNodePtr node_;
  std::string path_;
  uint64_t process_;
  bool may_write_;
  bool name_is_durable_;
};

class SimulatedProcess final : public FileSystem {
 public:
  explicit SimulatedProcess(std::shared_ptr<SimulationState> state)
      : state_(std::move(state)), process_(state_->next_process++) {}

  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    const char* action = mode == OpenMode::kCreateNew ? "create" : "open";
    const CallLock lock(*state_);
    const auto fault = Enter(action, CallKind::kOpen, path);
    const std::string normal = NormalPath(path);
    DiskNodePtr node = state_->disk.Find(normal);
    if (node == nullptr) {
      if (mode == OpenMode::kRead || !state_->disk.HasParent(normal)) ThrowIoError(action, path, ENOENT);
      if (state_->is_full) ThrowIoError(action, path, ENOSPC);
      node = state_->disk.Create(normal, false);
    } else if (mode == OpenMode::kCreateNew) {
      ThrowIoError(action, path, EEXIST);
    } else if (node->is_directory) {
      ThrowIoError(action, path, EISDIR);
    } else if (mode == OpenMode::kTruncate) {
      state_->disk.Truncate(*node, 0);
    }
    if (fault) state_->GoDown();
    const bool may_write = mode != OpenMode::kRead;
    return std::make_unique<SimulatedFile>(state_, process_, std::move(node), path, may_write, !may_write);
  }

  bool Exists(const std::string& path) override {
    const CallLock lock(*state_);
    if (Enter("examine", CallKind::kExists, path)) state_->GoDown();
    return state_->disk.Find(NormalPath(path)) != nullptr;
  }

  void Remove(const std::string& path) override {
    const CallLock lock(*state_);
    const auto fault = Enter("remove", CallKind::kRemove, path);
    const std::string normal = NormalPath(path);
    const DiskNodePtr node = state_->disk.Find(normal);
    if (node == nullptr) ThrowIoError("remove", path, ENOENT);
    if (node->is_directory) ThrowIoError("remove", path, EISDIR);
    state_->disk.Remove(normal);
    if (fault) state_->GoDown();
  }

  void Rename(const std::string& from, const std::string& to) override {
    const CallLock lock(*state_);
    const auto fault = Enter("rename", CallKind::kRename, from);
    const std::string old_path = NormalPath(from), new_path = NormalPath(to);
    const DiskNodePtr node = state_->disk.Find(old_path), replaced = state_->disk.Find(new_path);
    if (node == nullptr || !state_->disk.HasParent(new_path)) ThrowIoError("rename", from, ENOENT);
    // Directories keep their names here: nobody renames any.
    if (node->is_directory || (replaced && replaced->is_directory)) ThrowIoError("rename", from, EISDIR);
    state_->disk.Rename(old_path, new_path);
    if (fault && IsInside(*fault)) state_->GoDown();
    if (fault == FaultKind::kPartialError) ThrowIoError("sync directory of", to, EIO);
    state_->disk.SyncNames(ParentDirectory(new_path));
  }

  void SyncDirectory(const std::string& directory) override {
    const CallLock lock(*state_);
    const auto fault = Enter("sync directory of", CallKind::kSyncDirectory, directory);
    const std::string normal = NormalPath(directory);
    const DiskNodePtr node = state_->disk.Find(normal);
    if (node == nullptr) ThrowIoError("open directory of", directory, ENOENT);
    if (!node->is_directory) ThrowIoError("open directory of", directory, ENOTDIR);
    if (fault == FaultKind::kSyncLies) return;
    if (fault) state_->GoDown();
    state_->disk.SyncNames(normal);
  }

  void CreateDirectory(const std::string& path) override {
    const CallLock lock(*state_);
    const auto fault = Enter("create directory", CallKind::kCreateDirectory, path);
    const std::string normal = NormalPath(path);
    if (state_->disk.Find(normal) == nullptr) {
      if (!state_->disk.HasParent(normal)) ThrowIoError("create directory", path, ENOENT);
      if (state_->is_full) ThrowIoError("create directory", path, ENOSPC);
      state_->disk.Create(normal, true);
    }
    if (fault) state_->GoDown();
  }

  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    constexpr const char* kAction = "create temporary file in";
    const CallLock lock(*state_);
    const auto fault = Enter(kAction, CallKind::kOpenTemporary, directory);
    const DiskNodePtr parent = state_->disk.Find(NormalPath(directory));
    if (parent == nullptr || !parent->is_directory) ThrowIoError(kAction, directory, ENOENT);
    if (state_->is_full) ThrowIoError(kAction, directory, ENOSPC);
    if (fault) state_->GoDown();
    return std::make_unique<SimulatedFile>(state_, process_, state_->disk.CreateUnnamed(),
                                           directory + "/scaup-unnamed", true, true);
  }

  std::vector<std::string> Glob(const std::string& pattern) override {
    const CallLock lock(*state_);
    if (Enter("list", CallKind::kGlob, pattern)) state_->GoDown();
    if (!IsPathPattern(pattern)) return {pattern};
    return ExpandPathPattern(pattern, [this](const std::string& directory) {
      std::vector<DirectoryEntry> entries;
      for (const std::string& name : state_->disk.List(NormalPath(directory))) {
        const DiskNodePtr node = state_->disk.Find(NormalPath(directory + "/" + name));
        entries.push_back({name, node != nullptr && node->is_directory});
      }
      return entries;
    });
  }

  void Kill() {
    const std::lock_guard lock(state_->mutex);
    state_->EndProcess(process_);
  }

 private:
  std::optional<FaultKind> Enter(const char* action, CallKind kind, const std::string& path) {
    return state_->Enter(action, {kind, path, 0, 0}, process_);
  }

  std::shared_ptr<SimulationState> state_;
  uint64_t process_;
};

}  // namespace

std::optional<FaultKind> SimulationState::Enter(const char* action, IoCall call, uint64_t process) {
  if (is_down || process < first_process || ended.count(process) != 0) throw SimulatedCrash{};
  trace.push_back(call);
  const auto due = std::find_if(faults.begin(), faults.end(),
                                [&](const ArmedFault& fault) { return Strikes(fault, call, trace.size()); });
  if (due == faults.end()) return std::nullopt;
  const FaultKind kind = due->kind;
  faults.erase(due);
  struck = {kind, process};
  if (kind == FaultKind::kCrash || kind == FaultKind::kKill) GoDown();
  if (kind == FaultKind::kError) ThrowIoError(action, call.path, EIO);
  if (kind != FaultKind::kDiskFull) return kind;
  is_full = true;
  return std::nullopt;
}

uint64_t SimulationState::RoomFor(uint64_t size_bytes) const {
  if (size_bytes == 0 || capacity == std::numeric_limits<uint64_t>::max()) return size_bytes;
  const uint64_t used = disk.used_bytes();
  return std::min(size_bytes, capacity - std::min(capacity, used));
}

void SimulationState::GoDown() {
  const auto [fault, process] = struck;
  if (fault == FaultKind::kKill || fault == FaultKind::kKillInside) {
    EndProcess(process);
  } else {
    is_down = true;
  }
  throw SimulatedCrash{};
}

void SimulationState::EndProcess(uint64_t process) {
  ended.insert(process);
  for (auto& [node, holders] : locks)
    std::erase_if(holders, [&](const auto& holder) { return holder.second.process == process; });
}

void SimulationState::EndProcesses() {
  first_process = next_process;
  ended.clear();
  is_down = false;
  locks.clear();
}

CallLock::CallLock(SimulationState& state) : lock_(state.mutex, std::defer_lock) {
  lock_.lock();
  // The step runs without the mutex, since it makes calls itself; these run no step.
  if (!state.before_call || state.runs_step || state.step_thread != std::this_thread::get_id()) return;
  state.runs_step = true;
  const auto step = state.before_call;
  const uint64_t number = state.trace.size() + 1;
  lock_.unlock();
  try {
    step(number);
  } catch (...) {
    lock_.lock();
    state.runs_step = false;
    throw;
  }
  lock_.lock();
  state.runs_step = false;
}

bool HeldLocks::ConflictsWith(const FileRange& range, bool exclusive) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const auto& held) {
    return (exclusive || held.second.exclusive) && held.first < range.end() && held.second.end > range.begin;
  });
}

std::optional<FileRange> HeldLocks::Find(const FileRange& range) const {
  for (const auto& [begin, held] : ranges_) {
    if (begin < range.end() && held.end > range.begin) return FileRange{begin, held.end - begin};
  }
  return std::nullopt;
}

void HeldLocks::Clear(const FileRange& range) {
  std::map<uint64_t, Held> left;
  for (const auto& [begin, held] : ranges_) {
    if (begin < range.begin) left[begin] = {std::min(held.end, range.begin), held.exclusive};
    if (held.end > range.end()) left[std::max(begin, range.end())] = held;
  }
  ranges_ = std::move(left);
}

void HeldLocks::Set(const FileRange& range, bool exclusive) {
  Clear(range);
  ranges_[range.begin] = {range.end(), exclusive};
}

std::unique_ptr<FileSystem> MakeSimulatedProcess(std::shared_ptr<SimulationState> state) {
  const std::lock_guard lock(state->mutex);
  return std::make_unique<SimulatedProcess>(state);
}

void KillSimulatedProcess(FileSystem& process) { static_cast<SimulatedProcess&>(process).Kill(); }

}  // namespace scaup::test
