// Assembles lists and structs from the levels of their leaves.
#include "format/parquet/column_reader.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/stack_bound.hpp"
#include "format/parquet/parquet_damage.hpp"
#include "type/packed_value.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

namespace {

/// As for all values.
constexpr size_t kMostPackedBytes = size_t{1} << 30;

class FlatReader final : public ColumnReader {
 public:
  FlatReader(const ParquetReading& reading, const ParquetColumnChunk& chunk, const ParquetLeaf& leaf)
      : leaf_(reading, chunk, leaf) {}
  void Read(size_t count, bool as_codes, Vector& output) override { leaf_.Read(count, as_codes, output); }
  void Skip(size_t count) override { leaf_.Skip(count); }
  std::shared_ptr<const ParquetDictionary> SoleDictionary() override { return leaf_.SoleDictionary(); }

 private:
  LeafReader leaf_;
};

/// The entries of one leaf: where each stands in its row, and its value.
class LeafCursor {
 public:
  LeafCursor(const ParquetReading& reading, const ParquetColumnChunk& chunk, const ParquetLeaf& leaf)
      : leaf_(leaf), reader_(reading, chunk, leaf), values_(leaf.type), append_(FindSlotAppender(leaf.type)) {
    values_.AccountStrings(&reading.memory);
  }

  /// The levels of the next entry. Throws ParquetDamage at the end.
  uint32_t definition() {
    if (at_ == count_) Refill();
    return definitions_[at_];
  }
  uint32_t repetition() {
    if (at_ == count_) Refill();
    return repetitions_[at_];
  }
  /// The repetition level of the next entry; 0, as of a new row, at the end.
  uint32_t RepetitionOrEnd() { return at_ == count_ && !TryRefill() ? 0 : repetitions_[at_]; }
  /// Passes the next entry, and appends its value as a slot.
  void TakeSlot(std::string& slots) {
    if (definition() == leaf_.definition) {
      append_(leaf_.type, view_, value_at_, slots);
      value_at_++;
    } else {
      AppendNullSlot(leaf_.type, slots);
    }
    at_++;
  }
  void Pass() {
    value_at_ += definition() == leaf_.definition ? 1 : 0;
    at_++;
  }
  void PassRow() {
    do {
      Pass();
    } while (RepetitionOrEnd() != 0);
  }

 private:
  void Refill() {
    if (!TryRefill()) ThrowParquetDamage("a column chunk has fewer values than it claims");
  }
  bool TryRefill() {
    at_ = value_at_ = 0;
    count_ = reader_.ReadEntries(kVectorSize, repetitions_, definitions_, values_);
    view_ = values_.View(count_);
    return count_ != 0;
  }

  const ParquetLeaf& leaf_;
  LeafReader reader_;
  Vector values_;
  UnifiedView view_;
  SlotAppender append_;
  uint32_t repetitions_[kVectorSize], definitions_[kVectorSize];
  size_t count_ = 0, at_ = 0, value_at_ = 0;
};

class NestedReader final : public ColumnReader {
 public:
  NestedReader(const ParquetReading& reading, const ParquetTree& tree, const ParquetNode& column,
               const ParquetRowGroup& group)
      : column_(column), memory_(reading.memory) {
    for (size_t i = column.first_leaf; i < column.last_leaf; i++)
      cursors_.push_back(std::make_unique<LeafCursor>(reading, group.columns[i], tree.leaves[i]));
  }

  void Read(size_t count, bool, Vector& output) override {
    output.Reset();
    auto* rows = output.MutableData<StringRef>();
    for (size_t row = 0; row < count; row++) {
      CheckRowBegins();
      packed_.clear();
      if (First(column_).definition() < column_.definition) {
        PassEntry(column_);
        rows[row] = StringRef();
        output.SetNull(row);
        continue;
      }
      AppendPacked(column_, packed_);
      rows[row] = output.AddString(packed_);
    }
  }

  void Skip(size_t count) override {
    for (const auto& cursor : cursors_) {
      for (size_t row = 0; row < count; row++) cursor->PassRow();
    }
  }

 private:
  LeafCursor& First(const ParquetNode& node) { return *cursors_[node.first_leaf - column_.first_leaf]; }

  void CheckRowBegins() {
    for (const auto& cursor : cursors_) {
      if (cursor->repetition() != 0) ThrowParquetDamage("the rows of a nested column do not fit together");
    }
  }

  /// Passes one entry of each leaf below: a NULL, or an empty list.
  void PassEntry(const ParquetNode& node) {
    for (size_t i = node.first_leaf; i < node.last_leaf; i++) cursors_[i - column_.first_leaf]->Pass();
  }

  /// Appends the slots of a list or struct that is not NULL.
  void AppendPacked(const ParquetNode& node, std::string& slots) {
    CheckStack();
    if (node.kind == ParquetNode::Kind::kStruct) {
      for (const ParquetNode& child : node.children) AppendSlot(child, slots);
      return;
    }
    const ParquetNode& element = node.children[0];
    if (First(node).definition() == node.definition) return PassEntry(node);
    const size_t begin = slots.size();
    do {
      AppendSlot(element, slots);
      if (slots.size() <= memory_.size_bytes()) continue;
      if (slots.size() > kMostPackedBytes) {
        ThrowError(ErrorKind::kIo, sqlstate::kProgramLimitExceeded,
                   fmt::format("a value of column \"{}\" has more than 1 GiB", column_.name));
      }
      memory_.Resize(2 * slots.size());
    } while (First(node).RepetitionOrEnd() >= node.repetition);
    if (IsMap(node.type)) CheckMapKeys(node.type, std::string_view(slots).substr(begin));
  }

  void AppendSlot(const ParquetNode& node, std::string& slots) {
    if (node.kind == ParquetNode::Kind::kLeaf) return First(node).TakeSlot(slots);
    if (First(node).definition() < node.definition) {
      PassEntry(node);
      return AppendNullSlot(node.type, slots);
    }
    // Slots within slots: a mark, the inner ones, and for lists an end.
    slots.push_back(kSlotValue);
    AppendPacked(node, slots);
    if (node.kind == ParquetNode::Kind::kList) slots.push_back(kSlotEnd);
  }

  const ParquetNode& column_;
  std::vector<std::unique_ptr<LeafCursor>> cursors_;
  std::string packed_;
  MemoryReservation memory_;  // for packed_
};

}  // namespace

std::unique_ptr<ColumnReader> MakeColumnReader(const ParquetReading& reading, const ParquetTree& tree,
                                               const ParquetNode& column, const ParquetRowGroup& group) {
  const size_t leaf = column.first_leaf;
  if (column.kind == ParquetNode::Kind::kLeaf && tree.leaves[leaf].is_flat())
    return std::make_unique<FlatReader>(reading, group.columns[leaf], tree.leaves[leaf]);
  return std::make_unique<NestedReader>(reading, tree, column, group);
}

}  // namespace scaup
