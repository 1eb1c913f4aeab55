// ICU, by which texts are ordered as languages do: a library of the system, looked for when it is needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// The order of a language. Lives as long as the process; const access from any thread.
class LanguageOrder {
 public:
  /// Returns the order of a locale such as "de", "en_US" or "de-u-co-phonebk"; "und" is that of no language.
  /// Returns null if ICU does not know the language. Throws Error(kNotSupported, 0A000) without ICU.
  static const LanguageOrder* Find(const std::string& locale);
  /// Returns the locales that have an order of their own; none without ICU.
  static std::vector<std::string> Locales();

  /// Appends bytes that sort as the text does. None of them is zero.
  void AppendKey(std::string_view text, std::string& key) const;

 private:
  explicit LanguageOrder(void* collator) : collator_(collator) {}

  void* collator_;
};

}  // namespace scaup
