// Parts of texts counted in what readers see as characters: left_grapheme, right_grapheme, length_grapheme,
// substring_grapheme.
#include <utf8proc.h>

#include <algorithm>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Sets `begins` to where grapheme clusters (Unicode's annex 29) begin, and the end of the text.
void FindGraphemes(std::string_view text, std::vector<size_t>& begins) {
  begins.clear();
  utf8proc_int32_t before = 0, state = 0;
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t code_point;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                         static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
    if (length <= 0) code_point = 0xFFFD;
    if (at == 0 || utf8proc_grapheme_break_stateful(before, code_point, &state)) begins.push_back(at);
    before = code_point;
    at += length <= 0 ? 1 : static_cast<size_t>(length);
  }
  begins.push_back(text.size());
}

/// The graphemes from `first`, counted from 0, to before `end`, as far as they exist.
std::string_view Graphemes(std::string_view text, const std::vector<size_t>& begins, int64_t first,
                           int64_t end) {
  const auto count = static_cast<int64_t>(begins.size()) - 1;
  first = std::clamp<int64_t>(first, 0, count);
  end = std::clamp<int64_t>(end, first, count);
  const size_t begin = begins[static_cast<size_t>(first)];
  return text.substr(begin, begins[static_cast<size_t>(end)] - begin);
}

void LengthInGraphemes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<size_t> begins;
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    FindGraphemes(text.view(), begins);
    return static_cast<int64_t>(begins.size()) - 1;
  });
}

/// A negative number leaves out so many at the other end.
template <bool kRight>
void EndInGraphemes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<size_t> begins;
  MapBinary<StringRef, int64_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, int64_t number) {
        FindGraphemes(text.view(), begins);
        const auto count = static_cast<int64_t>(begins.size()) - 1;
        number = std::clamp(number, -count, count);
        const int64_t kept = number < 0 ? count + number : number;
        return result.AddString(kRight ? Graphemes(text.view(), begins, count - kept, count)
                                       : Graphemes(text.view(), begins, 0, kept));
      });
}

/// As substring(text, start, length) of DuckDB: a negative start counts from the end, a negative length
/// leads backwards.
std::string_view Substring(std::string_view text, const std::vector<size_t>& begins, int64_t start,
                           int64_t length) {
  const auto count = static_cast<int64_t>(begins.size()) - 1;
  const int64_t most = count + 1;
  start = std::clamp(start, -2 * most, 2 * most);
  length = std::clamp(length, -4 * most, 4 * most);
  const int64_t first = start < 0 ? count + start : start - 1;
  return length < 0 ? Graphemes(text, begins, first + length, first)
                    : Graphemes(text, begins, first, first + length);
}

void SubstringFrom(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<size_t> begins;
  MapBinary<StringRef, int64_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, int64_t start) {
        FindGraphemes(text.view(), begins);
        return result.AddString(Substring(text.view(), begins, start, INT64_MAX));
      });
}

void SubstringOf(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<size_t> begins;
  MapTernary<StringRef, int64_t, int64_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, int64_t start, int64_t length) {
        FindGraphemes(text.view(), begins);
        return result.AddString(Substring(text.view(), begins, start, length));
      });
}

}  // namespace

ScalarFunctionList GraphemeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, TypeId returned, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = returned,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  const LogicalType text = TypeId::kVarchar, number = TypeId::kBigInt;
  add("length_grapheme", {text}, TypeId::kBigInt, &LengthInGraphemes,
      "How many characters readers see; several code points may make one.",
      "length_grapheme('🤦🏼‍♂️')");
  add("left_grapheme", {text, number}, TypeId::kVarchar, &EndInGraphemes<false>,
      "The first n characters that readers see; a negative n leaves out the last ones.",
      "left_grapheme('🤦🏼‍♂️🤦🏽‍♀️', 1)");
  add("right_grapheme", {text, number}, TypeId::kVarchar, &EndInGraphemes<true>,
      "The last n characters that readers see; a negative n leaves out the first ones.",
      "right_grapheme('🤦🏼‍♂️🤦🏽‍♀️', 1)");
  add("substring_grapheme", {text, number}, TypeId::kVarchar, &SubstringFrom,
      "The characters that readers see from a position on, counted from 1, or backwards from -1.",
      "substring_grapheme('a🤦🏼‍♂️b', 2)");
  add("substring_grapheme", {text, number, number}, TypeId::kVarchar, &SubstringOf,
      "The same, so many at most.", "substring_grapheme('a🤦🏼‍♂️b', 2, 1)");
  return list;
}

}  // namespace scaup
