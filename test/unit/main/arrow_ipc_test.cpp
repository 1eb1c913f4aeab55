// Arrow IPC by the public interface: results as bytes and back, in any portions, compressed, sliced and
// damaged.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "scaup/arrow.h"
#include "scaup/scaup.hpp"

namespace scaup {

namespace {

using Compression = ArrowIpcWriter::Compression;

const char* const kMany = R"(
  SELECT i, (i % 100)::TINYINT AS t, i::HUGEINT AS h, i::DOUBLE AS d, i::DECIMAL(5, 2) AS n, i % 2 = 0 AS b,
         CASE WHEN i % 3 <> 0 THEN 'a text that is not short ' || i END AS s, ('z' || i)::BLOB AS z,
         DATE '2024-01-01' + i::INTEGER AS dt, i * INTERVAL '1 month 2 days' AS iv,
         CASE WHEN i % 5 <> 0 THEN ARRAY[i, NULL, i + 1] END AS l, ARRAY[ARRAY['x' || i], NULL] AS ll,
         CASE WHEN i % 7 <> 0 THEN {'a': i, 'b': 'y' || i} END AS st,
         (ARRAY['sad', 'ok'])[i % 2 + 1]::mood AS m, NULL AS u
  FROM range(700) r(i))";

/// A stream of arrays, released at its end.
struct Stream {
  ~Stream() {
    if (each.release != nullptr) each.release(&each);
  }
  ArrowArrayStream each = {};
};

/// The rows of a query in Arrow's streaming format.
std::string Written(const QueryResult& rows, Compression compression, bool string_views = false) {
  Stream stream;
  rows.ExportArrow(&stream.each, {.string_views = string_views, .batch_rows = 300});
  ArrowSchema schema;
  REQUIRE(stream.each.get_schema(&stream.each, &schema) == 0);
  ArrowIpcWriter writer(schema, compression);
  schema.release(&schema);
  std::string bytes;
  writer.AppendSchema(bytes);
  while (true) {
    ArrowArray array;
    REQUIRE(stream.each.get_next(&stream.each, &array) == 0);
    if (array.release == nullptr) break;
    writer.AppendBatch(array, bytes);
    array.release(&array);
  }
  writer.AppendEnd(bytes);
  return bytes;
}

/// Reads bytes, which come `portion` at a time, as a stream for a statement.
class Source {
 public:
  Source(std::string bytes, size_t portion) : bytes_(std::move(bytes)), portion_(portion) {}

  void Export(ArrowArrayStream* out) {
    *out = {};
    out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
      return Of(self).Answer([&](Source& source) { return source.reader_.ReadSchema(schema); });
    };
    out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
      *array = {};
      return Of(self).Answer([&](Source& source) { return source.reader_.ReadBatch(array); });
    };
    out->get_last_error = [](ArrowArrayStream* self) { return Of(self).error_.c_str(); };
    out->release = [](ArrowArrayStream* self) { self->release = nullptr; };
    out->private_data = this;
  }

 private:
  static Source& Of(ArrowArrayStream* self) { return *static_cast<Source*>(self->private_data); }

  int Answer(const std::function<bool(Source&)>& read) {
    constexpr int kFailed = 5;
    try {
      while (!read(*this)) {
        if (begin_ == bytes_.size()) {
          reader_.RequireEnd();
          return 0;
        }
        reader_.Append(std::string_view(bytes_).substr(begin_, portion_));
        begin_ = std::min(bytes_.size(), begin_ + portion_);
      }
      return 0;
    } catch (const Error& error) {
      error_ = error.message();
      INFO(error.sqlstate() << " " << error.message());
      CHECK((std::string(error.sqlstate()) == "22P04" || std::string(error.sqlstate()) == "0A000"));
      return kFailed;
    }
  }

  const std::string bytes_;
  const size_t portion_;
  size_t begin_ = 0;
  ArrowIpcReader reader_;
  std::string error_;
};

std::string Read(Connection& connection, const std::string& bytes, size_t portion, const std::string& sql) {
  Source source(bytes, portion);
  Stream stream;
  source.Export(&stream.each);
  connection.RegisterArrow("given", &stream.each);
  return connection.Query(sql).ToString();
}

}  // namespace

TEST_CASE("what is written in Arrow's IPC format is read again", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TYPE mood AS ENUM ('sad', 'ok')");
  const QueryResult rows = connection.Query(kMany);
  const std::string wanted = rows.ToString();
  for (const Compression compression : {Compression::kNone, Compression::kLz4, Compression::kZstd}) {
    for (const bool string_views : {false, true}) {
      const std::string bytes = Written(rows, compression, string_views);
      for (const size_t portion : {size_t{1}, size_t{1000}, bytes.size()}) {
        INFO(static_cast<int>(compression) << " " << string_views << " " << portion);
        CHECK(Read(connection, bytes, portion, "SELECT * REPLACE (m::mood AS m) FROM given") == wanted);
      }
    }
  }
}

TEST_CASE("arrays that begin in the middle are written", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TYPE mood AS ENUM ('sad', 'ok')");
  const QueryResult rows = connection.Query(kMany);
  Stream stream;
  rows.ExportArrow(&stream.each);
  ArrowSchema schema;
  ArrowArray array;
  REQUIRE(stream.each.get_schema(&stream.each, &schema) == 0);
  REQUIRE(stream.each.get_next(&stream.each, &array) == 0);
  for (const auto& [first, count] :
       {std::pair<int64_t, int64_t>(0, 700), {1, 5}, {13, 64}, {699, 1}, {700, 0}}) {
    ArrowIpcWriter writer(schema);
    std::string bytes;
    writer.AppendSchema(bytes);
    ArrowArray slice = array;
    slice.offset = first;
    slice.length = count;
    writer.AppendBatch(slice, bytes);
    const std::string wanted =
        connection
            .Query("SELECT * FROM (" + std::string(kMany) + ") x WHERE i >= " + std::to_string(first) +
                   " AND i < " + std::to_string(first + count) + " ORDER BY i")
            .ToString();
    CHECK(Read(connection, bytes, 4096, "SELECT * REPLACE (m::mood AS m) FROM given") == wanted);
  }
  array.release(&array);
  schema.release(&schema);
}

TEST_CASE("damaged bytes are an error and nothing else", "[main][arrow]") {
  Database database(":memory:");
  Connection connection(database);
  connection.Query("CREATE TYPE mood AS ENUM ('sad', 'ok')");
  const QueryResult rows = connection.Query(kMany);
  std::mt19937 random(3);
  for (const Compression compression : {Compression::kNone, Compression::kLz4, Compression::kZstd}) {
    const std::string whole = Written(rows, compression, compression == Compression::kNone);
    for (int i = 0; i < 300; i++) {
      std::string bytes = whole;
      // Most damage is where the messages are described.
      const size_t within = i % 2 == 0 ? bytes.size() : std::min<size_t>(bytes.size(), 3000);
      for (unsigned change = random() % 4 + 1; change-- > 0;)
        bytes[random() % within] = static_cast<char>(random());
      if (random() % 4 == 0) bytes.resize(random() % bytes.size());
      try {
        Read(connection, bytes, 100000, "SELECT * FROM given");
      } catch (const Error& error) {
        CHECK(error.kind() != ErrorKind::kInternal);
      }
    }
  }
}

}  // namespace scaup
