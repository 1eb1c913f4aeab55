// Rows in a window's order: reading them, and finding partitions and peers by their normalized keys.
#include "execution/window/sorted_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace scaup {

SortedRows::SortedRows(std::vector<const ColumnCollection*> collections, LargeVector<uint64_t> order,
                       MemoryReservation memory)
    : collections_(std::move(collections)),
      order_(std::move(order)),
      memory_(std::move(memory)),
      row_count_(order_.size()) {}

SortedRows::SortedRows(const ColumnCollection& rows) : collections_{&rows}, row_count_(rows.row_count()) {}

SortedRows::SortedRows(std::unique_ptr<ColumnCollection> rows) : SortedRows(*rows) {
  owned_ = std::move(rows);
}

void SortedRows::Read(size_t column, size_t begin, size_t count, Vector& target) const {
  if (order_.empty() && begin % kVectorSize == 0)
    return collections_[0]->ReadColumn(column, begin / kVectorSize, nullptr, target);
  target.Reset();
  if (!order_.empty()) return GatherFrom(collections_, column, order_.data() + begin, count, target);
  uint64_t places[kVectorSize];
  for (size_t i = 0; i < count; i++) places[i] = begin + i;
  GatherFrom(collections_, column, places, count, target);
}

void SortedRows::Gather(size_t column, const uint64_t* rows, size_t count, Vector& target) const {
  target.Reset();
  if (order_.empty()) return GatherFrom(collections_, column, rows, count, target);
  uint64_t places[kVectorSize];
  for (size_t i = 0; i < count; i++) places[i] = order_[rows[i]];
  GatherFrom(collections_, column, places, count, target);
}

namespace {

/// Tells where neighbouring rows differ in their keys. Keeps the keys of the row before.
class KeyComparer {
 public:
  KeyComparer(const SortedRows& rows, const std::vector<size_t>& columns,
              const std::vector<SortOrder>& orders, size_t partition_key_count)
      : rows_(rows),
        columns_(columns),
        encoder_(orders),
        partition_key_count_(partition_key_count),
        partition_bytes_(partition_key_count == orders.size() ? encoder_.key_bytes()
                                                              : encoder_.offset(partition_key_count)),
        encoded_((kVectorSize + 1) * encoder_.key_bytes() + 1),
        strings_(encoder_.string_columns().size()) {
    std::vector<LogicalType> types;
    for (const SortOrder& order : orders) types.push_back(order.type);
    keys_.Initialize(types);
  }

  /// Calls visit(row, is_other_partition) for the rows that are not peers of the one before.
  template <typename Visit>
  void Compare(size_t begin, size_t count, Visit&& visit) {
    const size_t key_bytes = encoder_.key_bytes();
    for (size_t i = 0; i < columns_.size(); i++) rows_.Read(columns_[i], begin, count, keys_.column(i));
    std::byte* keys = encoded_.data() + key_bytes;  // In front of them the row before.
    encoder_.Encode(keys_, count, keys);
    for (size_t i = 0; i < count; i++) {
      const std::byte* key = keys + i * key_bytes;
      const std::byte* before = key - key_bytes;
      const bool is_first = begin + i == 0;
      const bool other_partition =
          is_first || std::memcmp(key, before, partition_bytes_) != 0 || StringsDiffer(i, true);
      if (other_partition ||
          std::memcmp(key + partition_bytes_, before + partition_bytes_, key_bytes - partition_bytes_) != 0 ||
          StringsDiffer(i, false))
        visit(begin + i, other_partition);
    }
    if (count == 0) return;
    std::memcpy(encoded_.data(), keys + (count - 1) * key_bytes, key_bytes);
    for (size_t i = 0; i < strings_.size(); i++) strings_[i] = StringOf(i, count - 1);
  }

 private:
  StringRef StringOf(size_t index, size_t row) const {
    const Vector& column = keys_.column(encoder_.string_columns()[index]);
    const bool is_null = column.Validity() != nullptr && !TestValid(column.Validity(), row);
    return is_null ? StringRef() : column.Data<StringRef>()[row];
  }
  /// Whether row `row` of the block differs from the one before in a string, their beginnings being equal.
  bool StringsDiffer(size_t row, bool of_partition) const {
    for (size_t i = 0; i < strings_.size(); i++) {
      if ((encoder_.string_columns()[i] < partition_key_count_) != of_partition) continue;
      const StringRef before = row == 0 ? strings_[i] : StringOf(i, row - 1);
      if (StringOf(i, row) != before) return true;
    }
    return false;
  }

  const SortedRows& rows_;
  const std::vector<size_t>& columns_;
  SortKeyEncoder encoder_;
  size_t partition_key_count_;
  size_t partition_bytes_;
  std::vector<std::byte> encoded_;  // One byte more, so that it is somewhere even where keys have none.
  std::vector<StringRef> strings_;
  DataChunk keys_;
};

}  // namespace

RowGroups::RowGroups(QueryContext& context, const SortedRows& rows, std::vector<size_t> key_columns,
                     std::vector<SortOrder> orders, size_t partition_key_count, bool has_peers)
    : memory_(context.memory()) {
  const size_t row_count = rows.row_count();
  if (!has_peers) {
    key_columns.resize(partition_key_count);
    orders.resize(partition_key_count);
  }
  if (key_columns.empty()) {
    partitions = {0, row_count};
    partition_peers = {0, 1};
    if (has_peers) peers = {0, row_count};
    return;
  }
  each_is_alone = has_peers;
  uint64_t peer_groups = 0;
  KeyComparer comparer(rows, key_columns, orders, partition_key_count);
  for (size_t begin = 0; begin < row_count; begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, row_count - begin);
    const uint64_t before = peer_groups;
    uint64_t firsts[kVectorSize];
    comparer.Compare(begin, count, [&](size_t row, bool is_partition) {
      if (is_partition) {
        partitions.push_back(row);
        partition_peers.push_back(peer_groups);
      }
      firsts[peer_groups++ - before] = row;
    });
    if (each_is_alone && peer_groups - before < count) {
      each_is_alone = false;
      peers.resize(begin);
      std::iota(peers.begin(), peers.end(), 0);
    }
    if (has_peers && !each_is_alone) peers.insert(peers.end(), firsts, firsts + (peer_groups - before));
    memory_.Resize((partitions.capacity() + partition_peers.capacity() + peers.capacity()) *
                   sizeof(uint64_t));
  }
  partitions.push_back(row_count);
  partition_peers.push_back(peer_groups);
  if (has_peers && !each_is_alone) peers.push_back(row_count);
}

void BlockGroups::Fill(const RowGroups& groups, size_t begin_in, size_t count_in) {
  begin = begin_in;
  count = count_in;
  for (auto* list : {&partition, &partition_begin, &partition_end, &peer_group, &peer_begin, &peer_end})
    list->resize(kVectorSize);
  // Of each row the number of its group in a list of first rows, and where that begins and ends.
  const auto fill = [&](const std::vector<uint64_t>& starts, std::vector<uint64_t>& number,
                        std::vector<uint64_t>& first, std::vector<uint64_t>& end) {
    auto group =
        static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
    for (size_t i = 0; i < count; group++) {
      const size_t group_end = std::min<uint64_t>(count, starts[group + 1] - begin);
      for (; i < group_end; i++) {
        number[i] = group;
        first[i] = starts[group];
        end[i] = starts[group + 1];
      }
    }
  };
  fill(groups.partitions, partition, partition_begin, partition_end);
  if (!groups.peers.empty()) fill(groups.peers, peer_group, peer_begin, peer_end);
  if (!groups.each_is_alone) return;
  for (size_t i = 0; i < count; i++) {
    peer_group[i] = peer_begin[i] = begin + i;
    peer_end[i] = begin + i + 1;
  }
}

}  // namespace scaup
