#!/usr/bin/env python3
"""How many of the functions of PostgreSQL 15 and DuckDB 2.0 Scaup has, by name: docs/differences.py puts it into its documents.

    PYTHONPATH=build/release/extension/python python3 docs/function_share.py            # the figures
    ... --refresh --psql 'psql -h /tmp -d postgres'                                     # the lists of names, from both systems

`docs/functions/` lists the names. Of PostgreSQL those in pg_catalog which a query can call: no argument or result is of an internal type, and the function is
not just the machinery of an operator, cast, type, aggregate, index or parser. Of DuckDB those of duckdb_functions() that are words. Of both lists, GROUPS says
what is of no use to a query over Scaup's types and objects and why; the share is of what remains.
"""

import argparse
import pathlib
import re
import shlex
import subprocess

import scaup

NAMES = pathlib.Path(__file__).resolve().parent / "functions"

GRAMMAR = {"extract", "json"}  # what is called by words of its own, or as a cast: json('{}')

GROUPS = {
    "PostgreSQL": [
        ("administration of a server, its files, logs and backups", r"pg_(advisory|try_advisory|backup|cancel|config|control|create_|current_(logfile|wal)|copy_|drop_|export|filenode|get_(backend|shmem|wal|replication|multixact|publication)|hba|ident_file|is_wal|last_|log_|logical|ls_|promote|read_|reload|replication|rotate|stat_file|switch|terminate|wal|xact_commit|lock_status|safe_snapshot|isolation|jit|notif|listening|notify|postmaster|prepared|cursor|conf_load|blocking|sleep|show_|settings|stop_making|import|nextoid|mcv|event_trigger|extension|available|options|tablespace|encoding_max|char_to|describe|identify|get_object|database_coll|collation_actual|relation_file|backend_pid|sequence_|column_(comp|is)|trigger_depth|relation_is|index|partition|get_(part|rep|func|rule|stat|trig|catalog|keyw|serial)|has_role|opclass|operator|opfamily|conversion|collation|function_is|type_is|ts_|statistics|is_other|my_temp|visible|snapshot|current_(snapshot|xact)|xact_status|client_encoding).*"),
        ("statistics of a server", r"pg_stat_.*"),
        ("privileges and roles", r"has_.*|acl.*|makeaclitem|row_security_active|getpgusername"),
        ("upgrades of a server", r"binary_upgrade_.*"),
        ("large objects", r"lo_.*|loread|lowrite"),
        ("XML", r".*xml.*|xpath.*"),
        ("search in text; Scaup has its own (docs/sql-documents.md)", r"ts_.*|.*ts(query|vector).*|numnode|querytree|setweight|strip|get_current_ts_config|array_to_tsvector"),
        ("ranges", r".*range.*|isempty|(lower|upper)_inc|(lower|upper)_inf"),
        ("geometry", r"area|box|center|circle|diagonal|diameter|height|is(closed|open|parallel|perp|horizontal|vertical)|line|lseg|npoints|p(close|open)|point|polygon|radius|slope|width|path"),
        ("network addresses", r"abbrev|broadcast|family|host|hostmask|inet_.*|macaddr.*|mask?len|masklen|netmask|network|set_masklen"),
        ("numbers of transactions and objects", r"txid_.*|mxid_age|currtid2|pg_lsn|to_reg.*|nameconcatoid|oidvectortypes"),
        ("other names within PostgreSQL's own catalogs and scripts", r"amvalidate|brin_.*|gin_.*|cash_words|dexp|dlog1|dlog10|dround|dtrunc|enum_send|int4inc|int8_sum|numeric_.*|textlen|similar_.*escape|like_escape|notlike|like|postgresql_fdw_validator|satisfies_.*|text|timestamp|timestamptz|mode_final|getdatabaseencoding|cursor_.*|set_config|shobj_description|pg_typeof_.*|to_ascii|convert"),
    ],
    "DuckDB": [
        ("collations", r"(icu_)?collate_.*|icu_sort_key|icu_calendar_names|pragma_collations|create_sort_key"),
        ("types that Scaup does not have: VARIANT, GEOMETRY, BIT, fixed-size arrays", r"map_to_pg_oid|variant_.*|st_.*|.*bitstring.*|bit_position|bin_?to.*|array_(value|cross_product)|timetz_.*|.*_ns|nanosecond|vertex_extract"),
        ("other kinds of files, and what is inside of Parquet files", r".*parquet.*|read_(blob|text|duckdb|single_.*|nd?json.*|json.*)|glob|sniff_csv|hive_.*"),
        ("listings of DuckDB's own insides", r"duckdb_.*|pragma_.*|enable_.*|disable_.*|truncate_.*|parse_duckdb.*|test_.*|which_secret|vector_type|stats|index_key|in_search_path|current_(query|connection|transaction).*|txid_current|write_log|get_block_size|.*external_resource.*|.*_is_visible|has_.*privilege|pg_.*|inet_.*|format_pg_type|map_to_pg.*|shobj_.*|checkpoint|force_checkpoint|seq_scan|.*arrow_scan.*|pandas_scan|python_.*|repeat_row|query|query_table|summary"),
        ("states of aggregates, plans and casts as values", r".*aggregate_state|combine.*|finalize|json_(de)?serialize.*|json_execute.*|cast_to_type|replace_type|make_type|get_type|remap_struct|invoke|constant_or_null|is_histogram_other_bin|.*byte_comparable|decimal_(division|average)|json_copy.*|getvariable|switch|unpivot_list|sum_no_overflow|variant_group.*|normalized_interval|(not_)?i?like_escape"),
    ],
}


def names(system):
    path = next(NAMES.glob(f"{system.lower()}-*.txt"))
    return path.read_text(encoding="utf-8").split()


def reason(system, name):
    return next((text for text, pattern in GROUPS[system] if re.fullmatch(pattern, name)), None)


def is_known(connection, name):
    """Whether a call is refused, if it is, for another reason than that no function has the name."""
    for call in (f'SELECT "{name}"()', f'SELECT * FROM "{name}"()'):
        try:
            connection.execute(call)
            return True
        except scaup.Error as error:
            if error.sqlstate not in ("42883", "42P01") or "there is" in str(error):
                return True
    return False


def share(system):
    """Names that Scaup has, names that it lacks, and those that do not count, by reason."""
    have, lack, apart = [], [], {}
    with scaup.connect() as connection:
        listed = {name for (name,) in connection.execute("SELECT function_name FROM scaup_functions()").fetchall()} | GRAMMAR
        for name in names(system):
            why = reason(system, name)
            if name.lower() in listed or is_known(connection, name.lower()):
                have.append(name)
            elif why:
                apart.setdefault(why, []).append(name)
            else:
                lack.append(name)
    return have, lack, apart


def section(system):
    """The lines of a document."""
    have, lack, apart = share(system)
    count = len(have) + len(lack)
    lines = ["## Functions", "",
             f"Of {count} functions of {system} that a query over Scaup's types and objects can call, by name, Scaup has {len(have)}: {100 * len(have) / count:.0f} %."
             f" Functions may have more forms there than here. What it lacks:", "", ", ".join(f"`{name}`" for name in lack) + ".", "",
             "What does not count, because Scaup has nothing that it could be about:", "", "| | functions | for example |", "|---|---|---|"]
    for why, members in apart.items():
        lines.append(f"| {why} | {len(members)} | {', '.join(f'`{name}`' for name in members[:3])} |")
    return lines


CALLABLE = """
WITH internal AS (
  SELECT oprcode::oid AS f FROM pg_operator UNION SELECT oprrest::oid FROM pg_operator UNION SELECT oprjoin::oid FROM pg_operator
  UNION SELECT castfunc FROM pg_cast UNION SELECT amproc::oid FROM pg_amproc
  UNION SELECT unnest(ARRAY[typinput::oid, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typsubscript]) FROM pg_type
  UNION SELECT unnest(ARRAY[aggtransfn::oid, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]) FROM pg_aggregate
  UNION SELECT conproc::oid FROM pg_conversion UNION SELECT amhandler::oid FROM pg_am UNION SELECT prosupport::oid FROM pg_proc
  UNION SELECT unnest(ARRAY[lanplcallfoid, laninline, lanvalidator]) FROM pg_language UNION SELECT unnest(ARRAY[rngcanonical::oid, rngsubdiff]) FROM pg_range
  UNION SELECT unnest(ARRAY[tmplinit::oid, tmpllexize]) FROM pg_ts_template
  UNION SELECT unnest(ARRAY[prsstart::oid, prstoken, prsend, prsheadline, prslextype]) FROM pg_ts_parser)
SELECT DISTINCT proname FROM pg_proc p
WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a', 'w') AND (proname = 'starts_with' OR p.oid NOT IN (SELECT f FROM internal WHERE f IS NOT NULL))
  AND NOT EXISTS (SELECT 1 FROM unnest(proargtypes || prorettype) AS t WHERE format_type(t, NULL) ~ '^(internal|cstring|trigger|event_trigger|.*_handler)$')
ORDER BY 1"""


def refresh(psql):
    import duckdb

    done = subprocess.run(shlex.split(psql) + ["-X", "-A", "-t", "-c", CALLABLE], capture_output=True, text=True, check=True)
    (NAMES / "postgresql-15.txt").write_text(done.stdout, encoding="utf-8")
    rows = duckdb.connect().execute("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type <> 'pragma' ORDER BY 1").fetchall()
    words = [name for (name,) in rows if re.fullmatch(r"[a-z][A-Za-z0-9_]*", name)]
    (NAMES / "duckdb-2.0.txt").write_text("\n".join(words) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refresh", action="store_true", help="write the lists of names again")
    parser.add_argument("--psql", default="psql", help="the command that talks to PostgreSQL")
    arguments = parser.parse_args()
    if arguments.refresh:
        refresh(arguments.psql)
    for system in GROUPS:
        print("\n".join(section(system)))


if __name__ == "__main__":
    main()
