"""Edge values of every type, for expressions.py: texts that a literal of the type is made of."""

# The texts of each type, in the form that both systems read.
INTEGERS = {
    "smallint": ["0", "1", "-1", "2", "7", "-13", "100", "32767", "-32768", "32766"],
    "integer": ["0", "1", "-1", "2", "3", "5", "-7", "10", "31", "32", "64", "100", "2147483647", "-2147483648", "-2147483647", "65536", "2024"],
    "bigint": ["0", "1", "-1", "2", "12", "-100", "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "4294967296", "1000000007",
               "-2147483649", "2147483648"],
}
NUMERICS = ["0.0", "1.0", "-1.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "0.001", "123.456", "-9999.9999", "99999999999999999.5", "1.10", "3.14159265358979",
            "2147483647.5", "-2147483648.5", "9223372036854775807.0", "0.00000000000000000001", "100.00", "12345678901234567890.0"]
FLOATS = {
    "real": ["0", "-0", "1", "-1", "0.5", "1.5", "2.5", "-2.5", "0.1", "3.4028235e38", "-3.4028235e38", "1.17549435e-38", "1e-45", "NaN", "Infinity", "-Infinity",
             "16777217", "1e10", "123456.789"],
    "double precision": ["0", "-0", "1", "-1", "0.5", "1.5", "2.5", "-2.5", "0.1", "1.7976931348623157e308", "-1.7976931348623157e308", "2.2250738585072014e-308",
                         "5e-324", "NaN", "Infinity", "-Infinity", "9007199254740993", "1e15", "1e16", "123456789.125", "-0.3", "90", "45", "1e-5", "0.00001234",
                         "9223372036854775807", "100", "710", "-745.2"],
}
TEXTS = ["", " ", "a", "A", "abc", "ABC", "Hello World", "hello", "  both  ", "xyxtrimyyx", "a,b,,c", "%", "_", "a%b", "a_b", "\\", "a\\b", "\\x41", "'", '"', '"q"', "1", "-1", "0",
         "1.5", "t", "true", "NULL", "null", "{}", "{1,2}", "{a,b}", "é", "É", "e\u0301", "ñandú", "straße", "ŒUVRE", "İstanbul", "ß", "日本語", "😀", "👨\u200d👩\u200d👧", "\u00a0", "\u200b",
         "ﬁ", "Ǆ", "ǆ", "Σίσυφος", "ΌΣΟΣ", "a\tb", "a\nb", "foo bar-baz_qux", "x" * 70, "ab" * 33, "2024-02-29", "12:34:56", "0x1F", "abcabc", "aaa", "Thomas", "[1]", "(a)", "a.c",
         "one two  three", "~~", "%%", "$1", "\u0430\u0431\u0432", "zZ9"]
PATTERNS = ["a", "b*", "^a", "c$", "[a-c]+", "(a)(b)", "x|y", ".", "\\d+", "\\s+", "", "(", "[", "a{2}", "(b|c)", "\\w+", "[^ ]+", "e?", "A", "o.*o", "(?:a)", "é", "日", "\\.", "a+?", "^$",
            "\\m\\w", "\\y", "[[:alpha:]]+", "*", "a**", "(a", "\\1", "(.)\\1", "(?i)A"]
LIKES = ["", "%", "_", "a%", "%c", "%b%", "a_c", "__", "abc", "\\%", "a\\_b", "%\\", "H% W%", "%é%", "_日%", "%%", "a#%b"]
TIME_TEXTS = {
    "date": ["2024-02-29", "2023-02-28", "2000-01-01", "1970-01-01", "1969-12-31", "1999-12-31", "2024-12-30", "2021-01-03", "0001-01-01", "9999-12-31", "0044-03-15 BC",
             "4714-11-24 BC", "5874897-12-31", "infinity", "-infinity", "2024-03-31", "1582-10-15", "2024-03-10", "12345-06-07"],
    "time": ["00:00:00", "24:00:00", "23:59:59.999999", "12:00:00", "01:02:03.4", "12:34:56.789012", "00:00:00.000001", "02:30:00"],
    "timestamp": ["2024-02-29 12:34:56.789", "2000-01-01 00:00:00", "1970-01-01 00:00:00", "1969-12-31 23:59:59.999999", "1999-12-31 23:59:59.999999", "0001-01-01 00:00:00",
                  "9999-12-31 23:59:59", "0044-03-15 12:00:00 BC", "4714-11-24 00:00:00 BC", "294276-12-31 23:59:59.999999", "infinity", "-infinity", "2024-03-31 02:30:00",
                  "2024-10-27 02:30:00", "2024-03-10 02:30:00", "2024-11-03 01:30:00", "2024-01-31 10:00:00", "2021-01-03 12:34:56.5", "20000-01-01 00:00:00"],
    "timestamptz": ["2024-02-29 12:34:56.789+00", "2000-01-01 00:00:00+02", "1970-01-01 00:00:00+00", "1999-12-31 23:59:59.999999-05", "0001-01-01 00:00:00+00",
                    "9999-12-31 23:59:59+00", "0044-03-15 12:00:00+00 BC", "infinity", "-infinity", "2024-03-31 00:59:59+00", "2024-03-31 01:00:00+00", "2024-10-27 00:30:00+00",
                    "2024-10-27 01:30:00+00", "2024-03-10 06:59:59+00", "2024-03-10 07:00:00+00", "2024-11-03 05:30:00+00", "2024-11-03 06:30:00+00", "1883-11-18 12:00:00+00",
                    "2024-07-01 12:00:00 America/New_York", "2050-07-01 00:00:00+00"],
    "interval": ["0", "1 day", "-1 day", "1 month", "-1 month", "1 year 2 mons 3 days 04:05:06.789", "1 mon -1 day", "-1 mon 30 days -00:00:00.000001", "36:00:00", "-36:30:15.5",
                 "100 years", "00:00:00.000001", "400 days", "1 day -24:00:00", "14 mons", "-14 mons", "2147483647 days", "178000000 years", "1 week", "30 days", "1.5 months",
                 "15 minutes", "P1Y2M3DT4H5M6S", "999999:59:59.999999"],
}
JSONS = ["null", "true", "false", "0", "-1", "1.50", "1e3", "1E-2", '""', '"a"', '"é\\u00e9\\n\\"x"', "[]", "{}", "[1, 2, 3]", '[1, "a", null, {"b": [true]}]', '{"a": 1}', '{"a": {"b": [1, 2, {"c": "x"}]}}',
         '{"b": 1, "a": 2, "aa": 3, "a": 4}', '{"a": null}', "[null]", "[[1], [2, 3]]", "  [ 1 , 2 ]  ", '{"": 0}', '{"é": "ü"}', "123456789012345678901234567890", '"\\ud83d\\ude00"', '["a", "b"]',
         '{"a": [1, 2], "b": "c"}', "1.0", "-0"]
UUIDS = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "12345678-1234-1234-1234-123456789abc"]
BYTES = ["", "\\x00", "\\x41", "\\xff", "\\x0102030405", "\\xdeadbeef", "abc", "\\xc3a9", "\\x" + "ab" * 20]
LISTS = {
    "integer[]": ["{}", "{1}", "{1,2,3}", "{NULL}", "{3,NULL,1}", "{2,2,1}", "{-2147483648,2147483647}", "{{1,2},{3,4}}", "{{1},{NULL}}", "{0,1,2,3,4,5,6,7,8,9}"],
    "text[]": ["{}", "{a}", "{a,b,c}", "{NULL}", '{"NULL",NULL}', '{"",x}', '{"a b","c\\"d","e\\\\f"}', "{é,日本}", "{{a,b},{c,d}}", '{"{}",","}', "{b,a,b}"],
    "double precision[]": ["{}", "{1.5,NaN}", "{Infinity,-0}", "{NULL,0.1}", "{2,1}"],
    "boolean[]": ["{}", "{t,f}", "{NULL,t}"],
    "date[]": ["{}", "{2024-02-29,NULL}", "{infinity,0001-01-01}"],
}

VALUES = {
    "boolean": ["true", "false"], **INTEGERS, "numeric": NUMERICS, **FLOATS, "text": TEXTS, "character varying": TEXTS[:30], "bytea": BYTES, **TIME_TEXTS,
    "json": JSONS, "jsonb": JSONS, "uuid": UUIDS, **LISTS,
}

# Texts that casts read: what is right, nearly right, and wrong, whatever the type.
INPUTS = (
    TEXTS + INTEGERS["bigint"] + INTEGERS["integer"] + NUMERICS + FLOATS["double precision"] + [text for texts in TIME_TEXTS.values() for text in texts] + JSONS + UUIDS + BYTES
    + [text for texts in LISTS.values() for text in texts]
    + [" 1 ", "+1", "--1", "1_000", "1e5", "1e400", "-1e-400", ".5", "5.", ".", "1,000", "0b1", "0o7", "12abc", "99999999999999999999", "1e-7", "inf", "+inf", "-inf", "nan", "+Infinity", "INFINITY",
       "infinit", "yes", "no", "on", "off", "y", "n", "f", "tr", "TRUE", " true ", "o", "of", "2", "fals",
       "epoch", "today 25", "2024-02-30", "2024-13-01", "2023-02-29", "20240229", "2024.060", "2024-060", "J2460370", "1/5/24", "1/5/2024", "13/5/2024", "Jan 5 2024", "5-Jan-2024", "January 5, 2024 BC",
       "2024-1-5", "24-1-5", "99-01-01", "0000-01-01", "10000-01-01", "2024-02-29T12:34:56Z", "2024-02-29 12:34:56+05:30", "2024-02-29 24:00:00", "2024-02-29 25:00:00", "2024-02-29 12:60:00",
       "2024-02-29 12:34:60", "2024-02-29 12:34:56.1234567", "2024-02-29 12", "2024-02-29 12 PM", "2024-02-29 12:34 AM", "2024-02-29 12:34:56 EST", "2024-02-29 12:34:56 Europe/Berlin",
       "2024-02-29 12:34:56 Nowhere/Place", "12:34", "12", "1234", "123456", "12:34:56 PM", "13:00 PM", "allballs", "04:05:06-08:00", "24:00:01", "23:59:60", "-infinity BC",
       "Fri Jan 5 12:34:56 2024 PST", "2024-W01-1", "2024 Jan", "Jan", "2024", "2024-01",
       "1 year", "1 y", "1 mon 2 d", "1-2", "1-2 3 4:5:6", "-1-2 +3 -4:5:6", "1 day ago", "@ 1 minute", "1.5 years", "0.5 months", "1.5 weeks", "1h", "1 h 2 m", "1 fortnight", "P1W", "P1.5Y", "PT1H",
       "P0001-02-03T04:05:06", "1 decade", "1 century", "1 millennium", "1 us", "1 ms", "1 microsecond", "3", "-3.5", "1:2", "1:2:3.456", "100 months -100 days", "1 day 1 day", "2147483648 months", "hour",
       "{1,2", "{1,,2}", "{ 1 , 2 }", "[2:3]={1,2}", '{"a"}', "{a b}", "{{1},{2,3}}", "{{}}", "{1} x", "{null}", "1,2", '{"a', "{'a'}",
       "{'a': 1}", "[1,]", "[1 2]", '{"a"}', '{"a":1,}', "tru", "01", "1.", "+1.5", '"\\u00"', '"\\ud800"', '"\t"', '{"a":1} x', "NaN", "[", "\\x4", "\\xzz", "\\101", "\\\\", "\\1",
       "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", "A0EEBC999C0B4EF8BB6D6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11"]
)

# Demands on the arguments of some functions, lest most calls be errors: the function, the position of the argument, texts.
FIELDS = ["year", "month", "day", "hour", "minute", "second", "quarter", "week", "dow", "isodow", "doy", "epoch", "century", "decade", "millennium", "isoyear", "julian", "microseconds", "milliseconds",
          "timezone", "timezone_hour", "timezone_minute", "Years", "DAYS", "us", "nonsense", "", "mon", "qtr", "h"]
TRUNCATIONS = ["year", "month", "day", "hour", "minute", "second", "quarter", "week", "century", "decade", "millennium", "microseconds", "milliseconds", "MONTH", "isoyear", "nonsense", "dow", "days"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "EST", "PDT", "+02", "-03:30", "Nowhere", "", "utc", "CET-1CEST,M3.5.0,M10.5.0/3", "Australia/Lord_Howe"]
FORMATS = ["YYYY-MM-DD", "HH24:MI:SS", "Day, DD Mon YYYY", "IYYY-IW", "9999.99", "FM999", "S9", "RN", "", "Q", "J", "YYYY BC", "MI", "SSSS", "US", "FMMonth", "0000", "9,999", "EEEE", "9.9EEEE"]
PLACEHOLDERS = ["%s", "%s %s", "%I", "%L", "%%", "%1$s", "%2$s %1$s", "%10s|", "%-10s|", "%", "%d", "", "x", "%*s", "%3$s", "%I.%L"]
NEAR_TEXTS = {
    ("date_part", 0): FIELDS, ("date_trunc", 0): TRUNCATIONS, ("timezone", 0): ZONES, ("date_trunc", 2): ZONES, ("to_char", 1): FORMATS, ("to_date", 1): FORMATS, ("to_timestamp", 1): FORMATS,
    ("to_number", 1): FORMATS, ("format", 0): PLACEHOLDERS, ("encode", 1): ["hex", "base64", "escape", "HEX", "x"], ("decode", 1): ["hex", "base64", "escape", "HEX", "x"],
    ("convert_from", 1): ["UTF8", "LATIN1", "utf-8", "nonsense", "SQL_ASCII"], ("convert_to", 1): ["UTF8", "LATIN1", "utf-8", "nonsense", "SQL_ASCII"],
    ("normalize", 1): ["NFC", "NFD", "NFKC", "NFKD", "x"], ("is_normalized", 1): ["NFC", "NFD", "NFKC", "NFKD", "x"],
    ("decode", 0): ["", "41", "4", "zz", "YWJj", "YWI=", "YQ", "=", "a\\101", "\\\\", "DEADbeef", "de ad"], ("unistr", 0): ["\\0041", "\\u00e9", "\\+01F600", "\\\\", "\\", "a", "\\d83d\\de00", "\\U0001F600"],
    ("split_part", 1): [",", "", "b", " ", ",,", "é"], ("string_to_array", 1): [",", "", "b", " ", ",,"], ("string_to_table", 1): [",", "", "b", " "],
}
for name in ("regexp_match", "regexp_matches", "regexp_replace", "regexp_split_to_array", "regexp_split_to_table", "regexp_count", "regexp_instr", "regexp_like", "regexp_substr", "~", "~*", "!~", "!~*"):
    NEAR_TEXTS[name, 1] = PATTERNS
for name in ("~~", "!~~", "~~*", "!~~*", "like_escape"):
    NEAR_TEXTS[name, 1] = LIKES
REGEXP_FLAGS = ["", "g", "i", "gi", "n", "x", "s", "c", "z", "q", "m", "w", "p"]
