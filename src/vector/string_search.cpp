// Finding bytes in many strings at once.
#include "vector/string_search.hpp"

#include <cstring>

namespace scaup {

void StringSearch::MarkRun(const Run& run, uint8_t* found) const {
  const size_t size = run.size();
  size_t at = 0;
  for (size_t i = 0; i < run.row_count;) {
    at = find_bytes_(run.text, size, wanted_.data(), wanted_.size(), at);
    if (at == size) return;
    while (run.ends[i] <= at) i++;
    if (at + wanted_.size() > run.ends[i]) {  // Half in one string, half in the next.
      at++;
      continue;
    }
    found[run.rows[i]] = 1;
    at = run.ends[i++];
  }
}

void StringSearch::MarkInline(const StringRef* references, const TypedView<StringRef>& strings, size_t count,
                              uint8_t* found) const {
  if (wanted_.size() > StringRef::kInlineBytes) return;
  const char* text = reinterpret_cast<const char*>(references);
  const size_t size = count * sizeof(StringRef);
  for (size_t at = 0; (at = find_bytes_(text, size, wanted_.data(), wanted_.size(), at)) != size; at++) {
    const size_t row = at / sizeof(StringRef);
    const StringRef& string = references[row];
    if (!string.is_inline() || !strings.IsValid(row)) continue;
    const char* begin = text + at;
    if (begin >= string.data() && begin + wanted_.size() <= string.data() + string.size()) found[row] = 1;
  }
}

void StringSearch::MarkJoined(std::string_view text, std::span<const uint32_t> lengths,
                              uint8_t* found) const {
  std::memset(found, wanted_.empty() ? 1 : 0, lengths.size());
  if (wanted_.empty()) return;
  size_t at = 0, row = 0, end = lengths.empty() ? 0 : lengths[0];
  while ((at = find_bytes_(text.data(), text.size(), wanted_.data(), wanted_.size(), at)) != text.size()) {
    while (end <= at) end += lengths[++row];
    if (at + wanted_.size() > end) {  // Half in one string, half in the next.
      at++;
    } else {
      found[row] = 1;
      at = end;
    }
  }
}

void StringSearch::Mark(const TypedView<StringRef>& strings, size_t count, uint8_t* found) const {
  if (wanted_.empty()) {
    for (size_t row = 0; row < count; row++) found[row] = strings.IsValid(row);
    return;
  }
  std::memset(found, 0, count);
  // The views of flat vectors share one list of rows: then the references themselves stand side by side.
  const bool are_flat = strings.selection == IdentitySelection();
  bool has_inline = false;
  Run run;
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
    if (run.row_count == 0 || run.text + run.size() != string.data()) {
      MarkRun(run, found);
      run.text = string.data();
      run.row_count = 0;
    }
    run.ends[run.row_count] = run.size() + string.size();
    run.rows[run.row_count++] = static_cast<uint32_t>(row);
  }
  MarkRun(run, found);
  if (has_inline) MarkInline(strings.data, strings, count, found);
}

}  // namespace scaup
