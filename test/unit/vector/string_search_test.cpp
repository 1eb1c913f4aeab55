// Finding bytes in strings: at every level, against std::string_view::find.
#include "vector/string_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "kernel_levels.hpp"

using namespace scaup;

namespace {

std::string RandomText(std::mt19937_64& random, size_t size, int letters) {
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>('a' + random() % static_cast<size_t>(letters));
  return text;
}

}  // namespace

TEST_CASE("strings that have bytes in them are marked", "[vector][search]") {
  std::mt19937_64 random(2);
  for (const KernelLevel level : KernelLevels()) {
    for (int round = 0; round < 500; round++) {
      const size_t count = random() % (kVectorSize + 1);
      const size_t longest = round % 2 == 0 ? 40 : 14;
      Vector vector(TypeId::kVarchar);
      vector.Reset();
      // One block of bytes, in which strings follow one another, some with a gap before them.
      const std::string block = RandomText(random, kVectorSize * longest + 64, 2);
      std::vector<std::string> texts(count);
      size_t at = 0;
      for (size_t row = 0; row < count; row++) {
        const size_t size = random() % longest;
        texts[row] = block.substr(at, size);
        vector.MutableData<StringRef>()[row] = StringRef(block.data() + at, static_cast<uint32_t>(size));
        if (random() % 10 == 0) vector.SetNull(row);
        at += size;
        if (random() % 5 == 0 && at < kVectorSize * (longest - 5)) at += 1 + random() % 5;
      }
      if (round % 4 >= 2) {  // Rows in another order.
        auto order = std::make_shared<SelectionVector>();
        for (size_t row = 0; row < count; row++) order->rows[row] = static_cast<sel_t>(random() % count);
        std::vector<std::string> moved(count);
        for (size_t row = 0; row < count; row++) moved[row] = texts[order->rows[row]];
        texts = moved;
        Vector source = std::move(vector);
        vector = Vector(TypeId::kVarchar);
        vector.Slice(source, kVectorSize, order, count);
      }
      const auto view = vector.ViewAs<StringRef>(count);
      for (const size_t wanted_size : {0, 1, 3, 9, 13, 20}) {
        const std::string wanted = RandomText(random, wanted_size, 2);
        uint8_t found[kVectorSize];
        StringSearch(KernelsOf(level), wanted).Mark(view, count, found);
        for (size_t row = 0; row < count; row++) {
          const bool has = view.IsValid(row) && texts[row].find(wanted) != std::string::npos;
          REQUIRE((found[row] != 0) == has);
        }
      }
    }
  }
}

TEST_CASE("strings are searched that follow one another without a gap", "[vector][search]") {
  std::mt19937_64 random(3);
  for (const KernelLevel level : KernelLevels()) {
    for (int round = 0; round < 300; round++) {
      const size_t count = 1 + random() % kVectorSize;
      // Some are longer than all that is looked through at once.
      const size_t longest = round % 10 == 0 ? 40'000 : round % 2 == 0 ? 40 : 150;
      const size_t shortest = round % 3 == 0 ? 0 : 13;
      std::vector<uint32_t> lengths(round % 10 == 0 ? std::min<size_t>(count, 20) : count);
      size_t size = 0;
      for (uint32_t& length : lengths)
        size += length = static_cast<uint32_t>(shortest + random() % (longest - shortest));
      const std::string block = RandomText(random, size, 2);
      Vector vector(TypeId::kVarchar);
      vector.Reset();
      std::vector<std::string_view> texts;
      for (size_t row = 0, at = 0; row < lengths.size(); at += lengths[row++]) {
        texts.push_back(std::string_view(block).substr(at, lengths[row]));
        vector.MutableData<StringRef>()[row] = StringRef(texts.back());
      }
      const auto view = vector.ViewAs<StringRef>(lengths.size());
      for (const size_t wanted_size : {0, 1, 4, 5, 8, 9, 12, 16, 17, 25}) {
        const std::string wanted = RandomText(random, wanted_size, 2);
        uint8_t found[kVectorSize], joined[kVectorSize];
        const StringSearch search(KernelsOf(level), wanted);
        search.Mark(view, lengths.size(), found);
        search.MarkJoined(block, lengths, joined);
        for (size_t row = 0; row < lengths.size(); row++) {
          const bool has = texts[row].find(wanted) != std::string::npos;
          REQUIRE((found[row] != 0) == has);
          REQUIRE((joined[row] != 0) == has);
        }
      }
    }
  }
}
