// Dictionary groups: rows by codes, new dictionaries at the place of old ones, what cannot have slots.
#include "execution/aggregate/dictionary_groups.hpp"

#include <catch2/catch.hpp>

namespace scaup {
namespace {

/// A vector of codes; entries are of no interest.
Vector Coded(const std::shared_ptr<std::vector<StringRef>>& entries, const std::vector<sel_t>& codes) {
  Vector vector{LogicalType(TypeId::kVarchar)};
  Dictionary dictionary;
  dictionary.data = reinterpret_cast<const std::byte*>(entries->data());
  dictionary.size = entries->size();
  dictionary.owner = entries;
  dictionary.is_distinct = true;
  auto selection = std::make_shared<SelectionVector>();
  std::copy(codes.begin(), codes.end(), selection->rows);
  vector.ReferenceDictionary(std::move(dictionary), std::move(selection));
  return vector;
}

std::shared_ptr<std::vector<StringRef>> Entries(size_t count) {
  return std::make_shared<std::vector<StringRef>>(count);
}

}  // namespace

TEST_CASE("groups are found by the codes of their keys", "[execution]") {
  std::byte groups[100];
  const auto first = Entries(3), second = Entries(5);
  std::vector<Vector> keys;
  keys.push_back(Coded(first, {0, 1, 2, 0}));
  keys.push_back(Coded(second, {4, 4, 0, 4}));
  DictionaryGroups directory;
  std::byte* rows[kVectorSize];
  CHECK(!directory.Find(keys, 4, rows));
  std::byte* made[] = {&groups[1], &groups[2], &groups[3], &groups[1]};
  directory.Note(4, made);
  REQUIRE(directory.Find(keys, 4, rows));
  CHECK(std::equal(rows, rows + 4, made));

  keys[1] = Coded(second, {4, 0, 0, 4});  // Another pair.
  CHECK(!directory.Find(keys, 4, rows));
  keys[1] = Coded(second, {4, 4, 0, 4});
  CHECK(directory.Find(keys, 4, rows));

  keys[1] = Coded(Entries(5), {4, 4, 0, 4});  // Another dictionary.
  CHECK(!directory.Find(keys, 4, rows));
  keys[1] = Coded(second, {4, 4, 0, 4});
  CHECK(!directory.Find(keys, 4, rows));
}

TEST_CASE("keys without codes, and too many combinations, have no slots", "[execution]") {
  DictionaryGroups directory;
  std::byte* rows[kVectorSize] = {};
  std::byte group;
  std::byte* made[] = {&group};
  const auto check_never = [&](std::vector<Vector>& keys) {
    CHECK(!directory.Find(keys, 1, rows));
    directory.Note(1, made);
    CHECK(!directory.Find(keys, 1, rows));
  };
  std::vector<Vector> keys;
  check_never(keys);
  keys.push_back(Coded(Entries(1000), {7}));
  keys.push_back(Coded(Entries(1000), {7}));
  check_never(keys);
  keys.pop_back();
  keys.emplace_back(Value::Varchar("constant"));
  check_never(keys);
}

}  // namespace scaup
