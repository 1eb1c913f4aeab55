// Syntax trees of expressions, before names are resolved.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/downcast.hpp"
#include "common/tree_deletion.hpp"
#include "scaup/type.hpp"
#include "type/window_frame.hpp"

namespace scaup::ast {

struct SelectStatement;

enum class ExpressionKind : uint8_t {
  kLiteral,
  kColumn,
  kStar,
  kParameter,
  kFunctionCall,
  kOperator,
  kAnd,
  kOr,
  kNot,
  kIsNull,
  kBooleanTest,
  kCast,
  kCase,
  kInList,
  kBetween,
  kLike,
  kSubquery,
  kInterval,
  kArray,
  kArrayComparison,
  kSubscript,
  kField,
  kRow,
  kCollate,
  kLambda
};

/// A node of the syntax tree. `position` is the byte offset of the token that begins or names it.
struct Expression : TreeDeletion<Expression> {
  explicit Expression(ExpressionKind kind_in) : kind(kind_in) {}
  virtual ~Expression() = default;
  ExpressionKind kind;
  size_t position = 0;
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }
};
using ExpressionPtr = std::unique_ptr<Expression>;

/// NULL, TRUE, 12, 'text', or a number with point or exponent. Numbers of the last kind remain text, because
/// their digits determine the type.
struct Literal final : Expression {
  Literal() : Expression(ExpressionKind::kLiteral) {}
  enum class Kind : uint8_t { kNull, kBoolean, kInteger, kNumber, kString, kBitString } literal = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;
  std::string text;  ///< kNumber, kString, kBitString (with its leading b or x)
};

/// a, t.a, s.t.a
struct Column final : Expression {
  Column() : Expression(ExpressionKind::kColumn) {}
  std::vector<std::string> names;
};

/// The changes that * EXCLUDE, REPLACE and RENAME makes to the columns of a star.
struct ChangedStar {
  struct ColumnRef {
    std::vector<std::string> names;  ///< a or t.a
    size_t position = 0;
  };
  struct Replacement {
    ColumnRef column;
    ExpressionPtr expression;
  };
  struct Renaming {
    ColumnRef column;
    std::string new_name;
  };
  std::vector<ColumnRef> exclude;
  std::vector<Replacement> replace;
  std::vector<Renaming> rename;
};

/// * or t.* or s.t.*
struct Star final : Expression {
  Star() : Expression(ExpressionKind::kStar) {}
  std::vector<std::string> qualifier;
  std::unique_ptr<ChangedStar> changes;  ///< null if the star has no EXCLUDE, REPLACE or RENAME
  ExpressionPtr of;                      ///< the row x of (x).*; null for columns of FROM
  bool only_unused = false;              ///< only columns that no other item uses; it is the first item
};

/// $1 or ? (numbered from left to right). $name is a syntax error, as in PostgreSQL.
struct Parameter final : Expression {
  Parameter() : Expression(ExpressionKind::kParameter) {}
  size_t index = 0;  ///< 0 for $1
};

struct OrderByItem {
  ExpressionPtr expression;
  bool descending = false;
  bool is_all = false;              ///< ORDER BY ALL: by every output column; without an expression
  std::optional<bool> nulls_first;  ///< not given: NULLs sort as larger than all values, as in PostgreSQL
};

struct WindowFrameBound {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  ExpressionPtr offset;  ///< of kPreceding and kFollowing
};

struct WindowFrame {
  FrameUnit unit = FrameUnit::kRange;
  WindowFrameBound start;
  WindowFrameBound end{FrameBoundKind::kCurrentRow, nullptr};
  FrameExclusion exclusion = FrameExclusion::kNoOthers;
};

/// A window in OVER, or a definition in the WINDOW clause.
struct WindowSpecification {
  std::string name;  ///< name in the WINDOW clause; "" in OVER
  /// If is_reference, the window of OVER base; otherwise the window that OVER (base ...) extends, "" if none.
  std::string base;
  bool is_reference = false;
  std::vector<ExpressionPtr> partition_by;
  std::vector<OrderByItem> order_by;
  std::optional<WindowFrame> frame;
  size_t position = 0;
};

/// f(a, b), count(*), sum(DISTINCT x) FILTER (WHERE c). Special syntax also becomes a call: EXTRACT(YEAR FROM
/// d) is date_part('year', d), SUBSTRING(s FROM a FOR b) is substring(s, a, b), POSITION(a IN b) is
/// position(b, a), TRIM(BOTH x FROM s) is btrim(s, x), x AT TIME ZONE z is timezone(z, x), GROUPING(a, b) is
/// grouping(a, b). COALESCE, NULLIF, GREATEST, LEAST, CURRENT_DATE and the like are calls of functions with
/// these names in lower case.
struct FunctionCall final : Expression {
  FunctionCall() : Expression(ExpressionKind::kFunctionCall) {}
  std::vector<std::string> name;  ///< maybe with a schema
  std::vector<ExpressionPtr> arguments;
  std::vector<std::string> argument_names;  ///< "" for positional arguments; the name in f(name => x)
  bool star = false;                        ///< count(*)
  bool distinct = false;
  bool within_group = false;
  bool ignores_nulls = false;  ///< IGNORE NULLS of a window function
  bool is_unpacked = false;    ///< *COLUMNS(...): several values in a list of values
  std::vector<OrderByItem> order_by;
  ExpressionPtr filter;
  std::unique_ptr<WindowSpecification> over;  ///< null unless called as a window function
};

/// A binary operator, or a unary one with a null `left`, by its symbol: + - * / % ^ || = <> < <= > >= & | #
/// << >> ~ ~* and so on. != becomes <>. IS [NOT] DISTINCT FROM has the symbols "is distinct from" and "is not
/// distinct from". A chain of operators is a left-deep tree, so the parser limits its length.
struct Operator final : Expression {
  Operator() : Expression(ExpressionKind::kOperator) {}
  std::string symbol;
  ExpressionPtr left;
  ExpressionPtr right;
};

/// AND or OR of two or more children.
struct Conjunction final : Expression {
  explicit Conjunction(ExpressionKind kind_in) : Expression(kind_in) {}
  std::vector<ExpressionPtr> children;
};

struct Not final : Expression {
  Not() : Expression(ExpressionKind::kNot) {}
  ExpressionPtr child;
};

struct IsNull final : Expression {
  IsNull() : Expression(ExpressionKind::kIsNull) {}
  ExpressionPtr child;
  bool negated = false;
};

/// x IS [NOT] TRUE | FALSE | UNKNOWN
struct BooleanTest final : Expression {
  BooleanTest() : Expression(ExpressionKind::kBooleanTest) {}
  ExpressionPtr child;
  enum class Test : uint8_t { kTrue, kFalse, kUnknown } test = Test::kTrue;
  bool negated = false;
};

struct FieldType;

/// A type name as written; the binder resolves it.
struct TypeName {
  std::vector<std::string>
      names;  ///< lower case, without "pg_catalog"; PostgreSQL's internal names (int4, float8, bpchar)
  std::vector<int64_t> modifiers;  ///< numeric(15, 2) -> 15, 2
  /// The fields of STRUCT(a INTEGER, b VARCHAR), whose type name is "struct", the members of UNION(...),
  /// whose name is "union", or the two types of MAP(VARCHAR, INTEGER), whose name is "map".
  std::vector<FieldType> fields;
  size_t array_dimensions = 0;
  size_t position = 0;
};

/// A field of STRUCT as written.
struct FieldType {
  std::string name;
  TypeName type;
};

/// CAST(x AS t), x::t, type 'literal', TRY_CAST(x AS t)
struct Cast final : Expression {
  Cast() : Expression(ExpressionKind::kCast) {}
  ExpressionPtr child;
  TypeName type;
  bool is_try = false;
};

/// CASE [argument] WHEN ... THEN ... ELSE ... END
struct Case final : Expression {
  Case() : Expression(ExpressionKind::kCase) {}
  struct Branch {
    ExpressionPtr condition;
    ExpressionPtr result;
  };
  ExpressionPtr argument;
  std::vector<Branch> branches;
  ExpressionPtr otherwise;
};

/// x [NOT] IN (a, b, c)
struct InList final : Expression {
  InList() : Expression(ExpressionKind::kInList) {}
  ExpressionPtr child;
  std::vector<ExpressionPtr> values;
  bool negated = false;
};

/// x [NOT] BETWEEN [SYMMETRIC] low AND high
struct Between final : Expression {
  Between() : Expression(ExpressionKind::kBetween) {}
  ExpressionPtr child;
  ExpressionPtr low;
  ExpressionPtr high;
  bool negated = false;
  bool symmetric = false;
};

/// x [NOT] LIKE | ILIKE | SIMILAR TO pattern [ESCAPE e]
struct Like final : Expression {
  Like() : Expression(ExpressionKind::kLike) {}
  ExpressionPtr child;
  ExpressionPtr pattern;
  ExpressionPtr escape;
  enum class Kind : uint8_t { kLike, kILike, kSimilar } like = Kind::kLike;
  bool negated = false;
};

/// (SELECT ...), EXISTS (...), x IN (SELECT ...), x op ANY / ALL (SELECT ...), ARRAY(SELECT ...),
/// (x, y) op (SELECT ...)
struct Subquery final : Expression {
  Subquery();
  ~Subquery() override;
  enum class Kind : uint8_t { kScalar, kExists, kAny, kAll, kArray, kRow } subquery = Kind::kScalar;
  ExpressionPtr child;              ///< x of kAny, kAll, kRow; IN is kAny with "=", NOT IN is Not of that
  std::vector<ExpressionPtr> rest;  ///< the further values of a row (x, y, z): y and z
  std::string symbol;               ///< op of kAny, kAll, kRow
  std::unique_ptr<SelectStatement> query;
};

/// INTERVAL '3' MONTH, INTERVAL '1 day': the text and the unit; "" if no unit is given.
struct IntervalLiteral final : Expression {
  IntervalLiteral() : Expression(ExpressionKind::kInterval) {}
  std::string text;
  std::string unit;  ///< "year", "month", "day", "hour", "minute", "second", or "day to second" and so on
};

/// ARRAY[a, b]; inside of it, [c, d] means ARRAY[c, d]
struct Array final : Expression {
  Array() : Expression(ExpressionKind::kArray) {}
  std::vector<ExpressionPtr> elements;
  /// How COLUMNS(...) among the elements of UNPIVOT's lists is read: as one element for each of the columns.
  enum class Spread : uint8_t { kNone, kValues, kNames } spread = Spread::kNone;
};

/// x op ANY (array) and x op ALL (array)
struct ArrayComparison final : Expression {
  ArrayComparison() : Expression(ExpressionKind::kArrayComparison) {}
  ExpressionPtr child;
  ExpressionPtr array;
  std::string symbol;
  bool is_any = true;
};

/// x[i] and x[low:high]; either bound may be missing
struct Subscript final : Expression {
  Subscript() : Expression(ExpressionKind::kSubscript) {}
  ExpressionPtr child;
  ExpressionPtr index;
  bool is_slice = false;
  ExpressionPtr low;
  ExpressionPtr high;
};

/// (x).name
struct Field final : Expression {
  Field() : Expression(ExpressionKind::kField) {}
  ExpressionPtr child;
  std::string name;
};

/// ROW(a, b), (a, b), and {'x': a, 'y': b}; only the last form has names
struct Row final : Expression {
  Row() : Expression(ExpressionKind::kRow) {}
  std::vector<ExpressionPtr> values;
  std::vector<std::string> names;
};

/// The name in COLLATE, maybe with a schema.
struct Collation {
  std::vector<std::string> names;
  size_t position = 0;  ///< of COLLATE, or of the column with the collation
};

/// x COLLATE "C"
struct Collate final : Expression {
  Collate() : Expression(ExpressionKind::kCollate) {}
  ExpressionPtr child;
  Collation collation;
};

/// lambda x, y: body and (x, y) -> body, as an argument of a function
struct Lambda final : Expression {
  Lambda() : Expression(ExpressionKind::kLambda) {}
  std::vector<std::string> parameters;
  ExpressionPtr body;
};

}  // namespace scaup::ast
