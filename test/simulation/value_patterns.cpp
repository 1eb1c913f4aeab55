// One pattern for each type, several for strings and numbers.
#include "simulation/value_patterns.hpp"

#include <fmt/format.h>

namespace scaup::test {

namespace {

using Text = const std::string&;

std::string HexOf(const std::string& bytes) {
  std::string hex = "\\x";
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

std::vector<ValuePattern> IntegerPatterns() {
  return {
      {"BOOLEAN",
       [](Text i) { return fmt::format("({} % 3 = 0)", i); },
       [](int64_t n) { return std::string(n % 3 == 0 ? "true" : "false"); },
       {}},
      {"TINYINT",
       [](Text i) { return fmt::format("({} % 100)::TINYINT", i); },
       [](int64_t n) { return fmt::format("{}", n % 100); },
       {{"-128", "-128"}, {"127", "127"}}},
      {"SMALLINT",
       [](Text i) { return fmt::format("({} % 30000)::SMALLINT", i); },
       [](int64_t n) { return fmt::format("{}", n % 30000); },
       {{"-32768", "-32768"}}},
      {"INTEGER",
       [](Text i) { return fmt::format("({} * 7 % 1000003)::INTEGER", i); },
       [](int64_t n) { return fmt::format("{}", n * 7 % 1000003); },
       {{"-2147483648", "-2147483648"}, {"2147483647", "2147483647"}}},
      {"INTEGER",  // Long runs.
       [](Text i) { return fmt::format("({} / 500)::INTEGER", i); },
       [](int64_t n) { return fmt::format("{}", n / 500); },
       {}},
      {"BIGINT",
       [](Text i) { return fmt::format("({}::BIGINT * 1000000007)", i); },
       [](int64_t n) { return fmt::format("{}", n * 1000000007); },
       {{"-9223372036854775808", "-9223372036854775808"}}},
      {"HUGEINT",
       [](Text i) { return fmt::format("({}::HUGEINT * 1000000000000000000 * 1000)", i); },
       [](int64_t n) { return n == 0 ? std::string("0") : fmt::format("{}{:021}", n, 0); },
       {{"-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"}}},
  };
}

std::vector<ValuePattern> FractionPatterns() {
  return {
      {"REAL",
       [](Text i) { return fmt::format("(({} % 1000)::DOUBLE / 4)::REAL", i); },
       [](int64_t n) { return fmt::format("{}", static_cast<double>(n % 1000) / 4); },
       {{"NaN", "NaN"}, {"-Infinity", "-Infinity"}}},
      {"DOUBLE",
       [](Text i) { return fmt::format("({}::DOUBLE / 4)", i); },
       [](int64_t n) { return fmt::format("{}", static_cast<double>(n) / 4); },
       {{"NaN", "NaN"}, {"1e300", "1e+300"}, {"-0.0", "-0"}}},
      {"DOUBLE",
       [](Text i) { return fmt::format("({}::DOUBLE / 3)", i); },
       [](int64_t n) { return fmt::format("{}", static_cast<double>(n) / 3); },
       {{"Infinity", "Infinity"}}},
      {"DECIMAL(4,2)",
       [](Text i) { return fmt::format("({} % 90)::DECIMAL(4,2)", i); },
       [](int64_t n) { return fmt::format("{}.00", n % 90); },
       {{"-99.99", "-99.99"}}},
      {"DECIMAL(12,2)",
       [](Text i) { return fmt::format("({} % 1000)::DECIMAL(12,2)", i); },
       [](int64_t n) { return fmt::format("{}.00", n % 1000); },
       {{"-9999999999.99", "-9999999999.99"}}},
      {"DECIMAL(30,5)",
       [](Text i) { return fmt::format("({})::DECIMAL(30,5)", i); },
       [](int64_t n) { return fmt::format("{}.00000", n); },
       {{"1234567890123456789012345.00001", "1234567890123456789012345.00001"}}},
  };
}

std::vector<ValuePattern> BytePatterns() {
  return {
      {"VARCHAR",
       [](Text i) { return fmt::format("('name ' || ({} % 13)::VARCHAR)", i); },
       [](int64_t n) { return fmt::format("name {}", n % 13); },
       {{"", ""}, {"a\nb\t", "a\nb\t"}, {"日本語 ✓", "日本語 ✓"}}},
      {"VARCHAR",
       [](Text i) { return fmt::format("(repeat('long text ', 3) || {}::VARCHAR)", i); },
       [](int64_t n) { return fmt::format("long text long text long text {}", n); },
       {{std::string(5000, 'y'), std::string(5000, 'y')}, {"exactly12345", "exactly12345"}}},
      {"BLOB",
       [](Text i) { return fmt::format("('b' || {}::VARCHAR)::BLOB", i); },
       [](int64_t n) { return HexOf(fmt::format("b{}", n)); },
       {{"\\x00ff", "\\x00ff"}, {"\\x", "\\x"}}},
  };
}

std::vector<ValuePattern> TimePatterns() {
  return {
      {"DATE",
       [](Text i) { return fmt::format("(DATE '2020-01-01' + ({} % 28)::INTEGER)", i); },
       [](int64_t n) { return fmt::format("2020-01-{:02}", n % 28 + 1); },
       {{"0001-01-01", "0001-01-01"}, {"9999-12-31", "9999-12-31"}}},
      {"TIME",
       [](Text i) { return fmt::format("('12:34:' || lpad(({} % 60)::VARCHAR, 2, '0'))::TIME", i); },
       [](int64_t n) { return fmt::format("12:34:{:02}", n % 60); },
       {{"23:59:59.999999", "23:59:59.999999"}}},
      {"TIMESTAMP",
       [](Text i) {
         return fmt::format("('2020-02-03 04:05:' || lpad(({} % 60)::VARCHAR, 2, '0'))::TIMESTAMP", i);
       },
       [](int64_t n) { return fmt::format("2020-02-03 04:05:{:02}", n % 60); },
       {{"1900-01-01 00:00:00.000001", "1900-01-01 00:00:00.000001"}}},
      {"INTERVAL",
       [](Text i) { return fmt::format("(({} % 100 + 2)::VARCHAR || ' days')::INTERVAL", i); },
       [](int64_t n) { return fmt::format("{} days", n % 100 + 2); },
       {{"1 year 2 mons -3 days", "1 year 2 mons -3 days"}}},
  };
}

std::vector<ValuePattern> AllPatterns() {
  std::vector<ValuePattern> all;
  for (auto* family : {IntegerPatterns, FractionPatterns, BytePatterns, TimePatterns}) {
    for (ValuePattern& pattern : family()) all.push_back(std::move(pattern));
  }
  return all;
}

}  // namespace

const std::vector<ValuePattern>& ValuePatterns() {
  static const std::vector<ValuePattern> patterns = AllPatterns();
  return patterns;
}

}  // namespace scaup::test
