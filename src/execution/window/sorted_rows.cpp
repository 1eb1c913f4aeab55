// Sorted rows: reading rows in a window's order, and finding partitions and peers.
#include "execution/window/sorted_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/throw.hpp"

namespace scaup {

SortedRows::SortedRows(std::vector<const ColumnCollection*> collections, LargeVector<uint64_t> order,
                       LargeVector<uint8_t> shared_keys, MemoryReservation memory)
    : collections_(std::move(collections)),
      order_(std::move(order)),
      shared_keys_(std::move(shared_keys)),
      memory_(std::move(memory)),
      row_count_(order_.size()) {}

SortedRows::SortedRows(const ColumnCollection& rows) : collections_{&rows}, row_count_(rows.row_count()) {}

SortedRows::SortedRows(std::unique_ptr<SpillableRows> rows)
    : pieces_(std::make_unique<RandomAccessRows>(std::move(rows))), row_count_(pieces_->rows().row_count()) {}

void SortedRows::Read(size_t column, size_t begin, size_t count, Vector& target) const {
  if (pieces_) return pieces_->Read(column, begin, count, target);
  if (order_.empty() && begin % kVectorSize == 0)
    return collections_[0]->ReadColumn(column, begin / kVectorSize, nullptr, target);
  target.Reset();
  if (!order_.empty()) return GatherFrom(collections_, column, order_.data() + begin, count, target);
  uint64_t places[kVectorSize];
  for (size_t i = 0; i < count; i++) places[i] = begin + i;
  GatherFrom(collections_, column, places, count, target);
}

void SortedRows::Gather(size_t column, const uint64_t* rows, size_t count, Vector& target) const {
  SCAUP_ASSERT(count <= kVectorSize);
  target.Reset();
  if (pieces_) return pieces_->Gather(column, rows, count, target);
  if (order_.empty()) return GatherFrom(collections_, column, rows, count, target);
  uint64_t places[kVectorSize];
  for (size_t i = 0; i < count; i++) places[i] = order_[rows[i]];
  GatherFrom(collections_, column, places, count, target);
}

SharedKeyReader::SharedKeyReader(const SortedRows& rows, const std::vector<size_t>& columns,
                                 const std::vector<SortOrder>& orders, size_t partition_key_count)
    : rows_(rows), columns_(columns), partition_key_count_(partition_key_count), comparer_(orders) {
  for (const SortOrder& order : orders) keys_.emplace_back(order.type);
}

const uint8_t* SharedKeyReader::Read(size_t begin, size_t count) {
  SCAUP_ASSERT(begin == end_);
  end_ = begin + count;
  if (!rows_.shared_keys().empty()) return rows_.shared_keys().data() + begin;
  std::vector<Vector*> keys;
  for (size_t i = 0; i < keys_.size(); i++) {
    rows_.Read(columns_[i], begin, count, keys_[i]);
    keys.push_back(&keys_[i]);
  }
  uint16_t steps[kVectorSize];
  SCAUP_CHECK(comparer_.Compare(keys, count, steps) != NeighbourOrder::kUnordered);
  for (size_t i = 0; i < count; i++) {
    shared_[i] = steps[i] < partition_key_count_ ? SharedKeys::kNone
                 : steps[i] < keys_.size()       ? SharedKeys::kFirst
                                                 : SharedKeys::kAll;
  }
  if (begin == 0) shared_[0] = SharedKeys::kNone;  // Also without PARTITION BY.
  return shared_;
}

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
  SharedKeyReader reader(rows, key_columns, orders, partition_key_count);
  for (size_t begin = 0; begin < row_count; begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, row_count - begin);
    const uint64_t before = peer_groups;
    uint64_t firsts[kVectorSize];
    const uint8_t* shared = reader.Read(begin, count);
    for (size_t i = 0; i < count; i++) {
      if (shared[i] == SharedKeys::kNone) {
        partitions.push_back(begin + i);
        partition_peers.push_back(peer_groups);
      }
      firsts[peer_groups - before] = begin + i;
      peer_groups += shared[i] == SharedKeys::kAll ? 0 : 1;
    }
    // The first peers in this block: from here on the list of peer groups is needed.
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
  // Finds, for each row, the number of its group in a list of first rows, and the group's begin and end.
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
