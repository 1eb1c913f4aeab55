"""What SQLAlchemy's suite for dialects may expect of Scaup: all that PostgreSQL has, but for the names below."""

from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements

# Features of other databases, or ones that PostgreSQL has in another form.
_ELSEWHERE = {
    "async_dialect", "computed_columns_virtual", "dbapi_lastrowid", "emulated_lastrowid", "emulated_lastrowid_even_with_sequences",
    "foreign_keys_reflect_as_index", "implicit_default_schema", "index_reflects_included_columns", "json_deserializer_binary",
    "legacy_unconditional_json_extract", "materialized_views", "materialized_views_reflect_pk", "no_sequences", "nvarchar_types",
    "skip_autocommit_rollback", "unique_index_reflect_as_unique_constraints", "implements_get_lastrowid",
    "fetch_percent", "repeated_column_foreign_keys", "computed_columns_default_persisted",
}
# What Scaup lacks.
_MISSING = {
    "default_schema_name_switch",  # search_path names the default schema
    "reflect_tables_no_columns",
    "deferrable_fks", "two_phase_transactions", "time_timezone",
    "indexes_with_expressions", "reflect_indexes_with_expressions", "reflect_indexes_with_ascdesc", "reflect_indexes_with_ascdesc_as_expression",
    "indexes_with_ascdesc",
}


class Requirements(SuiteRequirements):
    def get_isolation_levels(self, config):
        return {"default": "SERIALIZABLE", "supported": ["AUTOCOMMIT", "SERIALIZABLE", "READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ"]}


def _of(is_open):
    return property(lambda self: exclusions.open() if is_open else exclusions.closed())


# Those that are closed unless a dialect opens them.
_OPENED = """
    unique_constraints_reflect_as_index create_table_as create_temp_table_as table_ddl_if_exists index_ddl_if_exists uuid_data_type table_value_constructor
    non_updating_cascade repeated_column_foreign_keys repeated_remote_col_foreign_keys boolean_col_expressions nullsordering intersect except_
    window_functions window_range window_range_numeric window_range_non_numeric ctes ctes_with_update_delete ctes_with_values ctes_on_dml tuple_in
    views cross_schema_fk_reflection foreign_key_constraint_name_reflection reflects_pk_names reflect_tables_no_columns
    temp_table_comment_reflection comment_reflection comment_reflection_full_unicode constraint_comment_reflection schema_create_delete
    foreign_key_constraint_option_reflection_ondelete fk_constraint_option_reflection_ondelete_restrict
    fk_constraint_option_reflection_ondelete_noaction foreign_key_constraint_option_reflection_onupdate
    fk_constraint_option_reflection_onupdate_restrict temp_table_names has_temp_table temporary_views create_or_replace_view
    indexes_check_column_order inline_check_constraint_reflection check_constraint_reflection unicode_ddl datetime_interval datetime_literals
    datetime_timezone timestamp_microseconds datetime_historic datetime_timezone_historic date_historic autocommit isolation_level array_type
    json_type precision_numerics_enotation_small precision_numerics_many_significant_digits server_defaults expression_server_defaults
    aggregate_order_by precision_numerics_retains_significant_digits infinity_floats float_or_double_precision_behaves_generically savepoints
    update_from delete_from mod_operator_as_percent_sign percent_schema_names order_by_label_with_expression computed_columns
    computed_columns_stored computed_columns_default_persisted computed_columns_reflect_persisted supports_distinct_on identity_columns
    identity_columns_standard regexp_match regexp_replace fetch_first fetch_percent fetch_ties fetch_no_order_by fetch_offset_with_options
    fetch_expression reflect_table_options supports_bitwise_or supports_bitwise_and supports_bitwise_not supports_bitwise_xor
    supports_bitwise_shift
""".split()

for _name in {*_OPENED, *_ELSEWHERE, *_MISSING}:
    setattr(Requirements, _name, _of(_name not in _ELSEWHERE | _MISSING))
