// Substring search in many strings at once.
#include "vector/string_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "common/throw.hpp"
#include "vector/function_kernels.hpp"
#include "vector/joined_strings.hpp"

namespace scaup {

namespace {

/// The bytes of strings that are searched at once; their bit masks stay in the L1 cache.
constexpr size_t kPieceBytes = size_t{16} << 10;

template <typename T>
T Load(const char* from) {
  T word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

/// Bits [begin, begin + 64) of a mask; reads the word after that of `begin`, too.
uint64_t BitsAt(const uint64_t* marks, size_t begin) {
  const size_t shift = begin % 64;
  return marks[begin / 64] >> shift | marks[begin / 64 + 1] << 1 << (63 - shift);
}

}  // namespace

bool StringSearch::IsIn(std::string_view text) const {
  const FunctionKernels& kernels = FunctionKernelsOf(kernels_.level);
  constexpr size_t kPartBytes = size_t{1} << 30;  // positions are 32-bit numbers
  uint32_t places[64];
  for (size_t part = 0; part < text.size(); part += kPartBytes) {
    const std::string_view some = text.substr(part, kPartBytes + wanted_.size() - 1);
    for (size_t from = 0; from < some.size();) {
      if (kernels.find_places(some.data(), some.size(), wanted_.data(), wanted_.size(), from, places,
                              std::size(places)) != 0)
        return true;
    }
  }
  return false;
}

bool StringSearch::IsAt(const char* text) const {
  const size_t size = wanted_.size();
  const char* wanted = wanted_.data();
  if (size <= 4) return true;  // the probes cover all bytes
  // Overlapping words: a memcmp call would cost more.
  if (size <= 8) {
    return Load<uint32_t>(text) == Load<uint32_t>(wanted) &&
           Load<uint32_t>(text + size - 4) == Load<uint32_t>(wanted + size - 4);
  }
  if (size <= 16) {
    return Load<uint64_t>(text) == Load<uint64_t>(wanted) &&
           Load<uint64_t>(text + size - 8) == Load<uint64_t>(wanted + size - 8);
  }
  return std::memcmp(text, wanted, size) == 0;
}

bool StringSearch::Run::IsFollowedBy(const StringRef& string) const {
  // Lengths in front of strings, as in the pages of a file, take no more bytes than this. Two allocations are
  // never so close together that more than one of them would be read.
  constexpr uintptr_t kMostGap = sizeof(uint32_t);
  if (row_count == 0) return false;
  const auto end = reinterpret_cast<uintptr_t>(text + ends[row_count - 1]);
  const auto begin = reinterpret_cast<uintptr_t>(string.data());
  return begin >= end && begin - end <= kMostGap;
}

template <typename Begins, typename Ends, typename MarkOne>
void StringSearch::MarkPiece(const char* text, size_t first, size_t end, Begins&& begins, Ends&& ends,
                             MarkOne&& mark) const {
  SCAUP_ASSERT(end - first <= kVectorSize);
  uint64_t marks[kPieceBytes / 64 + 2];
  const size_t begin = begins(first);
  const size_t size = ends(end - 1) - begin;
  FunctionKernelsOf(kernels_.level).mark_places(text + begin, size, wanted_.data(), wanted_.size(), marks);
  marks[(size + 63) / 64] = 0;
  marks[(size + 63) / 64 + 1] = 0;
  struct Candidate {
    uint32_t index, begin, end;  // [begin, end): positions where an occurrence may begin
  };
  Candidate candidates[kVectorSize];
  size_t candidate_count = 0;
  // Which strings have a candidate is unpredictable, so they are listed without a branch.
  for (size_t i = first; i < end; i++) {
    const size_t from = begins(i) - begin;
    const size_t until = ends(i) - begin;
    const size_t places = until - from < wanted_.size() ? 0 : until - from - wanted_.size() + 1;
    bool has_place = false;
    if (places < 64) {
      has_place = (BitsAt(marks, from) & ((uint64_t{1} << places) - 1)) != 0;
    } else {
      for (size_t place = 0; place < places && !has_place; place += 64) {
        const size_t left = places - place;
        has_place =
            (BitsAt(marks, from + place) & (left < 64 ? (uint64_t{1} << left) - 1 : ~uint64_t{0})) != 0;
      }
    }
    candidates[candidate_count] = {static_cast<uint32_t>(i), static_cast<uint32_t>(from),
                                   static_cast<uint32_t>(from + places)};
    candidate_count += has_place ? 1 : 0;
  }
  for (size_t i = 0; i < candidate_count; i++) {
    const Candidate& candidate = candidates[i];
    for (size_t place = candidate.begin; place < candidate.end;) {
      const uint64_t bits = BitsAt(marks, place);
      if (bits == 0) {
        place += 64;
        continue;
      }
      place += static_cast<size_t>(std::countr_zero(bits));
      if (place >= candidate.end) break;
      if (IsAt(text + begin + place)) {
        mark(candidate.index);
        break;
      }
      place++;
    }
  }
}

template <typename Begins, typename Ends, typename MarkOne>
void StringSearch::MarkRun(const char* text, size_t count, Begins&& begins, Ends&& ends,
                           MarkOne&& mark) const {
  for (size_t first = 0; first < count;) {
    const size_t begin = begins(first);
    size_t end = first;
    while (end < count && ends(end) - begin <= kPieceBytes) end++;
    if (end == first) {  // a single long string
      if (IsIn({text + begin, ends(first) - begin})) mark(first);
      end++;
    } else {
      MarkPiece(text, first, end, begins, ends, mark);
    }
    first = end;
  }
}

void StringSearch::MarkInline(const StringRef* references, const TypedView<StringRef>& strings, size_t count,
                              uint8_t* found) const {
  if (wanted_.size() > StringRef::kInlineBytes) return;
  const FunctionKernels& kernels = FunctionKernelsOf(kernels_.level);
  const char* text = reinterpret_cast<const char*>(references);
  const size_t size_bytes = count * sizeof(StringRef);
  uint32_t places[256];
  for (size_t from = 0; from < size_bytes;) {
    const size_t place_count = kernels.find_places(text, size_bytes, wanted_.data(), wanted_.size(), from,
                                                   places, std::size(places));
    for (size_t i = 0; i < place_count; i++) {
      const size_t row = places[i] / sizeof(StringRef);
      const StringRef& string = references[row];
      if (!string.is_inline() || !strings.IsValid(row)) continue;
      const char* begin = text + places[i];
      if (begin >= string.data() && begin + wanted_.size() <= string.data() + string.size()) found[row] = 1;
    }
  }
}

void StringSearch::MarkJoined(std::string_view text, std::span<const uint32_t> lengths,
                              uint8_t* found) const {
  std::memset(found, wanted_.empty() ? 1 : 0, lengths.size());
  if (wanted_.empty()) return;
  uint64_t ends[kVectorSize];
  for (size_t first = 0, begin = 0; first < lengths.size(); first += kVectorSize) {
    const size_t count = std::min(lengths.size() - first, kVectorSize);
    size_t size = 0;
    for (size_t i = 0; i < count; i++) ends[i] = size += lengths[first + i];
    MarkRun(
        text.data() + begin, count, [&](size_t i) { return i == 0 ? 0 : ends[i - 1]; },
        [&](size_t i) { return ends[i]; }, [&](size_t i) { found[first + i] = 1; });
    begin += size;
  }
}

void StringSearch::Mark(const TypedView<StringRef>& strings, size_t count, uint8_t* found) const {
  if (wanted_.empty()) {
    for (size_t row = 0; row < count; row++) found[row] = strings.IsValid(row);
    return;
  }
  std::memset(found, 0, count);
  const bool are_flat = AreFlat(strings);
  if (count != 0 && are_flat && strings.all_valid() &&
      FunctionKernelsOf(kernels_.level).are_joined(strings.data, count)) {
    const char* text = strings[0].data();
    const auto begin_of = [&](size_t row) { return static_cast<size_t>(strings.data[row].data() - text); };
    return MarkRun(
        text, count, begin_of, [&](size_t row) { return begin_of(row) + strings.data[row].size(); },
        [&](size_t row) { found[row] = 1; });
  }
  bool has_inline = false;
  Run run;
  const auto mark_run = [&] {
    MarkRun(
        run.text, run.row_count, [&](size_t i) { return run.begins[i]; },
        [&](size_t i) { return run.ends[i]; }, [&](size_t i) { found[run.rows[i]] = 1; });
  };
  for (size_t row = 0; row < count; row++) {
    if (!strings.IsValid(row)) continue;
    const StringRef& string = strings[row];
    if (string.is_inline()) {
      if (are_flat) {
        has_inline = true;
      } else {
        found[row] = string.view().find(wanted_) != std::string_view::npos;
      }
      continue;
    }
    if (!run.IsFollowedBy(string)) {
      mark_run();
      run.text = string.data();
      run.row_count = 0;
    }
    run.begins[run.row_count] = static_cast<size_t>(string.data() - run.text);
    run.ends[run.row_count] = run.begins[run.row_count] + string.size();
    run.rows[run.row_count++] = static_cast<uint32_t>(row);
  }
  mark_run();
  if (has_inline) MarkInline(strings.data, strings, count, found);
}

}  // namespace scaup
