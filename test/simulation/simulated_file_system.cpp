// The test's side of the simulated files: crashes, faults, images and damage.
#include "simulation/simulated_file_system.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "common/file/io_error.hpp"
#include "simulation/simulation_state.hpp"

namespace scaup::test {

const char* CallKindName(CallKind kind) {
  switch (kind) {
    case CallKind::kOpen: return "open";
    case CallKind::kRead: return "read";
    case CallKind::kWrite: return "write";
    case CallKind::kSize: return "size";
    case CallKind::kTruncate: return "truncate";
    case CallKind::kSync: return "sync";
    case CallKind::kLock: return "lock";
    case CallKind::kExists: return "exists";
    case CallKind::kRemove: return "remove";
    case CallKind::kRename: return "rename";
    case CallKind::kSyncDirectory: return "sync directory";
    case CallKind::kCreateDirectory: return "create directory";
    case CallKind::kOpenTemporary: return "open temporary";
    case CallKind::kGlob: return "glob";
  }
  return "?";
}

SimulatedFileSystem::SimulatedFileSystem() : state_(std::make_shared<SimulationState>()) {}
SimulatedFileSystem::~SimulatedFileSystem() = default;

std::unique_ptr<FileSystem> SimulatedFileSystem::Share() { return MakeSimulatedProcess(state_); }

std::unique_ptr<File> SimulatedFileSystem::Open(const std::string& path, OpenMode mode) {
  return Share()->Open(path, mode);
}
bool SimulatedFileSystem::Exists(const std::string& path) { return Share()->Exists(path); }
void SimulatedFileSystem::Remove(const std::string& path) { Share()->Remove(path); }
void SimulatedFileSystem::Rename(const std::string& from, const std::string& to) {
  Share()->Rename(from, to);
}
void SimulatedFileSystem::SyncDirectory(const std::string& directory) { Share()->SyncDirectory(directory); }
void SimulatedFileSystem::CreateDirectory(const std::string& path) { Share()->CreateDirectory(path); }
std::unique_ptr<File> SimulatedFileSystem::OpenTemporary(const std::string& directory) {
  return Share()->OpenTemporary(directory);
}
std::vector<std::string> SimulatedFileSystem::Glob(const std::string& pattern) {
  return Share()->Glob(pattern);
}

void SimulatedFileSystem::Crash(uint64_t seed) {
  const std::lock_guard lock(state_->mutex);
  state_->EndProcesses();
  Random random(seed);
  state_->disk.LosePower(random);
}

void SimulatedFileSystem::Kill(FileSystem& process) { KillSimulatedProcess(process); }

void SimulatedFileSystem::SetStep(std::function<void(uint64_t call_number)> step) {
  const std::lock_guard lock(state_->mutex);
  state_->before_call = std::move(step);
  state_->step_thread = std::this_thread::get_id();
}

void SimulatedFileSystem::Kill() {
  const std::lock_guard lock(state_->mutex);
  state_->EndProcesses();
}

bool SimulatedFileSystem::is_down() const {
  const std::lock_guard lock(state_->mutex);
  return state_->is_down;
}

uint64_t SimulatedFileSystem::call_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->trace.size();
}

void SimulatedFileSystem::FailAt(uint64_t call_number, FaultKind fault) {
  const std::lock_guard lock(state_->mutex);
  state_->faults.push_back({fault, call_number, std::nullopt, ""});
}

void SimulatedFileSystem::FailNext(CallKind kind, FaultKind fault, const std::string& path_part) {
  const std::lock_guard lock(state_->mutex);
  state_->faults.push_back({fault, 0, kind, path_part});
}

void SimulatedFileSystem::ClearFaults() {
  const std::lock_guard lock(state_->mutex);
  state_->faults.clear();
}

void SimulatedFileSystem::SetCapacity(uint64_t size_bytes) {
  const std::lock_guard lock(state_->mutex);
  state_->capacity = size_bytes;
}

void SimulatedFileSystem::FreeSpace() {
  const std::lock_guard lock(state_->mutex);
  state_->is_full = false;
  state_->capacity = std::numeric_limits<uint64_t>::max();
}

void SimulatedFileSystem::DropCache() {
  const std::lock_guard lock(state_->mutex);
  state_->disk.DropCache();
}

std::vector<IoCall> SimulatedFileSystem::Trace(uint64_t from) const {
  const std::lock_guard lock(state_->mutex);
  const std::vector<IoCall>& all = state_->trace;
  const size_t first = std::min<uint64_t>(from == 0 ? 0 : from - 1, all.size());
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.end()};
}

std::string SimulatedFileSystem::DescribeLastCalls(size_t count) const {
  const uint64_t end = call_count();
  uint64_t number = end - std::min<uint64_t>(end, count) + 1;
  std::string text;
  for (const IoCall& call : Trace(number)) {
    text += fmt::format("#{} {} {}", number++, CallKindName(call.kind), call.path);
    if (call.offset != 0 || call.size_bytes != 0) {
      text += fmt::format(" at {}, {} bytes", call.offset, call.size_bytes);
    }
    text += '\n';
  }
  return text;
}

std::vector<std::string> SimulatedFileSystem::Files() const {
  const std::lock_guard lock(state_->mutex);
  return state_->disk.Files();
}

bool SimulatedFileSystem::Has(const std::string& path) const {
  const std::lock_guard lock(state_->mutex);
  return state_->disk.Find(NormalPath(path)) != nullptr;
}

std::string SimulatedFileSystem::Content(const std::string& path) const {
  const std::lock_guard lock(state_->mutex);
  const DiskNodePtr node = state_->disk.Find(NormalPath(path));
  return node == nullptr ? "" : node->seen;
}

std::string SimulatedFileSystem::DurableContent(const std::string& path) const {
  const std::lock_guard lock(state_->mutex);
  const DiskNodePtr node = state_->disk.Find(NormalPath(path));
  return node == nullptr ? "" : node->durable;
}

void SimulatedFileSystem::SetContent(const std::string& path, const std::string& bytes) {
  const std::lock_guard lock(state_->mutex);
  const std::string normal = NormalPath(path);
  for (size_t slash = normal.find('/', 1); slash != std::string::npos; slash = normal.find('/', slash + 1)) {
    const std::string directory = normal.substr(0, slash);
    if (state_->disk.Find(directory) == nullptr) state_->disk.Create(directory, true);
  }
  DiskNodePtr node = state_->disk.Find(normal);
  if (node == nullptr) node = state_->disk.Create(normal, false);
  state_->disk.SyncAll();
  node->seen = node->durable = bytes;
}

SimulatedFileSystem::Image SimulatedFileSystem::Save() const {
  Image image;
  for (const std::string& path : Files()) image[path] = Content(path);
  return image;
}

void SimulatedFileSystem::Load(const Image& image) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->EndProcesses();
    state_->disk = SimulatedDisk();
  }
  for (const auto& [path, bytes] : image) SetContent(path, bytes);
}

void SimulatedFileSystem::Damage(const std::string& path, const std::function<void(std::string&)>& change) {
  const std::lock_guard lock(state_->mutex);
  const DiskNodePtr node = state_->disk.Find(NormalPath(path));
  if (node == nullptr) ThrowIoError("damage", path, ENOENT);
  SimulatedDisk::SyncBytes(*node);
  change(node->durable);
  node->seen = node->durable;
}

void SimulatedFileSystem::FlipBit(const std::string& path, uint64_t offset, unsigned bit) {
  Damage(path, [&](std::string& bytes) {
    if (offset < bytes.size()) bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << (bit % 8)));
  });
}

void SimulatedFileSystem::ZeroRange(const std::string& path, uint64_t offset, uint64_t size_bytes) {
  Damage(path, [&](std::string& bytes) {
    const uint64_t end = std::min<uint64_t>(bytes.size(), offset + size_bytes);
    for (uint64_t i = offset; i < end; i++) bytes[i] = '\0';
  });
}

void SimulatedFileSystem::SwapRanges(const std::string& path, uint64_t first, uint64_t second,
                                     uint64_t size_bytes) {
  Damage(path, [&](std::string& bytes) {
    for (uint64_t i = 0; i < size_bytes && std::max(first, second) + i < bytes.size(); i++) {
      std::swap(bytes[first + i], bytes[second + i]);
    }
  });
}

void SimulatedFileSystem::CopyRange(const std::string& path, uint64_t from, uint64_t to,
                                    uint64_t size_bytes) {
  Damage(path, [&](std::string& bytes) {
    const std::string source = bytes;  // The ranges may overlap.
    for (uint64_t i = 0; i < size_bytes && std::max(from, to) + i < bytes.size(); i++) {
      bytes[to + i] = source[from + i];
    }
  });
}

void SimulatedFileSystem::RestoreRange(const std::string& path, const std::string& older, uint64_t offset,
                                       uint64_t size_bytes) {
  Damage(path, [&](std::string& bytes) {
    const uint64_t end = std::min<uint64_t>({bytes.size(), older.size(), offset + size_bytes});
    for (uint64_t i = offset; i < end; i++) bytes[i] = older[i];
  });
}

void SimulatedFileSystem::CutTo(const std::string& path, uint64_t size_bytes) {
  Damage(path, [&](std::string& bytes) {
    if (size_bytes < bytes.size()) bytes.resize(size_bytes);
  });
}

}  // namespace scaup::test
