// Literals as parameters: lets texts that differ in the values of literals share a plan.
#pragma once

#include <optional>
#include <vector>

#include "main/statement/prepared_plan.hpp"
#include "parser/ast/statement.hpp"
#include "parser/text/text_shape.hpp"

namespace scaup {

/// A literal of a text that has become a parameter of the statement.
struct LiteralParameter {
  /// The use of the literal, which decides what types its parameter may have.
  enum class Use : uint8_t { kCompared, kAssigned, kOperand } use = Use::kCompared;
  bool is_negated = false;  ///< a minus sign belongs to it
  size_t end = 0;           ///< byte offset in the text from which the statement was made
};

/// Puts parameters in the places of all literals of a text, if each is in a place where a parameter means the
/// same: compared with a column, assigned to one, or added to one. Returns how they are used, by the index of
/// the parameter; nullopt if one of them is elsewhere, and then leaves the tree half changed. `shape` is that
/// of the text that was parsed.
std::optional<std::vector<LiteralParameter>> ParameterizeLiterals(ast::Statement& statement,
                                                                  std::string_view sql,
                                                                  const TextShape& shape);

/// Returns the types with which to bind the parameters; kNull where the context decides.
std::vector<LogicalType> TypesToBind(const std::vector<LiteralParameter>& parameters, const TextShape& shape);

/// Returns whether the bound statement converts the values of its parameters as it would convert literals.
bool AreBoundLikeLiterals(const std::vector<LiteralParameter>& parameters, const TextShape& shape,
                          const PreparedPlan& prepared);

/// Returns the values of a text's literals in the types of the parameters; nullopt if one does not fit, so
/// that the literal would mean something else.
std::optional<std::vector<Value>> ValuesOfLiterals(const std::vector<LiteralParameter>& parameters,
                                                   const TextShape& shape,
                                                   const std::vector<LogicalType>& types);

/// The way from positions in the text that a statement was made of to those in another text of its shape.
class MovedPositions {
 public:
  MovedPositions() = default;
  MovedPositions(const std::vector<LiteralParameter>& parameters, const TextShape& shape);
  /// Returns the error with its position in the text that was executed.
  Error Move(const Error& error) const;
  bool empty() const { return steps_.empty(); }

 private:
  /// From `begin` on, positions are `distance` later.
  struct Step {
    size_t begin;
    ptrdiff_t distance;
  };
  std::vector<Step> steps_;
};

}  // namespace scaup
