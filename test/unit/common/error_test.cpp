// Error, its names, and the shared ways to throw.
#include <catch2/catch.hpp>

#include "common/hash.hpp"
#include "common/throw.hpp"

using namespace scaup;

TEST_CASE("an error carries kind, code, message and position", "[common][error]") {
  Error error(ErrorKind::kBinder, "42703", "column x does not exist", 7);
  CHECK(error.kind() == ErrorKind::kBinder);
  CHECK(std::string(error.sqlstate()) == "42703");
  CHECK(error.message() == "column x does not exist");
  CHECK(error.position() == size_t{7});
  error.SetPositionIfUnknown(9);
  CHECK(error.position() == size_t{7});
  Error unknown(ErrorKind::kIo, "58030", "x");
  unknown.SetPositionIfUnknown(9);
  CHECK(unknown.position() == size_t{9});
}

TEST_CASE("kinds have stable numbers and names", "[common][error]") {
  CHECK(static_cast<int>(ErrorKind::kSyntax) == 1);
  CHECK(static_cast<int>(ErrorKind::kOutOfMemory) == 9);
  CHECK(static_cast<int>(ErrorKind::kInternal) == 13);
  CHECK(std::string(ErrorKindName(ErrorKind::kSyntax)) == "syntax");
  CHECK(std::string(ErrorKindName(ErrorKind::kOutOfMemory)) == "out of memory");
  CHECK(std::string(ErrorKindName(ErrorKind::kInternal)) == "internal");
}

TEST_CASE("the shared throws", "[common][error]") {
  CHECK_THROWS_WITH(ThrowDivisionByZero(), "division by zero");
  CHECK_THROWS_AS(ThrowNotSupported("x"), Error);
  try {
    const int two = 2;
    SCAUP_CHECK(two == 3);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInternal);
    CHECK(error.message().find("two == 3") != std::string::npos);
  }
}

TEST_CASE("hashes tell values apart", "[common][hash]") {
  CHECK(HashBytes("abc", 3) == HashBytes("abcd", 3));
  CHECK(HashBytes("abc", 3) != HashBytes("abd", 3));
  CHECK(HashInteger(1) != HashInteger(2));
  CHECK(CombineHashes(1, 2) != CombineHashes(2, 1));
}
