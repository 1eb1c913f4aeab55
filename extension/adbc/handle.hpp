// Handles: the driver's objects behind the structures of the interface, and the functions of their options.
#pragma once

#include <memory>
#include <string>

#include "edge.hpp"
#include "options.hpp"

namespace scaup::adbc {

/// Access to the object of a handle, such as AdbcDatabase. The handle owns a shared pointer to it.
template <typename Handle, typename State>
struct HandleAccess {
  static std::shared_ptr<State>& PointerOf(Handle* handle) {
    if (Require(handle, "the handle").private_data == nullptr)
      ThrowInvalidState("the handle was not made by New, or was released");
    return *static_cast<std::shared_ptr<State>*>(handle->private_data);
  }
  static State& Of(Handle* handle) { return *PointerOf(handle); }

  static void Make(Handle* handle, std::shared_ptr<State> state) {
    if (Require(handle, "the handle").private_data != nullptr)
      ThrowInvalidState("the handle is in use already");
    handle->private_data = new std::shared_ptr<State>(std::move(state));
  }
  static void Release(Handle* handle) {
    delete &PointerOf(handle);
    handle->private_data = nullptr;
  }

  static AdbcStatusCode SetText(Handle* handle, const char* key, const char* value, AdbcError* error) {
    return Guard(error, [&] {
      Of(handle).SetOption(&Require(key, "the option's name"), &Require(value, "the option's value"));
    });
  }
  static AdbcStatusCode SetBytes(Handle* handle, const char* key, const uint8_t* value, size_t length,
                                 AdbcError* error) {
    return Guard(error, [&] {
      if (length != 0) Require(value, "the option's value");
      Of(handle).SetOption(&Require(key, "the option's name"),
                           std::string(reinterpret_cast<const char*>(value), length));
    });
  }
  static AdbcStatusCode SetInteger(Handle* handle, const char* key, int64_t value, AdbcError* error) {
    return Guard(error,
                 [&] { Of(handle).SetOption(&Require(key, "the option's name"), std::to_string(value)); });
  }
  static AdbcStatusCode SetDouble(Handle* handle, const char* key, double value, AdbcError* error) {
    return Guard(error, [&] { Of(handle).SetOption(&Require(key, "the option's name"), NumberText(value)); });
  }
  static AdbcStatusCode GetText(Handle* handle, const char* key, char* value, size_t* length,
                                AdbcError* error) {
    return Guard(error,
                 [&] { CopyText(Of(handle).GetOption(&Require(key, "the option's name")), value, length); });
  }
  static AdbcStatusCode GetBytes(Handle* handle, const char* key, uint8_t* value, size_t* length,
                                 AdbcError* error) {
    return Guard(error,
                 [&] { CopyBytes(Of(handle).GetOption(&Require(key, "the option's name")), value, length); });
  }
  static AdbcStatusCode GetInteger(Handle* handle, const char* key, int64_t* value, AdbcError* error) {
    return Guard(error, [&] {
      const std::string text = Of(handle).GetOption(&Require(key, "the option's name"));
      Require(value, "the output") = ToInteger(key, text);
    });
  }
  static AdbcStatusCode GetDouble(Handle* handle, const char* key, double* value, AdbcError* error) {
    return Guard(error, [&] {
      const std::string text = Of(handle).GetOption(&Require(key, "the option's name"));
      Require(value, "the output") = ToDouble(key, text);
    });
  }
};

}  // namespace scaup::adbc
