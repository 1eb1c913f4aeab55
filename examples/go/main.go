// Sales by city, in Go: appends rows, asks with a parameter, reads columns in place, and shows an error.
package main

/*
#cgo pkg-config: scaup
#include <stdlib.h>
#include <scaup.h>
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

// failure is an error of Scaup.
type failure struct {
	state, message string
	position       int64
}

func (f *failure) Error() string { return f.state + ": " + f.message }

// check takes over the error object of a call.
func check(status C.scaup_status, object *C.scaup_error) error {
	if status == C.SCAUP_OK {
		return nil
	}
	defer C.scaup_error_free(object)
	return &failure{C.GoString(C.scaup_error_sqlstate(object)), C.GoString(C.scaup_error_message(object)),
		int64(C.scaup_error_position(object))}
}

// text gives the bytes of a Go string and their number; they are valid until the string is collected.
func text(s string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

func query(connection *C.scaup_connection, sql string) error {
	var object *C.scaup_error
	bytes, size := text(sql)
	return check(C.scaup_query(connection, bytes, size, nil, &object), object)
}

func fill(connection *C.scaup_connection) error {
	if err := query(connection, "CREATE TABLE sales (city VARCHAR, amount DECIMAL(9,2))"); err != nil {
		return err
	}
	var appender *C.scaup_appender
	var object *C.scaup_error
	table := C.CString("sales")
	defer C.free(unsafe.Pointer(table))
	if err := check(C.scaup_appender_open(connection, nil, table, &appender, &object), object); err != nil {
		return err
	}
	defer C.scaup_appender_free(appender)
	cities := []string{"Berlin", "Amsterdam", "Kyoto"}
	for i := 0; i < 3000; i++ {
		bytes, size := text(cities[i%3])
		if err := check(C.scaup_append_text(appender, bytes, size, &object), object); err != nil {
			return err
		}
		if err := check(C.scaup_append_int64(appender, C.int64_t(i), &object), object); err != nil {
			return err
		}
		if err := check(C.scaup_append_row_end(appender, &object), object); err != nil {
			return err
		}
	}
	return check(C.scaup_appender_flush(appender, &object), object)
}

func totals(connection *C.scaup_connection, least int64) error {
	var statement *C.scaup_statement
	var result *C.scaup_result
	var object *C.scaup_error
	bytes, size := text("SELECT city, count(*) AS sales, sum(amount) AS total FROM sales WHERE amount >= $1 " +
		"GROUP BY city ORDER BY city")
	if err := check(C.scaup_prepare(connection, bytes, size, &statement, &object), object); err != nil {
		return err
	}
	defer C.scaup_statement_free(statement)
	if err := check(C.scaup_bind_int64(statement, 1, C.int64_t(least), &object), object); err != nil {
		return err
	}
	if err := check(C.scaup_execute(statement, &result, &object), object); err != nil {
		return err
	}
	defer C.scaup_result_free(result)
	var city, count C.scaup_column
	if err := check(C.scaup_result_column(result, 0, &city, &object), object); err != nil {
		return err
	}
	if err := check(C.scaup_result_column(result, 1, &count, &object), object); err != nil {
		return err
	}
	cities := unsafe.Slice((*C.scaup_string)(city.data), int(city.row_count))
	counts := unsafe.Slice((*int64)(count.data), int(count.row_count))
	for row := range cities {
		name := C.GoStringN(C.scaup_string_data(&cities[row]), C.int(cities[row].size))
		var total [32]C.char
		var length C.size_t
		if err := check(C.scaup_result_text(result, 2, C.size_t(row), &total[0], 32, &length, &object), object); err != nil {
			return err
		}
		fmt.Printf("%s: %d sales, %s\n", name, counts[row], C.GoString(&total[0]))
	}
	return nil
}

func run() error {
	var database *C.scaup_database
	var connection *C.scaup_connection
	var object *C.scaup_error
	if err := check(C.scaup_open(nil, nil, 0, &database, &object), object); err != nil {
		return err
	}
	defer C.scaup_close(database)
	if err := check(C.scaup_connect(database, &connection, &object), object); err != nil {
		return err
	}
	defer C.scaup_disconnect(connection)
	if err := fill(connection); err != nil {
		return err
	}
	if err := totals(connection, 1000); err != nil {
		return err
	}
	if f, is := query(connection, "SELECT price FROM sales").(*failure); is {
		fmt.Printf("error %s at byte %d\n", f.state, f.position)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
