public import Foundation

/// **Shared.** The bytes that rows are read from: those of a file, of data in memory, or of an asynchronous sequence.
///
///     let people = JSONLines(.file(url))
///     let answer = JSONRows(.data(response), at: "data.people")
///     let stream = CSVRows(.chunks(request.body))
///
/// Bytes are taken when rows are asked for, a chunk at a time: an input of any size needs the memory of a chunk and of a row.
/// Each iteration begins anew, as far as the source can do that; a sequence that gives its bytes once has none the second time.
public struct ByteSource: Sendable {
    let makeReader: @Sendable () -> any ChunkReading

    /// Returns the bytes of a file. It is opened when the first row is asked for.
    ///
    /// Files are read on threads of their own, so no other thread waits for a disk or for the other end of a pipe, and a reading
    /// that is cancelled ends at once.
    public static func file(_ url: URL) -> ByteSource { ByteSource { FileChunks { try OpenInput(url) } } }

    /// The bytes of the standard input, from its present position on.
    package static var standardInput: ByteSource { ByteSource { FileChunks { try OpenInput.standardInput() } } }

    /// Returns the bytes of data in memory.
    public static func data(_ data: Data) -> ByteSource { ByteSource { DataChunks(data) } }

    /// Returns the bytes of a text.
    public static func text(_ text: String) -> ByteSource { data(Data(text.utf8)) }

    /// Returns the bytes of chunks that arrive one after the other, such as the body of a request.
    public static func chunks<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) -> ByteSource
    where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
        ByteSource { SequenceChunks(chunks.makeAsyncIterator()) }
    }

    /// Returns bytes that arrive one by one, such as the `bytes` of a `URLSession`. Chunks are faster.
    public static func bytes<Bytes: AsyncSequence & Sendable>(_ bytes: Bytes) -> ByteSource
    where Bytes.Element == UInt8 {
        ByteSource { ByteChunks(bytes.makeAsyncIterator()) }
    }

    /// Returns the same bytes, and tells after each part how many were read until then.
    package func observed(_ observer: @escaping @Sendable (Int) -> Void) -> ByteSource {
        ByteSource { [makeReader] in ObservedChunks(makeReader(), observer: observer) }
    }
}
