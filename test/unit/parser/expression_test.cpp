// Tests how expressions turn into syntax trees.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

TEST_CASE("literals keep their kind and sign") {
  CHECK(ExpressionText("0") == "0");
  CHECK(ExpressionText("12") == "12");
  CHECK(ExpressionText("-5") == "-5");
  CHECK(ExpressionText("- - 5") == "5");
  CHECK(ExpressionText("- - - (5)") == "-5");
  CHECK(ExpressionText("-(-(-7))") == "-7");
  CHECK(ExpressionText("-0") == "0");
  CHECK(ExpressionText("+(-5)") == "(+ -5)");
  CHECK(ExpressionText("1 - -2147483647") == "(- 1 -2147483647)");
  CHECK(ExpressionText("3000000000") == "3000000000");
  CHECK(ExpressionText("-9223372036854775808") == "-9223372036854775808");
  CHECK(ExpressionText("9223372036854775808") == "number 9223372036854775808");
  CHECK(ExpressionText("-1.50") == "number -1.50");
  CHECK(ExpressionText("1e10") == "number 1e10");
  CHECK(ExpressionText("null") == "null");
  CHECK(ExpressionText("true") == "true");
  CHECK(ExpressionText("false") == "false");
  CHECK(ExpressionText("'it''s'") == "'it's'");
  CHECK(ExpressionText("E'a\\n\"\\x01\\\\'") == "'a\n\"\x01\\'");
  CHECK(ExpressionText("$$x'y$$") == "'x'y'");
  CHECK(ExpressionText("'a'\n  'b'") == "'ab'");
  CHECK(ExpressionText("U&'d\\0061t' UESCAPE '\\'") == "'dat'");
  CHECK(ExpressionText("''") == "''");
  CHECK(ExpressionText("b'101'") == "bits b101");
  CHECK(ExpressionText("x'ff'") == "bits xff");
}

TEST_CASE("columns and stars") {
  CHECK(ExpressionText("A") == "a");
  CHECK(ExpressionText("\"A\".b.\"c d\"") == "A.b.c d");
  CHECK(ExpressionText("*") == "*");
  CHECK(ExpressionText("s.t.*") == "s.t.*");
  CHECK(ExpressionText("\xC3\xA9t\xC3\xA9") == "\xC3\xA9t\xC3\xA9");
}

TEST_CASE("operators") {
  CHECK(ExpressionText("1 + 2 * 3") == "(+ 1 (* 2 3))");
  CHECK(ExpressionText("a != b") == "(<> a b)");
  CHECK(ExpressionText("-a") == "(- a)");
  CHECK(ExpressionText("a || b") == "(|| a b)");
  CHECK(ExpressionText("a !~* b") == "(!~* a b)");
  CHECK(ExpressionText("a operator(pg_catalog.+) b") == "(+ a b)");
  CHECK(ExpressionText("a IS DISTINCT FROM b") == "(is distinct from a b)");
  CHECK(ExpressionText("a IS NOT DISTINCT FROM b") == "(is not distinct from a b)");
  CHECK(ExpressionText("a AND b AND c OR NOT d OR e") == "(or (and a, b, c), (not d), e)");
  CHECK(ExpressionText("a IS NULL") == "(a is null)");
  CHECK(ExpressionText("a NOTNULL") == "(a is not null)");
  CHECK(ExpressionText("a IS TRUE") == "(a is true)");
  CHECK(ExpressionText("a IS NOT FALSE") == "(a is not false)");
  CHECK(ExpressionText("a IS NOT UNKNOWN") == "(a is not unknown)");
  CHECK(ExpressionText("a BETWEEN 1 AND 2") == "(a between 1 and 2)");
  CHECK(ExpressionText("a NOT BETWEEN SYMMETRIC 2 AND 1") == "(a not between symmetric 2 and 1)");
  CHECK(ExpressionText("a IN (1, 2)") == "(a in 1, 2)");
  CHECK(ExpressionText("a NOT IN (1)") == "(a not in 1)");
  CHECK(ExpressionText("a = ANY (ARRAY[1, 2])") == "(a in 1, 2)");
  CHECK(ExpressionText("a <> ALL (ARRAY[1, 2])") == "(a not in 1, 2)");
  CHECK(ExpressionText("a = ANY (b)") == "(a = any b)");
  CHECK(ExpressionText("a < ALL (ARRAY[1, 2])") == "(a < all array[1, 2])");
  CHECK(ExpressionText("a LIKE 'b'") == "(a like 'b')");
  CHECK(ExpressionText("a NOT LIKE 'b' ESCAPE '!'") == "(a not like 'b' escape '!')");
  CHECK(ExpressionText("a NOT ILIKE 'b'") == "(a not ilike 'b')");
  CHECK(ExpressionText("a SIMILAR TO 'b'") == "(a similar 'b')");
  CHECK(ExpressionText("a NOT SIMILAR TO 'b' ESCAPE 'c'") == "(a not similar 'b' escape 'c')");
  CHECK(ExpressionText("CASE a WHEN 1 THEN 2 ELSE 3 END") == "(case a when 1 then 2 else 3)");
  CHECK(ExpressionText("CASE WHEN a THEN 2 WHEN b THEN 3 END") == "(case when a then 2 when b then 3)");
}

TEST_CASE("lists, structs and what is taken out of them") {
  CHECK(ExpressionText("ARRAY[1, a]") == "array[1, a]");
  CHECK(ExpressionText("ARRAY[[1], [2]]") == "array[array[1], array[2]]");
  CHECK(ExpressionText("[1, [a]]") == "array[1, array[a]]");
  CHECK(ExpressionText("a[1][b]") == "a[1][b]");
  CHECK(ExpressionText("a[1:2]") == "a[1:2]");
  CHECK(ExpressionText("a[:2]") == "a[:2]");
  CHECK(ExpressionText("(a)[1:]") == "a[1:]");
  CHECK(ExpressionText("(a).b") == "(a).b");
  CHECK(ExpressionText("(a).b[1]") == "(a).b[1]");
  CHECK(ExpressionText("ROW(1, a)") == "row(1, a)");
  CHECK(ExpressionText("(1, a)") == "row(1, a)");
  CHECK(ExpressionText("{'a': 1, \"B\": 2, Select: {'x''y': 3}}") == "row(a, B, select: 1, 2, row(x'y: 3))");
  CHECK(ExpressionText("ARRAY(SELECT 1)") == "(array select 1)");
  CHECK(ExpressionText("a::int[][]") == "cast(a as int4[][])");
  CHECK(ExpressionText("a::STRUCT(x int, \"Y\" STRUCT(select text)[])") ==
        "cast(a as struct(x int4, Y struct(select text)[]))");
}

TEST_CASE("casts, typed literals and intervals") {
  CHECK(ExpressionText("a::int") == "cast(a as int4)");
  CHECK(ExpressionText("CAST(a AS numeric(15, 2))") == "cast(a as numeric(15,2))");
  CHECK(ExpressionText("a::numeric(3, -2)") == "cast(a as numeric(3,-2))");
  CHECK(ExpressionText("a::double precision[][]") == "cast(a as float8[][])");
  CHECK(ExpressionText("a::s.T") == "cast(a as s.t)");
  CHECK(ExpressionText("try_cast(a AS varchar(10))") == "try_cast(a as varchar(10))");
  CHECK(ExpressionText("TRY_CAST(CAST(a AS int) AS text)") == "try_cast(cast(a as int4) as text)");
  CHECK(ExpressionText("CAST(try_cast(a AS int) AS text)") == "cast(try_cast(a as int4) as text)");
  CHECK(ExpressionText("date '1994-01-01'") == "cast('1994-01-01' as date)");
  CHECK(ExpressionText("timestamp '1994-01-01'") == "cast('1994-01-01' as timestamp)");
  CHECK(ExpressionText("INTERVAL '90' DAY") == "interval '90' day");
  CHECK(ExpressionText("interval '1 day'") == "interval '1 day'");
  CHECK(ExpressionText("interval '1-2' year to month") == "interval '1-2' year to month");
  CHECK(ExpressionText("interval '1' day to second") == "interval '1' day to second");
  CHECK(ExpressionText("'1 day'::interval") == "cast('1 day' as interval)");
}

TEST_CASE("calls, and syntax that is a call") {
  CHECK(ExpressionText("S.F(a, b => 1, c := 2)") == "s.f(a, b => 1, c => 2)");
  CHECK(ExpressionText("count(*)") == "count(*)");
  CHECK(ExpressionText("sum(DISTINCT x ORDER BY y DESC) FILTER (WHERE z)") ==
        "sum(distinct x order by y desc filter z)");
  CHECK(ExpressionText("percentile_cont(0.5) WITHIN GROUP (ORDER BY x)") ==
        "percentile_cont(number 0.5 within group x)");
  CHECK(ExpressionText("sum(x) OVER (PARTITION BY y)") == "sum(x over)");
  CHECK(ExpressionText("EXTRACT(YEAR FROM d)") == "date_part('year', d)");
  CHECK(ExpressionText("SUBSTRING(s FROM 2 FOR 3)") == "substring(s, 2, 3)");
  CHECK(ExpressionText("POSITION('a' IN b)") == "position(b, 'a')");
  CHECK(ExpressionText("TRIM(BOTH 'x' FROM s)") == "btrim(s, 'x')");
  CHECK(ExpressionText("TRIM(FROM s)") == "btrim(s)");
  CHECK(ExpressionText("TRIM(LEADING FROM s)") == "ltrim(s)");
  CHECK(ExpressionText("a AT TIME ZONE 'utc'") == "timezone('utc', a)");
  CHECK(ExpressionText("COALESCE(a, b)") == "coalesce(a, b)");
  CHECK(ExpressionText("NULLIF(a, b)") == "nullif(a, b)");
  CHECK(ExpressionText("GREATEST(a, 1)") == "greatest(a, 1)");
  CHECK(ExpressionText("LEAST(a, 1)") == "least(a, 1)");
  CHECK(ExpressionText("CURRENT_DATE") == "current_date()");
  CHECK(ExpressionText("CURRENT_TIMESTAMP(3)") == "cast(current_timestamp() as timestamptz(3))");
  CHECK(ExpressionText("current_user") == "current_user()");
}

TEST_CASE("subqueries") {
  CHECK(ExpressionText("(SELECT 1)") == "(scalar select 1)");
  CHECK(ExpressionText("EXISTS (SELECT 1)") == "(exists select 1)");
  CHECK(ExpressionText("a IN (SELECT 1)") == "(a = any select 1)");
  CHECK(ExpressionText("(a, b) < (SELECT 1, 2)") == "(a < row select 1, 2)");
  CHECK(ExpressionText("a NOT IN (SELECT 1)") == "(not (a = any select 1))");
  CHECK(ExpressionText("a > ALL (SELECT 1)") == "(a > all select 1)");
}

TEST_CASE("expressions know their positions") {
  const auto statement = ParseOne("SELECT  a, b + f(c), x::int FROM t");
  const auto& items = statement->As<ast::SelectStatement>().items;
  CHECK(items[0].expression->position == 8);
  CHECK(items[1].expression->position == 13);  // the operator
  CHECK(items[1].expression->As<ast::Operator>().right->position == 15);
  CHECK(items[2].expression->position == 22);
  CHECK(items[2].expression->As<ast::Cast>().type.position == 24);
}

TEST_CASE("COLLATE keeps the collation's name") {
  CHECK(ExpressionText("a || b COLLATE \"C\"") == "(|| a (b collate C))");
  CHECK(ExpressionText("a COLLATE pg_catalog.\"default\" < 'x'") == "(< (a collate pg_catalog.default) 'x')");
}
