// Calls scalar functions by name with single values, in every form of vector, for tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "function/function_registry.hpp"
#include "scaup/value.hpp"

namespace scaup::test {

/// The services that functions borrow, with their statement begun at `now_micros`.
class FunctionServices {
 public:
  explicit FunctionServices(int64_t now_micros = 0);
  ~FunctionServices();
  const FunctionContext& context() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The result of name(arguments), computed from constants, and from flat and dictionary vectors with and
/// without NULLs among other rows; fails the test where those disagree. Throws what the function throws.
Value Call(std::string_view name, const std::vector<Value>& arguments);
/// Its text; "NULL" for NULL.
std::string Text(std::string_view name, const std::vector<Value>& arguments);
/// The SQLSTATE and message of the error that the call throws, as "22012: division by zero"; "" if none.
std::string ErrorOf(std::string_view name, const std::vector<Value>& arguments);
/// How the call resolves; arguments are not constants.
ResolvedScalar Resolve(std::string_view name, const std::vector<LogicalType>& types);

inline Value I(int32_t value) { return Value::Integer(value); }
inline Value L(int64_t value) { return Value::BigInt(value); }
inline Value F(double value) { return Value::Double(value); }
inline Value S(std::string text) { return Value::Varchar(std::move(text)); }
inline Value Null(LogicalType type) { return Value(type); }
/// Any type from its text.
Value Make(LogicalType type, std::string_view text);

}  // namespace scaup::test
