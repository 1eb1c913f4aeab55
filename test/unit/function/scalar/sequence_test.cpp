// Functions of sequences: names as SQL text, and no sequences to be had.
#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"
#include "function/sequence_access.hpp"
#include "scaup/error.hpp"

namespace scaup {
using namespace test;

namespace {

std::string Parsed(const std::string& text) {
  try {
    const SequenceName name = ParseSequenceName(text);
    return (name.database.empty() ? "" : name.database + "|") + name.schema + "|" + name.name;
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

}  // namespace

TEST_CASE("names of sequences are read as SQL reads them") {
  CHECK(Parsed("s") == "|s");
  CHECK(Parsed("S") == "|s");
  CHECK(Parsed("main.S") == "main|s");
  CHECK(Parsed("\"Main x\".\"a.\"\"B\"") == "Main x|a.\"B");
  CHECK(Parsed("\"s\"") == "|s");
  CHECK(Parsed("a.B.\"C\"") == "a|b|C");
  for (const char* bad : {"", ".", "a.", ".a", "a.b.c.d", "\"a", "a\"b\""}) {
    INFO(bad);
    CHECK(Parsed(bad) == "42602");
  }
}

TEST_CASE("without sequences nextval says so") {
  CHECK(ErrorOf("nextval", {S("s")}).starts_with("0A000"));
  CHECK(ErrorOf("setval", {S("s"), L(1)}).starts_with("0A000"));
}

}  // namespace scaup
