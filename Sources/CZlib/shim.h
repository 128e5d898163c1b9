#pragma once
#include <zlib.h>

// What Swift cannot call by itself: macros. Windows of -15 bits mean DEFLATE without zlib's header and checksum.

static inline int datamonk_inflate_init_raw(z_stream *stream) {
    return inflateInit2(stream, -15);
}

static inline int datamonk_deflate_init_raw(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
