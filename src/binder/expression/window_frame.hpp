// The frame of a window: the types of its offsets, and the bounds that RANGE computes from them.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

/// Gives types to the bound offsets of the window's frame, and prepares what RANGE needs of them. Throws
/// 42P20 if the frame does not fit the window's ORDER BY, 42804 or 0A000 for an offset of a wrong type, and
/// 42P10 for an offset with columns of its own level.
void SettleFrame(BindSession& session, WindowExpression& window);

}  // namespace scaup
