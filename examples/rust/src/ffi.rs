//! The functions of scaup.h that the example uses.
use std::ffi::{c_char, c_void};

macro_rules! handles {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}
handles!(Database, Connection, Statement, QueryResult, Appender, Error, Type);

/// scaup_column.
#[repr(C)]
pub struct Column {
    pub name: *const c_char,
    pub sql_type: *const Type,
    pub type_id: i32,
    pub width: u8,
    pub scale: u8,
    pub row_count: usize,
    pub value_bytes: usize,
    pub data: *const c_void,
    pub nulls: *const u8,
}

/// scaup_string: up to 12 bytes are inline, from the fifth byte of the structure.
#[repr(C)]
pub struct Text {
    pub size: u32,
    pub head: [u8; 4],
    pub data: *const u8,
}

extern "C" {
    pub fn scaup_error_message(error: *const Error) -> *const c_char;
    pub fn scaup_error_sqlstate(error: *const Error) -> *const c_char;
    pub fn scaup_error_position(error: *const Error) -> i64;
    pub fn scaup_error_free(error: *mut Error);
    pub fn scaup_open(path: *const c_char, settings: *const c_void, count: usize, out: *mut *mut Database, error: *mut *mut Error) -> i32;
    pub fn scaup_close(database: *mut Database);
    pub fn scaup_connect(database: *mut Database, out: *mut *mut Connection, error: *mut *mut Error) -> i32;
    pub fn scaup_disconnect(connection: *mut Connection);
    pub fn scaup_query(connection: *mut Connection, sql: *const c_char, length: usize, out: *mut *mut QueryResult, error: *mut *mut Error) -> i32;
    pub fn scaup_prepare(connection: *mut Connection, sql: *const c_char, length: usize, out: *mut *mut Statement, error: *mut *mut Error) -> i32;
    pub fn scaup_bind_int64(statement: *mut Statement, parameter: usize, value: i64, error: *mut *mut Error) -> i32;
    pub fn scaup_execute(statement: *mut Statement, out: *mut *mut QueryResult, error: *mut *mut Error) -> i32;
    pub fn scaup_statement_free(statement: *mut Statement);
    pub fn scaup_result_column(result: *const QueryResult, column: usize, out: *mut Column, error: *mut *mut Error) -> i32;
    pub fn scaup_result_text(
        result: *const QueryResult, column: usize, row: usize, buffer: *mut c_char, capacity: usize, length: *mut usize, error: *mut *mut Error,
    ) -> i32;
    pub fn scaup_result_free(result: *mut QueryResult);
    pub fn scaup_appender_open(
        connection: *mut Connection, schema: *const c_char, table: *const c_char, out: *mut *mut Appender, error: *mut *mut Error,
    ) -> i32;
    pub fn scaup_append_text(appender: *mut Appender, text: *const c_char, length: usize, error: *mut *mut Error) -> i32;
    pub fn scaup_append_int64(appender: *mut Appender, value: i64, error: *mut *mut Error) -> i32;
    pub fn scaup_append_row_end(appender: *mut Appender, error: *mut *mut Error) -> i32;
    pub fn scaup_appender_flush(appender: *mut Appender, error: *mut *mut Error) -> i32;
    pub fn scaup_appender_free(appender: *mut Appender);
}
