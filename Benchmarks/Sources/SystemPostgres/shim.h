#pragma once
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// poll() waits for whole milliseconds, and Swift does not import ppoll().
static inline long wait_for_input(struct pollfd *descriptors, nfds_t count, struct timespec *timeout) {
    return syscall(SYS_ppoll, descriptors, count, timeout, 0, 0);
}
