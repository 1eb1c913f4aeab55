// The families of JSON and JSONB functions, for the registry.
#pragma once

#include "function/scalar/scalar_functions.hpp"

namespace scaup {

ScalarFunctionList JsonAccessFunctions();     ///< -> ->> #> #>>
ScalarFunctionList JsonConstructFunctions();  ///< to_json, json_build_object, json_build_array
ScalarFunctionList JsonInspectFunctions();    ///< json_typeof, json_array_length, ? and @>
ScalarFunctionList JsonModifyFunctions();     ///< || and -
ScalarFunctionList JsonSetFunctions();        ///< json_each, json_array_elements, json_object_keys

ScalarFunctionList JsonLayoutFunctions();     ///< json_pretty, json_strip_nulls
ScalarFunctionList JsonSetAtPathFunctions();  ///< jsonb_set, jsonb_insert and #-
ScalarFunctionList JsonObjectFunctions();     ///< json_object of lists of texts
ScalarFunctionList JsonPartFunctions();       ///< json_extract and others with paths such as $.a[0]
ScalarFunctionList JsonPathFunctions();       ///< jsonb_path_query and others, in ../json_path
ScalarFunctionList JsonPopulateFunctions();   ///< json_populate_record, json_populate_recordset
ScalarFunctionList JsonStructureFunctions();  ///< json_structure
ScalarFunctionList JsonTransformFunctions();  ///< json_transform, from_json
ScalarFunctionList JsonChangeFunctions();     ///< json_set, json_remove, json_merge_patch

}  // namespace scaup
