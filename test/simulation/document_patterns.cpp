// Members of every type, several for keys whose values differ in type.
#include "simulation/document_patterns.hpp"

#include <fmt/format.h>

namespace scaup::test {

namespace {

using Text = const std::string&;
using Member = std::pair<std::string, JsonModel>;

JsonModel Number(int64_t number) { return JsonNumber(std::to_string(number)); }

JsonModel Boolean(bool value) { return {JsonModel::Kind::kBoolean, value ? "true" : "false", {}}; }

JsonModel MixedValue(int64_t n) {
  switch (n % 5) {
    case 0: return Number(n % 100);
    case 1: return JsonString(std::to_string(n % 10));
    case 2: return JsonNumber(fmt::format("{}.5", n % 100));
    case 3: return Boolean(true);
    default: return {};
  }
}

std::vector<MemberPattern> ScalarPatterns() {
  return {
      {"n", [](Text i) { return fmt::format("'\"n\":' || ({} * 7 % 1000003)", i); },
       [](int64_t n) { return Member("n", Number(n * 7 % 1000003)); }},
      {"n",
       [](Text i) {
         return fmt::format(
             "'\"n\":' || CASE {0} % 5 WHEN 0 THEN ({0} % 100)::VARCHAR WHEN 1 THEN '\"' || ({0} % 10) || "
             "'\"' WHEN 2 THEN ({0} % 100) || '.5' WHEN 3 THEN 'true' ELSE 'null' END",
             i);
       },
       [](int64_t n) { return Member("n", MixedValue(n)); }},
      {"h", [](Text i) { return fmt::format("'\"h\":' || ({} % 50 + 1) || repeat('0', 21)", i); },
       [](int64_t n) { return Member("h", JsonNumber(fmt::format("{}{:021}", n % 50 + 1, 0))); }},
      {"m", [](Text i) { return fmt::format("'\"m\":' || {} || '.50'", i); },
       [](int64_t n) { return Member("m", JsonNumber(fmt::format("{}.50", n))); }},
      {"s", [](Text i) { return fmt::format("'\"s\":\"name ' || ({} % 13) || '\"'", i); },
       [](int64_t n) { return Member("s", JsonString(fmt::format("name {}", n % 13))); }},
      {"s", [](Text i) { return fmt::format("'\"s\":\"name alone ' || {} || '\"'", i); },
       [](int64_t n) { return Member("s", JsonString(fmt::format("name alone {}", n))); }},
      {"b",
       [](Text i) { return fmt::format("'\"b\":' || CASE WHEN {} % 3 = 0 THEN 'true' ELSE 'false' END", i); },
       [](int64_t n) { return Member("b", Boolean(n % 3 == 0)); }},
      {"z", [](Text) { return std::string("'\"z\":null'"); }, [](int64_t) { return Member("z", {}); }},
      {"sparse_", [](Text i) { return fmt::format("'\"sparse_' || ({0} % 60) || '\":' || ({0} % 4)", i); },
       [](int64_t n) { return Member(fmt::format("sparse_{}", n % 60), Number(n % 4)); }},
      {"words",
       [](Text i) {
         return fmt::format(
             "'\"words\":\"Zebra' || ({0} % 97) || ' lion' || ({0} % 5) || repeat(' long', "
             "({0} % 30)::INTEGER) || '\"'",
             i);
       },
       [](int64_t n) {
         std::string text = fmt::format("Zebra{} lion{}", n % 97, n % 5);
         for (int64_t i = 0; i < n % 30; i++) text += " long";
         return Member("words", JsonString(text));
       }},
  };
}

std::vector<MemberPattern> NestedPatterns() {
  return {
      {"o",
       [](Text i) {
         return fmt::format("'\"o\":{{\"x\":' || ({0} % 9) || ',\"s\":\"s' || ({0} % 7) || '\"}}'", i);
       },
       [](int64_t n) {
         return Member("o", JsonObject({{"x", Number(n % 9)}, {"s", JsonString(fmt::format("s{}", n % 7))}}));
       }},
      {"o",
       [](Text i) {
         return fmt::format(
             "'\"o\":' || CASE {0} % 4 WHEN 0 THEN '{{}}' WHEN 1 THEN '[]' ELSE "
             "'{{\"y\":{{\"z\":[' || {0} || ',null]}},\"x\":\"' || ({0} % 9) || '\"}}' END",
             i);
       },
       [](int64_t n) {
         if (n % 4 == 0) return Member("o", JsonObject({}));
         if (n % 4 == 1) return Member("o", JsonArray({}));
         return Member("o", JsonObject({{"y", JsonObject({{"z", JsonArray({Number(n), {}})}})},
                                        {"x", JsonString(std::to_string(n % 9))}}));
       }},
      {"deep", [](Text i) { return fmt::format("'\"deep\":{{\"er\":{{\"est\":' || {} || '}}}}'", i); },
       [](int64_t n) {
         return Member("deep", JsonObject({{"er", JsonObject({{"est", Number(n)}})}}));
       }},
      {"tags", [](Text i) { return fmt::format("'\"tags\":[\"red\",\"t' || ({} % 4) || '\"]'", i); },
       [](int64_t n) {
         return Member("tags", JsonArray({JsonString("red"), JsonString(fmt::format("t{}", n % 4))}));
       }},
      {"tags",
       [](Text i) {
         return fmt::format(
             "'\"tags\":[' || ({0} % 10) || ',\"mixed\",{{\"words\":\"zebra' || ({0} % 3) || '\"}}]'", i);
       },
       [](int64_t n) {
         return Member("tags",
                       JsonArray({Number(n % 10), JsonString("mixed"),
                                  JsonObject({{"words", JsonString(fmt::format("zebra{}", n % 3))}})}));
       }},
  };
}

std::vector<MemberPattern> AllPatterns() {
  std::vector<MemberPattern> all = ScalarPatterns();
  for (const MemberPattern& pattern : NestedPatterns()) all.push_back(pattern);
  return all;
}

}  // namespace

JsonModel JsonNumber(const std::string& text) { return {JsonModel::Kind::kNumber, text, {}}; }

JsonModel JsonString(const std::string& text) { return {JsonModel::Kind::kString, text, {}}; }

JsonModel JsonObject(std::vector<std::pair<std::string, JsonModel>> members) {
  return {JsonModel::Kind::kObject, "", std::move(members)};
}

JsonModel JsonArray(const std::vector<JsonModel>& elements) {
  JsonModel array{JsonModel::Kind::kArray, "", {}};
  for (const JsonModel& element : elements) array.members.emplace_back("", element);
  return array;
}

const std::vector<MemberPattern>& MemberPatterns() {
  static const std::vector<MemberPattern> patterns = AllPatterns();
  return patterns;
}

std::string DocumentRule::Sql() const {
  std::string sql = "('{\"nr\":' || i";
  for (const Member& member : members) {
    const std::string text = "',' || " + member.pattern->sql("i");
    sql += member.period == 1 ? " || " + text
                              : fmt::format(" || CASE WHEN i % {} = {} THEN {} ELSE '' END", member.period,
                                            member.first, text);
  }
  return sql + " || '}')::JSON";
}

JsonModel DocumentRule::Document(int64_t number) const {
  JsonModel document = JsonObject({{"nr", Number(number)}});
  for (const Member& member : members) {
    if (number % member.period == member.first) document.members.push_back(member.pattern->member(number));
  }
  return document;
}

}  // namespace scaup::test
