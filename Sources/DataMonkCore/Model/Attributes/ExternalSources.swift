/// **Shared.** The open stores' external sources, by number.
///
/// This is the only table that belongs to the process: a property reads a row and knows neither its object nor a store, so a
/// row's reference must lead to the file by itself. Numbers are never reused, so a row that outlives its store finds
/// nothing, rather than another store's file.
package enum ExternalSources {
    private struct Entry {
        weak var source: (any ExternalSource)?
    }

    private static let entries = Locked<[Entry]>([])

    /// Creates a source with its number. The table does not retain it.
    package static func add<Source: ExternalSource>(_ make: (UInt32) -> Source) -> Source {
        entries.withLock { entries in
            let source = make(UInt32(entries.count))
            entries.append(Entry(source: source))
            return source
        }
    }

    static func source(numbered number: UInt32) -> (any ExternalSource)? {
        entries.withLock { Int(number) < $0.count ? $0[Int(number)].source : nil }
    }
}
