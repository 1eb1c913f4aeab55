// MD5, which the test files of the sqllogictest family use for long results. Not for security.
#pragma once

#include <string>
#include <string_view>

namespace scaup::test {

/// 32 lower-case hex digits.
std::string Md5(std::string_view bytes);

}  // namespace scaup::test
