// The output formats of EXPLAIN.
#pragma once

#include <cstdint>

namespace scaup {

enum class ExplainFormat : uint8_t {
  kText,  ///< a readable tree, one row per line
  kJson,  ///< one row with a JSON document, for tools
};

}  // namespace scaup
