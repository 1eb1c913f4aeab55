// Random documents, and what is to be expected of them, by a tree that is simple and slow.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scaup {

/// A JSON value. Members are in their order, equal keys among them.
struct JsonModel {
  enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text;  ///< number, true or false, or the string's characters
  std::vector<std::pair<std::string, JsonModel>> members;  ///< of arrays: with empty keys

  /// Without white space, strings escaped as little as can be.
  std::string Compact() const;
  /// The last member with that key; null where there is none, or this is no object.
  const JsonModel* Member(std::string_view key) const;
  const JsonModel* At(const std::vector<std::string>& keys) const;
  /// Whether nothing stands on the way that would be lost.
  bool Takes(const std::vector<std::string>& keys) const;
  /// What DocumentChange promises. REQUIRES: Takes.
  void Set(const std::vector<std::string>& keys, const JsonModel& value, size_t from = 0);
  void Remove(const std::vector<std::string>& keys, size_t from = 0);
};

/// Makes random values. The same seed makes the same ones.
class JsonModelMaker {
 public:
  explicit JsonModelMaker(uint64_t seed) : random_(seed) {}
  JsonModel Document(bool with_equal_keys);
  JsonModel Value(size_t depth, bool with_equal_keys);
  std::string Key();
  /// The value with random white space and escapes.
  std::string Spell(const JsonModel& value);
  size_t Below(size_t limit) { return random_() % limit; }

 private:
  JsonModel Object(size_t depth, bool with_equal_keys);
  JsonModel Array(size_t depth, bool with_equal_keys);
  JsonModel Scalar(JsonModel::Kind kind);
  std::string Number();
  std::string String();
  std::string SpellString(std::string_view text);
  std::string Space();

  std::mt19937_64 random_;
};

}  // namespace scaup
