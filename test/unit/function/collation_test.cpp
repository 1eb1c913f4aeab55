// Collations that definitions store: their names, what is equal under them, and what needs a language.
#include "function/scalar/collation/collation.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"

namespace scaup {

TEST_CASE("stored collations are found by their names", "[collation]") {
  CHECK(FindStoredCollation("").IsBytes());
  CHECK(FindStoredCollation("C").IsBytes());
  CHECK(FindStoredCollation("nocase").ignores_case);
  CHECK_FALSE(FindStoredCollation("nocase").HasPlainEquality());
  CHECK(FindStoredCollation("NOACCENT.nocase") == FindStoredCollation("nocase.noaccent"));
  CHECK_FALSE(FindStoredCollation("nocase") == FindStoredCollation("noaccent"));
  CHECK(FindStoredCollation("de_DE.utf8").language == "de-de");
  CHECK(FindStoredCollation("de_DE.UTF-8.nocase").ignores_case);
  CHECK(FindStoredCollation("de-x-icu").HasPlainEquality());
  CHECK_FALSE(FindStoredCollation("de-x-icu").IsBytes());
}

TEST_CASE("the names of stored collations become SQL", "[collation]") {
  CHECK(CollationText("nocase.noaccent") == "nocase.noaccent");
  CHECK(CollationText("C") == "\"C\"");
  CHECK(CollationText("de-x-icu") == "\"de-x-icu\"");
  CHECK(CollationText("de_DE.utf8.nocase") == "\"de_DE.utf8\".nocase");
}

TEST_CASE("equality under a collation depends on no language", "[collation]") {
  CHECK(EqualityOf(FindStoredCollation("de.nocase")) == FindStoredCollation("nocase"));
  CHECK(EqualityOf(FindStoredCollation("noaccent.nocase")).name == "nocase.noaccent");
  CHECK(EqualityOf(FindStoredCollation("de")).IsBytes());
  CHECK(EqualityKeyOfText("nocase", "\u00c4b") == "\u00e4b");
  CHECK(EqualityKeyOfText("noaccent", "\u00c4b") == "Ab");
  CHECK(EqualityKeyOfText("de.noaccent.nocase", "\u00c4b") == "ab");
  CHECK(EqualityKeyOfText("", "\u00c4b") == "\u00c4b");
  // Keys of keys are the same, as foreign keys look for what they have found.
  for (const char* text : {"\u0130", "\u1e9e", "\u01c5", "a\u0308", "\u03a3\u03c2", "\u212b", "\u1f88"}) {
    const std::string key = EqualityKeyOfText("nocase.noaccent", text);
    CHECK(EqualityKeyOfText("nocase.noaccent", key) == key);
    const std::string lower = EqualityKeyOfText("nocase", text);
    CHECK(EqualityKeyOfText("nocase", lower) == lower);
  }
}

TEST_CASE("a language that is not there is missed only for its order", "[collation]") {
  const Collation unknown = FindStoredCollation("qq");  // no ICU has it
  CHECK(unknown.lacks_order());
  CHECK(unknown.HasPlainEquality());
  CHECK(unknown == FindStoredCollation("qq-x-icu"));
  CHECK_FALSE(unknown == FindStoredCollation("C"));
  CHECK_THROWS_AS(RequireOrder(unknown), Error);
  CHECK_NOTHROW(RequireOrder(FindStoredCollation("nocase")));
}

TEST_CASE("stored collations have numbers", "[collation]") {
  CHECK(CollationOidOf("") == kDefaultCollationOid);
  CHECK(CollationOidOf("C") == 950);
  CHECK(CollationOidOf("nocase") != CollationOidOf("noaccent"));
  CHECK(CollationOidOf("noaccent.nocase") == CollationOidOf("nocase.noaccent"));
  CHECK(CollationOidOf("qq.nocase") == kPgChainOid);
}

}  // namespace scaup
