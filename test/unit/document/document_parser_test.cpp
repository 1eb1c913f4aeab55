// Tests of parsing: what comes back as text, what types values get, and what is refused.
#include "document/document_parser.hpp"

#include <catch2/catch.hpp>

#include "document_fixture.hpp"

namespace scaup {

TEST_CASE("A record gives its document back", "[document][parser]") {
  DocumentFixture documents;
  for (
      const char* text :
      {"{}",
       R"({"a":1})",
       R"({"b":2,"a":1})",
       R"({"a":{"b":{"c":null}},"d":{}})",
       R"({"a":[],"b":[1,2],"c":[1.5,2],"d":["x",null],"e":[true,null],"f":[null],"g":[[1],{"x":1}]})",
       R"({"":1,".":2,"\\":3,"a.b":{"":{"":0}}})",
       R"({"n":-0,"m":[-0],"o":[-0.5,0]})",
       R"({"n":[1.50,1e5,1E5,1e-7,1e+22,0.1,100000000000000000000,123456789012345678901234567890]})",
       R"({"a":1.50,"b":1e5,"c":1E5,"d":1e-07,"e":1e+22,"f":0.1,"g":0.0001,"h":0.00001,"i":1.0})",
       R"({"a":9223372036854775807,"b":-9223372036854775808,"c":9223372036854775808,"d":-170141183460469231731687303715884105728})",
       R"({"a":170141183460469231731687303715884105728,"b":1e400,"c":-1e-400})",
       R"({"a":127,"b":128,"c":-128,"d":-129,"e":32768,"f":2147483648,"g":0})",
       "{\"ä\":\"ö€😀\"}",
       R"({"a":"\"\\\b\f\n\r\t\u001f/"})",
       R"({"z":1,"y":{"x":1,"w":2},"a":3})",
       R"({"y":{"w":2,"x":1},"z":1})",
       R"({"a":1,"a":2})",
       R"({"a":{"b":1},"a":{"c":2}})",
       R"({"a":{"b":1},"c":0,"a":{"b":2}})",
       R"({"a":1,"a":{}})",
       R"({"a":[{"b":1,"b":2}]})",
       R"({"true":true,"false":false,"null":null})"}) {
    CAPTURE(text);
    CHECK(documents.RoundTrip(text) == text);
  }
  CHECK(documents.RoundTrip(" { \"a\" :\t[ 1 , 2 ] ,\n\"b\" : { \"c\" : [ { \"d\" : null } ] } } \r\n") ==
        R"({"a":[1,2],"b":{"c":[{"d":null}]}})");
  CHECK(documents.RoundTrip(R"({"\u0061\/":"\u00e9\ud83d\ude00\/"})") == R"({"a/":"é😀/"})");
}

TEST_CASE("Values have types", "[document][parser]") {
  DocumentFixture documents;
  documents.Parse(
      R"({"a":null,"b":true,"c":1,"d":9223372036854775808,"e":1.5,"f":1.50,"g":"x","h":{},)"
      R"("i":[],"j":[true,null],"k":[1,null],"l":[1,1.5],"m":["x",null],"n":[1,"x"],"o":{"p":1}})");
  CHECK(documents.AttributesText() == "a:1 b:2 c:3 d:4 e:5 f:6 g:7 h:8 i:9 j:10 k:11 l:12 m:13 n:14 o.p:3");
  DocumentFixture more;
  more.Parse(R"({"a":-0,"b":1e5,"c":123456789012345,"d":0.00012,"e":0.000012,"f":1.2e-05,"g":[null,-0],)"
             R"("h":[1000000000000000,0.5],"i":[999999999999999,0.5],"j":1e400,"k":0.1234567890123456,)"
             R"("l":170141183460469231731687303715884105728,"m":[9223372036854775808],"n":1e+15,"o":[[]]})");
  CHECK(more.AttributesText() == "a:5 b:6 c:3 d:5 e:6 f:5 g:14 h:14 i:12 j:6 k:5 l:6 m:14 n:5 o:14");
}

TEST_CASE("Faults say where and why", "[document][parser]") {
  DocumentFixture documents;
  CHECK(documents.Parse("") == "0: a value is missing");
  CHECK(documents.Parse("  ") == "2: a value is missing");
  CHECK(documents.Parse(" [1]") == "1: a document is an object and begins with {");
  CHECK(documents.Parse("1") == "0: a document is an object and begins with {");
  CHECK(documents.Parse("\"{}\"") == "0: a document is an object and begins with {");
  CHECK(documents.Parse("{} x") == "3: the value has ended");
  CHECK(documents.Parse("{}{}") == "2: the value has ended");
  CHECK(documents.Parse(R"({"a":"b\u0000"})") == R"(7: \u0000 cannot be converted to text)");
  CHECK(documents.Parse(R"({"\u0000":1})") == R"(2: \u0000 cannot be converted to text)");
  CHECK(documents.Parse(R"({"a":["\u0000"]})") == R"(7: \u0000 cannot be converted to text)");
  CHECK(documents.Parse("{\"a\":\"\xC3\"}") == "6: it is not UTF-8");
  CHECK(documents.Parse("{\"a\":\"\xED\xA0\x80\"}") == "6: it is not UTF-8");
  CHECK(documents.Parse("{\"a\":\"b\nc\"}") == "7: a control character in a string must be escaped");
  CHECK(documents.Parse(std::string_view("{\"a\0b\":1}", 9)) ==
        "3: a control character in a string must be escaped");
  for (const char* text : {"{",
                           "}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{,}",
                           "{a:1}",
                           "{\"a\":1 \"b\":2}",
                           "{\"a\":01}",
                           "{\"a\":+1}",
                           "{\"a\":.5}",
                           "{\"a\":1.}",
                           "{\"a\":1e}",
                           "{\"a\":-}",
                           "{\"a\":1x}",
                           "{\"a\":12\"b\"}",
                           "{\"a\":tru}",
                           "{\"a\":truex}",
                           "{\"a\":nul",
                           "{\"a\":[1,]}",
                           "{\"a\":[,1]}",
                           "{\"a\":[1 2]}",
                           "{\"a\":[1}",
                           "{\"a\":[1",
                           "{\"a\":[",
                           "{\"a\":\"b\"c}",
                           "{\"a\":\"b\"\"c\"}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\ud800\"}",
                           "{\"a\":\"\\udc00\"}",
                           "{\"a\":\"\\u12\"}",
                           "{\"a\":\"",
                           "{\"a",
                           "{\"a\":{]}",
                           "{\"a\":[}]}",
                           "{\"a\":[{]}}",
                           "{1:1}",
                           "{\"a\":1,2}",
                           "{\"a\":\f1}",
                           "{\"a\":[\"x\",]}",
                           "{\"a\":[true,]}",
                           "{\"a\":[null,]}",
                           "{\"a\":[1,.5]}",
                           "{\"a\":NaN}",
                           "{\"a\"::1}",
                           "{\"a\":1}}",
                           "\xEF\xBB\xBF{}",
                           "{\"a\":[1\"x\"]}",
                           "{\"a\":[1.5,x]}"}) {
    CAPTURE(text);
    JsonFault expected, fault;
    REQUIRE_FALSE(IsJsonText(text, &expected));
    std::string record = "before";
    CHECK_FALSE(documents.parser.Parse(text, record, fault));
    CHECK(fault.offset == expected.offset);
    CHECK(std::string(fault.reason) == expected.reason);
    CHECK(record == "before");
  }
  // What went wrong leaves nothing behind.
  CHECK(documents.RoundTrip(R"({"a":1})") == R"({"a":1})");
}

TEST_CASE("Documents are nested to a limit", "[document][parser]") {
  DocumentFixture documents;
  const auto nested = [](size_t depth, std::string_view open, char close) {
    std::string text = "{\"a\":";
    for (size_t i = 1; i < depth; i++) text += open;
    text += "1";
    text.append(depth - 1, close);
    return text + "}";
  };
  for (const auto& [open, close] : {std::pair<std::string_view, char>("{\"a\":", '}'), {"[", ']'}}) {
    const std::string deep = nested(kMaxDocumentDepth, open, close);
    CHECK(documents.RoundTrip(deep) == deep);
    CHECK(documents.Parse(nested(kMaxDocumentDepth + 1, open, close)) ==
          std::to_string(5 + (kMaxDocumentDepth - 1) * open.size()) + ": it is nested too deeply");
  }
}

TEST_CASE("Of equal keys the last is read", "[document][parser]") {
  DocumentFixture documents;
  const std::string record = documents.Parse(R"({"a":{"b":1,"b":2},"c":1,"a":{"d":3},"c":"x"})");
  CHECK(documents.TextAt(record, "a") == R"({"d":3})");
  CHECK(documents.TextAt(record, "a.b") == "none");
  CHECK(documents.TextAt(record, "c") == R"("x")");
}

TEST_CASE("The bytes of records are those of the documentation", "[document][record]") {
  DocumentFixture documents;
  const auto hex = [&](std::string_view text) {
    std::string out;
    for (const char c : documents.Parse(text)) {
      const auto byte = static_cast<unsigned char>(c);
      out += out.empty() ? "" : " ";
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    }
    return out;
  };
  CHECK(hex(R"({"id":300,"name":"Ann","at":{"x":1.5}})") ==
        "00 03 00 01 02 02 05 0d 2c 01 41 6e 6e 00 00 00 00 00 00 f8 3f");
  CHECK(hex(R"({"name":"Bo","id":7})") == "40 02 00 01 01 00 01 03 07 42 6f");
  CHECK(hex("{}") == "00 00");
  CHECK(hex(R"({"id":1,"id":2})") == "80 01 00 01 02 7b 22 69 64 22 3a 31 2c 22 69 64 22 3a 32 7d");
}

TEST_CASE("Records have the widths that they need", "[document][record]") {
  DocumentFixture documents;
  for (const size_t count : {1, 255, 256, 300, 65535, 65536, 70000}) {
    std::string text = "{", reversed;
    for (size_t i = 0; i < count; i++) {
      const std::string member = "\"k" + std::to_string(i) + "\":" + std::to_string(i);
      text += (i == 0 ? "" : ",") + member;
      reversed = member + (i == 0 ? "" : ",") + reversed;
      if (count > 1000 && i > 1000) reversed.clear();
    }
    text += '}';
    CHECK(documents.RoundTrip(text) == text);
    if (count <= 1000) CHECK(documents.RoundTrip("{" + reversed + "}") == "{" + reversed + "}");
    const std::string last = "{\"k" + std::to_string(count - 1) + "\":\"x\",\"k0\":0}";
    CHECK(documents.RoundTrip(last) == last);
  }
  for (const size_t size : {255, 256, 65535, 65536, 5'000'000}) {
    const std::string text = "{\"b\":\"" + std::string(size, 'x') + "\",\"a\":1}";
    CHECK(documents.RoundTrip(text) == text);
  }
  // Beyond what the parser's memory is kept for, and small again.
  CHECK(documents.RoundTrip(R"({"a":1})") == R"({"a":1})");
  std::string long_text = "{\"a\":\"" + std::string(kMaxDocumentBytes - 8, 'x') + "\"}";
  CHECK(documents.Parse(long_text).size() > kMaxDocumentBytes - 8);
  long_text.insert(6, "x");
  CHECK(documents.Parse(long_text) == "67108864: it is longer than 64 MiB");
}

}  // namespace scaup
