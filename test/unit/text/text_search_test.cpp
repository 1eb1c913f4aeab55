// Words, queries and matches.
#include "text/text_matcher.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scaup/error.hpp"

namespace scaup {
namespace {

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  WordReader reader;
  for (reader.Begin(text); reader.Next();) words.emplace_back(reader.word());
  return words;
}

bool Matches(const std::vector<std::string>& texts, std::string_view query, bool stops_early) {
  const TextQuery parsed = TextQuery::Parse(query);
  TextMatcher matcher(parsed);
  matcher.set_stops_early(stops_early);
  // What a row before leaves behind does not matter.
  for (int i = 0; i < 2; i++) {
    matcher.Begin();
    for (const std::string& text : texts) matcher.AddText(text);
  }
  return matcher.Matches();
}

bool Matches(const std::vector<std::string>& texts, std::string_view query) {
  const bool matches = Matches(texts, query, false);
  CHECK(Matches(texts, query, true) == matches);
  return matches;
}

double Score(const std::vector<std::string>& texts, std::string_view query) {
  const TextQuery parsed = TextQuery::Parse(query);
  TextMatcher matcher(parsed);
  matcher.Begin();
  for (const std::string& text : texts) matcher.AddText(text);
  return matcher.Score();
}

std::string FaultOf(std::string_view query) {
  try {
    TextQuery::Parse(query);
  } catch (const Error& error) {
    return std::string(error.sqlstate()) + " " + error.what();
  }
  return "";
}

TEST_CASE("Words are runs of letters and digits in one case") {
  using Words = std::vector<std::string>;
  CHECK(WordsOf("") == Words{});
  CHECK(WordsOf(" -- ") == Words{});
  CHECK(WordsOf("Full-Text SEARCH, v2.0!") == Words{"full", "text", "search", "v2", "0"});
  CHECK(WordsOf("ÄRGER ärger Straße ΟΔΟΣ οδος") == Words{"ärger", "ärger", "straße", "οδοσ", "οδοσ"});
  CHECK(WordsOf("aÉb…c") == Words{"aéb", "c"});
  CHECK(WordsOf("日本語 テキスト") == Words{"日本語", "テキスト"});
  CHECK(WordsOf("i\u0307x \u0130 \u0131") == Words{"i\u0307x", "\u0130", "\u0131"});
  CHECK(WordsOf("a\xff\xfe"
                "b") == Words{"a", "b"});
}

TEST_CASE("Words, prefixes and phrases") {
  const std::vector<std::string> text = {"The quick brown fox jumps over the lazy dog"};
  CHECK(Matches(text, "FOX"));
  CHECK(Matches(text, "dog quick"));
  CHECK_FALSE(Matches(text, "dog cat"));
  CHECK_FALSE(Matches(text, "jump"));
  CHECK(Matches(text, "jump*"));
  CHECK(Matches(text, "\"quick brown fox\""));
  CHECK_FALSE(Matches(text, "\"quick fox\""));
  CHECK(Matches(text, "quick-brown"));
  CHECK(Matches(text, "\"bro* fox\" \"the la*\""));
  CHECK_FALSE(Matches(text, "\"dog the\""));
  CHECK(Matches({"a a b"}, "\"a b\""));
  CHECK(Matches({"a b a b c"}, "\"a b c\""));
  CHECK(Matches({"ab abc"}, "\"ab* abc\""));
  CHECK(Matches({"abc ab"}, "\"ab* ab\""));
  CHECK_FALSE(Matches({"ab"}, "\"ab* ab\""));
}

TEST_CASE("A phrase ends with its text, a row's words are those of all texts") {
  CHECK(Matches({"full", "text"}, "full text"));
  CHECK_FALSE(Matches({"full", "text"}, "\"full text\""));
  CHECK_FALSE(Matches({"x full", "", "text x"}, "\"full text\""));
  CHECK(Matches({"text", "a full text"}, "\"full text\""));
}

TEST_CASE("Operators") {
  const std::vector<std::string> text = {"one two three"};
  CHECK(Matches(text, "four OR one"));
  CHECK_FALSE(Matches(text, "four OR five"));
  CHECK(Matches(text, "one -four"));
  CHECK_FALSE(Matches(text, "one -two"));
  CHECK_FALSE(Matches(text, "one NOT two"));
  CHECK(Matches(text, "NOT four"));
  CHECK(Matches(text, "--one"));
  CHECK(Matches(text, "one four OR two three"));
  CHECK_FALSE(Matches(text, "one (four OR five)"));
  CHECK(Matches(text, "one AND (four OR NOT five) AND three"));
  CHECK(Matches(text, "(one two) (three OR four OR (five six))"));
  CHECK(Matches(text, "-(one four)"));
  CHECK(Matches({"this or that and it"}, "or and -not OR x"));
  CHECK_FALSE(Matches({"this or that"}, "or and"));
}

TEST_CASE("Malformed queries") {
  CHECK(FaultOf("") == "42601 malformed text query: it has no word (byte 1 of '')");
  CHECK(FaultOf("a \"b") == "42601 malformed text query: a quote is not closed (byte 3 of 'a \"b')");
  CHECK(FaultOf("(a b").find("a parenthesis is not closed (byte 1") != std::string::npos);
  CHECK(FaultOf("a) b").find("closed that was not opened (byte 2") != std::string::npos);
  CHECK(FaultOf("a OR").find("a word is missing") != std::string::npos);
  CHECK(FaultOf("OR a").find("a word is missing") != std::string::npos);
  CHECK(FaultOf("a AND AND b").find("a word is missing") != std::string::npos);
  CHECK(FaultOf("()").find("a word is missing") != std::string::npos);
  CHECK(FaultOf("a - b").find("a word is missing behind -") != std::string::npos);
  CHECK(FaultOf("NOT").find("a word is missing") != std::string::npos);
  CHECK(FaultOf("a & b").find("there is no word (byte 3") != std::string::npos);
  CHECK(FaultOf("\"\"").find("there is no word") != std::string::npos);
  CHECK(FaultOf("*").find("there is no word") != std::string::npos);
  CHECK(FaultOf("a *b").find("* must stand directly behind") != std::string::npos);
  std::string deep(200, '(');
  CHECK(FaultOf(deep + "a" + std::string(200, ')')).starts_with("54000"));
  std::string minus(200, '-');
  CHECK(FaultOf(minus + "a").starts_with("54000"));
  std::string phrase = "\"", words;
  for (int i = 0; i < 65; i++) phrase += " w";
  CHECK(FaultOf(phrase + "\"").starts_with("54000"));
  for (int i = 0; i < 1025; i++) words += " w";
  CHECK(FaultOf(words).starts_with("54000"));
}

TEST_CASE("A score grows with occurrences and falls with length") {
  CHECK(Score({"a b"}, "c") == 0);
  CHECK(Score({"a b"}, "a -b") == 0);
  CHECK(Score({"a a"}, "a") > Score({"a b"}, "a"));
  CHECK(Score({"a b"}, "a") > Score({"a b c d"}, "a"));
  CHECK(Score({"a b"}, "a b") > Score({"a b"}, "a"));
  CHECK(Score({"a", "b"}, "a OR x") == Score({"a b"}, "a"));
  CHECK(Score({"a b"}, "a -x") == Score({"a b"}, "a"));
  const double length = 1 - 0.75 + 0.75 * 3 / 100;
  CHECK(Score({"a b a"}, "a") == 2 * 2.2 / (2 + 1.2 * length));
}

}  // namespace
}  // namespace scaup
