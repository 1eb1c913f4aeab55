// Finds the forms of lists and structs that PostgreSQL's grammar lacks.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "parser/text/token.hpp"

namespace scaup {

/// What becomes of a token.
enum class NestedForm : uint8_t {
  kFieldName,   ///< of STRUCT(name TYPE, ...): name ::
  kListOpen,    ///< [ of [a, b]: ARRAY [
  kStructOpen,  ///< { of {'a': 1, b: 2}: struct_pack (
  kKey,         ///< 'a' or b there: "a"
  kColon,       ///< the colon behind it: :=
  kStructClose  ///< }: )
};

/// The tokens that take part in such forms, by index. Brackets without a partner are left alone.
std::map<size_t, NestedForm> FindNestedForms(std::string_view sql, std::span<const Token> tokens);

}  // namespace scaup
