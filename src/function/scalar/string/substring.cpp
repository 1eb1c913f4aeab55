// substring, substr, left and right: parts of a text, counted in characters.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Bytes [begin, end) counted from 0.
std::string_view CutBytes(std::string_view bytes, int64_t begin, int64_t end) {
  const int64_t size = static_cast<int64_t>(bytes.size());
  begin = std::clamp<int64_t>(begin, 0, size);
  end = std::clamp<int64_t>(end, begin, size);
  return bytes.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

/// Characters [begin, end) counted from 0. ASCII texts are cut by bytes.
std::string_view CutCharacters(std::string_view text, int64_t begin, int64_t end) {
  const int64_t size = static_cast<int64_t>(text.size());
  begin = std::clamp<int64_t>(begin, 0, size);
  end = std::clamp<int64_t>(end, begin, size);
  if (IsAscii(text.substr(0, static_cast<size_t>(end))))
    return text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  const size_t first = OffsetOfCharacter(text, static_cast<size_t>(begin));
  return FirstCharacters(text.substr(first), static_cast<size_t>(end - begin));
}

using Cut = std::string_view (*)(std::string_view, int64_t, int64_t);

template <Cut kCut>
void SubstringFrom(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, int32_t start) {
        return result.AddString(kCut(text.view(), int64_t{start} - 1, INT32_MAX));
      });
}

/// A start before the text reduces the length, as in PostgreSQL: substring('abc', -1, 3) is 'a'.
template <Cut kCut>
void SubstringFor(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<StringRef, int32_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, int32_t start, int32_t length) {
        if (length < 0) ThrowError(ErrorKind::kOutOfRange, "22011", "negative substring length not allowed");
        const int64_t begin = int64_t{start} - 1;
        return result.AddString(kCut(text.view(), begin, begin + length));
      });
}

/// left; a negative count means all except so many.
void Left(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int32_t, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& text, int32_t count) {
                                             int64_t end = count;
                                             if (count < 0)
                                               end += static_cast<int64_t>(CountCharacters(text.view()));
                                             return result.AddString(CutCharacters(text.view(), 0, end));
                                           });
}

void Right(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, int32_t count) {
        const int64_t characters = static_cast<int64_t>(CountCharacters(text.view()));
        const int64_t begin = count < 0 ? -int64_t{count} : characters - count;
        return result.AddString(CutCharacters(text.view(), begin, characters));
      });
}

}  // namespace

ScalarFunctionList SubstringFunctions() {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kInteger;
  ScalarFunctionList list;
  for (const char* name : {"substring", "substr"}) {
    const auto add = [&](const LogicalType& type, ScalarKernel from, ScalarKernel from_for, const char* rest,
                         const char* example, const char* part, const char* part_example) {
      list.push_back({.name = name,
                      .argument_types = {type, number},
                      .return_type = type,
                      .kernel = from,
                      .description = rest,
                      .example = example,
                      .can_fail = false});
      list.push_back({.name = name,
                      .argument_types = {type, number, number},
                      .return_type = type,
                      .kernel = from_for,
                      .description = part,
                      .example = part_example});
    };
    add(text, &SubstringFrom<&CutCharacters>, &SubstringFor<&CutCharacters>,
        "The text from a position (from 1) on.", "substring('mallard', 4)",
        "So many characters of the text from a position (from 1) on.", "substring('mallard', 1, 4)");
    add(TypeId::kBlob, &SubstringFrom<&CutBytes>, &SubstringFor<&CutBytes>,
        "The bytes from a position (from 1) on.", "substring('\\x010203'::BLOB, 2)",
        "So many bytes from a position (from 1) on.", "substring('\\x010203'::BLOB, 2, 1)");
  }
  list.push_back({.name = "left",
                  .argument_types = {text, number},
                  .return_type = text,
                  .kernel = &Left,
                  .description = "The first characters; all but the last -n when n is negative.",
                  .example = "left('mallard', 4)",
                  .can_fail = false});
  list.push_back({.name = "right",
                  .argument_types = {text, number},
                  .return_type = text,
                  .kernel = &Right,
                  .description = "The last characters; all but the first -n when n is negative.",
                  .example = "right('mallard', 3)",
                  .can_fail = false});
  return list;
}

}  // namespace scaup
