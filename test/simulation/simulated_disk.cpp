// Two states of every file and name, the changes between them, and seeded losses of power.
#include "simulation/simulated_disk.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/file/io_error.hpp"

namespace scaup::test {

namespace {

constexpr uint64_t kSectorBytes = 512;

uint64_t Below(Random& random, uint64_t bound) { return bound == 0 ? 0 : random() % bound; }

/// How much of what was pending a loss of power leaves. Later changes may be there without earlier ones, but
/// of two changes of the same byte the earlier one never comes out on top: pages hold only the last.
class LossPlan {
 public:
  enum class Fate : uint8_t { kLost, kTorn, kKept };

  LossPlan(Random& random, uint64_t first, uint64_t end) : random_(random) {
    style_ = kStyles[Below(random, std::size(kStyles))];
    cut_ = first + Below(random, end - first + 1);
    percent_ = 5 + Below(random, 91);
  }

  Fate Of(uint64_t sequence) {
    switch (style_) {
      case Style::kNothing: return Fate::kLost;
      case Style::kEverything: return Fate::kKept;
      case Style::kUpToAPoint:
        if (sequence == cut_) return Fate::kTorn;
        return sequence < cut_ ? Fate::kKept : Fate::kLost;
      case Style::kEachByItself:
        if (Below(random_, 100) < percent_) return Fate::kKept;
        return Below(random_, 2) == 0 ? Fate::kTorn : Fate::kLost;
    }
    return Fate::kLost;
  }
  /// Whether a write that was lost made its file longer all the same.
  bool LengthAlone() { return style_ == Style::kEachByItself && Below(random_, 4) == 0; }

 private:
  enum class Style : uint8_t { kNothing, kEverything, kUpToAPoint, kEachByItself };
  static constexpr Style kStyles[] = {Style::kNothing,      Style::kEverything,   Style::kUpToAPoint,
                                      Style::kUpToAPoint,   Style::kEachByItself, Style::kEachByItself,
                                      Style::kEachByItself, Style::kEachByItself};
  Random& random_;
  Style style_ = Style::kNothing;
  uint64_t cut_ = 0;
  uint64_t percent_ = 0;
};

void Extend(std::string& content, uint64_t size_bytes) {
  if (content.size() < size_bytes) content.resize(size_bytes, '\0');
}

// Puts bytes in place, as far as the content reaches.
void Overlay(std::string& content, uint64_t offset, const char* bytes, uint64_t size_bytes) {
  if (offset >= content.size()) return;
  std::memcpy(content.data() + offset, bytes, std::min<uint64_t>(size_bytes, content.size() - offset));
}

void ApplyChange(const PendingChange& change, std::string& content) {
  if (!change.is_write) {
    content.resize(change.offset, '\0');
    return;
  }
  Extend(content, change.offset + change.bytes.size());
  Overlay(content, change.offset, change.bytes.data(), change.bytes.size());
}

// A part of a write: some first bytes, or some of its sectors; the file grows up to its end or to the part's.
void ApplyTorn(const PendingChange& change, std::string& content, Random& random) {
  const uint64_t size = change.bytes.size(), end = change.offset + size;
  const bool grows_fully = Below(random, 2) == 0;
  if (Below(random, 2) == 0) {
    uint64_t kept = Below(random, size + 1);
    if (Below(random, 2) == 0) {  // Whole sectors.
      kept = std::max((change.offset + kept) / kSectorBytes * kSectorBytes, change.offset) - change.offset;
    }
    Extend(content, grows_fully ? end : kept == 0 ? 0 : change.offset + kept);
    Overlay(content, change.offset, change.bytes.data(), kept);
    return;
  }
  for (uint64_t at = change.offset; at < end;) {
    const uint64_t next = std::min((at / kSectorBytes + 1) * kSectorBytes, end);
    if (Below(random, 2) == 0) {
      Extend(content, next);
      Overlay(content, at, change.bytes.data() + (at - change.offset), next - at);
    }
    at = next;
  }
  if (grows_fully) Extend(content, end);
}

void SettleBytes(DiskNode& node, LossPlan& plan, Random& random) {
  for (const PendingChange& change : node.pending) {
    switch (plan.Of(change.sequence)) {
      case LossPlan::Fate::kKept: ApplyChange(change, node.durable); break;
      case LossPlan::Fate::kTorn:
        if (change.is_write) ApplyTorn(change, node.durable, random);
        break;
      case LossPlan::Fate::kLost:
        if (change.is_write && plan.LengthAlone()) Extend(node.durable, change.offset + change.bytes.size());
        break;
    }
  }
  node.pending.clear();
  node.seen = node.durable;
}

}  // namespace

std::string NormalPath(const std::string& path) {
  std::string normal;
  for (const char c : path) {
    if (c == '/' && !normal.empty() && normal.back() == '/') continue;
    normal += c;
    if (normal == "./") normal.clear();
  }
  if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal.empty() ? "." : normal;
}

SimulatedDisk::SimulatedDisk() {
  for (const char* root : {".", "/"}) seen_names_[root] = durable_names_[root] = NewNode(true);
}

DiskNodePtr SimulatedDisk::NewNode(bool is_directory) {
  auto node = std::make_shared<DiskNode>();
  node->is_directory = is_directory;
  std::erase_if(nodes_, [](const std::weak_ptr<DiskNode>& known) { return known.expired(); });
  nodes_.push_back(node);
  return node;
}

DiskNodePtr SimulatedDisk::Find(const std::string& path) const {
  const auto found = seen_names_.find(path);
  return found == seen_names_.end() ? nullptr : found->second;
}

bool SimulatedDisk::HasParent(const std::string& path) const {
  const DiskNodePtr parent = Find(ParentDirectory(path));
  return parent != nullptr && parent->is_directory;
}

DiskNodePtr SimulatedDisk::Create(const std::string& path, bool is_directory) {
  DiskNodePtr node = NewNode(is_directory);
  Change({sequence_++, "", path, node});
  return node;
}

DiskNodePtr SimulatedDisk::CreateUnnamed() { return NewNode(false); }

void SimulatedDisk::Remove(const std::string& path) { Change({sequence_++, path, "", nullptr}); }

void SimulatedDisk::Rename(const std::string& from, const std::string& to) {
  if (from != to) Change({sequence_++, from, to, Find(from)});
}

void SimulatedDisk::Change(PendingName change) {
  Apply(change, seen_names_);
  pending_names_.push_back(std::move(change));
}

void SimulatedDisk::Apply(const PendingName& change, Names& names) {
  if (!change.removed.empty()) names.erase(change.removed);
  if (!change.added.empty()) names[change.added] = change.node;
}

void SimulatedDisk::Write(DiskNode& node, uint64_t offset, const char* bytes, size_t size_bytes) {
  if (size_bytes == 0) return;
  node.pending.push_back({sequence_++, true, offset, std::string(bytes, size_bytes)});
  ApplyChange(node.pending.back(), node.seen);
}

void SimulatedDisk::Truncate(DiskNode& node, uint64_t size_bytes) {
  if (node.seen.size() == size_bytes) return;
  node.pending.push_back({sequence_++, false, size_bytes, ""});
  ApplyChange(node.pending.back(), node.seen);
}

void SimulatedDisk::SyncBytes(DiskNode& node) {
  for (const PendingChange& change : node.pending) ApplyChange(change, node.durable);
  node.pending.clear();
}

void SimulatedDisk::SyncNames(const std::string& directory) {
  std::vector<PendingName> left;
  for (PendingName& change : pending_names_) {
    const bool is_here = (!change.removed.empty() && ParentDirectory(change.removed) == directory) ||
                         (!change.added.empty() && ParentDirectory(change.added) == directory);
    if (is_here) {
      Apply(change, durable_names_);
    } else {
      left.push_back(std::move(change));
    }
  }
  pending_names_ = std::move(left);
}

void SimulatedDisk::LosePower(Random& random) {
  uint64_t first = sequence_;
  for (const PendingName& change : pending_names_) first = std::min(first, change.sequence);
  for (const std::weak_ptr<DiskNode>& known : nodes_) {
    const DiskNodePtr node = known.lock();
    if (node != nullptr && !node->pending.empty()) first = std::min(first, node->pending.front().sequence);
  }
  LossPlan plan(random, first, sequence_);
  for (const PendingName& change : pending_names_) {
    if (plan.Of(change.sequence) == LossPlan::Fate::kKept) Apply(change, durable_names_);
  }
  pending_names_.clear();
  DropOrphans(durable_names_);
  for (const auto& [path, node] : durable_names_) SettleBytes(*node, plan, random);
  seen_names_ = durable_names_;
}

// A directory that is lost takes what was in it along.
void SimulatedDisk::DropOrphans(Names& names) {
  // A directory sorts before what is in it.
  for (auto entry = names.begin(); entry != names.end();) {
    const auto parent = names.find(ParentDirectory(entry->first));
    const bool is_orphan = parent == names.end() || !parent->second->is_directory;
    entry = is_orphan ? names.erase(entry) : std::next(entry);
  }
}

void SimulatedDisk::DropPending(DiskNode& node, Random& random) {
  for (const PendingChange& change : node.pending) {
    if (change.is_write && Below(random, 2) == 0) {
      Extend(node.durable, change.offset + change.bytes.size());
    }
  }
  node.pending.clear();
}

void SimulatedDisk::DropCache() {
  for (const std::weak_ptr<DiskNode>& known : nodes_) {
    const DiskNodePtr node = known.lock();
    if (node == nullptr) continue;
    node->seen = node->durable;
    for (const PendingChange& change : node->pending) ApplyChange(change, node->seen);
  }
}

void SimulatedDisk::SyncAll() {
  for (const PendingName& change : pending_names_) Apply(change, durable_names_);
  pending_names_.clear();
  for (const auto& [path, node] : seen_names_) SyncBytes(*node);
}

std::vector<std::string> SimulatedDisk::Files() const {
  std::vector<std::string> paths;
  for (const auto& [path, node] : seen_names_) {
    if (!node->is_directory) paths.push_back(path);
  }
  return paths;
}

std::vector<std::string> SimulatedDisk::List(const std::string& directory) const {
  std::vector<std::string> names;
  for (const auto& [path, node] : seen_names_) {
    if (path != "." && path != "/" && ParentDirectory(path) == directory) {
      names.push_back(path.substr(path.rfind('/') + 1));
    }
  }
  return names;
}

uint64_t SimulatedDisk::used_bytes() const {
  uint64_t sum = 0;
  for (const std::weak_ptr<DiskNode>& known : nodes_) {
    const DiskNodePtr node = known.lock();
    if (node != nullptr) sum += node->seen.size();
  }
  return sum;
}

}  // namespace scaup::test
