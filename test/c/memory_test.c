/* Calls whose allocations fail, one after the other: each is an error, and changes nothing. */
#include "check.h"
#include "failing_calls.h"

static struct session session;
static scaup_result* result;
static scaup_statement* statement;
static scaup_stream* stream;
static scaup_appender* appender;

static scaup_status call_open(scaup_error** error) {
  scaup_database* database = NULL;
  const scaup_setting setting = {"threads", "1"};
  scaup_status status = scaup_open(NULL, &setting, 1, &database, error);
  scaup_close(database);
  return status;
}

static scaup_status call_connect(scaup_error** error) {
  scaup_connection* connection = NULL;
  scaup_status status = scaup_connect(session.database, &connection, error);
  scaup_disconnect(connection);
  return status;
}

static scaup_status call_query(scaup_error** error) {
  scaup_result* made = NULL;
  scaup_status status =
      scaup_query(session.connection, "SELECT i, s FROM t WHERE i < 4", SCAUP_NUL_TERMINATED, &made, error);
  scaup_result_free(made);
  return status;
}

static scaup_status call_failing_query(scaup_error** error) {
  scaup_status status =
      scaup_query(session.connection, "SELECT missing FROM t", SCAUP_NUL_TERMINATED, NULL, error);
  return status == SCAUP_ERROR_BINDER ? SCAUP_OK : status;
}

static scaup_status call_split(scaup_error** error) {
  scaup_script* script = NULL;
  scaup_status status = scaup_split("SELECT 1; SELECT 'a text of more than sixteen bytes'",
                                    SCAUP_NUL_TERMINATED, &script, error);
  scaup_script_free(script);
  return status;
}

static scaup_status call_stream(scaup_error** error) {
  scaup_stream* opened = NULL;
  scaup_result* rows = NULL;
  scaup_status status =
      scaup_query_stream(session.connection, "SELECT i, s FROM t", SCAUP_NUL_TERMINATED, &opened, error);
  if (status == SCAUP_OK) status = scaup_stream_fetch(opened, 0, &rows, error);
  scaup_result_free(rows);
  scaup_stream_free(opened);
  return status;
}

static scaup_status call_prepare(scaup_error** error) {
  scaup_statement* made = NULL;
  scaup_status status =
      scaup_prepare(session.connection, "SELECT i + $1 FROM t", SCAUP_NUL_TERMINATED, &made, error);
  scaup_statement_free(made);
  return status;
}

static scaup_status call_bind(scaup_error** error) {
  return scaup_bind_text(statement, 1, "a text of more than sixteen bytes", SCAUP_NUL_TERMINATED, error);
}

static scaup_status call_execute(scaup_error** error) {
  scaup_result* made = NULL;
  scaup_status status = scaup_execute(statement, &made, error);
  scaup_result_free(made);
  return status;
}

static scaup_status call_column(scaup_error** error) {
  scaup_column column;
  scaup_value value;
  char text[10];
  scaup_status status = scaup_result_column(result, 0, &column, error);
  if (status == SCAUP_OK) status = scaup_result_value(result, 0, 0, &value, error);
  if (status == SCAUP_OK) status = scaup_type_name(column.type, text, sizeof(text), NULL, error);
  return status != SCAUP_OK ? status : scaup_result_text(result, 0, 0, text, sizeof(text), NULL, error);
}

static scaup_status call_elements(scaup_error** error) {
  scaup_elements *elements = NULL, *nested = NULL;
  scaup_status status = scaup_result_elements(result, 0, 0, &elements, error);
  if (status == SCAUP_OK) status = scaup_elements_nested(elements, 0, &nested, error);
  scaup_elements_free(nested);
  scaup_elements_free(elements);
  return status;
}

static scaup_status call_export(scaup_error** error) {
  struct ArrowArrayStream arrow;
  scaup_status status = scaup_result_export_arrow(result, 0, 0, &arrow, error);
  if (status == SCAUP_OK) arrow.release(&arrow);
  return status;
}

static int open_pass(void* context, const char* const* columns, size_t column_count,
                     struct ArrowArrayStream* out) {
  (void)columns, (void)column_count;
  return scaup_result_export_arrow(context, 0, 0, out, NULL) == SCAUP_OK ? 0 : 12;
}

static int destroyed;
static void destroy(void* context) {
  (void)context;
  destroyed++;
}

static scaup_status call_register(scaup_error** error) {
  int before = destroyed;
  scaup_status status =
      scaup_register_arrow_table(session.connection, "program", open_pass, result, destroy, error);
  CHECK(destroyed == (status == SCAUP_OK ? before : before + 1));
  if (status == SCAUP_OK) status = scaup_unregister_arrow(session.connection, "program", NULL, error);
  return status;
}

static scaup_status call_register_stream(scaup_error** error) {
  struct ArrowArrayStream arrow;
  scaup_status status = scaup_result_export_arrow(result, 0, 0, &arrow, error);
  if (status == SCAUP_OK) status = scaup_register_arrow(session.connection, "program", &arrow, error);
  if (status == SCAUP_OK) status = scaup_unregister_arrow(session.connection, "program", NULL, error);
  return status;
}

static scaup_status call_open_appender(scaup_error** error) {
  scaup_appender* opened = NULL;
  scaup_status status = scaup_appender_open(session.connection, NULL, "t", &opened, error);
  scaup_appender_free(opened);
  return status;
}

static scaup_status call_append(scaup_error** error) {
  scaup_status status = scaup_append_int64(appender, 5, error);
  if (status == SCAUP_OK)
    status = scaup_append_text(appender, "a text of more than sixteen bytes", SCAUP_NUL_TERMINATED, error);
  if (status == SCAUP_OK) status = scaup_append_row_end(appender, error);
  return status;
}

static scaup_status call_fetch(scaup_error** error) {
  scaup_result* rows = NULL;
  scaup_status status = scaup_stream_fetch(stream, 1, &rows, error);
  scaup_result_free(rows);
  /* An error ends the stream. */
  return status == SCAUP_ERROR_USAGE ? SCAUP_OK : status;
}

/* Lets each allocation of a call fail, or of many some, until the call succeeds. */
static void check_call(const char* name, scaup_status (*call)(scaup_error**)) {
  bool is_well = true;
  int64_t count = 0, failures = 0;
  for (int64_t i = 0; i <= count; i += 1 + i / 50) {
    scaup_error* error = NULL;
    begin_failing(i);
    scaup_status status = call(&error);
    count = end_failing();
    failures += status != SCAUP_OK;
    if (status != SCAUP_OK && (status != SCAUP_ERROR_OUT_OF_MEMORY || error == NULL)) is_well = false;
    if (!is_well)
      printf("%s, allocation %d of %d: status %d, %s\n", name, (int)i, (int)count, (int)status,
             scaup_error_message(error));
    scaup_error_free(error);
    if (!is_well) break;
  }
  check(is_well && (failures > 0 || count == 0), name, __FILE__, __LINE__);
}

void test_no_memory(void) {
  const scaup_setting setting = {"threads", "1"};
  SUCCEEDS(scaup_open(NULL, &setting, 1, &session.database, &error));
  SUCCEEDS(scaup_connect(session.database, &session.connection, &error));
  run(session.connection,
      "CREATE TABLE t (i INTEGER, s VARCHAR); INSERT INTO t SELECT i, 'text ' || i FROM range(0, 10) r(i)");
  result = query(session.connection, "SELECT CAST('{{1,2},{3,4}}' AS INTEGER[][]) AS l");
  statement = prepare(session.connection, "SELECT count(*) FROM t WHERE s = $1");
  SUCCEEDS(scaup_appender_open(session.connection, NULL, "t", &appender, &error));
  check_call("open", call_open);
  check_call("connect", call_connect);
  check_call("query", call_query);
  check_call("failing query", call_failing_query);
  check_call("split", call_split);
  check_call("stream", call_stream);
  check_call("prepare", call_prepare);
  check_call("bind", call_bind);
  check_call("execute", call_execute);
  check_call("column", call_column);
  check_call("elements", call_elements);
  check_call("export", call_export);
  check_call("register table", call_register);
  check_call("register stream", call_register_stream);
  check_call("open appender", call_open_appender);
  check_call("append", call_append);
  SUCCEEDS(
      scaup_query_stream(session.connection, "SELECT i, s FROM t", SCAUP_NUL_TERMINATED, &stream, &error));
  check_call("fetch", call_fetch);
  scaup_stream_free(stream);
  CHECK(number(session.connection, "SELECT count(*) FROM t") == 10);
  scaup_appender_free(appender);
  scaup_statement_free(statement);
  scaup_result_free(result);
  close_session(&session);
}
