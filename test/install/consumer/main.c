/* The smallest program in C that uses the installed library. */
#include <scaup.h>
#include <stdio.h>

int main(void) {
  scaup_database* database = NULL;
  scaup_connection* connection = NULL;
  scaup_result* result = NULL;
  char text[20] = "";
  scaup_open(NULL, NULL, 0, &database, NULL);
  scaup_connect(database, &connection, NULL);
  scaup_query(connection, "SELECT 'answer: ' || (40 + 2)", SCAUP_NUL_TERMINATED, &result, NULL);
  scaup_result_text(result, 0, 0, text, sizeof(text), NULL, NULL);
  scaup_result_free(result);
  scaup_disconnect(connection);
  scaup_close(database);
  printf("%s\n", text);
  return 0;
}
