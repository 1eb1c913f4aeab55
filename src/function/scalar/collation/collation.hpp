// Collations: how texts are ordered, and which of them are equal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "function/scalar/string/fit_modifier.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

class LanguageOrder;

/// An order of texts. Texts are equal under it if their bytes are or, where case or accents do not count, if
/// those of what is left are. A value.
struct Collation {
  bool ignores_case = false;
  bool ignores_accents = false;
  std::string language = {};             ///< "" for the order of bytes
  const LanguageOrder* order = nullptr;  ///< of the language; lives as long as the process
  std::string name = {};                 ///< as it was written

  bool IsBytes() const { return language.empty() && HasPlainEquality(); }
  /// Whether only identical texts are equal.
  bool HasPlainEquality() const { return !ignores_case && !ignores_accents; }
  /// Whether ICU, which a stored collation needs, is not on this system.
  bool lacks_order() const { return !language.empty() && order == nullptr; }
  /// Whether both are the same order, maybe under different names.
  friend bool operator==(const Collation& a, const Collation& b) {
    if (a.lacks_order() || b.lacks_order()) {
      if (a.language != b.language) return false;
    } else if (a.order != b.order) {
      return false;
    }
    return a.ignores_case == b.ignores_case && a.ignores_accents == b.ignores_accents;
  }
};

/// Returns the collation that a chain such as "nocase" "noaccent" or "de" "nocase" names, or PostgreSQL's
/// names of one, "C" or "de-DE-x-icu". Returns nullopt if a part names none. Throws Error(kNotSupported,
/// 0A000) for a language without ICU.
std::optional<Collation> FindCollation(std::span<const std::string> parts);
/// Returns the collation that a definition has stored under its name. Without ICU, one of a language lacks
/// its order: texts can still be compared for equality. "" is the order of bytes.
Collation FindStoredCollation(const std::string& name);
/// Throws Error(kNotSupported, 0A000) if a collation lacks its order.
void RequireOrder(const Collation& collation);
/// Returns the collation under which texts are equal that are so under the given one. No language makes
/// different texts equal, so it needs no ICU, and its keys may be stored.
Collation EqualityOf(const Collation& collation);
/// Returns what texts have in common that are equal under a stored collation.
std::string EqualityKeyOfText(const std::string& collation, std::string_view text);
/// Returns the SQL that names a collation behind COLLATE.
std::string CollationText(const std::string& name);
/// Returns whether a part of a name may be that of a collation, whatever ICU knows.
bool MayBeCollation(const std::string& part);
/// A collation for listings.
struct CollationListing {
  int64_t oid = 0;  ///< PostgreSQL's where it has the collation, otherwise by the place in the list
  std::string name;
  std::string locale;  ///< "" for those that need no ICU
  bool has_plain_equality = true;
};
/// Returns all collations, those of languages if the system has ICU.
std::vector<CollationListing> ListCollations();

/// Returns the number of a stored collation in the list, kPgChainOid for a chain that is not in it.
int64_t CollationOidOf(const std::string& name);
inline constexpr int64_t kDefaultCollationOid = 100, kPgChainOid = 11999;

/// The data of both functions below.
struct CollationData final : FunctionData {
  explicit CollationData(Collation collation_in) : collation(std::move(collation_in)) {}
  bool IsSame(const FunctionData& other) const override;
  Collation collation;
  bool is_implicit = false;  ///< of COLLATE: a cast to a domain asks for it, so that it counts as a column's
};

// Functions without SQL names, over a text and a constant with the collation's name, which is for EXPLAIN.

/// COLLATE itself: the text, unchanged. Marks what the collation of the text is.
BoundFunction CollateFunction(const Collation& collation);
inline constexpr const char* kCollateFunction = "collate";
/// The bytes that sort as the text does under the collation. Those of equal texts are equal, and texts that
/// the language alone does not tell apart sort by their bytes. REQUIRES: not IsBytes().
BoundFunction CollationKeyFunction(const Collation& collation);
/// Returns the keys of the elements of a list.
BoundFunction ListKeysFunction(const Collation& collation);
inline constexpr const char* kCollationKeyFunction = "collation_key";

}  // namespace scaup
