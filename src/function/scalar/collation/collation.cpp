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
#include "common/throw.hpp"
#include "function/scalar/collation/icu_library.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "scaup/error.hpp"
#include "type/packed_value.hpp"
#include "type/text/identifier_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr std::string_view kOrdersOfBytes[] = {"default", "C", "POSIX", "ucs_basic"};
constexpr int64_t kOidsOfBytes[] = {kDefaultCollationOid, 950, 951, 962};
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

/// Returns the parts of a name that dots join. The dot in "de_DE.utf8" is within a part.
std::vector<std::string> PartsOf(const std::string& name) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < name.size(); i++) {
    const std::string rest = LowerAscii(name.substr(i, 4));
    if (name[i] == '.' && rest != ".utf") {
      parts.emplace_back();
    } else {
      parts.back() += name[i];
    }
  }
  return parts;
}

/// Sets what the parts of a name mean, apart from the order of a language. Returns false if a part means
/// nothing.
bool SetParts(std::span<const std::string> parts, Collation& collation) {
  for (const std::string& part : parts) {
    const std::string lower = LowerAscii(part);
    if (lower == kIgnoringCase) {
      collation.ignores_case = true;
    } else if (lower == kIgnoringAccents) {
      collation.ignores_accents = true;
    } else if (!IsOrderOfBytes(part)) {
      const std::string locale = LocaleOf(part);
      if (!collation.language.empty() || !LooksLikeLocale(locale)) return false;
      collation.language = locale;
    }
  }
  return true;
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

void MakeListKeys(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  KeyMaker maker(CollationOfCall(call));
  const LogicalType element = TypeId::kVarchar;
  std::string slots, scratch;
  TextAccount account(call.context);
  const auto keys_of = [&](std::string_view list) {
    slots.clear();
    while (!list.empty()) {
      const std::string_view slot = TakeSlot(element, list);
      if (IsNullSlot(slot)) {
        slots += slot;
      } else {
        AppendStringSlot(maker.KeyOf(ReadStringSlot(slot, scratch)), slots);
      }
    }
    account.Note(slots);
    return result.AddString(slots);
  };
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result,
                                 [&](const StringRef& list) { return keys_of(list.view()); });
}

void KeepTexts(const ScalarCall&, DataChunk& arguments, Vector& result) {
  result.Reference(arguments.column(0));
}

BoundFunction MakeCollationCall(const char* name, const LogicalType& argument, const LogicalType& type,
                                ScalarKernel kernel, const char* description, const Collation& collation) {
  return {ScalarFunction{.name = name,
                         .argument_types = {argument, TypeId::kVarchar},
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
  if (!SetParts(parts, collation)) return std::nullopt;
  if (collation.language.empty()) return collation;
  collation.order = LanguageOrder::Find(collation.language);
  return collation.order == nullptr ? std::nullopt : std::optional(collation);
}

Collation FindStoredCollation(const std::string& name) {
  Collation collation;
  collation.name = name;
  if (name.empty()) return collation;
  SetParts(PartsOf(name), collation);
  try {
    if (!collation.language.empty()) collation.order = LanguageOrder::Find(collation.language);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotSupported) throw;
  }
  return collation;
}

void RequireOrder(const Collation& collation) {
  if (!collation.lacks_order()) return;
  if (LanguageOrder::Find(collation.language) != nullptr) return;
  ThrowNotSupported(
      fmt::format("ICU on this system does not know the language of collation \"{}\"; write "
                  "COLLATE \"C\" behind texts to order them by their bytes",
                  collation.name));
}

Collation EqualityOf(const Collation& collation) {
  Collation equality = collation;
  equality.language.clear();
  equality.order = nullptr;
  equality.name = collation.ignores_case ? kIgnoringCase : "";
  if (collation.ignores_case && collation.ignores_accents) equality.name += ".";
  if (collation.ignores_accents) equality.name += kIgnoringAccents;
  return equality;
}

std::string EqualityKeyOfText(const std::string& collation, std::string_view text) {
  const Collation equality = EqualityOf(FindStoredCollation(collation));
  return std::string(KeyMaker(equality).KeyOf(text));
}

std::string CollationText(const std::string& name) {
  std::string text;
  for (const std::string& part : PartsOf(name)) text += (text.empty() ? "" : ".") + IdentifierText(part);
  return text;
}

std::vector<CollationListing> ListCollations() {
  std::vector<CollationListing> all;
  for (size_t i = 0; i < std::size(kOrdersOfBytes); i++)
    all.push_back({kOidsOfBytes[i], std::string(kOrdersOfBytes[i]), ""});
  // PostgreSQL leaves these numbers to the collations of ICU.
  constexpr int64_t kFirstOid = 12000;
  const auto add = [&](std::string name, std::string locale, bool has_plain_equality) {
    const int64_t oid = kFirstOid + static_cast<int64_t>(all.size());
    all.push_back({oid, std::move(name), std::move(locale), has_plain_equality});
  };
  add(std::string(kIgnoringCase), "", false);
  add(std::string(kIgnoringAccents), "", false);
  add("nocase.noaccent", "", false);
  std::vector<std::string> locales = LanguageOrder::Locales();
  std::sort(locales.begin(), locales.end());
  if (!locales.empty()) locales.insert(locales.begin(), "und");
  for (std::string& locale : locales) {
    std::replace(locale.begin(), locale.end(), '_', '-');
    if (LooksLikeLocale(LowerAscii(locale))) add(locale + std::string(kOfPostgres), locale, true);
  }
  return all;
}

int64_t CollationOidOf(const std::string& name) {
  if (name.empty()) return kDefaultCollationOid;
  Collation collation;
  SetParts(PartsOf(name), collation);
  for (const CollationListing& listing : ListCollations()) {
    if (listing.name == name) return listing.oid;
    if (collation.IsBytes()) continue;
    Collation listed;
    SetParts(PartsOf(listing.name), listed);
    const bool is_same = listed.ignores_case == collation.ignores_case &&
                         listed.ignores_accents == collation.ignores_accents &&
                         listed.language == collation.language;
    if (is_same) return listing.oid;
  }
  return kPgChainOid;
}

bool CollationData::IsSame(const FunctionData& other) const {
  const auto* that = dynamic_cast<const CollationData*>(&other);
  return that != nullptr && that->collation == collation && that->is_implicit == is_implicit;
}

/// Returns the type of keys. With a language they are no text.
static LogicalType KeyType(const Collation& collation) {
  return collation.order == nullptr ? TypeId::kVarchar : TypeId::kBlob;
}

BoundFunction CollateFunction(const Collation& collation) {
  return MakeCollationCall(kCollateFunction, TypeId::kVarchar, TypeId::kVarchar, &KeepTexts,
                           "The text, which compares by the collation.", collation);
}

BoundFunction CollationKeyFunction(const Collation& collation) {
  SCAUP_ASSERT(!collation.IsBytes());
  return MakeCollationCall(kCollationKeyFunction, TypeId::kVarchar, KeyType(collation), &MakeKeys,
                           "The bytes by which a text sorts under a collation.", collation);
}

BoundFunction ListKeysFunction(const Collation& collation) {
  SCAUP_ASSERT(!collation.IsBytes());
  return MakeCollationCall("collation_keys", LogicalType::List(TypeId::kVarchar),
                           LogicalType::List(KeyType(collation)), &MakeListKeys,
                           "The bytes by which the texts of a list sort under a collation.", collation);
}

}  // namespace scaup
