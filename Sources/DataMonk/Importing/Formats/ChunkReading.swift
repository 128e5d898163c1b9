import Foundation

/// A pass over the bytes of a ``ByteSource``.
protocol ChunkReading {
    /// Returns the next bytes, or `nil` at the end. A chunk may be empty.
    mutating func next() async throws -> [UInt8]?
}

/// **Confined.** The bytes of data in memory. They are copied part by part, so that there are never two whole copies.
struct DataChunks: ChunkReading {
    private let data: Data
    private var place: Int

    init(_ data: Data) {
        self.data = data
        place = data.startIndex
    }

    mutating func next() async throws -> [UInt8]? {
        guard place < data.endIndex else { return nil }
        let end = min(data.endIndex, place + FileChunks.size)
        defer { place = end }
        return Array(data[place..<end])
    }
}

/// **Confined.** Chunks of an asynchronous sequence.
struct SequenceChunks<Chunks: AsyncIteratorProtocol>: ChunkReading
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    private var chunks: Chunks

    init(_ chunks: Chunks) { self.chunks = chunks }

    mutating func next() async throws -> [UInt8]? { try await chunks.next(isolation: #isolation).map { Array($0) } }
}

/// **Confined.** Chunks of single bytes. A chunk ends with a line, so that no row waits for the next one's bytes.
struct ByteChunks<Bytes: AsyncIteratorProtocol>: ChunkReading where Bytes.Element == UInt8 {
    private var bytes: Bytes

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func next() async throws -> [UInt8]? {
        var chunk: [UInt8] = []
        while chunk.count < FileChunks.size, let byte = try await bytes.next(isolation: #isolation) {
            chunk.append(byte)
            if byte == UInt8(ascii: "\n") { break }
        }
        return chunk.isEmpty ? nil : chunk
    }
}

/// **Confined.** The chunks of another reader, counted.
struct ObservedChunks: ChunkReading {
    private var chunks: any ChunkReading
    private let observer: @Sendable (Int) -> Void
    private var count = 0

    init(_ chunks: any ChunkReading, observer: @escaping @Sendable (Int) -> Void) {
        self.chunks = chunks
        self.observer = observer
    }

    mutating func next() async throws -> [UInt8]? {
        let chunk = try await chunks.next()
        count += chunk?.count ?? 0
        observer(count)
        return chunk
    }
}

/// **Confined.** The bytes of a file, which is opened when the first ones are asked for.
struct FileChunks: ChunkReading {
    /// The number of bytes read at a time: enough for another thread not to count.
    static let size = 256 << 10

    private let opening: @Sendable () throws -> OpenInput
    private var file: OpenInput?

    init(_ opening: @escaping @Sendable () throws -> OpenInput) { self.opening = opening }

    mutating func next() async throws -> [UInt8]? {
        let input = try await open()
        let chunk = try await withTaskCancellationHandler {
            try await BlockingCall.run { try input.read(upTo: Self.size) }
        } onCancel: {
            input.stop()
        }
        return chunk.isEmpty ? nil : chunk
    }

    private mutating func open() async throws -> OpenInput {
        if let file { return file }
        let opened = try await BlockingCall.run(opening)
        file = opened
        return opened
    }
}
