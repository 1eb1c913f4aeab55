// Kept rows: they come back in order wherever they lie, and give their memory to whoever needs it more.
#include "execution/rows/spillable_rows.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "common/throw.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution_fixture.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kTypes = {TypeId::kBigInt,   TypeId::kVarchar, TypeId::kBoolean,
                                         TypeId::kSmallInt, TypeId::kHugeInt, TypeId::kInteger};

std::vector<Row> SomeRows(uint64_t seed, size_t row_count) {
  Random random(seed);
  auto rows = RandomRows(random, kTypes, row_count, 10, 1000);
  for (size_t row = 0; row < row_count; row++) rows[row][0] = Value::BigInt(static_cast<int64_t>(row));
  return rows;
}

Row RowOf(DataChunk& chunk, size_t row) {
  Row values;
  for (size_t i = 0; i < chunk.column_count(); i++) values.push_back(chunk.column(i).GetValue(row));
  return values;
}

/// How many rows of a piece are not as expected.
size_t WrongRows(const SpillableRows& rows, size_t index, const std::vector<Row>& expected) {
  const RowsPiece piece = rows.Piece(index);
  DataChunk chunk(kTypes);
  for (size_t i = 0; i < kTypes.size(); i++) piece.ReadColumn(i, chunk.column(i));
  size_t wrong = 0;
  for (size_t row = 0; row < piece.row_count(); row++)
    wrong += TextOf(RowOf(chunk, row)) != TextOf(expected[index * kVectorSize + row]);
  return wrong;
}

}  // namespace

TEST_CASE("Kept rows give their memory to those that need it", "[execution]") {
  constexpr size_t kRows = 50'000;
  constexpr size_t kLimit = size_t{16} << 20;
  const auto expected = SomeRows(3, kRows);
  Query query(4, kLimit);
  MemoryTracker& memory = query.services.memory;
  {
    SpillableRows rows(query.context, kTypes);
    Random random(5);
    for (size_t begin = 0; begin < kRows;) {
      const size_t count = std::min(kRows - begin, 1 + Below(random, kVectorSize));
      DataChunk chunk = MakeChunk(random, kTypes,
                                  {expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                   expected.begin() + static_cast<std::ptrdiff_t>(begin + count)});
      rows.Append(chunk);
      begin += count;
    }
    rows.Finish();
    REQUIRE(rows.row_count() == kRows);
    REQUIRE(rows.is_in_memory());
    REQUIRE(query.temporary_storage.used_bytes() == 0);
    const size_t kept_bytes = memory.used_bytes();

    // What is read stays where it is.
    const RowsPiece held = rows.Piece(0);
    DataChunk chunk(kTypes);
    for (size_t i = 0; i < kTypes.size(); i++) held.ReadColumn(i, chunk.column(i));

    // About half of it is wanted, while others read.
    std::atomic<size_t> wrong{0};
    std::vector<std::thread> readers;
    for (size_t thread = 0; thread < 3; thread++) {
      readers.emplace_back([&, thread] {
        Random order(thread);
        for (size_t i = 0; i < 200; i++) wrong += WrongRows(rows, Below(order, rows.piece_count()), expected);
      });
    }
    {
      MemoryReservation reservation(memory);
      reservation.Resize(kLimit - kept_bytes / 2);
      REQUIRE_FALSE(rows.is_in_memory());
      REQUIRE(query.temporary_storage.used_bytes() > 0);
      for (std::thread& reader : readers) reader.join();
      REQUIRE(wrong == 0);
      for (size_t row = 0; row < kVectorSize; row++)
        wrong += TextOf(RowOf(chunk, row)) != TextOf(expected[row]);
      REQUIRE(wrong == 0);
      for (size_t i = 0; i < rows.piece_count(); i++) wrong += WrongRows(rows, i, expected);
      REQUIRE(wrong == 0);
      // All but what is read and the last block.
      reservation.Resize(kLimit - kept_bytes / 8);
    }
    REQUIRE(memory.used_bytes() < kept_bytes / 4);

    sel_t chosen[kVectorSize];
    for (size_t i = 0; i < 100; i++) chosen[i] = static_cast<sel_t>(i * 7 % 100);
    Vector numbers(kTypes[0]), strings(kTypes[1]);
    for (const size_t index : {size_t{0}, size_t{7}}) {
      const RowsPiece piece = rows.Piece(index);
      numbers.Reset();
      strings.Reset();
      piece.Gather(0, chosen, 100, numbers);
      piece.CopyRange(1, 50, 20, strings, 30);
      for (size_t i = 0; i < 100; i++)
        wrong += numbers.Data<int64_t>()[i] != static_cast<int64_t>(index * kVectorSize + chosen[i]);
      for (size_t i = 0; i < 20; i++)
        wrong += TextOf({strings.GetValue(30 + i)}) != TextOf({expected[index * kVectorSize + 50 + i][1]});
    }
    REQUIRE(wrong == 0);
  }
  REQUIRE(memory.used_bytes() == 0);
  REQUIRE(query.temporary_storage.used_bytes() == 0);
}

TEST_CASE("Rows that are collected by several tasks come in the order of their source", "[execution]") {
  constexpr size_t kRows = 30'000;
  const auto expected = SomeRows(7, kRows);
  for (const size_t threads : {1, 4}) {
    for (const bool is_forced : {false, true}) {
      for (const size_t chunk_rows : {3, 700}) {
        Query query(threads);
        if (is_forced) query.services.settings.force_partitions = ForcedPartitions::kSpilled;
        const auto source = Rows(kTypes, expected, chunk_rows);
        const auto shared = source->MakeShared(query.context);
        OperatorProfile profile;
        const auto kept = MaterializedRows::Collect(query.context, *source, *shared, profile);
        REQUIRE((query.temporary_storage.used_bytes() != 0) == is_forced);
        REQUIRE(kept->row_count() == kRows);
        KeptRowsReader reader(kept);
        DataChunk chunk({kTypes[1], kTypes[0]});
        size_t wrong = 0;
        for (size_t piece = 0; piece < kept->piece_count(); piece++) {
          chunk.Release();
          reader.Read(piece, {1, 0}, chunk);
          for (size_t row = 0; row < chunk.size(); row++) {
            const Row& wanted = expected[piece * kVectorSize + row];
            wrong += TextOf(RowOf(chunk, row)) != TextOf({wanted[1], wanted[0]});
          }
        }
        REQUIRE(wrong == 0);
      }
    }
  }
}

TEST_CASE("Who keeps rows says why they cannot be written", "[execution]") {
  constexpr size_t kLimit = size_t{4} << 20;
  const auto given = SomeRows(9, kVectorSize);
  Query query(1, kLimit);
  query.temporary_storage.SetMaxBytes(size_t{256} << 10);
  SpillableRows rows(query.context, kTypes);
  std::string state;
  try {
    Random random(1);
    for (size_t i = 0; i < 1000; i++) {
      DataChunk chunk = MakeChunk(random, kTypes, given);
      rows.Append(chunk);
    }
  } catch (const Error& error) {
    state = error.sqlstate();
  }
  REQUIRE(state == sqlstate::kConfigurationLimitExceeded);
}

}  // namespace scaup
