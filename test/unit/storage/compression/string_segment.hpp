// Segments of strings in many distributions, for the tests of their encodings.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "../../vector/random_values.hpp"
#include "fixed_segment.hpp"
#include "storage/compression/compression.hpp"

namespace scaup::test {

/// A segment with its memory.
struct StringSegment {
  /// Appends a block; `is_null(i)` rows hold what must never be read.
  void Add(size_t count, const std::function<std::string(size_t)>& value,
           const std::function<bool(size_t)>& is_null = nullptr) {
    auto& texts = blocks_.emplace_back();
    auto& refs = refs_.emplace_back();
    SegmentInput::Block block{nullptr, nullptr, static_cast<uint32_t>(count)};
    auto& validity = validities_.emplace_back(kValidityWords, ~ValidityWord{0});
    for (size_t row = 0; row < count; row++) {
      texts.push_back(value(row));
      if (is_null && is_null(row)) {
        SetInvalid(validity.data(), row);
        block.validity = validity.data();
        refs.push_back(StringRef(reinterpret_cast<const char*>(&kNowhere), 1u << 30));
      } else {
        refs.emplace_back(std::string_view(texts.back()));
      }
    }
    block.values = reinterpret_cast<const std::byte*>(refs.data());
    input.blocks.push_back(block);
  }

  bool IsValid(size_t block, size_t row) const {
    const ValidityWord* words = input.blocks[block].validity;
    return words == nullptr || TestValid(words, row);
  }
  std::string_view At(size_t block, size_t row) const { return Refs(block)[row].view(); }
  const StringRef* Refs(size_t block) const {
    return reinterpret_cast<const StringRef*>(input.blocks[block].values);
  }

  SegmentInput input{PhysicalType::kString, {}};

 private:
  static constexpr uint64_t kNowhere = 0;
  std::list<std::list<std::string>> blocks_;
  std::list<std::vector<StringRef>> refs_;
  std::list<std::vector<ValidityWord>> validities_;
};

inline std::string RandomBytes(Random& random, size_t length) {
  std::string bytes(length, ' ');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// Some words of a sentence, cut where it happens to be.
inline std::string Comment(Random& random) {
  static const char* const kWords[] = {"carefully ",   "final ",    "deposits ", "sleep ",   "quickly ",
                                       "above ",       "the ",      "bold ",     "requests", ". ",
                                       "ironic ",      "packages ", "haggle ",   "among ",   "regular ",
                                       "theodolites ", "; ",        "express "};
  std::string text;
  while (text.size() < 60) text += kWords[Below(random, std::size(kWords))];
  return text.substr(Below(random, 10), 10 + Below(random, 34));
}

struct StringShape {
  const char* name;
  std::function<std::string(Random&, size_t)> value;
};

inline const std::vector<StringShape>& StringShapes() {
  static const std::vector<StringShape> shapes = {
      {"empty", [](Random&, size_t) { return std::string(); }},
      {"one value", [](Random&, size_t) { return std::string("always the same string"); }},
      {"few values", [](Random& random, size_t) { return "category " + std::to_string(Below(random, 7)); }},
      {"single bytes", [](Random& random, size_t) { return RandomBytes(random, Below(random, 2)); }},
      {"comments", [](Random& random, size_t) { return Comment(random); }},
      {"random bytes", [](Random& random, size_t) { return RandomBytes(random, Below(random, 40)); }},
      {"zeros", [](Random& random, size_t) { return std::string(Below(random, 30), '\0'); }},
      {"escapes", [](Random& random, size_t) { return std::string(Below(random, 30), '\xff'); }},
      {"numbers", [](Random&, size_t row) { return "Customer#" + std::to_string(1000000 + row); }},
      {"twelve and thirteen",
       [](Random& random, size_t) { return RandomBytes(random, 12 + Below(random, 2)); }},
      {"long prefix",
       [](Random&, size_t row) { return std::string(300, 'p') + "refix" + std::to_string(row); }},
      {"urls",
       [](Random& random, size_t row) {
         return "https://www.example.org/" + std::to_string(Below(random, 9)) +
                "/index.html?row=" + std::to_string(row);
       }},
      {"wide lengths",
       [](Random& random, size_t) { return std::string(Below(random, 10) == 0 ? 70000 : 3, 'w'); }},
  };
  return shapes;
}

}  // namespace scaup::test
