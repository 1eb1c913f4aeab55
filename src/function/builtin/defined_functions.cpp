// The tables of function aliases and of functions that are expressions.
#include "function/defined_functions.hpp"

#include <vector>

namespace scaup {

namespace {

constexpr DefinedFunction kDefinedFunctions[] = {
    // Functions that the binder knows
    {"list_transform", 2, "any[], lambda", "any[]", "",
     "What the lambda makes of the elements; a second parameter of it is the index.",
     "list_transform([1, 2, 3], lambda x: x * 10)"},
    {"list_filter", 2, "any[], lambda", "any[]", "",
     "The elements for which the lambda is true; a second parameter of it is the index.",
     "list_filter([1, 2, 3], lambda x: x > 1)"},
    {"list_reduce", 2, "any[], lambda", "any", "",
     "The elements folded into one value, from the first one; a third parameter of the lambda is the index.",
     "list_reduce([1, 2, 3], lambda x, y: x + y)"},
    {"list_reduce", 3, "any[], lambda, any", "any", "",
     "The elements folded into one value, from an initial one.",
     "list_reduce(['a', 'b'], lambda x, y: x || y, '>')"},
    {"try", 1, "any", "any", "", "The value; NULL for a row for which the expression raises an error.",
     "try(1 / 0)"},
    {"alias", 1, "any", "VARCHAR", "", "The name of a column or expression.", "alias(1 + 1)"},
    // Errors
    {"assert_true", 1, "BOOLEAN", "BOOLEAN",
     "CASE WHEN $1 THEN true ELSE error('assertion failed')::boolean END",
     "True, or an error if the condition is not true.", "assert_true(1 < 2)"},
    {"assert_true", 2, "BOOLEAN, VARCHAR", "BOOLEAN", "CASE WHEN $1 THEN true ELSE error($2)::boolean END",
     "True, or an error with this message if the condition is not true.", "assert_true(1 < 2, 'too large')"},
    // Session
    {"current_schemas", 1, "BOOLEAN", "VARCHAR[]",
     "CASE WHEN $1 THEN ARRAY['pg_catalog', current_schema()] ELSE ARRAY[current_schema()] END",
     "The schemas that names without one are looked up in; true adds those that are always.",
     "current_schemas(true)"},
    // Intervals
    {"to_years", 1, "INTEGER", "INTERVAL", "make_interval(years => $1)", "An interval of years.",
     "to_years(2)"},
    {"to_months", 1, "INTEGER", "INTERVAL", "make_interval(months => $1)", "An interval of months.",
     "to_months(14)"},
    {"to_weeks", 1, "INTEGER", "INTERVAL", "make_interval(weeks => $1)", "An interval of weeks.",
     "to_weeks(2)"},
    {"to_days", 1, "INTEGER", "INTERVAL", "make_interval(days => $1)", "An interval of days.", "to_days(10)"},
    {"to_hours", 1, "INTEGER", "INTERVAL", "make_interval(hours => $1)", "An interval of hours.",
     "to_hours(30)"},
    {"to_minutes", 1, "INTEGER", "INTERVAL", "make_interval(mins => $1)", "An interval of minutes.",
     "to_minutes(90)"},
    {"to_seconds", 1, "DOUBLE", "INTERVAL", "make_interval(secs => $1)", "An interval of seconds.",
     "to_seconds(90.5)"},
    {"to_milliseconds", 1, "DOUBLE", "INTERVAL", "make_interval(secs => $1 / 1000.0)",
     "An interval of milliseconds.", "to_milliseconds(1500)"},
    {"to_microseconds", 1, "DOUBLE", "INTERVAL", "make_interval(secs => $1 / 1000000.0)",
     "An interval of microseconds.", "to_microseconds(1500)"},
    // Dates and times
    {"epoch", 1, "TIMESTAMP", "DOUBLE", "date_part('epoch', $1)",
     "Seconds since 1970, or of a time or an interval.", "epoch(TIMESTAMP '2024-02-29 12:34:56.5')"},
    {"date_add", 2, "DATE, INTERVAL", "TIMESTAMP", "$1 + $2", "A date or timestamp plus an interval.",
     "date_add(DATE '2024-02-29', INTERVAL '1 day')"},
    // Numbers
    {"fdiv", 2, "DOUBLE, DOUBLE", "DOUBLE", "floor($1::double precision / $2)",
     "Quotient rounded towards minus infinity.", "fdiv(-7, 2)"},
    {"add", 2, "number, number", "number", "$1 + $2", "The sum.", "add(2, 3)"},
    {"subtract", 2, "number, number", "number", "$1 - $2", "The difference.", "subtract(2, 3)"},
    {"multiply", 2, "number, number", "number", "$1 * $2", "The product.", "multiply(2, 3)"},
    {"divide", 2, "number, number", "number", "$1 / $2", "The quotient; of integers, truncated.",
     "divide(7, 2)"},
    {"xor", 2, "integer, integer", "integer", "$1 # $2", "Bits that are set in one of two.", "xor(17, 5)"},
    {"geomean", 1, "DOUBLE", "DOUBLE", "exp(avg(ln($1::double precision)))", "The geometric mean.",
     "geomean(x)", true},
    {"geometric_mean", 1, "DOUBLE", "DOUBLE", "exp(avg(ln($1::double precision)))", "The geometric mean.",
     "geometric_mean(x)", true},
    {"weighted_avg", 2, "DOUBLE, DOUBLE", "DOUBLE",
     "sum($1::double precision * $2) / nullif(sum($2::double precision) FILTER (WHERE $1 IS NOT NULL), 0)",
     "The mean of values with weights.", "weighted_avg(x, y)", true},
    {"wavg", 2, "DOUBLE, DOUBLE", "DOUBLE",
     "sum($1::double precision * $2) / nullif(sum($2::double precision) FILTER (WHERE $1 IS NOT NULL), 0)",
     "The mean of values with weights.", "wavg(x, y)", true},
    {"fmod", 2, "DOUBLE, DOUBLE", "DOUBLE", "$1::double precision - $2 * floor($1::double precision / $2)",
     "Rest of a division rounded towards minus infinity.", "fmod(-7, 2)"},
    // Several values of a group
    {"max", 2, "any, BIGINT", "any[]", "(array_agg($1 ORDER BY $1 DESC) FILTER (WHERE $1 IS NOT NULL))[1:$2]",
     "The n greatest values.", "max(x, 2)", true},
    {"min", 2, "any, BIGINT", "any[]", "(array_agg($1 ORDER BY $1) FILTER (WHERE $1 IS NOT NULL))[1:$2]",
     "The n least values.", "min(x, 2)", true},
    {"arg_max", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2 DESC) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the greatest y.", "arg_max(x, y, 2)", true},
    {"max_by", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2 DESC) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the greatest y.", "max_by(x, y, 2)", true},
    {"argmax", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2 DESC) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the greatest y.", "argmax(x, y, 2)", true},
    {"arg_min", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the least y.", "arg_min(x, y, 2)", true},
    {"min_by", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the least y.", "min_by(x, y, 2)", true},
    {"argmin", 3, "any, any, BIGINT", "any[]",
     "(array_agg($1 ORDER BY $2) FILTER (WHERE $1 IS NOT NULL AND $2 IS NOT NULL))[1:$3]",
     "The x of the n rows with the least y.", "argmin(x, y, 2)", true},
    {"arg_max_null", 2, "any, any", "any",
     "(array_agg($1 ORDER BY $2 DESC) FILTER (WHERE $2 IS NOT NULL))[1]",
     "The x, which may be NULL, of the row with the greatest y.", "arg_max_null(x, y)", true},
    {"arg_min_null", 2, "any, any", "any", "(array_agg($1 ORDER BY $2) FILTER (WHERE $2 IS NOT NULL))[1]",
     "The x, which may be NULL, of the row with the least y.", "arg_min_null(x, y)", true},
    // Texts
    {"to_base64", 1, "BLOB", "VARCHAR", "replace(encode($1, 'base64'), chr(10), '')", "Bytes as base64.",
     "to_base64('scaup'::bytea)"},
    {"base64", 1, "BLOB", "VARCHAR", "replace(encode($1, 'base64'), chr(10), '')", "Bytes as base64.",
     "base64('scaup'::bytea)"},
    {"from_base64", 1, "VARCHAR", "BLOB", "decode($1, 'base64')", "Bytes of base64.",
     "from_base64('c2NhdXA=')"},
    {"from_hex", 1, "VARCHAR", "BLOB", "decode($1, 'hex')", "Bytes of hexadecimal digits.",
     "from_hex('01ff')"},
    {"unhex", 1, "VARCHAR", "BLOB", "decode($1, 'hex')", "Bytes of hexadecimal digits.", "unhex('01ff')"},
    {"hex", 1, "BLOB", "VARCHAR", "upper(encode($1, 'hex'))", "Bytes as hexadecimal digits.", "hex('scaup')"},
    {"nfc_normalize", 1, "VARCHAR", "VARCHAR", "normalize($1)", "A text in Unicode's normal form C.",
     "nfc_normalize('u\u0308')"},
    {"regexp_escape", 1, "VARCHAR", "VARCHAR",
     "regexp_replace($1, '([!-/:-@[-^`{-~ \t\n\r])', '\\\\\\1', 'g')",
     "A regular expression that matches just this text.", "regexp_escape('1+1')"},
    {"regexp_full_match", 2, "VARCHAR, VARCHAR", "BOOLEAN", "regexp_like($1, '^(?:' || $2 || ')$')",
     "Whether a regular expression matches the whole text.", "regexp_full_match('banana', '(an|ba|a)+')"},
    {"string_agg", 1, "VARCHAR", "VARCHAR", "string_agg($1, ',')", "The texts of all rows, joined by commas.",
     "string_agg(x::text)", true},
};

}  // namespace

std::span<const FunctionAlias> AllFunctionAliases() {
  // Never freed, so that no destructor runs at exit while other threads may still use it.
  static const std::vector<FunctionAlias>& aliases = *new std::vector<FunctionAlias>{
      {"apply", "list_transform"},
      {"arbitrary", "any_value"},
      {"array_apply", "list_transform"},
      {"array_filter", "list_filter"},
      {"array_reduce", "list_reduce"},
      {"array_transform", "list_transform"},
      {"bin", "to_bin"},
      {"countif", "count_if"},
      {"datepart", "date_part"},
      {"editdist3", "levenshtein"},
      {"favg", "avg"},
      {"filter", "list_filter"},
      {"fsum", "sum"},
      {"greatest_common_divisor", "gcd"},
      {"group_concat", "string_agg"},
      {"kahan_sum", "sum"},
      {"lcase", "lower"},
      {"least_common_multiple", "lcm"},
      {"list_apply", "list_transform"},
      {"listagg", "string_agg"},
      {"mean", "avg"},
      {"mismatches", "hamming"},
      {"ord", "ascii"},
      {"string_split_regex", "regexp_split_to_array"},
      {"reduce", "list_reduce"},
      {"strlen", "octet_length"},
      {"sumkahan", "sum"},
      {"to_binary", "to_bin"},
      {"ucase", "upper"},
      {"unicode", "ascii"},
      {"uuidv4", "gen_random_uuid"},
      // PostgreSQL's prefix operators.
      {"@", "abs"},
      {"|/", "sqrt"},
      {"||/", "cbrt"},
  };
  return aliases;
}

const std::string* FindFunctionAlias(std::string_view name) {
  for (const FunctionAlias& alias : AllFunctionAliases()) {
    if (alias.name == name) return &alias.function;
  }
  return nullptr;
}

std::span<const DefinedFunction> AllDefinedFunctions() { return kDefinedFunctions; }

const DefinedFunction* FindDefinedFunction(std::string_view name, size_t argument_count) {
  for (const DefinedFunction& function : kDefinedFunctions) {
    const bool is_defined = !function.expression.empty();
    if (is_defined && function.name == name && function.argument_count == argument_count) return &function;
  }
  return nullptr;
}

}  // namespace scaup
