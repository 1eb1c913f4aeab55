// Applies a function to every row of one to three vectors of any form, for scalar functions.
#pragma once

#include "common/check.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Sets result[row] = function(a[row]), or NULL if a[row] is NULL. REQUIRES: `result` is after Reset().
template <typename A, typename R, typename F>
void MapUnary(Vector& a, size_t count, Vector& result, F&& function) {
  SCAUP_ASSERT(result.is_flat());
  const auto view = a.ViewAs<A>(count);
  R* out = result.MutableData<R>();
  if (view.all_valid()) {
    for (size_t row = 0; row < count; row++) out[row] = function(view[row]);
    return;
  }
  for (size_t row = 0; row < count; row++) {
    if (view.IsValid(row)) {
      out[row] = function(view[row]);
    } else {
      result.SetNull(row);
    }
  }
}

/// Sets result[row] = function(a[row], b[row]), or NULL if either is NULL.
template <typename A, typename B, typename R, typename F>
void MapBinary(Vector& a, Vector& b, size_t count, Vector& result, F&& function) {
  const auto a_view = a.ViewAs<A>(count);
  const auto b_view = b.ViewAs<B>(count);
  R* out = result.MutableData<R>();
  if (a_view.all_valid() && b_view.all_valid()) {
    for (size_t row = 0; row < count; row++) out[row] = function(a_view[row], b_view[row]);
    return;
  }
  for (size_t row = 0; row < count; row++) {
    if (a_view.IsValid(row) && b_view.IsValid(row)) {
      out[row] = function(a_view[row], b_view[row]);
    } else {
      result.SetNull(row);
    }
  }
}

/// Sets result[row] = function(a[row], b[row], c[row]), or NULL if one of them is NULL.
template <typename A, typename B, typename C, typename R, typename F>
void MapTernary(Vector& a, Vector& b, Vector& c, size_t count, Vector& result, F&& function) {
  const auto a_view = a.ViewAs<A>(count);
  const auto b_view = b.ViewAs<B>(count);
  const auto c_view = c.ViewAs<C>(count);
  R* out = result.MutableData<R>();
  if (a_view.all_valid() && b_view.all_valid() && c_view.all_valid()) {
    for (size_t row = 0; row < count; row++) out[row] = function(a_view[row], b_view[row], c_view[row]);
    return;
  }
  for (size_t row = 0; row < count; row++) {
    if (a_view.IsValid(row) && b_view.IsValid(row) && c_view.IsValid(row)) {
      out[row] = function(a_view[row], b_view[row], c_view[row]);
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace scaup
