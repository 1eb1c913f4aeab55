// File systems of the program: Database::RegisterFileSystem.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scaup/scaup.hpp"
#include "scratch_directory.hpp"

namespace scaup {

namespace {

/// Files in memory, by their paths. Counts what is asked.
class KeptFiles final : public FileHost {
 public:
  class File final : public HostedFile {
   public:
    File(KeptFiles& host, std::string bytes) : host_(host), bytes_(std::move(bytes)) {}
    uint64_t Size() override { return bytes_.size() + host_.hidden_bytes; }
    size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
      host_.reads++;
      host_.read_bytes += size_bytes;
      if (host_.fails) throw std::runtime_error("no luck");
      const size_t count = std::min<uint64_t>(size_bytes, bytes_.size() - offset);
      std::memcpy(buffer, bytes_.data() + offset, count);
      return count;
    }
    std::string Version() override { return host_.changes ? std::to_string(host_.opened.load()) : "1"; }
    std::optional<int64_t> ModifiedMicros() override { return 1'000'000; }

   private:
    KeptFiles& host_;
    const std::string bytes_;
  };

  class Writer final : public HostedFileWriter {
   public:
    Writer(KeptFiles& host, std::string path) : host_(host), path_(std::move(path)) {}
    ~Writer() override { host_.abandoned += is_finished_ ? 0 : 1; }
    void Write(const void* bytes, size_t size_bytes) override {
      bytes_.append(static_cast<const char*>(bytes), size_bytes);
    }
    void Finish() override {
      host_.Put(path_, bytes_);
      is_finished_ = true;
    }

   private:
    KeptFiles& host_;
    const std::string path_;
    std::string bytes_;
    bool is_finished_ = false;
  };

  std::unique_ptr<HostedFile> Open(const std::string& path, const FileUse& use) override {
    opened++;
    setting = use.Setting("threads");
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    if (found == files_.end()) throw Error(ErrorKind::kIo, "58P01", "there is no " + path);
    return std::make_unique<File>(*this, found->second);
  }
  bool CanList() const override { return lists; }
  std::vector<Entry> List(const std::string& folder, const FileUse&) override {
    std::map<std::string, bool> names;
    const std::lock_guard lock(mutex_);
    for (const auto& [path, bytes] : files_) {
      if (!path.starts_with(folder + "/")) continue;
      const std::string rest = path.substr(folder.size() + 1);
      names.try_emplace(rest.substr(0, rest.find('/')), rest.find('/') != std::string::npos);
    }
    std::vector<Entry> entries;
    for (const auto& [name, is_folder] : names) entries.push_back({name, is_folder});
    return entries;
  }
  std::unique_ptr<HostedFileWriter> Create(const std::string& path, const FileUse&) override {
    return std::make_unique<Writer>(*this, path);
  }

  void Put(const std::string& path, std::string bytes) {
    const std::lock_guard lock(mutex_);
    files_[path] = std::move(bytes);
  }
  std::string Get(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return files_.contains(path) ? files_[path] : "<none>";
  }
  void ResetCounts() {
    opened = 0;
    reads = 0;
    read_bytes = 0;
  }

  bool lists = true, fails = false, changes = false;
  uint64_t hidden_bytes = 0;
  std::atomic<size_t> opened{0}, reads{0}, read_bytes{0}, abandoned{0};
  std::string setting;

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> files_;
};

/// The SQLSTATE and the message of a statement's error.
std::string ErrorOf(Connection& connection, const std::string& sql) {
  try {
    connection.Query(sql);
    return "";
  } catch (const Error& error) {
    return std::string(error.sqlstate()) + " " + error.message();
  }
}

struct HostedDatabase {
  HostedDatabase() { database.RegisterFileSystem("Kept", files); }
  std::string Ask(const std::string& sql) { return connection.Query(sql).ToString(); }
  std::string Failure(const std::string& sql) { return ErrorOf(connection, sql); }

  const std::shared_ptr<KeptFiles> files = std::make_shared<KeptFiles>();
  Database database;
  Connection connection{database};
};

}  // namespace

TEST_CASE("Every format is read from and written to a file host", "[main][files]") {
  HostedDatabase test;
  test.connection.Query(
      "CREATE TABLE t AS SELECT i, 'text ' || i % 7 AS s FROM generate_series(1, 50000) AS g(i)");
  const std::string all = test.Ask("SELECT count(*), sum(i), min(s), max(s) FROM t");
  for (const std::string ending : {"csv", "csv.gz", "json", "json.zst", "parquet", "arrow"}) {
    INFO(ending);
    const std::string path = "kept://bucket/t." + ending;
    test.connection.Query("COPY t TO '" + path + "'");
    CHECK(test.files->Get(path) != "<none>");
    CHECK(test.Ask("SELECT count(*), sum(i), min(s), max(s) FROM '" + path + "'") == all);
    test.connection.Query("CREATE OR REPLACE TABLE back (i BIGINT, s VARCHAR)");
    if (!ending.starts_with("arrow")) {
      test.connection.Query("COPY back FROM '" + path + "'");
      CHECK(test.Ask("SELECT count(*), sum(i), min(s), max(s) FROM back") == all);
    }
  }
}

TEST_CASE("Whole files, patterns and names of files of a host", "[main][files]") {
  HostedDatabase test;
  for (const char* const path :
       {"kept://a/1.csv", "kept://a/2.csv", "kept://a/b=3/4.csv", "kept://a/.hidden.csv"})
    test.files->Put(path, "x\n1\n");
  CHECK(test.Ask("SELECT * FROM glob('kept://a/*.csv')") == "kept://a/1.csv\nkept://a/2.csv\n");
  CHECK(test.Ask("SELECT * FROM glob('kept://a/**/?.csv')") ==
        "kept://a/1.csv\nkept://a/2.csv\nkept://a/b=3/4.csv\n");
  CHECK(test.Ask("SELECT * FROM glob('kept://a/*')") == "kept://a/1.csv\nkept://a/2.csv\n");
  CHECK(test.Ask("SELECT * FROM glob('kept://a/3.csv')") == "");
  CHECK(test.Ask("SELECT sum(x) FROM read_csv('kept://a/*.csv')") == "2\n");
  CHECK(test.Ask("SELECT b FROM 'kept://a/*/*.csv'") == "3\n");
  CHECK(
      test.Ask(
          "SELECT filename, length(content), size, epoch(last_modified) FROM read_text('kept://a/1.csv')") ==
      "kept://a/1.csv\t4\t4\t1\n");
  CHECK(test.Failure("SELECT * FROM 'kept://a/9.csv'").starts_with("58P01 there is no kept://a/9.csv"));
  CHECK(test.Failure("SELECT * FROM 'kept://a/9*.csv'").starts_with("58P01 no file matches"));
  CHECK(test.files->setting != "");
  test.files->lists = false;
  CHECK(test.Failure("SELECT * FROM 'kept://a/*.csv'").starts_with("0A000"));
  test.files->Put("kept://a/5.csv?key=1", "x\n5\n");
  CHECK(test.Ask("SELECT * FROM 'kept://a/5.csv?key=1'") == "5\n");
}

TEST_CASE("Hosts are of a database or a connection, and can be removed", "[main][files]") {
  HostedDatabase test;
  test.files->Put("kept://1.csv", "x\n1\n");
  Connection other(test.database);
  const auto own = std::make_shared<KeptFiles>();
  own->Put("kept://1.csv", "x\n2\n");
  other.RegisterFileSystem("kept", own);
  CHECK(test.Ask("SELECT x FROM 'kept://1.csv'") == "1\n");
  CHECK(other.Query("SELECT x FROM 'kept://1.csv'").ToString() == "2\n");
  other.RegisterFileSystem("KEPT", nullptr);
  CHECK(other.Query("SELECT x FROM 'kept://1.csv'").ToString() == "1\n");
  test.database.RegisterFileSystem("kept", nullptr);
  const std::string failure = test.Failure("SELECT x FROM 'kept://1.csv'");
  CHECK(failure.starts_with("58P01 no file system is registered for \"kept://\""));
  for (const char* const name : {"", "a b", "1a", "s3://"})
    CHECK_THROWS_AS(test.database.RegisterFileSystem(name, own), Error);
}

TEST_CASE("Errors of file hosts end the statement, and leave nothing", "[main][files]") {
  HostedDatabase test;
  test.files->Put("kept://1.csv", "x\n1\n");
  test.files->fails = true;
  CHECK(test.Failure("SELECT x FROM 'kept://1.csv'") ==
        "38000 the file system of \"kept://1.csv\" failed: no luck");
  test.files->fails = false;
  test.files->hidden_bytes = 10;
  CHECK(test.Failure("SELECT x FROM 'kept://1.csv'").starts_with("58030 could not read \"kept://1.csv\""));
  test.files->hidden_bytes = 0;
  const std::string copy =
      "COPY (SELECT 10 / (5000 - i) FROM generate_series(1, 10000) AS g(i)) TO 'kept://2.csv'";
  CHECK(test.Failure(copy).starts_with("22012"));
  CHECK(test.files->Get("kept://2.csv") == "<none>");
  CHECK(test.files->abandoned == 1);
  CHECK(test.Failure("COPY (SELECT 1 AS a, 2 AS b) TO 'kept://d' (FORMAT csv, PARTITION_BY (a))")
            .starts_with("0A000"));
  CHECK(test.Failure("EXPORT DATABASE 'kept://d'").starts_with("0A000"));
}

TEST_CASE("A file of a host that changes between two openings is refused", "[main][files]") {
  HostedDatabase test;
  // More files than stay open, so that the scan opens the first one again.
  std::string list;
  for (int i = 0; i < 100; i++) {
    const std::string path = "kept://" + std::to_string(i) + ".csv";
    test.files->Put(path, "x\n1\n");
    list += (i == 0 ? "'" : ", '") + path + "'";
  }
  const std::string sql = "SELECT sum(x) FROM read_csv([" + list + "])";
  CHECK(test.Ask(sql) == "100\n");
  test.files->changes = true;
  CHECK(test.Failure(sql).find("has changed while the statement was reading it") != std::string::npos);
}

TEST_CASE("Parquet files of a host are read by few requests", "[main][files]") {
  HostedDatabase test;
  test.connection.Query(
      "CREATE TABLE t AS SELECT i, hash(i) AS h, hash(-i) AS k, i % 10 AS small FROM generate_series(1, "
      "1000000) AS g(i)");
  test.connection.Query("COPY t TO 'kept://t.parquet' (COMPRESSION none, ROW_GROUP_SIZE 500000)");
  const size_t file_bytes = test.files->Get("kept://t.parquet").size();
  REQUIRE(file_bytes > (16U << 20));
  test.files->ResetCounts();
  const std::string sums = test.Ask("SELECT sum(i), sum(h % 7), sum(k % 7), sum(small) FROM t");
  CHECK(test.Ask("SELECT sum(i), sum(h % 7), sum(k % 7), sum(small) FROM 'kept://t.parquet'") == sums);
  CHECK(test.files->opened == 1);
  CHECK(test.files->reads <= 12);
  CHECK(test.files->read_bytes <= file_bytes);
  test.files->ResetCounts();
  CHECK(test.Ask("SELECT sum(small) FROM 'kept://t.parquet'") == "4500000\n");
  CHECK(test.files->read_bytes < file_bytes / 3);
  test.files->ResetCounts();
  CHECK(test.Ask("SELECT small FROM 'kept://t.parquet' WHERE i = 777777") == "7\n");
  CHECK(test.files->read_bytes < file_bytes / 2);
}

TEST_CASE("file:// paths are those of the system, and the database's own file is refused", "[main][files]") {
  const test::ScratchDirectory scratch;
  Database database(scratch / "x.scaup");
  Connection connection(database);
  const std::string path = "file://" + (scratch / "t.csv");
  connection.Query("COPY (SELECT 5 AS x) TO '" + path + "'");
  CHECK(scratch.Read("t.csv") == "x\n5\n");
  CHECK(connection.Query("SELECT x FROM '" + path + "'").ToString() == "5\n");
  CHECK(connection.Query("SELECT count(*) FROM glob('file://" + (scratch / "*.csv") + "')").ToString() ==
        "1\n");
  CHECK(ErrorOf(connection, "COPY (SELECT 5 AS x) TO 'file://" + (scratch / "x.scaup") + "'")
            .starts_with("55006"));
}

TEST_CASE("HTTP needs a setting", "[main][files]") {
  Database database;
  Connection connection(database);
  CHECK(ErrorOf(connection, "SELECT * FROM 'http://localhost:1/x.csv'").find("SET http_files = on") !=
        std::string::npos);
}

}  // namespace scaup
