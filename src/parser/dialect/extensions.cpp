// The table of syntax extensions. docs/sql-dialect.md is generated from it by docs/dialect.py.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

constexpr SyntaxExtension kExtensions[] = {
    {"DESCRIBE query, DESCRIBE name, DESC ...", "the query, or SELECT * FROM name",
     "SELECT * FROM points to DESCRIBE", &RewriteDescribe, nullptr},
    {"SUMMARIZE query, SUMMARIZE name", "SELECT summarize('query')", "the string points to the query",
     &RewriteSummarize, nullptr},
    {"PRAGMA name, PRAGMA name = value, PRAGMA name(arguments)",
     "SHOW name, SET name = value, SELECT name(arguments)", "the first word points to PRAGMA", &RewritePragma,
     nullptr},
    {"EXPORT DATABASE 'directory' (options)", "COPY database TO 'directory' (options)",
     "COPY points to EXPORT", &RewriteExportDatabase, nullptr},
    {"IMPORT DATABASE 'directory'", "COPY database FROM 'directory'", "COPY points to IMPORT",
     &RewriteImportDatabase, nullptr},
    {"CREATE COLLECTION [IF NOT EXISTS] c, DROP COLLECTION ...", "CREATE TABLE ... c (), DROP TABLE ...",
     "the parentheses point to the last token", &RewriteCollection, nullptr},
    {"CREATE ELEMENT TABLE name ON c (path), DROP ELEMENT TABLE ...",
     "CREATE INDEX name ON c (path), DROP TABLE ...", "", &RewriteElementTable, nullptr},
    {"MATERIALIZE [c, ...]", "VACUUM (materialize) [c, ...]", "all that is added points to MATERIALIZE",
     &RewriteMaterialize, nullptr},
    {"CREATE VIEW IF NOT EXISTS v ...", "CREATE VIEW v ...", "", &RewriteViewIfNotExists, nullptr},
    {"CREATE OR REPLACE TABLE t ...", "CREATE TABLE t ...", "", &RewriteReplaceTable, nullptr},
    {"FROM t [SELECT ...] ...", "SELECT ... FROM t ..., or SELECT * FROM t ...", "SELECT * points to FROM",
     nullptr, &MakeFromFirst},
    {"MERGE ... WHEN NOT MATCHED BY TARGET | BY SOURCE ..., RETURNING ...",
     "WHEN NOT MATCHED, WHEN MATCHED, WHEN NOT MATCHED AND EXISTS (SELECT ...) THEN DO NOTHING",
     "the added words point to WHEN or RETURNING, those after the list to its last token", nullptr,
     &MakeMergeForms},
    {"f(list, lambda x, y: ...), list_transform(list, x -> ...), list_transform(list, (x, y) -> ...)",
     "f(list, lambda(x, y, ...)), marked", "the added words point to the first token of the lambda", nullptr,
     &MakeLambdas},
    {"[... for x in list if condition]", "list_transform(list, lambda(x, ...), lambda(x, condition)), marked",
     "the added words point to the bracket, to for and to if", nullptr, &MakeListComprehensions},
    {"[a, b], {'a': 1, b: 2}, STRUCT(a TYPE)",
     "ARRAY[a, b], struct_pack(\"a\" := 1, \"b\" := 2), STRUCT(\"a\"::TYPE)", "", nullptr, &MakeNestedForms},
    {"INSERT INTO c OBJECT {...}, ...", "INSERT INTO c VALUES ('{...}'::json), ...",
     "what is added points to its object", nullptr, &MakeObjectForm},
    {"x = ANY a.b[*].c", "x = ANY (a.b[*].c)", "the parentheses point to the ends of the path", nullptr,
     &MakeAnyOfPath},
    {"CREATE INDEX ON c USING text (*)", "CREATE INDEX ON c USING text (\"*\")", "", nullptr,
     &MakeWholeDocumentIndex},
    {"GROUP BY ALL, ORDER BY ALL [DESC] [NULLS ...]", "GROUP BY \"all\", ORDER BY \"all\", marked", "",
     nullptr, &MakeByAll},
    {"* EXCLUDE (a, ...) REPLACE (x AS b, ...) RENAME (c AS d, ...), t.* ...",
     "(SELECT *, x AS b, ... FROM c AS d, ... GROUP BY a, ...), marked",
     "the added words point to the star and to the first tokens of the lists", nullptr, &MakeStarList},
    {"QUALIFY condition", "WINDOW qualify AS (PARTITION BY condition), marked",
     "the added words point to QUALIFY and to the end of the condition", nullptr, &MakeQualify},
    {"a SEMI JOIN b ON x, a ANTI JOIN b USING (c)",
     "a JOIN b ON \"semi\" OR x, a JOIN b ON \"semi\"(c), marked", "the added words point to ON or USING",
     nullptr, &MakeSemiJoin},
    {"PIVOT t ON c [IN (v, ...)], ... [USING sum(x)] [GROUP BY g], t PIVOT (sum(x) FOR c IN (v, ...) [GROUP "
     "BY g])",
     "[SELECT * FROM] t CROSS JOIN (SELECT \"pivot\", sum(x) FROM (SELECT c, v, ...), ... GROUP BY g), "
     "marked",
     "the added words point to PIVOT and to the first tokens of the lists", nullptr, &MakePivot},
    {"UNPIVOT t ON a, b [INTO NAME n VALUE v], t UNPIVOT [INCLUDE NULLS] (v FOR n IN (a, b))",
     "[SELECT * FROM] t CROSS JOIN (SELECT \"pivot\", v FROM (SELECT n, a, b)), marked",
     "the added words point to UNPIVOT and to the first tokens of the lists", nullptr, &MakeUnpivot},
    {"a UNION [ALL] BY NAME b", "a UNION [ALL] SELECT \"name\" UNION [ALL] b, marked",
     "the added words point to BY NAME", nullptr, &MakeUnionByName},
    {"a POSITIONAL JOIN b, a ASOF [LEFT] JOIN b ON x",
     "a CROSS JOIN \"positional\" CROSS JOIN b, a CROSS JOIN \"asof\" [LEFT] JOIN b ON x, marked",
     "the added words point to POSITIONAL or ASOF", nullptr, &MakeMatchedJoin},
    {"f(x) IGNORE NULLS OVER (...), f(x IGNORE NULLS) OVER (...), RESPECT NULLS", "f(x) OVER (...), marked",
     "", nullptr, &MakeNullTreatment},
    {"INTERVAL 3 DAYS, INTERVAL '3' DAYS, INTERVAL (x) DAY",
     "INTERVAL '3 days', INTERVAL '3 days', ((x) * INTERVAL '1 day')",
     "the added words point to INTERVAL and to the unit", nullptr, &MakeInterval},
    {"INSERT OR REPLACE INTO t ..., INSERT OR IGNORE ..., INSERT INTO t BY NAME query",
     "INSERT INTO t ..., marked", "", nullptr, &MakeInsertForms},
    {"FROM 'file'", "FROM \"file\"", "", nullptr, &MakeFileTable},
    {"SELECT a, b, FROM t: a comma after the last item of a list", "SELECT a, b FROM t", "", nullptr,
     &MakeTrailingComma},
    {"==, //, **", "=, /, ^", "", nullptr, &MakeOperatorSpellings},
    {"TRY_CAST(x AS TYPE)", "CAST(x AS TYPE), marked", "", nullptr, &MakeTryCast},
    {"?", "$1, $2, ... from left to right", "", nullptr, &MakeParameters},
};

}  // namespace

std::span<const SyntaxExtension> AllSyntaxExtensions() { return kExtensions; }

}  // namespace scaup
