# Installs a build into an empty folder, builds a program against what lies there, and runs it.
#   cmake -DBUILD=<build folder> -P check.cmake
set(work ${BUILD}/install-check)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
# The installed files must not lean on the place where they were built.
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work}/build -G Ninja -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)

function(expect_answer)
  run(${ARGN})
  if(NOT output STREQUAL "answer: 42\n")
    message(FATAL_ERROR "the program printed: ${output}")
  endif()
endfunction()
expect_answer(${work}/build/consumer)
expect_answer(${work}/build/consumer_static)
expect_answer(${work}/build/consumer_c)

# Where the module of Python goes, only a wheel knows.
if(EXISTS ${work}/prefix/scaup)
  message(FATAL_ERROR "something was installed into the folder scaup of the prefix")
endif()

# By pkg-config, from another place than that which it was installed into.
find_program(pkg_config NAMES pkg-config pkgconf)
find_program(compiler NAMES c++ g++)
if(pkg_config AND compiler)
  file(RENAME ${work}/prefix ${work}/moved)
  file(GLOB_RECURSE config ${work}/moved/*/scaup.pc)
  cmake_path(GET config PARENT_PATH config_folder)
  set(ENV{PKG_CONFIG_PATH} ${config_folder})
  run(${pkg_config} --cflags --libs scaup)
  separate_arguments(options UNIX_COMMAND "${output}")
  cmake_path(GET config_folder PARENT_PATH library_folder)
  run(${compiler} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer/main.cpp ${options} -Wl,-rpath,${library_folder} -o ${work}/by_pkg_config)
  expect_answer(${work}/by_pkg_config)
endif()
