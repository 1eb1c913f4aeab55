// Documents that are kept attribute by attribute: all come back, whole and in parts, whatever they are.
#include "storage/shredded/document_segment.hpp"

#include <catch2/catch.hpp>

#include <deque>

#include "../../document/document_fixture.hpp"
#include "../../document/document_model.hpp"
#include "../table_fixture.hpp"
#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/shredded/document_segment_reader.hpp"
#include "storage/shredded/shredded_projections.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup::test {

namespace {

const std::string kPath = "x.scaup";

/// Documents of a collection, in memory and in a file.
struct Documents {
  SimulatedFileSystem files;
  MemoryTracker memory{size_t{1} << 31};
  std::shared_ptr<BlockStore> store =
      std::make_shared<BlockStore>(DatabaseFile::Create(files, kPath), memory);
  DocumentFixture fixture;
  std::vector<LogicalType> types = {TypeId::kBlob};
  std::vector<std::string> records;

  void Add(std::string_view text) { records.push_back(fixture.Parse(text)); }

  std::shared_ptr<const StoredRowGroup> Store() {
    RowGroupBuilder builder(types, memory);
    for (size_t begin = 0; begin < records.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, records.size() - begin);
      DataChunk chunk(types);
      chunk.ResetForWriting();
      for (size_t i = 0; i < count; i++)
        chunk.column(0).MutableData<StringRef>()[i] = chunk.column(0).AddString(records[begin + i]);
      chunk.SetSize(count);
      builder.Append(chunk);
    }
    builder.Finish();
    const auto row_groups = builder.TakeFinished();
    REQUIRE(row_groups.size() == 1);
    RowGroupWriter writer(store, 0, std::nullopt);
    writer.Add(*row_groups[0], {types, fixture.dictionary.get()});
    return writer.Finish()[0];
  }
};

const DocumentSegment& SegmentOf(const StoredRowGroup& row_group) {
  const auto* segment = dynamic_cast<const DocumentSegment*>(row_group.column(0).get());
  REQUIRE(segment != nullptr);
  return *segment;
}

void CheckRecords(const Documents& documents, const StoredRowGroup& row_group, Random& random) {
  const auto reader = row_group.column(0)->MakeReader(KernelsOf(BestKernelLevel()));
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    Vector all(TypeId::kBlob);
    reader->Read(block, count, all);
    size_t wrong = 0;
    for (size_t row = 0; row < count; row++)
      wrong += all.Data<StringRef>()[row].view() != documents.records[block * kVectorSize + row];
    CHECK(wrong == 0);
    for (const size_t step : {size_t{1}, size_t{3}, size_t{200}}) {
      std::vector<sel_t> rows;
      for (size_t row = Below(random, step); row < count; row += 1 + Below(random, step))
        rows.push_back(static_cast<sel_t>(row));
      Vector some(TypeId::kBlob);
      some.Reset();
      reader->Gather(block, count, rows, some, 0);
      for (size_t i = 0; i < rows.size(); i++)
        wrong += some.Data<StringRef>()[i].view() != documents.records[block * kVectorSize + rows[i]];
      CHECK(wrong == 0);
    }
  }
}

/// Every path as every type, against what is read out of records.
/// What filters tell of a projection must be what its values `expected` tell. `filters`: for this and all
/// others, as they stay where they are as long as the reader lives.
void CheckFilters(ShreddedProjections& shreds, size_t i, size_t block, size_t count, const Vector& expected,
                  std::deque<ScanFilter>& filters, Random& random) {
  using Op = ScanFilter::Op;
  const size_t first = filters.size();
  filters.push_back({i + 1, Op::kIsNull, {}});
  filters.push_back({i + 1, Op::kIsNotNull, {}});
  const Value value = expected.GetValue(Below(random, count));
  if (!value.is_null()) {
    for (const Op op : {Op::kEqual, Op::kNotEqual, Op::kLessEqual, Op::kGreater})
      filters.push_back({i + 1, op, value});
  }
  for (size_t each = first; each < filters.size(); each++) {
    const ScanFilter& filter = filters[each];
    uint8_t mask[kVectorSize], right[kVectorSize];
    const auto match = shreds.Filter(i, block, count, filter, mask);
    if (!match) continue;
    EvaluateScanFilter(KernelsOf(BestKernelLevel()), filter, expected.physical_type(),
                       expected.Data<std::byte>(), expected.Validity(), count, right);
    size_t wrong = 0;
    for (size_t row = 0; row < count; row++)
      wrong += (*match == ZoneMatch::kSome ? mask[row] : *match == ZoneMatch::kAll ? 1 : 0) != right[row];
    INFO("operator " << static_cast<int>(filter.op) << " " << filter.constant.ToString());
    CHECK(wrong == 0);
  }
}

void CheckProjections(const Documents& documents, const StoredRowGroup& row_group, Random& random) {
  std::vector<DocumentProjection> projections;
  std::vector<PathId> paths = documents.fixture.dictionary->AllPaths();
  paths.push_back(kRootPath);
  for (const PathId path : paths) {
    for (const LogicalType& type :
         {LogicalType(TypeId::kJson), LogicalType(TypeId::kVarchar), LogicalType(TypeId::kBigInt),
          LogicalType(TypeId::kDouble), LogicalType(TypeId::kBoolean), LogicalType(TypeId::kHugeInt),
          LogicalType::List(TypeId::kVarchar), LogicalType::List(TypeId::kDouble)}) {
      if (Below(random, 3) == 0) projections.push_back({path, type});
    }
    if (Below(random, 5) == 0)
      projections.push_back({path, TypeId::kJson, {{.index = 0, .is_element = true}}});
  }
  const TableColumns columns(documents.types, projections, documents.fixture.dictionary);
  std::vector<size_t> numbers;
  for (size_t i = 0; i < projections.size(); i++) numbers.push_back(i + 1);
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  ShreddedProjections shreds(columns, numbers, kernels);
  const auto reader = row_group.column(0)->MakeReader(kernels);
  shreds.Attach(dynamic_cast<DocumentSegmentReader*>(reader.get()));
  const auto from_records = columns.MakeReader(numbers);
  std::deque<ScanFilter> filters;
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    Vector records(TypeId::kBlob);
    records.Reset();
    for (size_t row = 0; row < count; row++)
      records.MutableData<StringRef>()[row] = records.AddString(documents.records[block * kVectorSize + row]);
    std::vector<Vector> expected;
    std::vector<Vector*> outputs;
    for (const DocumentProjection& projection : projections) {
      expected.emplace_back(projection.type);
      expected.back().Reset();
    }
    for (Vector& vector : expected) outputs.push_back(&vector);
    from_records->Read(records, count, outputs);
    auto selection = std::make_shared<SelectionVector>();
    size_t selected = 0;
    const size_t step = Below(random, 2) == 0 ? 50 : 3;
    for (size_t row = Below(random, step); row < count; row += 1 + Below(random, step))
      selection->rows[selected++] = static_cast<sel_t>(row);
    for (size_t i = 0; i < projections.size(); i++) {
      INFO("path " << documents.fixture.dictionary->NameOf(projections[i].path) << " as "
                   << projections[i].type.ToString());
      Vector all(projections[i].type), some(projections[i].type);
      shreds.Read(i, block, count, all);
      all.Flatten(count);
      for (size_t row = 0; row < count; row++) {
        if (!SameValue(all.GetValue(row), expected[i].GetValue(row)))
          FAIL("row " << row << ": " << all.GetValue(row).ToString() << ", not "
                      << expected[i].GetValue(row).ToString());
      }
      shreds.ReadRows(i, block, count, selection, selected, some);
      if (selected != 0) some.Flatten(selected);
      size_t wrong = 0;
      for (size_t at = 0; at < selected; at++)
        wrong += SameValue(some.GetValue(at), expected[i].GetValue(selection->rows[at])) ? 0 : 1;
      CHECK(wrong == 0);
      expected[i].Flatten(count);
      CheckFilters(shreds, i, block, count, expected[i], filters, random);
    }
  }
}

}  // namespace

TEST_CASE("random documents come back from their attributes", "[storage][document]") {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    INFO("seed " << seed);
    Random random(seed);
    JsonModelMaker maker(seed);
    Documents documents;
    // Few documents, again and again, so that there are shapes and dense attributes; others are alone.
    std::vector<std::string> common;
    for (size_t i = 0; i < 1 + seed % 5; i++) common.push_back(maker.Document(seed % 3 == 0).Compact());
    const size_t row_count = kVectorSize * (1 + Below(random, 3)) + Below(random, kVectorSize);
    for (size_t row = 0; row < row_count; row++) {
      if (Below(random, 10) < 8) {
        documents.Add(common[Below(random, common.size())]);
      } else {
        documents.Add(maker.Document(seed % 3 == 0).Compact());
      }
    }
    const auto row_group = documents.Store();
    CheckRecords(documents, *row_group, random);
    CheckProjections(documents, *row_group, random);
  }
}

TEST_CASE("dense attributes are columns, others are in the reservoir", "[storage][document]") {
  Documents documents;
  for (size_t row = 0; row < 3000; row++) {
    std::string text = "{\"id\":" + std::to_string(row) + ",\"name\":\"n" + std::to_string(row % 7) + "\"";
    if (row % 10 != 0) text += ",\"most\":1.5";
    if (row % 20 == 0) text += ",\"few\":" + std::to_string(row);
    if (row % 2 == 0) text += ",\"empty\":[],\"none\":null";
    documents.Add(text + "}");
  }
  const auto row_group = documents.Store();
  const DocumentSegment& segment = SegmentOf(*row_group);
  std::vector<std::string> physical;
  const AttributeDictionary& dictionary = *documents.fixture.dictionary;
  for (const auto& [id, type] : segment.physical()) {
    physical.push_back(dictionary.NameOf(dictionary.attribute(id).path));
    CHECK(type == dictionary.attribute(id).type);
  }
  CHECK(physical == std::vector<std::string>{"id", "name", "most"});
  CHECK(segment.value_count() == 150);
  CHECK(segment.shapes().size() == 4);
  Random random(1);
  CheckRecords(documents, *row_group, random);
  CheckProjections(documents, *row_group, random);
}

TEST_CASE("few documents stay records", "[storage][document]") {
  Documents documents;
  for (size_t row = 0; row < 100; row++) documents.Add("{\"id\":1}");
  const auto row_group = documents.Store();
  CHECK(dynamic_cast<const DocumentSegment*>(row_group->column(0).get()) == nullptr);
}

TEST_CASE("damage in the metadata of documents is found out", "[storage][document]") {
  Documents documents;
  for (size_t row = 0; row < 1500; row++) {
    documents.Add("{\"id\":" + std::to_string(row) +
                  (row % 3 == 0 ? ",\"few\":\"x\"}" : R"(,"tags":["a","b"]})"));
  }
  const auto row_group = documents.Store();
  const StoredRowGroupPointer& pointer = row_group->pointer();
  uint64_t size_bytes = 0;
  for (const Extent& extent : pointer.metadata) size_bytes += extent.size_bytes;
  auto bytes = documents.store->Read(pointer.metadata, 0, size_bytes);
  bytes.erase(bytes.begin(), bytes.begin() + 4);
  Random random(9);
  size_t errors = 0;
  for (int i = 0; i < 2000; i++) {
    auto damaged = bytes;
    if (Below(random, 4) == 0) {
      damaged.resize(Below(random, damaged.size()));
    } else {
      damaged[Below(random, damaged.size())] ^= static_cast<std::byte>(1 + Below(random, 255));
    }
    try {
      const auto segment = std::make_shared<const DocumentSegment>(documents.store, 1500, std::move(damaged),
                                                                   pointer.block_ids);
      const auto reader = segment->MakeReader(KernelsOf(BestKernelLevel()));
      Vector output(TypeId::kBlob);
      for (size_t block = 0; block < 2; block++) {
        output.Release();
        reader->Read(block, block == 0 ? kVectorSize : 1500 - kVectorSize, output);
      }
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kIo);
      errors++;
    }
  }
  CHECK(errors > 500);
}

}  // namespace scaup::test
