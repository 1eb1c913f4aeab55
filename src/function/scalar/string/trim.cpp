// btrim (also trim), ltrim and rtrim.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Whether the character occurs among `characters`.
bool IsAmong(std::string_view character, std::string_view characters) {
  // In UTF-8, a whole character can only match at the beginning of a character.
  return characters.find(character) != characters.npos;
}

template <bool kLeft, bool kRight>
std::string_view Trim(std::string_view text, std::string_view characters) {
  while (kLeft && !text.empty()) {
    const size_t length = CharacterLength(text, 0);
    if (!IsAmong(text.substr(0, length), characters)) break;
    text.remove_prefix(length);
  }
  while (kRight && !text.empty()) {
    size_t start = text.size() - 1;
    while (start > 0 && !BeginsCharacter(text[start])) start--;
    if (!IsAmong(text.substr(start), characters)) break;
    text = text.substr(0, start);
  }
  return text;
}

template <bool kLeft, bool kRight>
std::string_view TrimmedBytes(std::string_view bytes, std::string_view removed) {
  while (kLeft && !bytes.empty() && removed.find(bytes.front()) != removed.npos) bytes.remove_prefix(1);
  while (kRight && !bytes.empty() && removed.find(bytes.back()) != removed.npos) bytes.remove_suffix(1);
  return bytes;
}

template <bool kLeft, bool kRight>
void TrimBytes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& bytes, const StringRef& removed) {
        return result.AddString(TrimmedBytes<kLeft, kRight>(bytes.view(), removed.view()));
      });
}

template <bool kLeft, bool kRight>
void TrimSpaces(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    return result.AddString(Trim<kLeft, kRight>(text.view(), " "));
  });
}

template <bool kLeft, bool kRight>
void TrimCharacters(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& text, const StringRef& characters) {
        return result.AddString(Trim<kLeft, kRight>(text.view(), characters.view()));
      });
}

template <bool kLeft, bool kRight>
void Add(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  const LogicalType text = TypeId::kVarchar;
  list.push_back({.name = name,
                  .argument_types = {text},
                  .return_type = text,
                  .kernel = &TrimSpaces<kLeft, kRight>,
                  .description = description,
                  .example = example,
                  .can_fail = false});
  list.push_back({.name = name,
                  .argument_types = {text, text},
                  .return_type = text,
                  .kernel = &TrimCharacters<kLeft, kRight>,
                  .description = description,
                  .example = example,
                  .can_fail = false});
  list.push_back({.name = name,
                  .argument_types = {TypeId::kBlob, TypeId::kBlob},
                  .return_type = TypeId::kBlob,
                  .kernel = &TrimBytes<kLeft, kRight>,
                  .description = "Without the given bytes there.",
                  .example = std::string(name) + "('\\x000100'::BLOB, '\\x00'::BLOB)",
                  .can_fail = false});
}

}  // namespace

ScalarFunctionList TrimFunctions() {
  ScalarFunctionList list;
  Add<true, true>(list, "btrim", "Without spaces, or the given characters, at both ends.",
                  "btrim('xxduckx', 'x')");
  Add<true, true>(list, "trim", "Without spaces, or the given characters, at both ends.", "trim('  duck ')");
  Add<true, false>(list, "ltrim", "Without spaces, or the given characters, at the start.",
                   "ltrim('  duck')");
  Add<false, true>(list, "rtrim", "Without spaces, or the given characters, at the end.", "rtrim('duck  ')");
  return list;
}

}  // namespace scaup
