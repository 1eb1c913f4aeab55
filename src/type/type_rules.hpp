// Implicit casts and common types by PostgreSQL's rules, and the spellings of type names.
#pragma once

#include <optional>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// The cost of converting `from` to `to` by implicit casts: 0 for the same type, more for a worse fit,
/// nullopt if an explicit cast is needed. NULL converts to every type.
std::optional<int> ImplicitCastCost(const LogicalType& from, const LogicalType& to);
/// The purpose for which two types meet. It matters for REAL and exact numbers alone.
enum class Meeting : uint8_t {
  kCompared,    ///< a comparison, which must not lose digits: DOUBLE
  kSideBySide,  ///< UNION, CASE, VALUES, lists: REAL
};
/// The member that a value becomes which is cast to a union.
struct MemberChoice {
  std::optional<size_t> member;  ///< the first of those that are reached at the least cost
  bool is_ambiguous = false;     ///< there is another one with that cost
  int cost = 0;
};
/// Chooses the member of a union whose type is reached best from `from` by implicit casts, one that keeps all
/// digits if there is one. REQUIRES: IsUnion(target).
MemberChoice ChooseMember(const LogicalType& from, const LogicalType& target);
/// Returns whether a union has all members of another one, by their names, whatever their types.
/// REQUIRES: both are unions.
bool HasMembersOf(const LogicalType& to, const LogicalType& from);
/// Returns whether a struct has the form in which files keep a union: an integer, the tag, and fields with
/// the names of its members, in order.
bool IsUnionInFile(const LogicalType& structure, const LogicalType& target);
/// The type to which both convert implicitly; nullopt if there is none.
std::optional<LogicalType> CommonType(const LogicalType& a, const LogicalType& b,
                                      Meeting meeting = Meeting::kCompared);
/// The DECIMAL that represents every value of an integer type; a DECIMAL is returned unchanged.
LogicalType DecimalForInteger(const LogicalType& type);
/// The type of an SQL name without parameters, in lower case, as PostgreSQL's parser or the user spells it
/// ("int4", "numeric", "text", "double precision"). nullopt for unknown names.
std::optional<LogicalType> TypeFromName(std::string_view name);

}  // namespace scaup
