// Names of collations, and the keys by which texts sort under them.
#include "function/scalar/collation/collation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "common/check.hpp"
#include "function/scalar/collation/icu_library.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr std::string_view kOrdersOfBytes[] = {"default", "C", "POSIX", "ucs_basic"};
constexpr std::string_view kIgnoringCase = "nocase", kIgnoringAccents = "noaccent";
constexpr std::string_view kOfPostgres = "-x-icu";

std::string LowerAscii(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

bool IsOrderOfBytes(std::string_view part) {
  return std::find(std::begin(kOrdersOfBytes), std::end(kOrdersOfBytes), part) != std::end(kOrdersOfBytes);
}

/// Returns the locale that a part of a name means, in lower case: "de-at" for "de_AT.UTF-8" and
/// "de-AT-x-icu".
std::string LocaleOf(const std::string& part) {
  std::string locale = LowerAscii(part);
  if (locale.ends_with(kOfPostgres)) locale.resize(locale.size() - kOfPostgres.size());
  for (const std::string_view encoding : {".utf8", ".utf-8"}) {
    if (locale.ends_with(encoding)) locale.resize(locale.size() - encoding.size());
  }
  std::replace(locale.begin(), locale.end(), '_', '-');
  return locale == "unicode" ? "und" : locale;
}

/// Returns whether a locale begins with a language of two or three letters, and has nothing that none has.
bool LooksLikeLocale(const std::string& locale) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  size_t letters = 0;
  while (letters < locale.size() && is_letter(locale[letters])) letters++;
  if (letters < 2 || letters > 3 || (letters < locale.size() && locale[letters] != '-')) return false;
  return std::all_of(locale.begin(), locale.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

struct FreeMappedText {
  void operator()(utf8proc_uint8_t* memory) const { std::free(memory); }
};

/// Sets `out` to the text without accents.
void RemoveAccents(std::string_view text, std::string& out) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_STRIPMARK | UTF8PROC_COMPOSE);
  const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                               static_cast<utf8proc_ssize_t>(text.size()), &mapped, options);
  const std::unique_ptr<utf8proc_uint8_t, FreeMappedText> owner(mapped);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) {  // no UTF-8: its bytes are compared
    out = text;
  } else {
    out.assign(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
  }
}

/// Makes keys of one call, whose memory it keeps from row to row.
class KeyMaker {
 public:
  explicit KeyMaker(const Collation& collation) : collation_(collation) {}

  /// The result is valid until the next call.
  std::string_view KeyOf(std::string_view text) {
    if (collation_.ignores_case) {
      ToLower(text, lower_);
      text = lower_;
    }
    if (collation_.ignores_accents && !IsAscii(text)) {
      RemoveAccents(text, plain_);
      text = plain_;
    }
    if (collation_.order == nullptr) return text;
    key_.clear();
    collation_.order->AppendKey(text, key_);
    key_.push_back('\0');
    key_.append(text);
    return key_;
  }

 private:
  const Collation& collation_;
  std::string lower_, plain_, key_;
};

const Collation& CollationOfCall(const ScalarCall& call) {
  return static_cast<const CollationData*>(call.data)->collation;
}

void MakeKeys(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  KeyMaker maker(CollationOfCall(call));
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    return result.AddString(maker.KeyOf(text.view()));
  });
}

void KeepTexts(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

BoundFunction MakeCollationCall(const char* name, const LogicalType& type, ScalarKernel kernel,
                                const char* description, const Collation& collation) {
  return {ScalarFunction{.name = name,
                         .argument_types = {TypeId::kVarchar, TypeId::kVarchar},
                         .return_type = type,
                         .kernel = kernel,
                         .description = description,
                         .example = "",
                         .can_fail = false},
          std::make_shared<CollationData>(collation)};
}

}  // namespace

bool MayBeCollation(const std::string& part) {
  const std::string lower = LowerAscii(part);
  return IsOrderOfBytes(part) || lower == kIgnoringCase || lower == kIgnoringAccents ||
         LooksLikeLocale(LocaleOf(part));
}

std::optional<Collation> FindCollation(std::span<const std::string> parts) {
  Collation collation;
  collation.name = fmt::format("{}", fmt::join(parts, "."));
  for (const std::string& part : parts) {
    const std::string lower = LowerAscii(part);
    if (lower == kIgnoringCase) {
      collation.ignores_case = true;
    } else if (lower == kIgnoringAccents) {
      collation.ignores_accents = true;
    } else if (!IsOrderOfBytes(part)) {
      const std::string locale = LocaleOf(part);
      if (!collation.language.empty() || !LooksLikeLocale(locale)) return std::nullopt;
      collation.language = locale;
      collation.order = LanguageOrder::Find(locale);
      if (collation.order == nullptr) return std::nullopt;
    }
  }
  return collation;
}

std::vector<CollationListing> ListCollations() {
  std::vector<CollationListing> all;
  for (const std::string_view name : kOrdersOfBytes) all.push_back({std::string(name), ""});
  all.push_back({std::string(kIgnoringCase), "", false});
  all.push_back({std::string(kIgnoringAccents), "", false});
  std::vector<std::string> locales = LanguageOrder::Locales();
  std::sort(locales.begin(), locales.end());
  if (!locales.empty()) locales.insert(locales.begin(), "und");
  for (std::string& locale : locales) {
    std::replace(locale.begin(), locale.end(), '_', '-');
    if (LooksLikeLocale(LowerAscii(locale))) all.push_back({locale + std::string(kOfPostgres), locale});
  }
  return all;
}

bool CollationData::IsSame(const FunctionData& other) const {
  const auto* that = dynamic_cast<const CollationData*>(&other);
  return that != nullptr && that->collation == collation;
}

BoundFunction CollateFunction(const Collation& collation) {
  return MakeCollationCall(kCollateFunction, TypeId::kVarchar, &KeepTexts,
                           "The text, which compares by the collation.", collation);
}

BoundFunction CollationKeyFunction(const Collation& collation) {
  SCAUP_ASSERT(!collation.IsBytes());
  const LogicalType type = collation.order == nullptr ? TypeId::kVarchar : TypeId::kBlob;
  return MakeCollationCall(kCollationKeyFunction, type, &MakeKeys,
                           "The bytes by which a text sorts under a collation.", collation);
}

}  // namespace scaup
