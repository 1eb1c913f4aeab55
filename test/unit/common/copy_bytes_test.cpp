// Short copies: every length, and nothing beside it.
#include "common/memory/copy_bytes.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace scaup;

TEST_CASE("bytes are copied, and none beside them", "[common]") {
  std::string source;
  for (int i = 0; i < 100; i++) source.push_back(static_cast<char>(i + 1));
  for (size_t size = 0; size <= source.size(); size++) {
    const std::string exact = source.substr(0, size);
    std::string target(size + 2, '\0');
    CopyBytes(target.data() + 1, exact.data(), size);
    REQUIRE(target == std::string(1, '\0') + exact + std::string(1, '\0'));
  }
}
