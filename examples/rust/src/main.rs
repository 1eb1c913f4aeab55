//! Sales by city, in Rust: appends rows, asks with a parameter, reads columns in place, and shows an error.
mod ffi;

use std::ffi::{c_char, CStr};
use std::ptr::{null, null_mut};

/// An error of Scaup.
#[derive(Debug)]
struct Failure {
    state: String,
    message: String,
    position: i64,
}

/// Makes a call, which takes a place for its error, and takes that error over.
fn check(call: impl FnOnce(*mut *mut ffi::Error) -> i32) -> Result<(), Failure> {
    let mut error = null_mut();
    if call(&mut error) == 0 {
        return Ok(());
    }
    unsafe {
        let text = |pointer| CStr::from_ptr(pointer).to_string_lossy().into_owned();
        let failure = Failure {
            state: text(ffi::scaup_error_sqlstate(error)),
            message: text(ffi::scaup_error_message(error)),
            position: ffi::scaup_error_position(error),
        };
        ffi::scaup_error_free(error);
        Err(failure)
    }
}

/// A handle that is freed when it goes out of scope.
struct Owned<T>(*mut T, unsafe extern "C" fn(*mut T));

impl<T> Owned<T> {
    fn make(free: unsafe extern "C" fn(*mut T), call: impl FnOnce(*mut *mut T, *mut *mut ffi::Error) -> i32) -> Result<Self, Failure> {
        let mut handle = null_mut();
        check(|error| call(&mut handle, error))?;
        Ok(Owned(handle, free))
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        unsafe { (self.1)(self.0) }
    }
}

fn pointer(text: &str) -> *const c_char {
    text.as_ptr().cast()
}

fn query(connection: &Owned<ffi::Connection>, sql: &str) -> Result<(), Failure> {
    check(|error| unsafe { ffi::scaup_query(connection.0, pointer(sql), sql.len(), null_mut(), error) })
}

fn fill(connection: &Owned<ffi::Connection>) -> Result<(), Failure> {
    query(connection, "CREATE TABLE sales (city VARCHAR, amount DECIMAL(9,2))")?;
    let appender = Owned::make(ffi::scaup_appender_free, |out, error| unsafe {
        ffi::scaup_appender_open(connection.0, null(), c"sales".as_ptr(), out, error)
    })?;
    for i in 0..3000 {
        let city = ["Berlin", "Amsterdam", "Kyoto"][i % 3];
        check(|error| unsafe { ffi::scaup_append_text(appender.0, pointer(city), city.len(), error) })?;
        check(|error| unsafe { ffi::scaup_append_int64(appender.0, i as i64, error) })?;
        check(|error| unsafe { ffi::scaup_append_row_end(appender.0, error) })?;
    }
    check(|error| unsafe { ffi::scaup_appender_flush(appender.0, error) })
}

fn column(result: &Owned<ffi::QueryResult>, index: usize) -> Result<ffi::Column, Failure> {
    let mut column = std::mem::MaybeUninit::uninit();
    check(|error| unsafe { ffi::scaup_result_column(result.0, index, column.as_mut_ptr(), error) })?;
    Ok(unsafe { column.assume_init() })
}

/// The bytes of a string; valid as long as its column.
fn bytes(text: &ffi::Text) -> &[u8] {
    let start = if text.size <= 12 { (text as *const ffi::Text).cast::<u8>().wrapping_add(4) } else { text.data };
    unsafe { std::slice::from_raw_parts(start, text.size as usize) }
}

fn totals(connection: &Owned<ffi::Connection>, least: i64) -> Result<(), Failure> {
    let sql = "SELECT city, count(*) AS sales, sum(amount) AS total FROM sales WHERE amount >= $1 GROUP BY city ORDER BY city";
    let statement = Owned::make(ffi::scaup_statement_free, |out, error| unsafe {
        ffi::scaup_prepare(connection.0, pointer(sql), sql.len(), out, error)
    })?;
    check(|error| unsafe { ffi::scaup_bind_int64(statement.0, 1, least, error) })?;
    let result = Owned::make(ffi::scaup_result_free, |out, error| unsafe { ffi::scaup_execute(statement.0, out, error) })?;
    let (city, count) = (column(&result, 0)?, column(&result, 1)?);
    for row in 0..city.row_count {
        let mut total = [0 as c_char; 32];
        check(|error| unsafe { ffi::scaup_result_text(result.0, 2, row, total.as_mut_ptr(), 32, null_mut(), error) })?;
        unsafe {
            let name = String::from_utf8_lossy(bytes(&*city.data.cast::<ffi::Text>().add(row)));
            let sales = *count.data.cast::<i64>().add(row);
            println!("{name}: {sales} sales, {}", CStr::from_ptr(total.as_ptr()).to_string_lossy());
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let database = Owned::make(ffi::scaup_close, |out, error| unsafe { ffi::scaup_open(null(), null(), 0, out, error) })?;
    let connection = Owned::make(ffi::scaup_disconnect, |out, error| unsafe { ffi::scaup_connect(database.0, out, error) })?;
    fill(&connection)?;
    totals(&connection, 1000)?;
    if let Err(failure) = query(&connection, "SELECT price FROM sales") {
        println!("error {} at byte {}", failure.state, failure.position);
        assert!(failure.message.contains("price"));
    }
    Ok(())
}
