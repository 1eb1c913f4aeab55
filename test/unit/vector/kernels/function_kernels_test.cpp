// Kernels of scalar functions: at every level, against single values.
#include "vector/function_kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../kernel_levels.hpp"
#include "type/number/digits.hpp"
#include "type/time/date_time.hpp"
#include "vector/joined_strings.hpp"

using namespace scaup;

namespace {

std::vector<char> RandomText(std::mt19937_64& random, size_t size, int letters) {
  std::vector<char> text(size);
  for (char& c : text) c = static_cast<char>('a' + random() % static_cast<size_t>(letters));
  return text;
}

}  // namespace

TEST_CASE("ASCII is told from other text, and changes its case", "[vector][kernels]") {
  std::mt19937_64 random(1);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    for (size_t size = 0; size < 300; size++) {
      // Of its own size in memory, so that a sanitizer sees reads beyond it.
      std::vector<char> text(size), upper(size), lower(size);
      for (char& c : text) c = static_cast<char>(random() % 128);
      REQUIRE(kernels.is_ascii(text.data(), size));
      REQUIRE(kernels.change_ascii_case(text.data(), size, 'a', upper.data()));
      REQUIRE(kernels.change_ascii_case(text.data(), size, 'A', lower.data()));
      for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        REQUIRE(upper[i] == (c >= 'a' && c <= 'z' ? c - 32 : c));
        REQUIRE(lower[i] == (c >= 'A' && c <= 'Z' ? c + 32 : c));
      }
      if (size == 0) continue;
      text[random() % size] = static_cast<char>(128 + random() % 128);
      REQUIRE_FALSE(kernels.is_ascii(text.data(), size));
      REQUIRE_FALSE(kernels.change_ascii_case(text.data(), size, 'a', upper.data()));
    }
  }
}

TEST_CASE("the digits of integers are their text", "[vector][kernels]") {
  std::mt19937_64 random(2);
  std::vector<int32_t> values = {0, 9, 10, 99, 100, 9999, 10000, 99999999, 12345678, 10000000, 1000000};
  for (int i = 0; i < 20'000; i++)
    values.push_back(static_cast<int32_t>((random() % 100'000'000) >> (random() % 27)));
  for (const int32_t value : {INT32_MIN, -1, -99999999, -100000000, 100000000, INT32_MAX, 0, -7, 1000000000})
    CHECK(ShortIntegerText(value).view() == std::to_string(value));
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    std::vector<StringRef> texts(values.size());
    REQUIRE(kernels.integer_texts(values.data(), values.size(), texts.data()));
    for (size_t i = 0; i < values.size(); i++) {
      REQUIRE(texts[i].view() == std::to_string(values[i]));
      REQUIRE(texts[i] == ShortIntegerText(values[i]));
    }
    for (const int32_t refused : {-1, 100000000, INT32_MIN, INT32_MAX}) {
      const std::vector<int32_t> some = {1, refused, 2};
      REQUIRE_FALSE(kernels.integer_texts(some.data(), some.size(), texts.data()));
    }
  }
}

TEST_CASE("years, months and days are those of the calendar", "[vector][kernels]") {
  std::mt19937_64 random(3);
  std::vector<int32_t> days;
  for (int32_t day = -800'000; day < 100'000; day += 17) days.push_back(day);
  for (int i = 0; i < 50'000; i++) days.push_back(static_cast<int32_t>(random() % 8'000'000) - 3'600'000);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    std::vector<double> fields[3];
    for (size_t field = 0; field < 3; field++) {
      fields[field].resize(days.size());
      REQUIRE(kernels.civil_field[field](days.data(), days.size(), fields[field].data()));
      for (const int32_t far : {kDateInfinity, kDateMinusInfinity, 5'000'000, -3'700'000}) {
        double out[2];
        const int32_t some[2] = {0, far};
        REQUIRE_FALSE(kernels.civil_field[field](some, 2, out));
      }
    }
    for (size_t i = 0; i < days.size(); i++) {
      const CivilDate date = CivilFromDays(days[i]);
      REQUIRE(fields[0][i] == date.year);
      REQUIRE(fields[1][i] == date.month);
      REQUIRE(fields[2][i] == date.day);
    }
  }
}

TEST_CASE("all places of a few bytes are found, in parts", "[vector][kernels]") {
  std::mt19937_64 random(4);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    for (int round = 0; round < 20'000; round++) {
      const int letters = 1 + static_cast<int>(random() % 3);
      const std::vector<char> text = RandomText(random, random() % 400, letters);
      const std::vector<char> wanted = RandomText(random, 1 + random() % 20, letters);
      std::vector<size_t> expected, found;
      const std::string_view all(text.data(), text.size()), part(wanted.data(), wanted.size());
      for (size_t at = 0; (at = all.find(part, at)) != std::string_view::npos; at++) expected.push_back(at);
      uint32_t places[80];
      for (size_t from = 0; from < text.size();) {
        const size_t before = from;
        const size_t count = kernels.find_places(text.data(), text.size(), wanted.data(), wanted.size(), from,
                                                 places, std::size(places));
        REQUIRE(from > before);
        found.insert(found.end(), places, places + count);
      }
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("strings side by side are visited together", "[vector][kernels]") {
  const std::string block = "the first long string|the second long string|another one, apart";
  const auto part = [&](size_t begin, uint32_t size) { return StringRef(block.data() + begin, size); };
  // Inline strings may stand between others.
  const StringRef strings[] = {part(0, 22), StringRef("short", 5), part(22, 23), part(46, 17),
                               StringRef("\xc3\xa4", 2)};
  const TypedView<StringRef> view{strings, IdentitySelection(), nullptr};
  for (const KernelLevel level : KernelLevels()) {
    std::vector<std::tuple<size_t, size_t, std::string_view, bool>> visited;
    VisitJoinedStrings(FunctionKernelsOf(level), view, 5, [&](const JoinedStrings& joined) {
      visited.emplace_back(joined.begin, joined.end, joined.text, joined.inline_are_ascii());
    });
    REQUIRE(visited.size() == 2);
    CHECK(visited[0] == std::tuple{size_t{0}, size_t{3}, std::string_view(block).substr(0, 45), true});
    CHECK(visited[1] == std::tuple{size_t{3}, size_t{5}, std::string_view(block).substr(46, 17), false});
  }
}

TEST_CASE("strings are joined if each begins where the last one ends", "[vector][kernels]") {
  std::mt19937_64 random(5);
  const std::vector<char> block = RandomText(random, 20'000, 2);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    REQUIRE(kernels.are_joined(nullptr, 0));
    for (int round = 0; round < 500; round++) {
      const size_t count = 1 + random() % 300;
      std::vector<StringRef> strings;
      for (size_t at = 0; strings.size() < count; at += strings.back().size())
        strings.emplace_back(block.data() + at, 13 + static_cast<uint32_t>(random() % 40));
      REQUIRE(kernels.are_joined(strings.data(), count));
      std::vector<int32_t> sizes(count);
      kernels.string_sizes(strings.data(), count, sizes.data());
      for (size_t i = 0; i < count; i++) REQUIRE(sizes[i] == static_cast<int32_t>(strings[i].size()));
      StringRef& changed = strings[random() % count];
      if (round % 2 == 0) {
        changed = StringRef(changed.data(), 12);
      } else if (count > 1) {
        changed = StringRef(changed.data() + 1, changed.size());
      } else {
        continue;
      }
      REQUIRE_FALSE(kernels.are_joined(strings.data(), count));
    }
  }
}

TEST_CASE("references to strings follow their bytes, and change their case", "[vector][kernels]") {
  std::mt19937_64 random(6);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    for (const char first : {'a', 'A'}) {
      std::vector<char> from(4000), to(4000);
      for (char& c : from) c = static_cast<char>(random() % 128);
      REQUIRE(kernels.change_ascii_case(from.data(), from.size(), first, to.data()));
      std::vector<StringRef> strings, moved(300);
      std::vector<size_t> begins;
      for (size_t i = 0; i < moved.size(); i++) {
        begins.push_back(random() % 3900);
        strings.emplace_back(from.data() + begins[i], static_cast<uint32_t>(random() % 30));
      }
      const uintptr_t distance =
          reinterpret_cast<uintptr_t>(to.data()) - reinterpret_cast<uintptr_t>(from.data());
      kernels.move_with_case(strings.data(), strings.size(), first, static_cast<ptrdiff_t>(distance),
                             moved.data());
      for (size_t i = 0; i < moved.size(); i++) {
        const StringRef expected(to.data() + begins[i], strings[i].size());
        REQUIRE(std::memcmp(&moved[i], &expected, sizeof(expected)) == 0);
      }
    }
  }
}

TEST_CASE("places where a few bytes may begin are marked", "[vector][kernels]") {
  std::mt19937_64 random(7);
  for (const KernelLevel level : KernelLevels()) {
    const FunctionKernels& kernels = FunctionKernelsOf(level);
    for (int round = 0; round < 5'000; round++) {
      const int letters = 1 + static_cast<int>(random() % 3);
      const std::vector<char> text = RandomText(random, random() % 400, letters);
      const std::vector<char> wanted = RandomText(random, 1 + random() % 12, letters);
      std::vector<uint64_t> marks((text.size() + 63) / 64, ~uint64_t{0});
      kernels.mark_places(text.data(), text.size(), wanted.data(), wanted.size(), marks.data());
      for (size_t i = 0; i < marks.size() * 64; i++) {
        const bool is_marked = (marks[i / 64] >> (i % 64) & 1) != 0;
        if (i + wanted.size() > text.size()) {
          REQUIRE_FALSE(is_marked);
          continue;
        }
        const bool begins =
            std::equal(wanted.begin(), wanted.end(), text.begin() + static_cast<ptrdiff_t>(i));
        // What is longer than the probes may be marked where it is not.
        REQUIRE((begins ? is_marked : !is_marked || (wanted.size() > 4 && text[i] == wanted[0])));
      }
    }
  }
}
