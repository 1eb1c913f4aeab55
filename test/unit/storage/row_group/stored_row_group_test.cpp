// Row groups in the file: every type through every encoding, joining, heavy rows, damage.
#include "storage/row_group/stored_row_group.hpp"

#include <catch2/catch.hpp>

#include "../table_fixture.hpp"
#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/shredded/segment_encodings.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

namespace {

const std::string kPath = "x.scaup";

struct Fixture {
  SimulatedFileSystem files;
  MemoryTracker memory{size_t{1} << 31};
  std::shared_ptr<BlockStore> store =
      std::make_shared<BlockStore>(DatabaseFile::Create(files, kPath), memory);
};

std::vector<Row> MakeRows(Random& random, const std::vector<LogicalType>& types, size_t count) {
  std::vector<Row> rows(count);
  for (size_t row = 0; row < count; row++) {
    for (size_t i = 0; i < types.size(); i++) {
      // Blocks that are all NULL, without NULL, and mixed; few values and many.
      const size_t kind = (row / kVectorSize + i) % 4;
      rows[row].push_back(RandomValue(random, types[i],
                                      kind == 0   ? 100
                                      : kind == 1 ? 0
                                                  : 20,
                                      kind == 3 ? 100 : 5, kind == 3));
    }
  }
  return rows;
}

std::vector<Row> ReadRows(const RowGroup& row_group, const std::vector<LogicalType>& types) {
  std::vector<Row> rows;
  DataChunk chunk(types);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    chunk.Release();
    for (size_t i = 0; i < types.size(); i++) {
      row_group.column(i)
          ->MakeReader(KernelsOf(BestKernelLevel()))
          ->Read(block, row_group.BlockRows(block), chunk.column(i));
    }
    chunk.SetSize(row_group.BlockRows(block));
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
  return rows;
}

bool Same(const std::vector<Row>& a, const std::vector<Row>& b) {
  if (a.size() != b.size()) return false;
  for (size_t row = 0; row < a.size(); row++) {
    for (size_t i = 0; i < a[row].size(); i++) {
      if (SameValue(a[row][i], b[row][i])) continue;
      UNSCOPED_INFO("row " << row << ", column " << i << ": " << a[row][i].ToString() << " and "
                           << b[row][i].ToString());
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("every type comes back through every encoding", "[storage][table]") {
  std::vector<std::optional<Encoding>> encodings = {std::nullopt};
  for (const CompressionMethod* method : AllCompressionMethods()) encodings.push_back(method->encoding());
  Random random(5);
  Fixture fixture;
  const auto& types = SampleTypes();
  const std::vector<Row> rows = MakeRows(random, types, 3 * kVectorSize + 77);
  const BuiltRows built = Build(random, types, rows, fixture.memory);
  REQUIRE(built.row_groups.size() == 1);
  REQUIRE(Same(ReadRows(*built.row_groups[0], types), rows));
  for (const auto& encoding : encodings) {
    for (const size_t separate_columns : {size_t{0}, types.size()}) {
      RowGroupWriter writer(fixture.store, separate_columns, encoding);
      writer.Add(*built.row_groups[0], types);
      const auto stored = writer.Finish();
      REQUIRE(stored.size() == 1);
      INFO("encoding " << (encoding ? EncodingName(*encoding) : "chosen"));
      REQUIRE(Same(ReadRows(*stored[0], types), rows));
      // From the directory's bytes, with nothing cached; and written once more from the file.
      fixture.store->buffers().Clear();
      ByteWriter bytes;
      stored[0]->pointer().Write(bytes);
      ByteReader reader(bytes.bytes(), "test");
      const auto reopened = std::make_shared<StoredRowGroup>(
          fixture.store, types, StoredRowGroupPointer::Read(reader), &LoadSegment);
      reader.ExpectEnd("pointer");
      RowGroupWriter again(fixture.store, 0, encoding);
      again.Add(*reopened, types);
      REQUIRE(Same(ReadRows(*again.Finish()[0], types), rows));
    }
  }
}

TEST_CASE("filters on stored columns agree with those in memory", "[storage][table]") {
  Random random(6);
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar, TypeId::kDouble};
  const std::vector<Row> rows = MakeRows(random, types, 4 * kVectorSize + 3);
  const BuiltRows built = Build(random, types, rows, fixture.memory);
  RowGroupWriter writer(fixture.store, 0, std::nullopt);
  writer.Add(*built.row_groups[0], types);
  const auto stored = writer.Finish()[0];
  using Op = ScanFilter::Op;
  const auto read = [&](const std::shared_ptr<const RowGroup>& row_group, const ScanFilter& filter) {
    auto snapshot = std::make_shared<TableSnapshot>();
    snapshot->Append(row_group);
    TableScan scan(TableView::Of(snapshot), types, {{0, 1, 2}, {{filter}}}, KernelsOf(BestKernelLevel()), 2);
    return Drain(scan, types);
  };
  for (size_t column = 0; column < types.size(); column++) {
    for (const Op op : {Op::kEqual, Op::kLess, Op::kGreaterEqual, Op::kIsNull, Op::kIsNotNull}) {
      for (int i = 0; i < 4; i++) {
        ScanFilter filter;
        filter.column = column;
        filter.op = op;
        filter.constant = RandomValue(random, types[column], 0, 20, false);
        REQUIRE(Same(read(stored, filter), read(built.row_groups[0], filter)));
      }
    }
  }
}

TEST_CASE("any damaged byte that a row group needs is found", "[storage][table]") {
  Random random(7);
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar, TypeId::kDouble};
  const std::vector<Row> rows = MakeRows(random, types, 2 * kVectorSize);
  const BuiltRows built = Build(random, types, rows, fixture.memory);
  RowGroupWriter writer(fixture.store, 0, std::nullopt);
  writer.Add(*built.row_groups[0], types);
  const StoredRowGroupPointer pointer = writer.Finish()[0]->pointer();
  REQUIRE(pointer.block_ids.size() == 2);
  const auto read = [&] {
    fixture.store->buffers().Clear();
    return ReadRows(StoredRowGroup(fixture.store, types, pointer, &LoadSegment), types);
  };
  REQUIRE(Same(read(), rows));
  for (const uint64_t block_id : pointer.block_ids) {
    for (int i = 0; i < 30; i++) {
      const bool is_metadata = block_id == pointer.metadata[0].block.block_id;
      const size_t used = is_metadata ? pointer.metadata[0].block.size_bytes : 1000;
      const uint64_t offset = block_id * kFileBlockBytes + Below(random, used);
      const unsigned bit = static_cast<unsigned>(Below(random, 8));
      fixture.files.FlipBit(kPath, offset, bit);
      CHECK_THROWS_AS(read(), Error);
      fixture.files.FlipBit(kPath, offset, bit);
    }
  }
  REQUIRE(Same(read(), rows));
}

TEST_CASE("pointers that cannot be are refused", "[storage][table]") {
  Random random(8);
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  const std::vector<Row> rows = MakeRows(random, types, 3000);
  const BuiltRows built = Build(random, types, rows, fixture.memory);
  RowGroupWriter writer(fixture.store, 0, std::nullopt);
  writer.Add(*built.row_groups[0], types);
  const auto stored = writer.Finish()[0];
  const auto fails = [&](const StoredRowGroupPointer& pointer, std::vector<LogicalType> as) {
    try {
      const StoredRowGroup row_group(fixture.store, as, pointer, &LoadSegment);
      ReadRows(row_group, as);
    } catch (const Error& error) {
      return std::string(error.sqlstate()) == sqlstate::kDataCorrupted;
    }
    return false;
  };
  const StoredRowGroupPointer& good = stored->pointer();
  CHECK_FALSE(fails(good, types));
  // Block ids of a header, behind the file, huge: no time and memory is spent on them.
  for (const uint64_t block_id : {uint64_t{0}, uint64_t{1}, uint64_t{100}, uint64_t{1} << 60}) {
    StoredRowGroupPointer bad = good;
    bad.block_ids.push_back(block_id);
    CHECK(fails(bad, types));
  }
  // Blocks that are not held could be given to somebody else.
  for (size_t i = 0; i < good.block_ids.size(); i++) {
    StoredRowGroupPointer bad = good;
    bad.block_ids.erase(bad.block_ids.begin() + static_cast<ptrdiff_t>(i));
    CHECK(fails(bad, types));
  }
  StoredRowGroupPointer cut = good;
  cut.metadata[0].size_bytes /= 2;
  CHECK(fails(cut, types));
  // Other numbers of columns, and other types.
  CHECK(fails(good, {TypeId::kInteger}));
  CHECK(fails(good, {TypeId::kInteger, TypeId::kVarchar, TypeId::kInteger}));
  CHECK(fails(good, {TypeId::kVarchar, TypeId::kInteger}));
  StoredRowGroupPointer longer = good;
  longer.row_count += kVectorSize;
  CHECK(fails(longer, types));
  // An extent of no bytes, a block id that wraps.
  ByteWriter bytes;
  WriteExtent(Extent{good.metadata[0].block, 0, 0}, bytes);
  ByteReader reader(bytes.bytes(), "test");
  CHECK_THROWS_AS(ReadExtent(reader), Error);
  bytes.Clear();
  bytes.WriteVarint(5);
  WriteExtents(good.metadata, bytes);
  bytes.WriteVarint(2);
  bytes.WriteVarint(10);
  bytes.WriteVarint(UINT64_MAX - 2);
  ByteReader wrapping(bytes.bytes(), "test");
  CHECK_THROWS_AS(StoredRowGroupPointer::Read(wrapping), Error);
}

TEST_CASE("a writer that is given up leaves its blocks free", "[storage][table]") {
  Random random(9);
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kVarchar, TypeId::kBigInt};
  const BuiltRows built = Build(random, types, MakeRows(random, types, 5000), fixture.memory);
  BlockAllocator& allocator = fixture.store->file().allocator();
  const uint64_t used = fixture.memory.used_bytes();
  for (int failing = 1; failing < 6; failing++) {
    fixture.files.FailAt(fixture.files.call_count() + failing, FaultKind::kDiskFull);
    try {
      RowGroupWriter writer(fixture.store, types.size(), std::nullopt);
      writer.Add(*built.row_groups[0], types);
      writer.Finish();
    } catch (const Error&) {
    }
    fixture.files.ClearFaults();
    fixture.files.FreeSpace();
    CHECK(allocator.free_count() == allocator.end_block() - kHeaderCopies);
    CHECK(fixture.memory.used_bytes() == used);
  }
}

TEST_CASE("neighbours are joined in order, those in the file too when wanted", "[storage][table]") {
  Random random(10);
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  for (const bool join_stored : {false, true}) {
    RowGroupList row_groups;
    std::vector<Row> rows;
    for (size_t i = 0; i < 8; i++) {
      const std::vector<Row> part = MakeRows(random, types, 300 + Below(random, 3000));
      auto built = Build(random, types, part, fixture.memory).row_groups[0];
      if (i % 3 == 1) {
        RowGroupWriter writer(fixture.store, 0, std::nullopt);
        writer.Add(*built, types);
        built = writer.Finish()[0];
      }
      row_groups.push_back(built);
      rows.insert(rows.end(), part.begin(), part.end());
    }
    const RowGroupList joined = JoinSmallRowGroups(row_groups, types, fixture.memory, join_stored);
    CHECK(joined.size() == (join_stored ? 1 : 6));
    std::vector<Row> found;
    for (const auto& row_group : joined) {
      const auto part = ReadRows(*row_group, types);
      found.insert(found.end(), part.begin(), part.end());
    }
    CHECK(Same(found, rows));
  }
}

TEST_CASE("row groups with large strings end early and stand alone", "[storage][table]") {
  Fixture fixture;
  const std::vector<LogicalType> types = {TypeId::kVarchar};
  RowGroupBuilder builder(types, fixture.memory);
  DataChunk chunk(types);
  constexpr size_t kBlocks = 5;
  // 1024 rows of 30 KB each: the third fills a row group.
  for (size_t block = 0; block < kBlocks; block++) {
    chunk.ResetForWriting();
    for (size_t row = 0; row < kVectorSize; row++) {
      std::string text(30'000, 'a');
      text += std::to_string(block * kVectorSize + row);
      chunk.column(0).SetValue(row, Value::Varchar(text));
    }
    chunk.SetSize(kVectorSize);
    builder.Append(chunk);
  }
  builder.Finish();
  RowGroupList row_groups = builder.TakeFinished();
  CHECK(row_groups.size() == 2);
  for (const auto& row_group : row_groups) CHECK(row_group->is_heavy());
  row_groups = JoinSmallRowGroups(std::move(row_groups), types, fixture.memory, true);
  CHECK(row_groups.size() == 2);
  row_groups = StoreLargeRowGroups(std::move(row_groups), types, fixture.store, Encoding::kRaw, 0);
  size_t row = 0;
  for (const auto& row_group : row_groups) {
    REQUIRE(row_group->is_stored());
    CHECK(row_group->is_heavy());
    const auto reader = row_group->column(0)->MakeReader(KernelsOf(BestKernelLevel()));
    for (size_t block = 0; block < row_group->block_count(); block++) {
      Vector values(types[0]);
      reader->Read(block, row_group->BlockRows(block), values);
      CHECK(values.GetValue(5).ToString() == std::string(30'000, 'a') + std::to_string(row + 5));
      row += row_group->BlockRows(block);
    }
  }
  CHECK(row == kBlocks * kVectorSize);
}

TEST_CASE("a table joins no heavy rows, and loses none", "[storage][table]") {
  MemoryTracker memory(size_t{1} << 31);
  TransactionManager transactions;
  const std::vector<LogicalType> types = {TypeId::kVarchar};
  const auto table = std::make_shared<Table>(types, memory);
  uint64_t expected = 0;
  for (const size_t length : {size_t{20}, size_t{20}, size_t{40'000}, size_t{20}, size_t{25'000},
                              size_t{25'000}, size_t{25'000}, size_t{20}}) {
    RowGroupBuilder builder(types, memory);
    DataChunk chunk(types);
    chunk.ResetForWriting();
    for (size_t row = 0; row < 1000; row++)
      chunk.column(0).SetValue(row,
                               Value::Varchar(std::string(length, 'x') + std::to_string(expected + row)));
    chunk.SetSize(1000);
    builder.Append(chunk);
    builder.Finish();
    const auto transaction = transactions.Begin();
    table->Insert({*transaction, "t"}, builder.TakeFinished(), builder.statistics(), {});
    transactions.Commit(*transaction);
    expected += 1000;
    uint64_t found = 0;
    for (const auto& row_group : table->snapshots().Newest()->row_groups) found += row_group->row_count();
    CHECK(found == expected);
    CHECK(table->snapshots().Newest()->row_count == expected);
  }
}

}  // namespace scaup::test
