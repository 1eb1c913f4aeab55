// Tokens as PostgreSQL's lexer splits the text.
#pragma once

#include <cstdint>
#include <string_view>

namespace scaup {

/// Token numbers of libpg_query 15 that the parser uses; single characters have their own codes. A unit test
/// scans each of them, to detect changed numbers in another version of the library.
enum class TokenType : uint16_t {
  kLeftParen = '(',
  kRightParen = ')',
  kLeftBracket = '[',
  kRightBracket = ']',
  kComma = ',',
  kPlus = '+',
  kMinus = '-',
  kStar = '*',
  kSlash = '/',
  kPercent = '%',
  kCaret = '^',
  kLess = '<',
  kGreater = '>',
  kEqual = '=',
  kIdentifier = 258,
  kUnicodeIdentifier = 259,
  kDecimal = 260,
  kString = 261,
  kUnicodeString = 262,
  kInteger = 266,
  kParameter = 267,
  kOperator = 265,
  kTypeCast = 268,
  kColonEquals = 270,
  kEqualsGreater = 271,
  kLessEquals = 272,
  kGreaterEquals = 273,
  kNotEquals = 274,
  kSqlComment = 275,
  kCComment = 276,
  kAll = 285,
  kAnd = 291,
  kAs = 294,
  kAt = 301,
  kAtomic = 300,
  kBegin = 307,
  kBetween = 308,
  kBy = 315,
  kCase = 321,
  kCollate = 334,
  kCreate = 354,
  kDefault = 375,
  kDelete = 380,
  kDesc = 385,
  kDistinct = 390,
  kElse = 397,
  kEnd = 401,
  kExcept = 405,
  kExists = 410,
  kExplain = 411,
  kFetch = 418,
  kFor = 424,
  kFrom = 429,
  kGroup = 438,
  kHaving = 442,
  kIf = 447,
  kIlike = 448,
  kIn = 453,
  kInsert = 467,
  kIntersect = 471,
  kInto = 473,
  kIs = 475,
  kIsNull = 476,
  kJoin = 478,
  kLike = 490,
  kLimit = 491,
  kNot = 528,
  kNotNull = 531,
  kOffset = 540,
  kOn = 543,
  kOperatorWord = 545,
  kOr = 548,
  kOrder = 549,
  kOverlaps = 555,
  kReturning = 606,
  kSelect = 625,
  kSet = 632,
  kSimilar = 637,
  kTable = 661,
  kThen = 669,
  kTrim = 679,
  kUnion = 689,
  kUnique = 690,
  kValues = 703,
  kWhen = 712,
  kWhere = 713,
  kWindow = 715,
  kWith = 716
};

constexpr TokenType CharacterToken(char character) { return static_cast<TokenType>(character); }

/// Meaning of a token that the dialect step has written.
enum class TokenMark : uint8_t {
  kNone,
  kByAll,           ///< the name after BY that was written ALL
  kStarList,        ///< ( of the subquery that was written * EXCLUDE and the like
  kQualify,         ///< ( of the window definition that was written QUALIFY
  kSemiJoin,        ///< the name that begins the condition of a JOIN that was written SEMI JOIN
  kAntiJoin,        ///< the same for ANTI JOIN
  kOrReplace,       ///< INTO of an INSERT that was written INSERT OR REPLACE
  kOrIgnore,        ///< INTO of an INSERT that was written INSERT OR IGNORE
  kByName,          ///< the last token of the table of an INSERT, before BY NAME
  kUnionByName,     ///< the name that stands for an operand in front of the one that is written after BY NAME
  kPositionalJoin,  ///< the name that stands for a table in front of the one that is joined by position
  kIgnoreNulls,     ///< the parenthesis that ends the arguments of a call with IGNORE NULLS
  kPercentLimit,    ///< the name of the call that stands for the percentage of LIMIT n%
  kPivot,           ///< the first item of the subquery that was written PIVOT
  kUnpivot,         ///< the same for UNPIVOT
  kUnpivotNulls,    ///< the same for UNPIVOT INCLUDE NULLS
  kAsofJoin,        ///< the same for the table that is joined by ASOF JOIN
  kPartition,       ///< ( of the window definition that was written behind an argument that is a query
  kRowsArgument,    ///< the type of an argument of a function that was written TABLE (...)
  kLambda,          ///< the name of the call that was written as a lambda
  kUnpacked,        ///< the name of a call of COLUMNS that was written *COLUMNS
};

/// One token. `start` and `end` are byte offsets in the text for the grammar. `origin` and `origin_end` are
/// byte offsets in the user's text, which differs where the dialect step has rewritten it.
struct Token {
  uint32_t start = 0;
  uint32_t end = 0;
  uint32_t origin = 0;
  uint32_t origin_end = 0;
  TokenType type = TokenType::kIdentifier;
  bool is_keyword = false;
  bool is_try = false;        ///< CAST that was written TRY_CAST
  bool is_by_source = false;  ///< WHEN of a WHEN MATCHED that was written WHEN NOT MATCHED BY SOURCE
  bool is_returning = false;  ///< WHEN of the clause of MERGE that was written RETURNING
  bool is_object = false;     ///< VALUES of an INSERT that was written OBJECT
  TokenMark mark = TokenMark::kNone;

  bool Is(char character) const { return type == CharacterToken(character); }
};

inline bool IsSetOperation(TokenType type) {
  return type == TokenType::kUnion || type == TokenType::kIntersect || type == TokenType::kExcept;
}

}  // namespace scaup
