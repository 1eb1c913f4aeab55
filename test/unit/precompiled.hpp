// Catch2 and the standard headers, compiled once for all unit tests.
#pragma once

#include <catch2/catch.hpp>

#include "common/precompiled.hpp"
