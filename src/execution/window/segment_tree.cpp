// Segment tree: building it level by level, and collecting the nodes of a range.
#include "execution/window/segment_tree.hpp"

#include <algorithm>

namespace scaup {

namespace {

constexpr size_t kFanout = SegmentTree::kFanout;
/// The memory that must be free before a vector of rows is added, whose states may collect something.
constexpr size_t kStepBytes = size_t{64} << 10;

size_t LevelNodes(size_t below) { return (below + kFanout - 1) / kFanout; }

/// Collects rows and their states, and adds them vector by vector.
class RowBatch {
 public:
  explicit RowBatch(WindowArguments& arguments) : arguments_(arguments) {}
  void Add(uint64_t row, std::byte* state) {
    rows_[count_] = row;
    states_[count_] = state;
    if (++count_ == kVectorSize) Flush();
  }
  void Flush() {
    if (count_ != 0) arguments_.AddRows(rows_, count_, states_);
    count_ = 0;
  }

 private:
  WindowArguments& arguments_;
  uint64_t rows_[kVectorSize];
  std::byte* states_[kVectorSize];
  size_t count_ = 0;
};

/// Collects nodes and the states to combine them into, vector by vector.
class NodeBatch {
 public:
  explicit NodeBatch(WindowArguments& arguments) : arguments_(arguments) {}
  void Add(std::byte* node, std::byte* state) {
    nodes_[count_] = node;
    states_[count_] = state;
    if (++count_ == kVectorSize) Flush();
  }
  void Flush() {
    if (count_ != 0) arguments_.function().combine(arguments_.call(), nodes_, states_, count_);
    count_ = 0;
  }

 private:
  WindowArguments& arguments_;
  std::byte* nodes_[kVectorSize];
  std::byte* states_[kVectorSize];
  size_t count_ = 0;
};

}  // namespace

size_t SegmentTree::NodeCount(uint64_t row_count) const {
  if (row_count < 2 * leaf_rows_) return 0;  // Added row by row.
  size_t total = 0;
  for (size_t level = LeafCount(row_count);; level = LevelNodes(level)) {
    total += level;
    if (level <= kFanout) return total;
  }
}

SegmentTree::SegmentTree(const WindowInput& input, const WindowFunctionSpecification& function,
                         size_t leaf_rows)
    : context_(input.context),
      groups_(input.groups),
      leaf_rows_(leaf_rows),
      state_size_(function.aggregate.function.state_size),
      grant_(context_.grants, 1, kStepBytes),
      memory_(grant_),
      arena_(&memory_.account()),
      list_memory_(input.context.memory()) {
  arena_.GrowSlowly();
}

std::unique_ptr<SegmentTree> SegmentTree::TryMake(const WindowInput& input,
                                                  const WindowFunctionSpecification& function,
                                                  size_t leaf_rows) {
  std::unique_ptr<SegmentTree> tree(new SegmentTree(input, function, leaf_rows));
  if (!tree->TryBuild(input, function)) return nullptr;
  tree->grant_.Finish();
  return tree;
}

bool SegmentTree::TryBuild(const WindowInput& input, const WindowFunctionSpecification& function) {
  const auto& partitions = groups_.partitions;
  list_memory_.Resize(partitions.size() * sizeof(uint64_t));
  first_nodes_.reserve(partitions.size());
  first_nodes_.push_back(0);
  for (size_t p = 0; p + 1 < partitions.size(); p++)
    first_nodes_.push_back(first_nodes_.back() + NodeCount(partitions[p + 1] - partitions[p]));
  if (first_nodes_.back() == 0) return true;
  if (!memory_.TryGrow(first_nodes_.back() * state_size_ + kStepBytes)) return false;
  WindowArguments arguments(input, function, arena_);
  nodes_ = arguments.MakeStates(first_nodes_.back());
  for (size_t p = 0; p + 1 < partitions.size(); p++)
    if (first_nodes_[p] != first_nodes_[p + 1] && !TryBuildPartition(p, arguments)) return false;
  return true;
}

bool SegmentTree::TryBuildPartition(size_t partition, WindowArguments& arguments) {
  const uint64_t first = groups_.partitions[partition];
  const uint64_t row_count = groups_.partitions[partition + 1] - first;
  std::byte* states[kVectorSize];
  for (uint64_t begin = 0; begin < row_count; begin += kVectorSize) {
    context_.functions.CheckInterrupt();
    if (!memory_.TryGrow(kStepBytes)) return false;
    const size_t count = std::min<uint64_t>(kVectorSize, row_count - begin);
    for (size_t i = 0; i < count; i++) states[i] = NodeAt(first_nodes_[partition] + (begin + i) / leaf_rows_);
    arguments.AddRange(first + begin, count, states);
  }
  size_t below = first_nodes_[partition];
  size_t below_count = LeafCount(row_count);
  while (below_count > kFanout) {
    if (!memory_.TryGrow(kStepBytes)) return false;
    NodeBatch batch(arguments);
    for (size_t i = 0; i < below_count; i++) {
      if (i % kVectorSize == 0) context_.functions.CheckInterrupt();
      batch.Add(NodeAt(below + i), NodeAt(below + below_count + i / kFanout));
    }
    batch.Flush();
    below += below_count;
    below_count = LevelNodes(below_count);
  }
  return true;
}

void SegmentTree::AddRanges(const BlockGroups& block, const BlockFrames& frames, size_t range,
                            std::byte** states, WindowArguments& arguments) const {
  // For each range, add the rows before the whole nodes, then the nodes, then the rows after them. Each step
  // is done for all frames together; a state still gets its rows in order.
  std::vector<uint64_t> whole_begin(block.count), whole_end(block.count);
  RowBatch rows(arguments);
  for (size_t i = 0; i < block.count; i++) {
    uint64_t begin = frames.begins[range][i];
    const uint64_t end = frames.ends[range][i];
    whole_begin[i] = whole_end[i] = 0;
    if (states[i] == nullptr || begin >= end) continue;
    const uint64_t first = block.partition_begin[i];
    const uint64_t nodes_begin = LeafCount(begin - first), nodes_end = (end - first) / leaf_rows_;
    const bool has_tree = first_nodes_[block.partition[i]] != first_nodes_[block.partition[i] + 1];
    uint64_t front_end = end;
    if (has_tree && nodes_begin < nodes_end) {
      front_end = first + nodes_begin * leaf_rows_;
      whole_begin[i] = nodes_begin;
      whole_end[i] = nodes_end;
    }
    for (; begin < front_end; begin++) rows.Add(begin, states[i]);
  }
  rows.Flush();
  NodeBatch nodes(arguments);
  for (size_t i = 0; i < block.count; i++) {
    uint64_t low = whole_begin[i], high = whole_end[i];
    if (low >= high) continue;
    // Climb at both ends. Nodes at the right end are combined afterwards, from the top level down.
    std::byte* right[16 * kFanout];
    size_t right_count = 0;
    size_t level = first_nodes_[block.partition[i]];
    size_t level_count = LeafCount(block.partition_end[i] - block.partition_begin[i]);
    while (level_count > kFanout && low / kFanout != (high - 1) / kFanout) {
      while (low % kFanout != 0) nodes.Add(NodeAt(level + low++), states[i]);
      while (high % kFanout != 0) right[right_count++] = NodeAt(level + --high);
      low /= kFanout;
      high /= kFanout;
      level += level_count;
      level_count = LevelNodes(level_count);
    }
    for (; low < high; low++) nodes.Add(NodeAt(level + low), states[i]);
    while (right_count != 0) nodes.Add(right[--right_count], states[i]);
  }
  nodes.Flush();
  for (size_t i = 0; i < block.count; i++) {
    if (whole_begin[i] >= whole_end[i]) continue;
    const uint64_t end = frames.ends[range][i];
    for (uint64_t row = block.partition_begin[i] + whole_end[i] * leaf_rows_; row < end; row++)
      rows.Add(row, states[i]);
  }
  rows.Flush();
}

}  // namespace scaup
