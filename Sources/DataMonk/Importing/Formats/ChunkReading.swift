import DataMonkCore
import DataMonkSQLite
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

/// **Confined.** The bytes of a file.
struct FileChunks: ChunkReading {
    /// The number of bytes read at a time: enough for the way to another thread not to count.
    static let size = 256 << 10

    private let url: URL
    private let worker = StoreWorker()
    private var file: OpenInput?

    init(_ url: URL) { self.url = url }

    mutating func next() async throws -> [UInt8]? {
        let (url, opened) = (url, file)
        let (input, chunk) = try await worker.run {
            let input = try opened ?? OpenInput(url)
            return (input, try input.read(upTo: Self.size))
        }
        file = input
        return chunk.isEmpty ? nil : chunk
    }
}

/// **Shared.** A file that is open for reading. It is closed when nobody has it any more.
private final class OpenInput: Sendable {
    private let url: URL
    private let file: Int32
    private let files = SystemFileCalls.inUse.withLock { $0 }

    init(_ url: URL) throws {
        guard url.isFileURL, !url.path.utf8.contains(0) else {
            throw FormatError(.unreadableFile, "\(url.absoluteString) is no URL of a file. Pass one, or data.")
        }
        self.url = url
        file = files.open(url.path, in: AT_FDCWD, O_RDONLY | O_CLOEXEC, mode: 0)
        if file < 0 { throw Self.failure(errno, action: "opened", url: url) }
    }

    deinit {
        if file >= 0 { files.close(file) }
    }

    /// Returns the next bytes, or none at the end of the file.
    func read(upTo count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while true {
                let part = files.read(file, into: UnsafeMutableRawBufferPointer(buffer))
                if part < 0, errno == EINTR { continue }
                if part < 0 { throw Self.failure(errno, action: "read", url: url) }
                filled = part
                return
            }
        }
    }

    private static func failure(_ code: Int32, action: String, url: URL) -> FormatError {
        let reason = String(cString: strerror(code))
        let remedy = code == ENOENT ? "Pass the location of a file that exists." : "Check the file and its permissions."
        return FormatError(
            .unreadableFile, "\(url.lastPathComponent) could not be \(action): \(reason). \(remedy)",
            underlyingError: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
    }
}
