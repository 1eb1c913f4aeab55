// levenshtein, hamming, soundex and difference: the similarity of texts.
#include <algorithm>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/code_points.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

struct Costs {
  int64_t insertion = 1;
  int64_t deletion = 1;
  int64_t substitution = 1;
};

/// The edit distance of two texts. Reuses its memory from row to row.
class EditDistance {
 public:
  int32_t Between(std::string_view from, std::string_view to, const Costs& costs) {
    DecodeCodePoints(from, from_);
    DecodeCodePoints(to, to_);
    // Limits the time, which grows with the product of the lengths.
    constexpr size_t kMostCharacters = 65536;
    if (from_.size() > kMostCharacters || to_.size() > kMostCharacters) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "levenshtein argument exceeds maximum length of 65536 characters");
    }
    row_.resize(to_.size() + 1);
    for (size_t j = 0; j <= to_.size(); j++) row_[j] = static_cast<int64_t>(j) * costs.insertion;
    for (const int32_t character : from_) {
      RunningCall::CheckInterrupt();
      int64_t diagonal = row_[0];
      row_[0] += costs.deletion;
      for (size_t j = 1; j <= to_.size(); j++) {
        const int64_t replaced = diagonal + (character == to_[j - 1] ? 0 : costs.substitution);
        diagonal = row_[j];
        row_[j] = std::min({replaced, row_[j] + costs.deletion, row_[j - 1] + costs.insertion});
      }
    }
    const int64_t distance = row_.back();
    if (distance != static_cast<int32_t>(distance)) ThrowOutOfRange("integer out of range");
    return static_cast<int32_t>(distance);
  }

 private:
  std::vector<int32_t> from_, to_;
  std::vector<int64_t> row_;
};

void Levenshtein(const ScalarCall&, DataChunk& arguments, Vector& result) {
  EditDistance distance;
  MapBinary<StringRef, StringRef, int32_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& from, const StringRef& to) {
                                             return distance.Between(from.view(), to.view(), {});
                                           });
}

void LevenshteinWithCosts(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto from = arguments.column(0).ViewAs<StringRef>(count);
  const auto to = arguments.column(1).ViewAs<StringRef>(count);
  const auto insertion = arguments.column(2).ViewAs<int32_t>(count);
  const auto deletion = arguments.column(3).ViewAs<int32_t>(count);
  const auto substitution = arguments.column(4).ViewAs<int32_t>(count);
  EditDistance distance;
  for (size_t row = 0; row < count; row++) {
    if (from.IsValid(row) && to.IsValid(row) && insertion.IsValid(row) && deletion.IsValid(row) &&
        substitution.IsValid(row)) {
      const Costs costs{insertion[row], deletion[row], substitution[row]};
      result.MutableData<int32_t>()[row] = distance.Between(from[row].view(), to[row].view(), costs);
    } else {
      result.SetNull(row);
    }
  }
}

void Hamming(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<int32_t> a_characters, b_characters;
  MapBinary<StringRef, StringRef, int64_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& a, const StringRef& b) {
                                             DecodeCodePoints(a.view(), a_characters);
                                             DecodeCodePoints(b.view(), b_characters);
                                             if (a_characters.size() != b_characters.size()) {
                                               ThrowError(ErrorKind::kOutOfRange,
                                                          sqlstate::kInvalidParameterValue,
                                                          "hamming needs texts of one length");
                                             }
                                             int64_t different = 0;
                                             for (size_t i = 0; i < a_characters.size(); i++)
                                               different += a_characters[i] != b_characters[i];
                                             return different;
                                           });
}

char UpperLetter(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
bool IsLetter(char upper) { return upper >= 'A' && upper <= 'Z'; }

/// The first letter and three digits, one per group of consonants; "" for a text without letters.
std::string Soundex(std::string_view text) {
  // The digit of each letter, A to Z; vowels have 0.
  constexpr std::string_view kDigits = "01230120022455012623010202";
  std::string code;
  char last_digit = 0;
  for (const char c : text) {
    const char letter = UpperLetter(c);
    if (!IsLetter(letter)) {
      last_digit = code.empty() ? last_digit : 0;
      continue;
    }
    const char digit = kDigits[static_cast<size_t>(letter - 'A')];
    if (code.empty()) {
      code.push_back(letter);
    } else if (digit != '0' && digit != last_digit) {
      code.push_back(digit);
    }
    last_digit = digit;
    if (code.size() == 4) break;
  }
  if (!code.empty()) code.append(4 - code.size(), '0');
  return code;
}

void SoundexKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    return result.AddString(Soundex(text.view()));
  });
}

void Difference(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, int32_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [](const StringRef& a, const StringRef& b) {
                                             std::string a_code = Soundex(a.view()),
                                                         b_code = Soundex(b.view());
                                             a_code.resize(4);
                                             b_code.resize(4);
                                             int32_t same = 0;
                                             for (size_t i = 0; i < 4; i++) same += a_code[i] == b_code[i];
                                             return same;
                                           });
}

}  // namespace

ScalarFunctionList DistanceFunctions() {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kInteger;
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, LogicalType type,
                       ScalarKernel kernel, const char* description, const char* example, bool can_fail) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  add("levenshtein", {text, text}, number, &Levenshtein,
      "How many characters must be put in, taken out or exchanged to turn one text into another.",
      "levenshtein('duck', 'dusk')", true);
  add("levenshtein", {text, text, number, number, number}, number, &LevenshteinWithCosts,
      "The same with costs of an insertion, a deletion and a substitution.",
      "levenshtein('duck', 'ducks', 2, 1, 1)", true);
  add("hamming", {text, text}, TypeId::kBigInt, &Hamming,
      "In how many places two texts of one length differ.", "hamming('duck', 'luck')", true);
  add("soundex", {text}, text, &SoundexKernel, "A code that texts which sound alike in English share.",
      "soundex('Anne')", false);
  add("difference", {text, text}, number, &Difference,
      "How many of the four characters of the texts' soundex codes agree.", "difference('Anne', 'Andrew')",
      false);
  return list;
}

}  // namespace scaup
