// lpad, rpad and repeat.
#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Enforces PostgreSQL's limit of a text, so that no row has a gigabyte by mistake.
void CheckLength(size_t size_bytes) {
  if (size_bytes >= kMostValueBytes) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "requested length too large");
  }
}

/// Appends `count` characters of `fill`, repeated.
void AppendFill(std::string_view fill, size_t count, std::string& out) {
  const size_t whole = CountCharacters(fill);
  for (size_t i = 0; i < count / whole; i++) out.append(fill);
  out.append(FirstCharacters(fill, count % whole));
}

template <bool kLeft>
void Pad(std::string_view text, int32_t length, std::string_view fill, std::string& out,
         TextAccount& account) {
  out.clear();
  const size_t wanted = length < 0 ? 0 : static_cast<size_t>(length);
  const size_t have = CountCharacters(text);
  if (have >= wanted || fill.empty()) {
    out.append(FirstCharacters(text, wanted));
    return;
  }
  const size_t most_bytes = ((wanted - have) / CountCharacters(fill) + 1) * fill.size() + text.size();
  CheckLength(most_bytes);
  account.Expect(out, most_bytes);
  if (kLeft) AppendFill(fill, wanted - have, out);
  out.append(text);
  if (!kLeft) AppendFill(fill, wanted - have, out);
}

template <bool kLeft>
void PadSpaces(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string padded;
  TextAccount account(call.context);
  MapBinary<StringRef, int32_t, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& text, int32_t length) {
                                             Pad<kLeft>(text.view(), length, " ", padded, account);
                                             return result.AddString(padded);
                                           });
}

template <bool kLeft>
void PadWith(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string padded;
  TextAccount account(call.context);
  MapTernary<StringRef, int32_t, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, int32_t length, const StringRef& fill) {
        Pad<kLeft>(text.view(), length, fill.view(), padded, account);
        return result.AddString(padded);
      });
}

void Repeat(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, int32_t times) {
        const size_t length = size_t{text.size()} * static_cast<size_t>(std::max(times, 0));
        if (length == 0) return StringRef();
        CheckLength(length);
        char inline_bytes[StringRef::kInlineBytes];
        char* target = length <= StringRef::kInlineBytes ? inline_bytes : result.AllocateString(length);
        std::memcpy(target, text.data(), text.size());
        // Doubles what was written; one byte at a time would be slow.
        for (size_t done = text.size(); done < length;) {
          const size_t part = std::min(done, length - done);
          std::memcpy(target + done, target, part);
          done += part;
        }
        return StringRef(target, static_cast<uint32_t>(length));
      });
}

template <bool kLeft>
void Add(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kInteger;
  list.push_back({.name = name,
                  .argument_types = {text, number},
                  .return_type = text,
                  .kernel = &PadSpaces<kLeft>,
                  .description = description,
                  .example = example});
  list.push_back({.name = name,
                  .argument_types = {text, number, text},
                  .return_type = text,
                  .kernel = &PadWith<kLeft>,
                  .description = description,
                  .example = example});
}

}  // namespace

ScalarFunctionList PadFunctions() {
  ScalarFunctionList list;
  Add<true>(list, "lpad", "Filled up at the start, or cut, to so many characters.", "lpad('7', 3, '0')");
  Add<false>(list, "rpad", "Filled up at the end, or cut, to so many characters.", "rpad('7', 3, '.')");
  list.push_back({.name = "repeat",
                  .argument_types = {TypeId::kVarchar, TypeId::kInteger},
                  .return_type = TypeId::kVarchar,
                  .kernel = &Repeat,
                  .description = "The text so many times.",
                  .example = "repeat('ab', 3)"});
  return list;
}

}  // namespace scaup
