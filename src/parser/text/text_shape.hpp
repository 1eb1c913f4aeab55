// TextShape: a text of SQL without the values of its literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// An integer or a quoted string in a text.
struct TextLiteral {
  enum class Kind : uint8_t { kInteger, kBigInt, kString } kind = Kind::kInteger;
  size_t begin = 0;  ///< byte offset in the text
  size_t end = 0;
  int64_t integer = 0;  ///< without a sign, which is no part of a literal
  std::string text;     ///< of a string, without its quotes
};

/// A text in which a mark of its kind stands for each literal. Texts with the same key are the same tokens
/// but for the values of these literals, which have the same kinds.
struct TextShape {
  std::string key;
  std::vector<TextLiteral> literals;
};

/// Returns the shape of a text; nullopt if it has no literals, or more than the short statements have for
/// which this is meant, or has what only the grammar tells apart: comments, parameters, strings with a prefix
/// or in parts, or several statements. Decimal numbers and quoted names remain in the key. Takes about as
/// long as copying the text.
std::optional<TextShape> ShapeOf(std::string_view sql);

}  // namespace scaup
