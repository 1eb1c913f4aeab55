// Option values that have names: {a: 1, 'b c': {d: 'text'}}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scaup {

/// A text, or named values in the order in which they are written.
struct OptionMap {
  std::optional<std::string> text;  ///< nullopt for named values, and for NULL
  std::vector<std::pair<std::string, OptionMap>> values;
  bool is_map = false;
};

/// Parses named values in braces. Names and values are words, numbers, or in single or double quotes. Throws
/// Error(kBinder, 22023) that names the option.
OptionMap ParseOptionMap(const std::string& option, std::string_view text);

}  // namespace scaup
