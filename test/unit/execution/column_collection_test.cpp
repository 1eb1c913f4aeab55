// Collections of rows: what they say they will take is what they take, and rows stay where they were put.
#include <catch2/catch.hpp>

#include "execution/rows/column_collection.hpp"

namespace scaup {

TEST_CASE("A large collection takes memory as it says, and gives its rows back", "[execution]") {
  const std::vector<LogicalType> types = {TypeId::kBigInt, TypeId::kInteger};
  MemoryTracker memory(size_t{1} << 30);
  constexpr size_t kRows = 1'500'000;
  {
    ColumnCollection collection(types, memory);
    DataChunk chunk(types);
    size_t largest_step = 0;
    for (size_t begin = 0; begin < kRows; begin += 1000) {
      chunk.ResetForWriting();
      for (size_t i = 0; i < 1000; i++) {
        chunk.column(0).MutableData<int64_t>()[i] = static_cast<int64_t>(begin + i);
        chunk.column(1).MutableData<int32_t>()[i] = static_cast<int32_t>(begin + i) * 3;
      }
      chunk.SetSize(1000);
      const size_t next = collection.NextPieceBytes();
      const size_t used = memory.used_bytes();
      const size_t pieces = collection.piece_count();
      collection.Append(chunk);
      CHECK(memory.used_bytes() - used == (collection.piece_count() == pieces ? 0 : next));
      CHECK(memory.used_bytes() <= ColumnCollection::MostBytes(types, begin + 1000));
      largest_step = std::max(largest_step, memory.used_bytes() - used);
    }
    CHECK(largest_step > 1024 * 12);  // Many pieces at once.
    CHECK(collection.size_bytes() == memory.used_bytes());
    size_t wrong = 0;
    std::vector<uint64_t> rows;
    for (size_t i = 0; i < kRows; i += 100'003 % 1009) rows.push_back((i * 7919) % kRows);
    for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, rows.size() - begin);
      const ColumnCollection* source = &collection;
      GatherFrom({&source, 1}, rows.data() + begin, count, chunk);
      for (size_t i = 0; i < count; i++) {
        wrong += chunk.column(0).Data<int64_t>()[i] != static_cast<int64_t>(rows[begin + i]);
        wrong += chunk.column(1).Data<int32_t>()[i] != static_cast<int32_t>(rows[begin + i]) * 3;
      }
    }
    CHECK(wrong == 0);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace scaup
