/* Makes an allocation of the calling thread fail, for tests in C. */
#ifndef SCAUP_TEST_C_FAILING_CALLS_H
#define SCAUP_TEST_C_FAILING_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, allocation `number` of C++ code on this thread fails; they count from 0. */
void begin_failing(int64_t number);
/* Lets allocations succeed again. Returns how many there were. */
int64_t end_failing(void);

#ifdef __cplusplus
}
#endif

#endif
