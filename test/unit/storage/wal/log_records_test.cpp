// Records of commits: each kind comes back, in order, and bytes that are no record are refused.
#include "storage/wal/log_records.hpp"

#include "log_fixture.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

const std::vector<LoggedColumn> kColumns = {{"id", TypeId::kBigInt, true, ""},
                                            {"price", LogicalType::Decimal(15, 2), false, "1.5 + 2"},
                                            {"", TypeId::kVarchar, false, ""}};

DataChunk TwoRows() {
  DataChunk chunk({TypeId::kBigInt, TypeId::kVarchar});
  chunk.column(0).MakeSequence(7, 1);
  chunk.column(1).ReferenceValue(Value::Varchar("the same for every row"));
  chunk.SetSize(2);
  return chunk;
}

void WriteOneOfEach(LogRecordWriter& writer) {
  DataChunk rows = TwoRows();
  writer.CreateSchema("s");
  writer.CreateTable("s", "t", kColumns);
  writer.InsertRows("s", "t", rows);
  writer.AppendRowGroups("s", "t", BytesOf("where they stand"));
  writer.DropTable("s", "t");
  writer.DropSchema("s");
}

}  // namespace

TEST_CASE("each kind of record comes back, in order", "[storage][wal]") {
  LogRecordWriter writer;
  CHECK(writer.empty());
  WriteOneOfEach(writer);
  CHECK_FALSE(writer.empty());
  LogRecordReader reader(writer.payload(), "x.wal");

  CHECK(std::get<CreateSchemaRecord>(reader.Next().value()).name == "s");
  const auto create = std::get<CreateTableRecord>(reader.Next().value());
  CHECK(create.schema == "s");
  CHECK(create.table == "t");
  CHECK(create.columns == kColumns);
  const auto insert = std::get<InsertRowsRecord>(reader.Next().value());
  CHECK(insert.schema == "s");
  CHECK(insert.table == "t");
  REQUIRE(insert.rows.size() == 2);
  CHECK(insert.rows.column(0).GetValue(1) == Value::FromInteger(TypeId::kBigInt, 8));
  CHECK(insert.rows.column(1).GetValue(1) == Value::Varchar("the same for every row"));
  const auto append = std::get<AppendRowGroupsRecord>(reader.Next().value());
  CHECK(append.schema == "s");
  CHECK(append.table == "t");
  CHECK(Bytes(append.row_groups.begin(), append.row_groups.end()) == BytesOf("where they stand"));
  const auto drop = std::get<DropTableRecord>(reader.Next().value());
  CHECK(drop.schema == "s");
  CHECK(drop.table == "t");
  CHECK(std::get<DropSchemaRecord>(reader.Next().value()).name == "s");
  CHECK_FALSE(reader.Next().has_value());

  writer.Clear();
  CHECK(writer.empty());
}

TEST_CASE("kinds have the numbers that they always had", "[storage][wal]") {
  LogRecordWriter writer;
  DataChunk rows = TwoRows();
  std::vector<int> kinds;
  const auto note = [&] {
    LogRecordReader reader(writer.payload(), "x.wal");
    kinds.push_back(static_cast<int>(writer.payload()[0]));
    // The variant's order is that of the kinds.
    CHECK(reader.Next().value().index() + 1 == static_cast<size_t>(kinds.back()));
    writer.Clear();
  };
  writer.CreateSchema("s");
  CHECK(std::equal(writer.payload().begin(), writer.payload().end(), BytesOf("\1\1s").begin()));
  note();
  writer.DropSchema("s");
  note();
  writer.CreateTable("s", "t", kColumns);
  note();
  writer.DropTable("s", "t");
  note();
  writer.InsertRows("s", "t", rows);
  note();
  writer.AppendRowGroups("s", "t", {});
  note();
  CHECK(kinds == std::vector<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("bytes that are no record are refused with the log's name", "[storage][wal]") {
  LogRecordWriter writer;
  WriteOneOfEach(writer);
  const Bytes whole(writer.payload().begin(), writer.payload().end());
  std::mt19937 random(8);
  int refused_count = 0;
  for (int round = 0; round < 3000; round++) {
    Bytes bytes = whole;
    if (round % 2 == 0) bytes.resize(random() % whole.size());
    if (!bytes.empty()) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    LogRecordReader reader(bytes, "x.wal");
    try {
      while (reader.Next().has_value()) continue;
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::kIo);
      REQUIRE(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
      REQUIRE(error.message().find("a commit in the log \"x.wal\" is damaged") == 0);
      refused_count++;
    }
  }
  CHECK(refused_count > 1000);
  const Bytes unknown = BytesOf("\7\1s");
  CHECK_THROWS_WITH(LogRecordReader(unknown, "x.wal").Next(), Catch::Contains("there is no kind 7"));
}
