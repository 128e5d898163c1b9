#pragma once
#include <sqlite3.h>
#include <errno.h>
#include <stdio.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// What Swift cannot call by itself: C's variadic functions, and the casts behind SQLITE_STATIC and SQLITE_TRANSIENT.

static inline int datamonk_db_config(sqlite3 *database, int verb, int value) {
    return sqlite3_db_config(database, verb, value, (int *)0);
}

static inline int datamonk_bind_text_copied(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int datamonk_bind_text_borrowed(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int datamonk_bind_blob_copied(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int datamonk_bind_blob_borrowed(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLite frees the memory, which is from sqlite3_malloc64, even if it refuses the value.
static inline int datamonk_bind_blob_owned(sqlite3_stmt *statement, int index, void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, sqlite3_free);
}

static inline void datamonk_result_text(sqlite3_context *context, const char *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void datamonk_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

static inline int datamonk_config_memory(int verb, sqlite3_mem_methods *methods) {
    return sqlite3_config(verb, methods);
}

// Gives a file in a folder another name, which must be free. Without it, the result is -1 and errno is ENOSYS or EINVAL.
static inline int datamonk_rename_exclusively(int folder, const char *name, const char *new_name) {
#if defined(__APPLE__)
    return renameatx_np(folder, name, folder, new_name, RENAME_EXCL);
#elif defined(__linux__) && defined(SYS_renameat2)
    return (int)syscall(SYS_renameat2, folder, name, folder, new_name, 1 /* RENAME_NOREPLACE */);
#else
    errno = ENOSYS;
    return -1;
#endif
}
