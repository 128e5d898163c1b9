/// **Confined.** Passes rows on to another sink until they have a number of bytes. Rows beyond that are not even packed, so
/// that large values are not read.
final class PartSink: RowSink {
    private let sink: ObjectSink
    private let directory: ObjectDirectory
    private let byteLimit: Int
    private var byteCount = 0
    /// The keys of the rows that were not passed on.
    private(set) var left: Set<ObjectKey> = []

    var arena: RowArena {
        get { sink.arena }
        set { sink.arena = newValue }
    }

    init(_ sink: ObjectSink, byteLimit: Int, directory: ObjectDirectory) {
        self.sink = sink
        self.byteLimit = byteLimit
        self.directory = directory
    }

    func wants(_ key: ObjectKey) -> Bool {
        if byteCount < byteLimit { return sink.wants(key) }
        left.insert(key)
        return false
    }

    func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {
        byteCount += directory.layout(of: key).size(of: UnsafeRawPointer(pointer))
        sink.take(key, at: pointer, in: &arena)
    }

    func take(_ key: ObjectKey, row: Row) {
        byteCount += directory.layout(of: key).size(of: row.pointer)
        sink.take(key, row: row)
    }

    func takeFault(_ key: ObjectKey) { sink.takeFault(key) }
    func ownerDidEnd() -> Bool { sink.ownerDidEnd() }
}

@available(*, unavailable)
extension PartSink: Sendable {}
