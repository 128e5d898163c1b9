import CZlib
package import Foundation

/// **Value.** DEFLATE without a header or a checksum, the format in which a store keeps its model.
package enum RawDeflate {
    /// **Value.** The reason why bytes cannot be inflated or deflated.
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes are not DEFLATE data, or are damaged.
        case damaged
        /// The bytes end before the compressed data does.
        case truncated
        /// The result would exceed the limit: a few kilobytes may inflate to gigabytes.
        case tooLarge
        /// The system is out of memory.
        case outOfMemory
    }

    private static let chunkSize = 64 << 10

    /// Inflates compressed bytes.
    ///
    /// - Parameter limit: The maximum number of bytes in the result.
    /// - Throws: ``Failure``.
    package static func inflate(_ data: Data, limit: Int) throws(Failure) -> Data {
        var stream = z_stream()
        guard datamonk_inflate_init_raw(&stream) == Z_OK else { throw .outOfMemory }
        defer { inflateEnd(&stream) }
        var input = [UInt8](data)
        var output = Data()
        let code = run(&stream, input: &input, output: &output, limit: limit) { CZlib.inflate(&$0, Z_NO_FLUSH) }
        switch code {
        case Z_OK where output.count > limit, Z_STREAM_END where output.count > limit: throw .tooLarge
        case Z_STREAM_END: return output
        case Z_MEM_ERROR: throw .outOfMemory
        case Z_OK, Z_BUF_ERROR: throw .truncated
        default: throw .damaged
        }
    }

    /// Compresses bytes.
    ///
    /// - Throws: ``Failure/outOfMemory``.
    package static func deflate(_ data: Data) throws(Failure) -> Data {
        var stream = z_stream()
        guard datamonk_deflate_init_raw(&stream) == Z_OK else { throw .outOfMemory }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = Data()
        let code = run(&stream, input: &input, output: &output, limit: .max) { CZlib.deflate(&$0, Z_FINISH) }
        guard code == Z_STREAM_END else { throw .outOfMemory }
        return output
    }

    /// Runs zlib until it ends, fails, needs more input than there is, or has written more than `limit` bytes.
    private static func run(
        _ stream: inout z_stream, input: inout [UInt8], output: inout Data, limit: Int,
        step: (inout z_stream) -> Int32
    ) -> Int32 {
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        // The pointers stay inside these closures: afterwards the stream is only ended.
        return input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(clamping: source.count)
            while true {
                let code = chunk.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    return step(&stream)
                }
                let written = chunkSize - Int(stream.avail_out)
                output.append(contentsOf: chunk[..<written])
                guard code == Z_OK, output.count <= limit, written > 0 || stream.avail_in > 0 else { return code }
            }
        }
    }
}
