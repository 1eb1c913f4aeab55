// All of Scaup's public C++ interface.
#pragma once

#include "scaup/aggregate.hpp"
#include "scaup/appender.hpp"
#include "scaup/arrow_ipc.hpp"
#include "scaup/arrow_schema.hpp"
#include "scaup/connection.hpp"
#include "scaup/database.hpp"
#include "scaup/error.hpp"
#include "scaup/function.hpp"
#include "scaup/function_host.hpp"
#include "scaup/postgres_type.hpp"
#include "scaup/result.hpp"
#include "scaup/statement_info.hpp"
#include "scaup/table_name.hpp"
#include "scaup/type.hpp"
#include "scaup/type_text.hpp"
#include "scaup/value.hpp"
