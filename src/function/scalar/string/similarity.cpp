// jaro_similarity, jaro_winkler_similarity, jaccard and damerau_levenshtein.
#include <algorithm>
#include <unordered_map>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/code_points.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

using CodePoints = std::vector<int32_t>;

/// Compares texts character by character. Reuses its memory from row to row.
class TextSimilarity {
 public:
  void Set(std::string_view a, std::string_view b) {
    DecodeCodePoints(a, a_);
    DecodeCodePoints(b, b_);
  }

  /// From 0 to 1, by characters that both have at near places, and by how many of them are in another order.
  double Jaro();
  /// Jaro's similarity, greater for texts that begin alike.
  double JaroWinkler();
  /// The share of the characters that both have among those that one has; each counts once.
  double Jaccard();
  /// The edit distance in which two neighbours that change places are one step.
  int64_t DamerauLevenshtein();

 private:
  CodePoints a_, b_;
  std::vector<bool> a_matches_, b_matches_;
  std::vector<int64_t> distances_;
};

double TextSimilarity::Jaro() {
  if (a_.empty() || b_.empty()) return 0;
  const size_t longest = std::max(a_.size(), b_.size());
  const size_t reach = longest / 2 > 0 ? longest / 2 - 1 : 0;
  a_matches_.assign(a_.size(), false);
  b_matches_.assign(b_.size(), false);
  size_t matches = 0;
  for (size_t i = 0; i < a_.size(); i++) {
    const size_t end = std::min(i + reach + 1, b_.size());
    for (size_t j = i > reach ? i - reach : 0; j < end; j++) {
      if (b_matches_[j] || a_[i] != b_[j]) continue;
      a_matches_[i] = b_matches_[j] = true;
      matches++;
      break;
    }
    if (i % 1024 == 0) RunningCall::CheckInterrupt();
  }
  if (matches == 0) return 0;
  size_t displaced = 0, j = 0;
  for (size_t i = 0; i < a_.size(); i++) {
    if (!a_matches_[i]) continue;
    while (!b_matches_[j]) j++;
    displaced += a_[i] != b_[j] ? 1 : 0;
    j++;
  }
  const auto same = static_cast<double>(matches);
  return (same / static_cast<double>(a_.size()) + same / static_cast<double>(b_.size()) +
          (same - static_cast<double>(displaced / 2)) / same) /
         3;
}

double TextSimilarity::JaroWinkler() {
  constexpr size_t kMostPrefix = 4;
  constexpr double kPrefixWeight = 0.1, kLeastSimilarity = 0.7;
  const double jaro = Jaro();
  if (jaro <= kLeastSimilarity) return jaro;
  const size_t most = std::min({kMostPrefix, a_.size(), b_.size()});
  size_t prefix = 0;
  while (prefix < most && a_[prefix] == b_[prefix]) prefix++;
  return jaro + static_cast<double>(prefix) * kPrefixWeight * (1 - jaro);
}

double TextSimilarity::Jaccard() {
  if (a_.empty() || b_.empty()) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               "jaccard needs texts with at least one character");
  }
  for (CodePoints* characters : {&a_, &b_}) {
    std::sort(characters->begin(), characters->end());
    characters->erase(std::unique(characters->begin(), characters->end()), characters->end());
  }
  CodePoints both;
  std::set_intersection(a_.begin(), a_.end(), b_.begin(), b_.end(), std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a_.size() + b_.size() - both.size());
}

int64_t TextSimilarity::DamerauLevenshtein() {
  // Limits the memory, which grows with the product of the lengths.
  constexpr size_t kMostCells = size_t{1} << 24;
  const size_t width = b_.size() + 2;
  if ((a_.size() + 2) * width > kMostCells) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               "damerau_levenshtein argument is too long: the product of the lengths may be 16 million");
  }
  // Row and column 0 hold a distance beyond all others, row and column 1 those from the empty text.
  distances_.assign((a_.size() + 2) * width, 0);
  const auto at = [&](size_t i, size_t j) -> int64_t& { return distances_[i * width + j]; };
  const auto beyond = static_cast<int64_t>(a_.size() + b_.size());
  for (size_t i = 0; i <= a_.size(); i++) {
    at(i + 1, 0) = beyond;
    at(i + 1, 1) = static_cast<int64_t>(i);
  }
  for (size_t j = 0; j <= b_.size(); j++) {
    at(0, j + 1) = beyond;
    at(1, j + 1) = static_cast<int64_t>(j);
  }
  at(0, 0) = beyond;
  std::unordered_map<int32_t, size_t> last_row;  // by character of `a_`: where it occurred last, from 1
  for (size_t i = 1; i <= a_.size(); i++) {
    RunningCall::CheckInterrupt();
    size_t last_match = 0;  // the last column whose character is that of the row
    for (size_t j = 1; j <= b_.size(); j++) {
      const auto found = last_row.find(b_[j - 1]);
      const size_t row = found == last_row.end() ? 0 : found->second, column = last_match;
      const bool is_same = a_[i - 1] == b_[j - 1];
      if (is_same) last_match = j;
      const auto between = static_cast<int64_t>((i - row - 1) + (j - column - 1));
      at(i + 1, j + 1) = std::min(
          {at(i, j) + (is_same ? 0 : 1), at(i + 1, j) + 1, at(i, j + 1) + 1, at(row, column) + between + 1});
    }
    last_row[a_[i - 1]] = i;
  }
  return at(a_.size() + 1, b_.size() + 1);
}

template <typename R, R (TextSimilarity::*kMeasure)()>
void Compare(const ScalarCall&, DataChunk& arguments, Vector& result) {
  TextSimilarity similarity;
  MapBinary<StringRef, StringRef, R>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                     [&](const StringRef& a, const StringRef& b) {
                                       similarity.Set(a.view(), b.view());
                                       return (similarity.*kMeasure)();
                                     });
}

/// A similarity below the third argument counts as 0.
template <double (TextSimilarity::*kMeasure)()>
void CompareAbove(const ScalarCall&, DataChunk& arguments, Vector& result) {
  TextSimilarity similarity;
  MapTernary<StringRef, StringRef, double, double>(arguments.column(0), arguments.column(1),
                                                   arguments.column(2), arguments.size(), result,
                                                   [&](const StringRef& a, const StringRef& b, double least) {
                                                     similarity.Set(a.view(), b.view());
                                                     const double value = (similarity.*kMeasure)();
                                                     return value < least ? 0 : value;
                                                   });
}

}  // namespace

ScalarFunctionList SimilarityFunctions() {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kDouble;
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
  add("jaro_similarity", {text, text}, number, &Compare<double, &TextSimilarity::Jaro>,
      "How similar two texts are, from 0 to 1, by characters at near places.",
      "jaro_similarity('duck', 'duckdb')", false);
  add("jaro_similarity", {text, text, number}, number, &CompareAbove<&TextSimilarity::Jaro>,
      "The same; 0 if it is below the third argument.", "jaro_similarity('duck', 'duckdb', 0.5)", false);
  add("jaro_winkler_similarity", {text, text}, number, &Compare<double, &TextSimilarity::JaroWinkler>,
      "The similarity of Jaro, greater for texts that begin alike.",
      "jaro_winkler_similarity('duck', 'duckdb')", false);
  add("jaro_winkler_similarity", {text, text, number}, number, &CompareAbove<&TextSimilarity::JaroWinkler>,
      "The same; 0 if it is below the third argument.", "jaro_winkler_similarity('duck', 'duckdb', 0.5)",
      false);
  add("jaccard", {text, text}, number, &Compare<double, &TextSimilarity::Jaccard>,
      "The share of characters that two texts have in common.", "jaccard('duck', 'luck')", true);
  add("damerau_levenshtein", {text, text}, TypeId::kBigInt,
      &Compare<int64_t, &TextSimilarity::DamerauLevenshtein>,
      "The edit distance of two texts, in which neighbours that change places are one step.",
      "damerau_levenshtein('duckdb', 'udckbd')", true);
  return list;
}

}  // namespace scaup
