// A log that is read while another process appends to it: what is read is whole, and never taken for damage.
#include <functional>

#include "log_fixture.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/wal/log_format.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

const std::string kPath = "x.wal";

// A file that lets others act before each of its calls.
class ObservedFile final : public File {
 public:
  ObservedFile(std::unique_ptr<File> file, std::function<void()> before)
      : file_(std::move(file)), before_(std::move(before)) {}
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    before_();
    return file_->Read(offset, buffer, size_bytes);
  }
  uint64_t Size() override {
    before_();
    return file_->Size();
  }
  void Write(uint64_t, const void*, size_t) override { FAIL("a reader writes"); }
  void Truncate(uint64_t) override { FAIL("a reader cuts"); }
  void Sync() override { FAIL("a reader syncs"); }
  bool TryLock(bool exclusive) override { return file_->TryLock(exclusive); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<File> file_;
  std::function<void()> before_;
};

class ObservedFileSystem final : public FileSystem {
 public:
  ObservedFileSystem(FileSystem& files, std::function<void()> before)
      : files_(files), before_(std::move(before)) {}
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    REQUIRE(mode == OpenMode::kRead);
    return std::make_unique<ObservedFile>(files_.Open(path, mode), before_);
  }
  bool Exists(const std::string& path) override { return files_.Exists(path); }
  void Remove(const std::string&) override { FAIL("a reader removes"); }
  void Rename(const std::string&, const std::string&) override { FAIL("a reader renames"); }
  void SyncDirectory(const std::string&) override { FAIL("a reader syncs"); }
  void CreateDirectory(const std::string&) override { FAIL("a reader creates"); }
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    return files_.OpenTemporary(directory);
  }
  std::vector<std::string> Glob(const std::string& pattern) override { return files_.Glob(pattern); }

 private:
  FileSystem& files_;
  std::function<void()> before_;
};

}  // namespace

TEST_CASE("reading beside a writer", "[storage][wal]") {
  // The log grows by any piece that its writer writes: parts of frames, of slots, in their order.
  std::mt19937 random(4);
  std::vector<Bytes> payloads;
  SimulatedFileSystem recorded;
  {
    const auto log = WriteAheadLog::Create(recorded, kPath, kIdentity);
    for (int i = 0; i < 30; i++) {
      payloads.push_back(RandomPayload(random, random() % 5 == 0 ? 20000 : random() % 400));
      AppendGroup(*log, {payloads.back()}, i % 3 != 0);
    }
  }
  const Bytes whole = FileBytes(recorded, kPath);
  for (unsigned seed = 0; seed < 300; seed++) {
    CAPTURE(seed);
    random.seed(seed);
    SimulatedFileSystem files;
    const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
    const auto file = files.Open(kPath, OpenMode::kReadWrite);
    size_t written_count = 0;
    // Before some call the writer is in the middle of a frame, which it completes before the next one.
    bool is_torn = false;
    const auto write_on = [&] {
      if (written_count == payloads.size()) return;
      if (!is_torn && random() % 2 == 0) {
        const uint64_t offset = log->size_bytes();
        const uint64_t size = sizeof(FrameHeader) + payloads[written_count].size();
        const uint64_t part = random() % size;
        file->Write(offset, whole.data() + offset, part);
        is_torn = true;
      } else if (random() % 3 != 0) {
        AppendGroup(*log, {payloads[written_count]}, written_count % 3 != 0);
        written_count++;
        is_torn = false;
      }
    };
    for (size_t i = random() % 20; i > 0; i--) {
      AppendGroup(*log, {payloads[written_count]}, written_count % 3 != 0);
      written_count++;
    }
    const size_t count_before = written_count;
    ObservedFileSystem observed(files, write_on);
    const auto reader = LogReader::Open(observed, kPath, LogReader::Mode::kStrict, false);
    const std::vector<Bytes> found = ReadAll(*reader);
    REQUIRE(found.size() >= count_before);
    REQUIRE(found.size() <= written_count);
    REQUIRE(std::equal(found.begin(), found.end(), payloads.begin()));
    log->Sync();
  }
}
