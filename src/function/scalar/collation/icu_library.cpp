// Finds ICU, whose functions carry its version in their names, and opens the orders of languages.
#include "function/scalar/collation/icu_library.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <map>
#include <memory>

#include "common/dynamic_library.hpp"
#include "common/lock/mutex.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// The functions of ICU that are called. A status above zero is an error.
struct IcuLibrary {
  void* (*open)(const char* locale, int32_t* status);
  int32_t (*get_sort_key)(const void* collator, const char16_t* text, int32_t length, uint8_t* key,
                          int32_t capacity);
  int32_t (*count_available)();
  const char* (*get_available)(int32_t index);
  int32_t (*for_language_tag)(const char* tag, char* locale, int32_t capacity, int32_t* parsed,
                              int32_t* status);
};

bool FindVersion(const DynamicLibrary& from, const std::string& version, IcuLibrary& to) {
  const auto find = [&](const char* name, auto& function) {
    return from.Find((name + version).c_str(), function);
  };
  return find("ucol_open", to.open) && find("ucol_getSortKey", to.get_sort_key) &&
         find("ucol_countAvailable", to.count_available) && find("ucol_getAvailable", to.get_available) &&
         find("uloc_forLanguageTag", to.for_language_tag);
}

bool FindIcu(const DynamicLibrary& from, IcuLibrary& to) {
  constexpr int kOldest = 50, kNewest = 120;
  if (!from.is_loaded()) return false;
  if (FindVersion(from, "", to)) return true;
  for (int version = kNewest; version >= kOldest; version--) {
    if (FindVersion(from, fmt::format("_{}", version), to)) return true;
  }
  return false;
}

const IcuLibrary& GetIcu() {
  return FunctionsOf(
      {"libicui18n.so", "libicui18n.so.78", "libicui18n.so.77", "libicui18n.so.76", "libicui18n.so.75",
       "libicui18n.so.74", "libicui18n.so.73", "libicui18n.so.72", "libicui18n.so.71", "libicui18n.so.70",
       "libicui18n.so.69", "libicui18n.so.68", "libicui18n.so.67", "libicui18n.so.66", "libicui18n.so.65",
       "libicui18n.so.63", "libicui18n.so.60", "/usr/lib/libicucore.dylib", "libicui18n.dylib"},
      FindIcu,
      "this system has no libicui18n.so, which orders texts as languages do: install libicu72 or another "
      "version of libicu, or use COLLATE \"C\", NOCASE or NOACCENT, which do without");
}

/// Returns the language in front of a locale's country and the rest.
std::string_view LanguageOf(std::string_view locale) { return locale.substr(0, locale.find_first_of("-_")); }

/// Returns ICU's name of a locale, which may be written with lines of either kind; "" if it is malformed.
std::string IcuName(const IcuLibrary& icu, std::string locale) {
  std::replace(locale.begin(), locale.end(), '_', '-');
  constexpr int32_t kCapacity = 256;
  char name[kCapacity];
  int32_t parsed = 0, status = 0;
  const int32_t length = icu.for_language_tag(locale.c_str(), name, kCapacity, &parsed, &status);
  const bool is_whole = status <= 0 && length < kCapacity && static_cast<size_t>(parsed) == locale.size();
  return is_whole ? std::string(name, static_cast<size_t>(length)) : "";
}

bool IsLanguage(std::string_view language) {
  if (language == "und") return true;
  const std::vector<std::string> locales = LanguageOrder::Locales();
  return std::any_of(locales.begin(), locales.end(),
                     [&](const std::string& locale) { return LanguageOf(locale) == language; });
}

/// Appends the text in UTF-16. A byte that is not UTF-8 becomes the character that stands for such.
void AppendUtf16(std::string_view text, std::u16string& out) {
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t code_point = 0xFFFD;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                         static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
    at += length > 0 ? static_cast<size_t>(length) : 1;
    if (length <= 0) code_point = 0xFFFD;
    if (code_point >= 0x10000) {
      out.push_back(static_cast<char16_t>(0xD800 + ((code_point - 0x10000) >> 10)));
      code_point = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
    }
    out.push_back(static_cast<char16_t>(code_point));
  }
}

}  // namespace

const LanguageOrder* LanguageOrder::Find(const std::string& locale) {
  struct Opened {
    Mutex mutex;
    std::map<std::string, std::unique_ptr<const LanguageOrder>> orders
        SCAUP_GUARDED_BY(mutex);  // by the locale as written
  };
  static Opened& opened = *new Opened;  // never destroyed, as threads may outlive main
  const IcuLibrary& icu = GetIcu();
  const MutexLock lock(opened.mutex);
  if (const auto found = opened.orders.find(locale); found != opened.orders.end()) return found->second.get();
  if (!IsLanguage(LanguageOf(locale))) return nullptr;
  const std::string name = IcuName(icu, locale);
  if (name.empty() && locale != "und") return nullptr;
  int32_t status = 0;
  void* const collator = icu.open(name.c_str(), &status);
  if (collator == nullptr || status > 0) return nullptr;
  std::unique_ptr<const LanguageOrder> order(new LanguageOrder(collator));
  return opened.orders.emplace(locale, std::move(order)).first->second.get();
}

std::vector<std::string> LanguageOrder::Locales() {
  const IcuLibrary* icu = nullptr;
  try {
    icu = &GetIcu();
  } catch (const Error&) {
    return {};
  }
  std::vector<std::string> locales;
  for (int32_t i = 0; i < icu->count_available(); i++) locales.emplace_back(icu->get_available(i));
  return locales;
}

void LanguageOrder::AppendKey(std::string_view text, std::string& key) const {
  // A text of the least size has at least one unit, so that its data is not null.
  std::u16string wide;
  wide.reserve(text.size() + 1);
  AppendUtf16(text, wide);
  const IcuLibrary& icu = GetIcu();
  const size_t before = key.size();
  const auto get = [&] {
    const int32_t size = icu.get_sort_key(collator_, wide.data(), static_cast<int32_t>(wide.size()),
                                          reinterpret_cast<uint8_t*>(key.data() + before),
                                          static_cast<int32_t>(key.size() - before));
    return static_cast<size_t>(std::max(size, 0));
  };
  key.resize(before + 3 * wide.size() + 16);
  size_t needed = get();
  if (needed > key.size() - before) {
    key.resize(before + needed);
    needed = get();
  }
  if (needed == 0)
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               "a text is too long for its collation");
  key.resize(before + needed - 1);  // without the zero at its end
}

}  // namespace scaup
