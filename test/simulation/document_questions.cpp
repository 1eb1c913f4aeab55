// Counts, filters, and paths whose values are of one type or of several.
#include "simulation/document_questions.hpp"

#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

namespace scaup::test {

namespace {

using Kind = JsonModel::Kind;
using Rows = std::vector<std::string>;

void AddNumber(const JsonModel& document, Rows& rows) { rows.push_back(PathText(document, {"nr"})); }

bool HasElement(const JsonModel* array, const std::string& text) {
  if (array == nullptr || array->kind != Kind::kArray) return false;
  for (const auto& [key, element] : array->members) {
    if (element.kind == Kind::kString && element.text == text) return true;
  }
  return false;
}

std::string PathTexts(const JsonModel& document, const std::vector<std::vector<std::string>>& paths) {
  Rows texts;
  for (const auto& path : paths) texts.push_back(PathText(document, path));
  return fmt::format("{}", fmt::join(texts, "|"));
}

}  // namespace

std::string PathText(const JsonModel& document, const std::vector<std::string>& path) {
  const JsonModel* const value = document.At(path);
  if (value == nullptr || value->kind == Kind::kNull) return "\\N";
  return value->kind == Kind::kString ? value->text : value->Compact();
}

bool IsNumber(const JsonModel* value, const std::function<bool(double)>& passes) {
  return value != nullptr && value->kind == Kind::kNumber &&
         passes(std::strtod(value->text.c_str(), nullptr));
}

bool HasWord(const JsonModel* value, const std::string& word) {
  if (value == nullptr) return false;
  for (const auto& [key, member] : value->members) {
    // Of equal keys the last is read.
    const bool is_read = value->kind == Kind::kArray || value->Member(key) == &member;
    if (is_read && HasWord(&member, word)) return true;
  }
  if (value->kind != Kind::kString) return false;
  std::string run;
  for (const char c : value->text + ' ') {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80) {
      run += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      if (run == word) return true;
      run.clear();
    }
  }
  return false;
}

const std::vector<DocumentQuestion>& DocumentQuestions() {
  static const std::vector<DocumentQuestion> questions = {
      {"nr, n::VARCHAR, s::VARCHAR, o::VARCHAR, \"o.x\"::VARCHAR, \"deep.er.est\"::VARCHAR, h", "",
       [](const JsonModel& document, Rows& rows) {
         rows.push_back(
             PathTexts(document, {{"nr"}, {"n"}, {"s"}, {"o"}, {"o", "x"}, {"deep", "er", "est"}, {"h"}}));
       }},
      {"nr", "WHERE n > 500",
       [](const JsonModel& document, Rows& rows) {
         if (IsNumber(document.At({"n"}), [](double n) { return n > 500; })) AddNumber(document, rows);
       }},
      {"nr, s::VARCHAR", "WHERE \"o.x\" = 4",
       [](const JsonModel& document, Rows& rows) {
         if (IsNumber(document.At({"o", "x"}), [](double x) { return x == 4; }))
           rows.push_back(PathTexts(document, {{"nr"}, {"s"}}));
       }},
      {"nr", "WHERE s LIKE 'name 1%'",
       [](const JsonModel& document, Rows& rows) {
         const JsonModel* const value = document.At({"s"});
         if (value != nullptr && value->kind == Kind::kString && value->text.starts_with("name 1"))
           AddNumber(document, rows);
       }},
      {"nr", "WHERE b",
       [](const JsonModel& document, Rows& rows) {
         const JsonModel* const value = document.At({"b"});
         if (value != nullptr && value->kind == Kind::kBoolean && value->text == "true")
           AddNumber(document, rows);
       }},
      {"nr, sparse_7::VARCHAR, fresh_1::VARCHAR", "WHERE sparse_7 IS NOT NULL OR fresh_1 IS NOT NULL",
       [](const JsonModel& document, Rows& rows) {
         if (PathText(document, {"sparse_7"}) != "\\N" || PathText(document, {"fresh_1"}) != "\\N")
           rows.push_back(PathTexts(document, {{"nr"}, {"sparse_7"}, {"fresh_1"}}));
       }},
      {"nr", "WHERE 'red' = ANY(tags)",
       [](const JsonModel& document, Rows& rows) {
         if (HasElement(document.At({"tags"}), "red")) AddNumber(document, rows);
       }},
      {"nr", "WHERE matches(words, 'zebra7')",
       [](const JsonModel& document, Rows& rows) {
         if (HasWord(document.At({"words"}), "zebra7")) AddNumber(document, rows);
       }},
      {"nr", "WHERE matches('*', 'zebra1 lion1')",
       [](const JsonModel& document, Rows& rows) {
         if (HasWord(&document, "zebra1") && HasWord(&document, "lion1")) AddNumber(document, rows);
       }},
      {"nr", "WHERE a IS NOT NULL AND nr IS NULL",
       [](const JsonModel& document, Rows& rows) {
         if (PathText(document, {"a"}) != "\\N" && document.At({"nr"}) == nullptr) AddNumber(document, rows);
       }},
  };
  return questions;
}

}  // namespace scaup::test
