// Splits a text into case-folded words.
#include "text/word_reader.hpp"

#include <utf8proc.h>

#include <array>
#include <cstdint>

namespace scaup {

namespace {

/// For each ASCII character: the folded character, or 0 if it is not part of a word.
constexpr std::array<char, 128> MakeAsciiFolds() {
  std::array<char, 128> folds{};
  for (char c = '0'; c <= '9'; c++) folds[static_cast<size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; c++) folds[static_cast<size_t>(c)] = c;
  for (char c = 'A'; c <= 'Z'; c++) folds[static_cast<size_t>(c)] = static_cast<char>(c + ('a' - 'A'));
  return folds;
}
constexpr std::array<char, 128> kAsciiFolds = MakeAsciiFolds();

struct Character {
  utf8proc_int32_t code_point;
  size_t length;
};

/// Decodes a character. Bytes that are not valid UTF-8 are characters of their own and not part of a word.
Character Decode(std::string_view text, size_t at) {
  utf8proc_int32_t code_point = -1;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                       static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
  return length > 0 ? Character{code_point, static_cast<size_t>(length)} : Character{-1, 1};
}

bool IsPartOfWord(utf8proc_int32_t code_point) {
  if (code_point < 0) return false;
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND: return true;
    default: return false;
  }
}

/// Folds through upper case, because a letter may have several lower-case forms, such as the Greek sigma. The
/// Turkish dotted and dotless i are letters of their own.
utf8proc_int32_t Fold(utf8proc_int32_t code_point) {
  constexpr utf8proc_int32_t kUpperWithDot = 0x130, kLowerWithoutDot = 0x131;
  if (code_point == kUpperWithDot || code_point == kLowerWithoutDot) return code_point;
  return utf8proc_tolower(utf8proc_toupper(code_point));
}

}  // namespace

bool WordReader::Next() {
  for (; at_ < text_.size(); at_++) {
    const auto byte = static_cast<uint8_t>(text_[at_]);
    if (byte < kAsciiFolds.size()) {
      if (kAsciiFolds[byte] != 0) break;
      continue;
    }
    const Character character = Decode(text_, at_);
    if (IsPartOfWord(character.code_point)) break;
    at_ += character.length - 1;
  }
  if (at_ == text_.size()) return false;
  Read();
  return true;
}

void WordReader::Read() {
  const size_t begin = at_;
  bool is_folded = false;  // From the first difference on, the word is built in folded_.
  const auto differ = [&] {
    if (!is_folded) folded_.assign(text_.substr(begin, at_ - begin));
    is_folded = true;
  };
  while (at_ < text_.size()) {
    const auto byte = static_cast<uint8_t>(text_[at_]);
    if (byte < kAsciiFolds.size()) {
      const char folded = kAsciiFolds[byte];
      if (folded == 0) break;
      if (folded != text_[at_]) differ();
      if (is_folded) folded_.push_back(folded);
      at_++;
      continue;
    }
    const Character character = Decode(text_, at_);
    if (!IsPartOfWord(character.code_point)) break;
    const utf8proc_int32_t folded = Fold(character.code_point);
    if (folded != character.code_point) differ();
    if (is_folded) {
      utf8proc_uint8_t bytes[4];
      const utf8proc_ssize_t length = utf8proc_encode_char(folded, bytes);
      folded_.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
    }
    at_ += character.length;
  }
  word_ = is_folded ? std::string_view(folded_) : text_.substr(begin, at_ - begin);
}

}  // namespace scaup
