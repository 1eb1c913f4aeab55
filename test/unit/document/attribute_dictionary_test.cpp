// Tests of the dictionary: finding, lists, files, threads, many keys; and of the names of paths.
#include "document/attribute/attribute_dictionary.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "document/attribute/document_path.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

std::string Written(const AttributeDictionary& dictionary, size_t paths = 0, size_t attributes = 0) {
  ByteWriter writer;
  dictionary.Write(paths, attributes, writer);
  return {reinterpret_cast<const char*>(writer.bytes().data()), writer.size()};
}

void ReadInto(AttributeDictionary& dictionary, std::string_view bytes) {
  ByteReader reader({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "test");
  dictionary.Read(reader);
  reader.ExpectEnd("dictionary");
}

}  // namespace

TEST_CASE("Names of paths have escapes", "[document][path]") {
  const auto name = [](const std::vector<std::string>& keys) {
    std::string joined;
    for (const std::string& key : keys) AppendPathKey(key, joined);
    return joined;
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> names = {{{"a"}, "a"},
                                                                               {{"a", "b"}, "a.b"},
                                                                               {{"a.b", "c"}, R"(a\.b.c)"},
                                                                               {{""}, R"(\0)"},
                                                                               {{"", ""}, R"(\0.\0)"},
                                                                               {{"\\0"}, R"(\\0)"},
                                                                               {{"a\\"}, R"(a\\)"},
                                                                               {{"0"}, "0"},
                                                                               {{"."}, R"(\.)"},
                                                                               {{"ä", "", "x"}, "ä.\\0.x"},
                                                                               {{}, ""}};
  for (const auto& [keys, text] : names) {
    CAPTURE(text);
    CHECK(name(keys) == text);
    CHECK(SplitPath(text) == keys);
  }
  for (const char* bad : {".", "a.", ".a", "a..b", "\\", "a\\", "\\x", "a\\0", "\\0a", "\\0\\0", "a.\\0b"}) {
    CAPTURE(bad);
    CHECK_FALSE(SplitPath(bad));
  }
}

TEST_CASE("A dictionary finds paths and attributes", "[document][dictionary]") {
  AttributeDictionary dictionary;
  CHECK(dictionary.path_count() == 1);
  CHECK(dictionary.AllPaths().empty());
  const PathId a = dictionary.AddPath(kRootPath, "a"), b = dictionary.AddPath(a, "b"),
               dotted = dictionary.AddPath(kRootPath, "a.b"), empty = dictionary.AddPath(kRootPath, "");
  CHECK(dictionary.AddPath(a, "b") == b);
  CHECK(dictionary.FindPath(kRootPath, "b") == std::nullopt);
  CHECK(dictionary.FindPath("a.b") == b);
  CHECK(dictionary.FindPath("a\\.b") == dotted);
  CHECK(dictionary.FindPath("\\0") == empty);
  CHECK(dictionary.FindPath("") == kRootPath);
  CHECK(dictionary.FindPath("a.c") == std::nullopt);
  CHECK(dictionary.FindPath("a..c") == std::nullopt);
  CHECK(dictionary.NameOf(b) == "a.b");
  CHECK(dictionary.NameOf(dotted) == "a\\.b");
  CHECK(dictionary.KeyOf(b) == "b");
  CHECK(dictionary.ParentOf(b) == a);
  CHECK(dictionary.DepthOf(b) == 2);
  CHECK(dictionary.AllPaths().empty());
  const AttributeId string = dictionary.AddAttribute(b, AttributeType::kString),
                    number = dictionary.AddAttribute(dotted, AttributeType::kInteger),
                    null = dictionary.AddAttribute(b, AttributeType::kNull);
  CHECK(dictionary.AddAttribute(b, AttributeType::kString) == string);
  CHECK(dictionary.FindAttribute(b, AttributeType::kNull) == null);
  CHECK(dictionary.FindAttribute(b, AttributeType::kArray) == std::nullopt);
  CHECK(dictionary.AttributesOf(b) == std::vector<AttributeId>{string, null});
  CHECK(dictionary.AttributesOf(a).empty());
  CHECK(dictionary.AttributesBelow(a) == std::vector<AttributeId>{string, null});
  const auto is_null = [&](AttributeId id) { return id == null; };
  CHECK(dictionary.AnyBelow(a, false, is_null));
  CHECK(dictionary.AnyBelow(b, true, is_null));
  CHECK_FALSE(dictionary.AnyBelow(b, false, is_null));
  CHECK_FALSE(dictionary.AnyBelow(dotted, true, is_null));
  CHECK_FALSE(dictionary.AnyBelow(empty, true, is_null));
  CHECK(dictionary.AttributesBelow(kRootPath) == std::vector<AttributeId>{string, number, null});
  CHECK(dictionary.AllPaths() == std::vector<PathId>{a, b, dotted});
}

TEST_CASE("A dictionary goes through files, whole and in parts", "[document][dictionary]") {
  AttributeDictionary dictionary, copy;
  const PathId a = dictionary.AddPath(kRootPath, "a");
  dictionary.AddAttribute(a, AttributeType::kInteger);
  const std::string first = Written(dictionary);
  const size_t paths = dictionary.path_count(), attributes = dictionary.attribute_count();
  const PathId b = dictionary.AddPath(a, "");
  dictionary.AddAttribute(b, AttributeType::kString);
  dictionary.AddAttribute(a, AttributeType::kNull);
  const std::string second = Written(dictionary, paths, attributes), all = Written(dictionary);
  ReadInto(copy, first);
  ReadInto(copy, second);
  CHECK(Written(copy) == all);
  ReadInto(copy, all);  // What is known may come again.
  ReadInto(copy, first);
  CHECK(Written(copy) == all);
  CHECK(copy.NameOf(b) == "a.\\0");
  AttributeDictionary late;
  CHECK_THROWS_AS(ReadInto(late, second), Error);  // There is a gap.
  AttributeDictionary other;
  other.AddPath(kRootPath, "b");
  CHECK_THROWS_AS(ReadInto(other, all), Error);
  // Damage is told, and nothing worse.
  for (size_t bit = 0; bit < 8 * all.size(); bit++) {
    std::string damaged = all;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    AttributeDictionary target;
    try {
      ReadInto(target, damaged);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kIo);
    }
    for (const AttributeId id : target.AttributesBelow(kRootPath)) {
      CHECK(target.attribute(id).path < target.path_count());
      CHECK(target.attribute(id).path != kRootPath);
    }
  }
  for (size_t size = 0; size < all.size(); size++) {
    AttributeDictionary target;
    CHECK_THROWS_AS(ReadInto(target, all.substr(0, size)), Error);
  }
}

TEST_CASE("A dictionary takes very many keys", "[document][dictionary]") {
  AttributeDictionary dictionary;
  constexpr size_t kKeys = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < kKeys; i++)
    dictionary.AddAttribute(dictionary.AddPath(kRootPath, "key_" + std::to_string(i)),
                            AttributeType::kString);
  AttributeDictionary copy;
  ReadInto(copy, Written(dictionary));
  CHECK(copy.AllPaths().size() == kKeys);
  CHECK(copy.FindPath("key_99999") == kKeys);
  CHECK(copy.AttributesBelow(kRootPath).size() == kKeys);
  // A tenth of a second; what is quadratic would take minutes.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("Threads add to a dictionary at the same time", "[document][dictionary]") {
  AttributeDictionary dictionary;
  constexpr size_t kThreads = 4, kKeys = 3000;
  std::atomic<size_t> faults = 0;
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; thread++) {
    threads.emplace_back([&, thread] {
      for (size_t i = 0; i < kKeys; i++) {
        const std::string key = "k" + std::to_string((i * 7 + thread * 1000) % kKeys);
        const PathId path = dictionary.AddPath(dictionary.AddPath(kRootPath, key.substr(0, 3)), key);
        const AttributeId id = dictionary.AddAttribute(path, AttributeType::kInteger);
        if (dictionary.KeyViewOf(path) != key || dictionary.attribute(id).path != path ||
            dictionary.DepthOf(path) != 2)
          faults++;
        const auto last = static_cast<AttributeId>(dictionary.attribute_count() - 1);
        if (dictionary.KeyViewOf(dictionary.attribute(last).path).substr(0, 1) != "k") faults++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(faults == 0);
  CHECK(dictionary.attribute_count() == kKeys);
}

}  // namespace scaup
