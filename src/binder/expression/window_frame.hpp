// The frame of a window: the types of its offsets, and the limits that RANGE makes of them.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

/// Types the offsets of the window's frame, which are bound, and computes what RANGE needs of them. Throws
/// 42P20 where the frame does not fit the window's ORDER BY, 42804 and 0A000 where an offset has a type that
/// does not fit, 42P10 where it contains columns of its own level.
void SettleFrame(BindSession& session, WindowExpression& window);

}  // namespace scaup
