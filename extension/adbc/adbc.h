// The interface of ADBC 1.1 (Arrow Database Connectivity), as its specification fixes it: structures,
// constants and the table of functions that a driver manager calls. Plain C. A program that has the header of
// the specification may include both, as they share the guard.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "scaup/arrow.h"

#ifndef ADBC
#define ADBC

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a call. */
typedef uint8_t AdbcStatusCode;
#define ADBC_STATUS_OK 0
#define ADBC_STATUS_UNKNOWN 1
#define ADBC_STATUS_NOT_IMPLEMENTED 2
#define ADBC_STATUS_NOT_FOUND 3
#define ADBC_STATUS_ALREADY_EXISTS 4
#define ADBC_STATUS_INVALID_ARGUMENT 5
#define ADBC_STATUS_INVALID_STATE 6
#define ADBC_STATUS_INVALID_DATA 7
#define ADBC_STATUS_INTEGRITY 8
#define ADBC_STATUS_INTERNAL 9
#define ADBC_STATUS_IO 10
#define ADBC_STATUS_CANCELLED 11
#define ADBC_STATUS_TIMEOUT 12
#define ADBC_STATUS_UNAUTHENTICATED 13
#define ADBC_STATUS_UNAUTHORIZED 14

/* The versions of the interface, which the caller passes to the function that fills AdbcDriver. */
#define ADBC_VERSION_1_0_0 1000000
#define ADBC_VERSION_1_1_0 1001000

/* Options that have a fixed name. */
#define ADBC_OPTION_VALUE_ENABLED "true"
#define ADBC_OPTION_VALUE_DISABLED "false"
#define ADBC_OPTION_URI "uri"
#define ADBC_OPTION_USERNAME "username"
#define ADBC_OPTION_PASSWORD "password"
#define ADBC_CONNECTION_OPTION_AUTOCOMMIT "adbc.connection.autocommit"
#define ADBC_CONNECTION_OPTION_READ_ONLY "adbc.connection.readonly"
#define ADBC_CONNECTION_OPTION_CURRENT_CATALOG "adbc.connection.catalog"
#define ADBC_CONNECTION_OPTION_CURRENT_DB_SCHEMA "adbc.connection.db_schema"
#define ADBC_CONNECTION_OPTION_ISOLATION_LEVEL "adbc.connection.transaction.isolation_level"
#define ADBC_OPTION_ISOLATION_LEVEL_DEFAULT "adbc.connection.transaction.isolation.default"
#define ADBC_OPTION_ISOLATION_LEVEL_READ_UNCOMMITTED "adbc.connection.transaction.isolation.read_uncommitted"
#define ADBC_OPTION_ISOLATION_LEVEL_READ_COMMITTED "adbc.connection.transaction.isolation.read_committed"
#define ADBC_OPTION_ISOLATION_LEVEL_REPEATABLE_READ "adbc.connection.transaction.isolation.repeatable_read"
#define ADBC_OPTION_ISOLATION_LEVEL_SNAPSHOT "adbc.connection.transaction.isolation.snapshot"
#define ADBC_OPTION_ISOLATION_LEVEL_SERIALIZABLE "adbc.connection.transaction.isolation.serializable"
#define ADBC_OPTION_ISOLATION_LEVEL_LINEARIZABLE "adbc.connection.transaction.isolation.linearizable"
#define ADBC_STATEMENT_OPTION_INCREMENTAL "adbc.statement.exec.incremental"
#define ADBC_STATEMENT_OPTION_PROGRESS "adbc.statement.exec.progress"
#define ADBC_STATEMENT_OPTION_MAX_PROGRESS "adbc.statement.exec.max_progress"
#define ADBC_STATEMENT_OPTION_BIND_BY_NAME "adbc.statement.bind_by_name"
#define ADBC_INGEST_OPTION_TARGET_TABLE "adbc.ingest.target_table"
#define ADBC_INGEST_OPTION_TARGET_CATALOG "adbc.ingest.target_catalog"
#define ADBC_INGEST_OPTION_TARGET_DB_SCHEMA "adbc.ingest.target_db_schema"
#define ADBC_INGEST_OPTION_TEMPORARY "adbc.ingest.temporary"
#define ADBC_INGEST_OPTION_MODE "adbc.ingest.mode"
#define ADBC_INGEST_OPTION_MODE_CREATE "adbc.ingest.mode.create"
#define ADBC_INGEST_OPTION_MODE_APPEND "adbc.ingest.mode.append"
#define ADBC_INGEST_OPTION_MODE_REPLACE "adbc.ingest.mode.replace"
#define ADBC_INGEST_OPTION_MODE_CREATE_APPEND "adbc.ingest.mode.create_append"

/* Codes of ConnectionGetInfo. */
#define ADBC_INFO_VENDOR_NAME 0
#define ADBC_INFO_VENDOR_VERSION 1
#define ADBC_INFO_VENDOR_ARROW_VERSION 2
#define ADBC_INFO_VENDOR_SQL 3
#define ADBC_INFO_VENDOR_SUBSTRAIT 4
#define ADBC_INFO_VENDOR_SUBSTRAIT_MIN_VERSION 5
#define ADBC_INFO_VENDOR_SUBSTRAIT_MAX_VERSION 6
#define ADBC_INFO_DRIVER_NAME 100
#define ADBC_INFO_DRIVER_VERSION 101
#define ADBC_INFO_DRIVER_ARROW_VERSION 102
#define ADBC_INFO_DRIVER_ADBC_VERSION 103

/* Depths of ConnectionGetObjects. */
#define ADBC_OBJECT_DEPTH_ALL 0
#define ADBC_OBJECT_DEPTH_CATALOGS 1
#define ADBC_OBJECT_DEPTH_DB_SCHEMAS 2
#define ADBC_OBJECT_DEPTH_TABLES 3
#define ADBC_OBJECT_DEPTH_COLUMNS ADBC_OBJECT_DEPTH_ALL

/* Keys of ConnectionGetStatistics. */
#define ADBC_STATISTIC_AVERAGE_BYTE_WIDTH_KEY 0
#define ADBC_STATISTIC_DISTINCT_COUNT_KEY 1
#define ADBC_STATISTIC_MAX_BYTE_WIDTH_KEY 2
#define ADBC_STATISTIC_MAX_VALUE_KEY 3
#define ADBC_STATISTIC_MIN_VALUE_KEY 4
#define ADBC_STATISTIC_NULL_COUNT_KEY 5
#define ADBC_STATISTIC_ROW_COUNT_KEY 6

/* The value of AdbcError::vendor_code by which a caller says that its structure has the last two members. */
#define ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA INT32_MIN

struct AdbcDriver;

/* An error. The caller sets it to zero, or to ADBC_ERROR_INIT, before a call, and releases it after. */
struct AdbcError {
  char* message;       /* UTF-8 */
  int32_t vendor_code; /* of the driver, unless it is ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA */
  char sqlstate[5];    /* without a terminating zero */
  void (*release)(struct AdbcError* error);
  /* Since 1.1, and only there if vendor_code is ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA. */
  void* private_data;
  struct AdbcDriver* private_driver;
};
#ifdef __cplusplus
#define ADBC_ERROR_INIT \
  (AdbcError{nullptr, ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA, {0, 0, 0, 0, 0}, nullptr, nullptr, nullptr})
#else
#define ADBC_ERROR_INIT \
  ((struct AdbcError){NULL, ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA, {0, 0, 0, 0, 0}, NULL, NULL, NULL})
#endif
#define ADBC_ERROR_1_0_0_SIZE (offsetof(struct AdbcError, private_data))
#define ADBC_ERROR_1_1_0_SIZE (sizeof(struct AdbcError))

/* One more fact about an error. Valid until the error is released. */
struct AdbcErrorDetail {
  const char* key;
  const uint8_t* value;
  size_t value_length; /* in bytes */
};

/* Handles. private_data belongs to the driver and is null before New and after Release; private_driver
   belongs to the driver manager. */
struct AdbcDatabase {
  void* private_data;
  struct AdbcDriver* private_driver;
};
struct AdbcConnection {
  void* private_data;
  struct AdbcDriver* private_driver;
};
struct AdbcStatement {
  void* private_data;
  struct AdbcDriver* private_driver;
};

/* The parts of a partitioned result. */
struct AdbcPartitions {
  size_t num_partitions;
  const uint8_t** partitions;
  const size_t* partition_lengths; /* in bytes */
  void* private_data;
  void (*release)(struct AdbcPartitions* partitions);
};

/* The functions of a driver. The members up to StatementSetSubstraitPlan are those of version 1.0. */
struct AdbcDriver {
  void* private_data;    /* of the driver */
  void* private_manager; /* of the driver manager */
  AdbcStatusCode (*release)(struct AdbcDriver*, struct AdbcError*);

  AdbcStatusCode (*DatabaseInit)(struct AdbcDatabase*, struct AdbcError*);
  AdbcStatusCode (*DatabaseNew)(struct AdbcDatabase*, struct AdbcError*);
  AdbcStatusCode (*DatabaseSetOption)(struct AdbcDatabase*, const char*, const char*, struct AdbcError*);
  AdbcStatusCode (*DatabaseRelease)(struct AdbcDatabase*, struct AdbcError*);

  AdbcStatusCode (*ConnectionCommit)(struct AdbcConnection*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetInfo)(struct AdbcConnection*, const uint32_t*, size_t,
                                      struct ArrowArrayStream*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetObjects)(struct AdbcConnection*, int, const char*, const char*, const char*,
                                         const char**, const char*, struct ArrowArrayStream*,
                                         struct AdbcError*);
  AdbcStatusCode (*ConnectionGetTableSchema)(struct AdbcConnection*, const char*, const char*, const char*,
                                             struct ArrowSchema*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetTableTypes)(struct AdbcConnection*, struct ArrowArrayStream*,
                                            struct AdbcError*);
  AdbcStatusCode (*ConnectionInit)(struct AdbcConnection*, struct AdbcDatabase*, struct AdbcError*);
  AdbcStatusCode (*ConnectionNew)(struct AdbcConnection*, struct AdbcError*);
  AdbcStatusCode (*ConnectionSetOption)(struct AdbcConnection*, const char*, const char*, struct AdbcError*);
  AdbcStatusCode (*ConnectionReadPartition)(struct AdbcConnection*, const uint8_t*, size_t,
                                            struct ArrowArrayStream*, struct AdbcError*);
  AdbcStatusCode (*ConnectionRelease)(struct AdbcConnection*, struct AdbcError*);
  AdbcStatusCode (*ConnectionRollback)(struct AdbcConnection*, struct AdbcError*);

  AdbcStatusCode (*StatementBind)(struct AdbcStatement*, struct ArrowArray*, struct ArrowSchema*,
                                  struct AdbcError*);
  AdbcStatusCode (*StatementBindStream)(struct AdbcStatement*, struct ArrowArrayStream*, struct AdbcError*);
  AdbcStatusCode (*StatementExecuteQuery)(struct AdbcStatement*, struct ArrowArrayStream*, int64_t*,
                                          struct AdbcError*);
  AdbcStatusCode (*StatementExecutePartitions)(struct AdbcStatement*, struct ArrowSchema*,
                                               struct AdbcPartitions*, int64_t*, struct AdbcError*);
  AdbcStatusCode (*StatementGetParameterSchema)(struct AdbcStatement*, struct ArrowSchema*,
                                                struct AdbcError*);
  AdbcStatusCode (*StatementNew)(struct AdbcConnection*, struct AdbcStatement*, struct AdbcError*);
  AdbcStatusCode (*StatementPrepare)(struct AdbcStatement*, struct AdbcError*);
  AdbcStatusCode (*StatementRelease)(struct AdbcStatement*, struct AdbcError*);
  AdbcStatusCode (*StatementSetOption)(struct AdbcStatement*, const char*, const char*, struct AdbcError*);
  AdbcStatusCode (*StatementSetSqlQuery)(struct AdbcStatement*, const char*, struct AdbcError*);
  AdbcStatusCode (*StatementSetSubstraitPlan)(struct AdbcStatement*, const uint8_t*, size_t,
                                              struct AdbcError*);

  int (*ErrorGetDetailCount)(const struct AdbcError*);
  struct AdbcErrorDetail (*ErrorGetDetail)(const struct AdbcError*, int);
  const struct AdbcError* (*ErrorFromArrayStream)(struct ArrowArrayStream*, AdbcStatusCode*);

  AdbcStatusCode (*DatabaseGetOption)(struct AdbcDatabase*, const char*, char*, size_t*, struct AdbcError*);
  AdbcStatusCode (*DatabaseGetOptionBytes)(struct AdbcDatabase*, const char*, uint8_t*, size_t*,
                                           struct AdbcError*);
  AdbcStatusCode (*DatabaseGetOptionDouble)(struct AdbcDatabase*, const char*, double*, struct AdbcError*);
  AdbcStatusCode (*DatabaseGetOptionInt)(struct AdbcDatabase*, const char*, int64_t*, struct AdbcError*);
  AdbcStatusCode (*DatabaseSetOptionBytes)(struct AdbcDatabase*, const char*, const uint8_t*, size_t,
                                           struct AdbcError*);
  AdbcStatusCode (*DatabaseSetOptionDouble)(struct AdbcDatabase*, const char*, double, struct AdbcError*);
  AdbcStatusCode (*DatabaseSetOptionInt)(struct AdbcDatabase*, const char*, int64_t, struct AdbcError*);

  AdbcStatusCode (*ConnectionCancel)(struct AdbcConnection*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetOption)(struct AdbcConnection*, const char*, char*, size_t*,
                                        struct AdbcError*);
  AdbcStatusCode (*ConnectionGetOptionBytes)(struct AdbcConnection*, const char*, uint8_t*, size_t*,
                                             struct AdbcError*);
  AdbcStatusCode (*ConnectionGetOptionDouble)(struct AdbcConnection*, const char*, double*,
                                              struct AdbcError*);
  AdbcStatusCode (*ConnectionGetOptionInt)(struct AdbcConnection*, const char*, int64_t*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetStatistics)(struct AdbcConnection*, const char*, const char*, const char*,
                                            char, struct ArrowArrayStream*, struct AdbcError*);
  AdbcStatusCode (*ConnectionGetStatisticNames)(struct AdbcConnection*, struct ArrowArrayStream*,
                                                struct AdbcError*);
  AdbcStatusCode (*ConnectionSetOptionBytes)(struct AdbcConnection*, const char*, const uint8_t*, size_t,
                                             struct AdbcError*);
  AdbcStatusCode (*ConnectionSetOptionDouble)(struct AdbcConnection*, const char*, double, struct AdbcError*);
  AdbcStatusCode (*ConnectionSetOptionInt)(struct AdbcConnection*, const char*, int64_t, struct AdbcError*);

  AdbcStatusCode (*StatementCancel)(struct AdbcStatement*, struct AdbcError*);
  AdbcStatusCode (*StatementExecuteSchema)(struct AdbcStatement*, struct ArrowSchema*, struct AdbcError*);
  AdbcStatusCode (*StatementGetOption)(struct AdbcStatement*, const char*, char*, size_t*, struct AdbcError*);
  AdbcStatusCode (*StatementGetOptionBytes)(struct AdbcStatement*, const char*, uint8_t*, size_t*,
                                            struct AdbcError*);
  AdbcStatusCode (*StatementGetOptionDouble)(struct AdbcStatement*, const char*, double*, struct AdbcError*);
  AdbcStatusCode (*StatementGetOptionInt)(struct AdbcStatement*, const char*, int64_t*, struct AdbcError*);
  AdbcStatusCode (*StatementSetOptionBytes)(struct AdbcStatement*, const char*, const uint8_t*, size_t,
                                            struct AdbcError*);
  AdbcStatusCode (*StatementSetOptionDouble)(struct AdbcStatement*, const char*, double, struct AdbcError*);
  AdbcStatusCode (*StatementSetOptionInt)(struct AdbcStatement*, const char*, int64_t, struct AdbcError*);
};
#define ADBC_DRIVER_1_0_0_SIZE (offsetof(struct AdbcDriver, ErrorGetDetailCount))
#define ADBC_DRIVER_1_1_0_SIZE (sizeof(struct AdbcDriver))

/* The type of the functions that fill AdbcDriver. ADBC_STATUS_NOT_IMPLEMENTED for a version that the driver
   does not have; the caller may then try an earlier one. */
typedef AdbcStatusCode (*AdbcDriverInitFunc)(int version, void* driver, struct AdbcError* error);

#ifdef __cplusplus
}
#endif

#endif
