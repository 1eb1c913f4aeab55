// The files in memory: what a crash may leave and what it must, each fault, and damage.
#include "simulation/simulated_file_system.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>

#include "scaup/error.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

std::string SqlstateOf(const std::function<void()>& action, const std::string& path) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kIo);
    CHECK(error.message().find("\"" + path + "\"") != std::string::npos);
    return error.sqlstate();
  }
  return "no error";
}

void Put(FileSystem& files, const std::string& path, const std::string& bytes, bool sync = true) {
  const auto file = files.Open(path, OpenMode::kReadWrite);
  file->Write(0, bytes.data(), bytes.size());
  if (sync) file->Sync();
}

/// What is left of a path after each of many crashes; `prepare` begins with an empty disk each time.
std::set<std::string> Outcomes(const std::function<void(SimulatedFileSystem&)>& prepare,
                               const std::string& path, int crash_count = 1000) {
  std::set<std::string> outcomes;
  for (int seed = 0; seed < crash_count; seed++) {
    SimulatedFileSystem files;
    prepare(files);
    files.Crash(static_cast<uint64_t>(seed));
    outcomes.insert(files.Has(path) ? "<" + files.Content(path) + ">" : "missing");
    CHECK(files.Content(path) == files.DurableContent(path));
  }
  return outcomes;
}
using Set = std::set<std::string>;

}  // namespace

TEST_CASE("what was synced survives every crash", "[common][simulation]") {
  CHECK(Outcomes([](auto& files) { Put(files, "a", "abc"); }, "a") == Set{"<abc>"});
}

TEST_CASE("a new file that was not synced may be lost, empty, torn or there", "[common][simulation]") {
  const Set outcomes = Outcomes([](auto& files) { Put(files, "a", "abc", false); }, "a");
  CHECK(outcomes == Set{"missing", "<>", "<a>", "<ab>", "<abc>", std::string("<\0\0\0>", 5),
                        std::string("<a\0\0>", 5), std::string("<ab\0>", 5)});
}

TEST_CASE("only Sync makes bytes durable, only names are SyncDirectory's", "[common][simulation]") {
  const auto prepare = [](SimulatedFileSystem& files) {
    const auto file = files.Open("a", OpenMode::kCreateNew);
    file->Write(0, "x", 1);
    files.SyncDirectory(".");
    CHECK(files.Content("a") == "x");
    CHECK(files.DurableContent("a").empty());
  };
  CHECK(Outcomes(prepare, "a") == Set{"<>", std::string("<\0>", 3), "<x>"});
}

TEST_CASE("of two writes either may be there without the other", "[common][simulation]") {
  const auto prepare = [](SimulatedFileSystem& files) {
    Put(files, "a", "..");
    const auto file = files.Open("a", OpenMode::kReadWrite);
    file->Write(0, "1", 1);
    file->Write(1, "2", 1);
  };
  CHECK(Outcomes(prepare, "a") == Set{"<..>", "<1.>", "<.2>", "<12>"});
}

TEST_CASE("an older write never comes out on top of a newer one", "[common][simulation]") {
  const auto prepare = [](SimulatedFileSystem& files) {
    Put(files, "a", "0");
    const auto file = files.Open("a", OpenMode::kReadWrite);
    file->Write(0, "1", 1);
    file->Sync();
    file->Write(0, "2", 1);
    file->Write(0, "3", 1);
  };
  CHECK(Outcomes(prepare, "a") == Set{"<1>", "<2>", "<3>"});
}

TEST_CASE("large writes tear at bytes and at sectors", "[common][simulation]") {
  bool has_byte_tear = false, has_hole = false, has_zeros_at_end = false, is_cut_at_sector = false;
  for (uint64_t seed = 0; seed < 300; seed++) {
    SimulatedFileSystem files;
    Put(files, "a", "");
    Put(files, "a", std::string(4096, 'x'), false);
    files.Crash(seed);
    const std::string left = files.Content("a");
    const size_t full = left.find_first_not_of('x');
    REQUIRE(left.find_first_not_of(std::string("x\0", 2)) == std::string::npos);
    has_byte_tear |= full != std::string::npos && full % 512 != 0;
    has_hole |= full != std::string::npos && left.find('x', full) != std::string::npos;
    has_zeros_at_end |= left.size() == 4096 && left.back() == '\0';
    is_cut_at_sector |= !left.empty() && left.size() < 4096 && left.size() % 512 == 0;
  }
  CHECK(has_byte_tear);
  CHECK(has_hole);
  CHECK(has_zeros_at_end);
  CHECK(is_cut_at_sector);
}

TEST_CASE("a new length may be lost, and writes behind it not", "[common][simulation]") {
  const auto prepare = [](SimulatedFileSystem& files) {
    Put(files, "a", "abcd");
    const auto file = files.Open("a", OpenMode::kReadWrite);
    file->Truncate(2);
    CHECK(files.Content("a") == "ab");
    file->Write(3, "X", 1);
    CHECK(files.Content("a") == std::string("ab\0X", 4));
  };
  CHECK(Outcomes(prepare, "a") ==
        Set{"<abcd>", "<ab>", "<abcX>", std::string("<ab\0X>", 6), std::string("<ab\0\0>", 6)});
  const auto emptied = [](SimulatedFileSystem& files) {
    Put(files, "a", "abcd");
    files.Open("a", OpenMode::kTruncate);
  };
  CHECK(Outcomes(emptied, "a") == Set{"<abcd>", "<>"});
}

TEST_CASE("names that were not synced may come back or be lost", "[common][simulation]") {
  const auto removed = [](SimulatedFileSystem& files) {
    Put(files, "a", "abc");
    files.Remove("a");
  };
  CHECK(Outcomes(removed, "a") == Set{"<abc>", "missing"});
  const auto removed_for_good = [&](SimulatedFileSystem& files) {
    removed(files);
    files.SyncDirectory(".");
  };
  CHECK(Outcomes(removed_for_good, "a") == Set{"missing"});
  const auto in_lost_directory = [](SimulatedFileSystem& files) {
    files.CreateDirectory("d");
    Put(files, "d/a", "abc");
  };
  CHECK(Outcomes(in_lost_directory, "d/a") == Set{"<abc>", "missing"});
}

TEST_CASE("a rename is durable when it returns, its file's bytes are not", "[common][simulation]") {
  const auto renamed = [](SimulatedFileSystem& files) {
    Put(files, "a", "old");
    Put(files, "b", "new", false);
    files.Rename("b", "a");
    CHECK_FALSE(files.Has("b"));
  };
  const Set outcomes = Outcomes(renamed, "a");
  CHECK(outcomes.count("<>") == 1);
  CHECK(outcomes.count("<new>") == 1);
  CHECK(outcomes.count("<old>") == 0);
  CHECK(outcomes.count("missing") == 0);
  CHECK(Outcomes(renamed, "b") == Set{"missing"});

  const auto interrupted = [](SimulatedFileSystem& files) {
    Put(files, "a", "old");
    Put(files, "b", "new");
    files.FailNext(CallKind::kRename, FaultKind::kCrashInside);
    CHECK_THROWS_AS(files.Rename("b", "a"), SimulatedCrash);
  };
  CHECK(Outcomes(interrupted, "a") == Set{"<old>", "<new>"});
}

TEST_CASE("one seed gives one outcome", "[common][simulation]") {
  for (uint64_t seed = 0; seed < 20; seed++) {
    std::string first;
    for (int round = 0; round < 2; round++) {
      SimulatedFileSystem files;
      for (const char* path : {"a", "b", "c"}) Put(files, path, std::string(3000, *path), false);
      files.Crash(seed);
      std::string all;
      for (const auto& [path, bytes] : files.Save()) all += path + ":" + bytes + ";";
      if (round == 1) CHECK(all == first);
      first = all;
    }
  }
}

TEST_CASE("after a crash open files are dead, locks free and temporary files gone", "[common][simulation]") {
  SimulatedFileSystem files;
  const auto shared = files.Share();
  const auto file = shared->Open("a", OpenMode::kReadWrite);
  const auto temporary = files.OpenTemporary(".");
  CHECK(file->TryLock({0, 1}, true));
  Put(files, "a", "abc");
  const bool is_killed = GENERATE(false, true);
  is_killed ? files.Kill() : files.Crash(1);
  char buffer[4];
  const uint64_t calls = files.call_count();
  CHECK_THROWS_AS(file->Read(0, buffer, 1), SimulatedCrash);
  CHECK_THROWS_AS(file->Write(0, "x", 1), SimulatedCrash);
  CHECK_THROWS_AS(file->Size(), SimulatedCrash);
  CHECK_THROWS_AS(file->Truncate(0), SimulatedCrash);
  CHECK_THROWS_AS(file->Sync(), SimulatedCrash);
  CHECK_THROWS_AS(file->TryLock({0, 1}, true), SimulatedCrash);
  CHECK_THROWS_AS(temporary->Size(), SimulatedCrash);
  CHECK_THROWS_AS(shared->Remove("a"), SimulatedCrash);
  CHECK_THROWS_AS(shared->Open("b", OpenMode::kReadWrite), SimulatedCrash);
  CHECK(files.call_count() == calls);
  CHECK(files.Content("a") == "abc");
  CHECK(files.Open("a", OpenMode::kReadWrite)->TryLock({0, 1}, true));
  CHECK(files.Share()->Exists("a"));
}

TEST_CASE("one of several processes ends, and others go on", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abc");
  const auto first = files.Share(), second = files.Share();
  const auto file = first->Open("a", OpenMode::kReadWrite), other = second->Open("a", OpenMode::kReadWrite);
  CHECK(file->TryLock({0, 10}, true));
  CHECK_FALSE(other->TryLock({9, 1}, false));
  SECTION("killed from outside") { SimulatedFileSystem::Kill(*first); }
  SECTION("killed at a call") {
    files.FailNext(CallKind::kSize, FaultKind::kKill);
    CHECK_THROWS_AS(file->Size(), SimulatedCrash);
  }
  CHECK_THROWS_AS(file->Size(), SimulatedCrash);
  CHECK_THROWS_AS(first->Exists("a"), SimulatedCrash);
  CHECK(other->Size() == 3);
  CHECK(other->TryLock({9, 1}, true));
  CHECK_FALSE(files.is_down());
  files.FailNext(CallKind::kWrite, FaultKind::kKillInside);
  CHECK_THROWS_AS(other->Write(0, "xyz", 3), SimulatedCrash);
  CHECK(files.Content("a").size() == 3);
  CHECK(files.Share()->Open("a", OpenMode::kReadWrite)->TryLock({0, 100}, true));
}

TEST_CASE("a step runs before each call of others", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abc");
  std::vector<uint64_t> numbers;
  const uint64_t before = files.call_count();
  files.SetStep([&](uint64_t number) {
    numbers.push_back(number);
    files.Exists("a");  // A call of the step's own runs no step.
  });
  files.Open("a", OpenMode::kRead)->Size();
  files.SetStep({});
  files.Exists("a");
  CHECK((numbers == std::vector<uint64_t>{before + 1, before + 3}));
}

TEST_CASE("when the process alone ends, nothing written is lost", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abc", false);
  files.Kill();
  CHECK(files.Content("a") == "abc");
  files.FailNext(CallKind::kWrite, FaultKind::kCrashInside);
  CHECK_THROWS_AS(Put(files, "a", std::string(1000, 'x')), SimulatedCrash);
  files.Kill();
  const size_t written = files.Content("a").find_first_not_of('x');
  CHECK((written == std::string::npos || files.Content("a").substr(written).size() <= 2));
}

TEST_CASE("a crash at the n-th call stops all that follow", "[common][simulation]") {
  const auto run = [](SimulatedFileSystem& files) {
    Put(files, "a", "abc");                              // Open, write, sync: calls 1 to 3.
    files.Rename("a", "b");                              // 4
    files.Open("b", OpenMode::kReadWrite)->Truncate(1);  // 5, 6
  };
  SimulatedFileSystem undisturbed;
  run(undisturbed);
  REQUIRE(undisturbed.call_count() == 6);
  for (uint64_t n = 1; n <= 6; n++) {
    SimulatedFileSystem files;
    files.FailAt(n, FaultKind::kCrash);
    CHECK_THROWS_AS(run(files), SimulatedCrash);
    CHECK(files.is_down());
    CHECK(files.call_count() == n);
    CHECK_THROWS_AS(files.Exists("a"), SimulatedCrash);
    files.Crash(n);
    CHECK_FALSE(files.is_down());
    CHECK(files.Exists("b") == (n > 4));
    if (n > 3) CHECK(files.Content(n > 4 ? "b" : "a") == "abc");
  }
}

TEST_CASE("errors do nothing and name what failed", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abc");
  const auto file = files.Open("a", OpenMode::kReadWrite);
  char buffer[4];
  const std::vector<std::pair<CallKind, std::function<void()>>> calls = {
      {CallKind::kOpen, [&] { files.Open("a", OpenMode::kTruncate); }},
      {CallKind::kRead, [&] { file->Read(0, buffer, 1); }},
      {CallKind::kWrite, [&] { file->Write(0, "x", 1); }},
      {CallKind::kSize, [&] { file->Size(); }},
      {CallKind::kTruncate, [&] { file->Truncate(0); }},
      {CallKind::kSync, [&] { file->Sync(); }},
      {CallKind::kLock,
       [&] {
         file->TryLock({0, 1}, true);
       }},
      {CallKind::kExists, [&] { files.Exists("a"); }},
      {CallKind::kRemove, [&] { files.Remove("a"); }},
      {CallKind::kRename, [&] { files.Rename("a", "b"); }},
      {CallKind::kCreateDirectory, [&] { files.CreateDirectory("a"); }},
      {CallKind::kSyncDirectory, [&] { files.SyncDirectory("a"); }},
      {CallKind::kOpenTemporary, [&] { files.OpenTemporary("a"); }},
      {CallKind::kGlob, [&] { files.Glob("a"); }},
  };
  for (const auto& [kind, call] : calls) {
    INFO(CallKindName(kind));
    files.FailAt(files.call_count() + 1, FaultKind::kError);
    CHECK(SqlstateOf(call, "a") == "58030");
    CHECK(files.Trace().back().kind == kind);
  }
  CHECK(files.Files() == std::vector<std::string>{"a"});
  CHECK(files.DurableContent("a") == "abc");
  file->Sync();  // A fault strikes once.
}

TEST_CASE("a full disk refuses until there is room", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abcd");
  const auto file = files.Open("a", OpenMode::kReadWrite);
  files.FailAt(files.call_count() + 1, FaultKind::kDiskFull);
  CHECK(SqlstateOf([&] { file->Write(4, "efgh", 4); }, "a") == "53100");
  CHECK(files.Content("a") == "abcdef");
  CHECK(SqlstateOf([&] { file->Write(4, "efgh", 4); }, "a") == "53100");
  CHECK(SqlstateOf([&] { files.Open("b", OpenMode::kReadWrite); }, "b") == "53100");
  CHECK(SqlstateOf([&] { files.CreateDirectory("d"); }, "d") == "53100");
  CHECK(SqlstateOf([&] { files.OpenTemporary("."); }, ".") == "53100");
  file->Truncate(4);
  file->Sync();
  files.FreeSpace();
  file->Write(4, "efgh", 4);
  CHECK(files.Content("a") == "abcdefgh");
}

TEST_CASE("capacity counts the bytes of all files", "[common][simulation]") {
  SimulatedFileSystem files;
  files.SetCapacity(10);
  Put(files, "a", "1234");
  auto temporary = files.OpenTemporary(".");
  temporary->Write(0, "1234", 4);
  CHECK(SqlstateOf([&] { Put(files, "b", "abcd"); }, "b") == "53100");
  CHECK(files.Content("b") == "ab");
  Put(files, "b", "AB");  // What is there may be written again.
  temporary.reset();
  Put(files, "b", "abcd");
  files.FreeSpace();
  Put(files, "c", std::string(100, 'c'));
}

TEST_CASE("a short write leaves a part, and a failed rename may have renamed", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "");
  files.FailNext(CallKind::kWrite, FaultKind::kPartialError);
  CHECK(SqlstateOf([&] { Put(files, "a", std::string(100, 'x')); }, "a") == "58030");
  const std::string part = files.Content("a");
  CHECK(part.size() < 100);
  CHECK(part == std::string(part.size(), 'x'));
  files.FailAt(0, FaultKind::kPartialError);  // Waits for the first call that can fail so.
  CHECK(files.Exists("a"));
  CHECK(SqlstateOf([&] { files.Rename("a", "b"); }, "b") == "58030");
  CHECK(files.Has("b"));
  CHECK_FALSE(files.Has("a"));
  files.SyncDirectory(".");
  files.Crash(3);
  CHECK(files.Has("b"));
}

TEST_CASE("a Sync that fails may have lost what was pending", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "....");
  const auto file = files.Open("a", OpenMode::kReadWrite);
  file->Write(0, "lost", 4);
  files.FailNext(CallKind::kSync, FaultKind::kSyncLost);
  CHECK(SqlstateOf([&] { file->Sync(); }, "a") == "58030");
  CHECK(files.Content("a") == "lost");
  file->Write(3, "T", 1);
  file->Sync();
  CHECK(files.Content("a") == "losT");
  CHECK(files.DurableContent("a") == "...T");
  const bool drops_cache = GENERATE(false, true);
  drops_cache ? files.DropCache() : files.Crash(1);
  CHECK(files.Content("a") == "...T");
}

TEST_CASE("a Sync that merely fails can be tried again", "[common][simulation]") {
  SimulatedFileSystem files;
  files.FailNext(CallKind::kSync, FaultKind::kError);
  const auto file = files.Open("a", OpenMode::kReadWrite);
  file->Write(0, "abc", 3);
  CHECK(SqlstateOf([&] { file->Sync(); }, "a") == "58030");
  CHECK(files.DurableContent("a").empty());
  file->Sync();
  CHECK(files.DurableContent("a") == "abc");
}

TEST_CASE("a Sync may lie", "[common][simulation]") {
  const auto prepare = [](SimulatedFileSystem& files) {
    Put(files, "a", "old");
    files.FailNext(CallKind::kSync, FaultKind::kSyncLies, "a");
    Put(files, "b", "other");
    Put(files, "a", "new");
  };
  const Set outcomes = Outcomes(prepare, "a");
  CHECK(outcomes.count("<old>") == 1);
  CHECK(outcomes.count("<new>") == 1);
  CHECK(Outcomes(prepare, "b") == Set{"<other>"});
}

TEST_CASE("calls are counted and described", "[common][simulation]") {
  SimulatedFileSystem files;
  Put(files, "a", "abc");
  files.Open("a", OpenMode::kRead)->Size();
  CHECK(files.call_count() == 5);
  CHECK(files.DescribeLastCalls(3) == "#3 sync a\n#4 open a\n#5 size a\n");
  CHECK(files.DescribeLastCalls(100).starts_with("#1 open a\n#2 write a at 0, 3 bytes\n"));
  CHECK(files.Trace(2).size() == 4);
  CHECK(files.Trace(6).empty());
  CHECK(files.Trace(100).empty());
}

TEST_CASE("damage changes what is read and what is durable", "[common][simulation]") {
  SimulatedFileSystem files;
  const auto after = [&](const std::function<void()>& damage) {
    files.SetContent("d/a", "0123456789");
    damage();
    CHECK(files.Content("d/a") == files.DurableContent("d/a"));
    return files.Content("d/a");
  };
  CHECK(after([&] { files.FlipBit("d/a", 1, 0); }) == "0023456789");
  CHECK(after([&] { files.ZeroRange("d/a", 8, 5); }) == std::string("01234567\0\0", 10));
  CHECK(after([&] { files.SwapRanges("d/a", 0, 6, 2); }) == "6723450189");
  CHECK(after([&] { files.CopyRange("d/a", 0, 2, 4); }) == "0101236789");
  CHECK(after([&] { files.RestoreRange("d/a", "abcdefghij", 3, 2); }) == "012de56789");
  CHECK(after([&] { files.CutTo("d/a", 3); }) == "012");
  CHECK(after([&] { files.FlipBit("d/a", 100, 0); }) == "0123456789");
  CHECK(after([&] { files.CopyRange("d/a", 8, 20, 4); }) == "0123456789");
}

TEST_CASE("images of the disk are saved and loaded", "[common][simulation]") {
  SimulatedFileSystem files;
  files.SetContent("d/a", "abc");
  Put(files, "b", "xyz", false);
  const SimulatedFileSystem::Image image = files.Save();
  CHECK(image == SimulatedFileSystem::Image{{"b", "xyz"}, {"d/a", "abc"}});
  const auto file = files.Open("b", OpenMode::kReadWrite);
  Put(files, "c", "c");
  files.Load(image);
  CHECK(files.Save() == image);
  CHECK_THROWS_AS(file->Size(), SimulatedCrash);
  files.Crash(1);
  CHECK(files.Save() == image);
}
