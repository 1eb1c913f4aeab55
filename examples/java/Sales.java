// Sales by city, in Java: appends rows, asks with a parameter, reads the result, and shows an error. JNA calls scaup.h.

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.Map;

public class Sales {
  /** What the program uses of scaup.h. A size_t is a long. */
  interface Scaup extends Library {
    int scaup_open(String path, Pointer settings, long settingCount, PointerByReference out, PointerByReference error);
    void scaup_close(Pointer database);
    int scaup_connect(Pointer database, PointerByReference out, PointerByReference error);
    void scaup_disconnect(Pointer connection);
    int scaup_query(Pointer connection, String sql, long length, PointerByReference out, PointerByReference error);
    int scaup_appender_open(Pointer connection, String schema, String table, PointerByReference out, PointerByReference error);
    int scaup_append_text(Pointer appender, String text, long length, PointerByReference error);
    int scaup_append_int64(Pointer appender, long value, PointerByReference error);
    int scaup_append_row_end(Pointer appender, PointerByReference error);
    int scaup_appender_flush(Pointer appender, PointerByReference error);
    void scaup_appender_free(Pointer appender);
    int scaup_prepare(Pointer connection, String sql, long length, PointerByReference out, PointerByReference error);
    int scaup_bind_int64(Pointer statement, long parameter, long value, PointerByReference error);
    int scaup_execute(Pointer statement, PointerByReference out, PointerByReference error);
    void scaup_statement_free(Pointer statement);
    long scaup_result_row_count(Pointer result);
    int scaup_result_int64(Pointer result, long column, long row, LongByReference out, PointerByReference error);
    int scaup_result_text(Pointer result, long column, long row, byte[] buffer, long capacity, LongByReference length, PointerByReference error);
    void scaup_result_free(Pointer result);
    String scaup_error_sqlstate(Pointer error);
    String scaup_error_message(Pointer error);
    long scaup_error_position(Pointer error);
    void scaup_error_free(Pointer error);
  }

  static final Scaup SCAUP = Native.load("scaup", Scaup.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));
  /** SCAUP_NUL_TERMINATED: JNA ends texts with a NUL. */
  static final long NUL_TERMINATED = -1;

  /** An error of Scaup. */
  static class ScaupException extends RuntimeException {
    final String state;
    final long position;

    ScaupException(String state, String message, long position) {
      super(message);
      this.state = state;
      this.position = position;
    }
  }

  /** The place of the error object that a call may make. */
  static final PointerByReference ERROR = new PointerByReference();

  /** Takes over the error object of a call that has failed. */
  static void check(int status) {
    if (status == 0) return;
    Pointer object = ERROR.getValue();
    ScaupException error =
        new ScaupException(SCAUP.scaup_error_sqlstate(object), SCAUP.scaup_error_message(object), SCAUP.scaup_error_position(object));
    SCAUP.scaup_error_free(object);
    throw error;
  }

  static void query(Pointer connection, String sql) {
    check(SCAUP.scaup_query(connection, sql, NUL_TERMINATED, null, ERROR));
  }

  static void fill(Pointer connection) {
    String[] cities = {"Berlin", "Amsterdam", "Kyoto"};
    query(connection, "CREATE TABLE sales (city VARCHAR, amount DECIMAL(9,2))");
    PointerByReference opened = new PointerByReference();
    check(SCAUP.scaup_appender_open(connection, null, "sales", opened, ERROR));
    Pointer appender = opened.getValue();
    try {
      for (int i = 0; i < 3000; i++) {
        check(SCAUP.scaup_append_text(appender, cities[i % 3], NUL_TERMINATED, ERROR));
        check(SCAUP.scaup_append_int64(appender, i, ERROR));
        check(SCAUP.scaup_append_row_end(appender, ERROR));
      }
      check(SCAUP.scaup_appender_flush(appender, ERROR));
    } finally {
      SCAUP.scaup_appender_free(appender);
    }
  }

  static String text(Pointer result, long column, long row) {
    byte[] buffer = new byte[64];
    LongByReference length = new LongByReference();
    check(SCAUP.scaup_result_text(result, column, row, buffer, buffer.length, length, ERROR));
    return new String(buffer, 0, (int) length.getValue(), java.nio.charset.StandardCharsets.UTF_8);
  }

  static void report(Pointer connection) {
    PointerByReference prepared = new PointerByReference(), executed = new PointerByReference();
    check(
        SCAUP.scaup_prepare(
            connection,
            "SELECT city, count(*) AS sales, sum(amount) AS total FROM sales WHERE amount >= $1 GROUP BY city ORDER BY city",
            NUL_TERMINATED,
            prepared,
            ERROR));
    Pointer statement = prepared.getValue();
    try {
      check(SCAUP.scaup_bind_int64(statement, 1, 1000, ERROR));
      check(SCAUP.scaup_execute(statement, executed, ERROR));
    } finally {
      SCAUP.scaup_statement_free(statement);
    }
    Pointer result = executed.getValue();
    LongByReference count = new LongByReference();
    for (long row = 0; row < SCAUP.scaup_result_row_count(result); row++) {
      check(SCAUP.scaup_result_int64(result, 1, row, count, ERROR));
      System.out.println(text(result, 0, row) + ": " + count.getValue() + " sales, " + text(result, 2, row));
    }
    SCAUP.scaup_result_free(result);
  }

  public static void main(String[] arguments) {
    PointerByReference opened = new PointerByReference();
    check(SCAUP.scaup_open(null, null, 0, opened, ERROR));
    Pointer database = opened.getValue();
    PointerByReference connected = new PointerByReference();
    check(SCAUP.scaup_connect(database, connected, ERROR));
    Pointer connection = connected.getValue();
    fill(connection);
    report(connection);
    try {
      query(connection, "SELECT price FROM sales");
    } catch (ScaupException error) {
      System.out.println("error " + error.state + " at byte " + error.position);
    }
    SCAUP.scaup_disconnect(connection);
    SCAUP.scaup_close(database);
  }
}
