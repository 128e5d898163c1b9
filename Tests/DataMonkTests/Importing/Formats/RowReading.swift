import DataMonk
import Foundation

/// Chunks of a few bytes, so that every place of an input is the end of one.
struct SmallChunks: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let size: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>
        let size: Int

        mutating func next() async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...], size: size) }
}

/// What came of reading an input: its rows, each as values or as a problem, and the error that ended it.
struct ReadRows: Equatable, CustomStringConvertible {
    private(set) var rows: [[String: ManagedValue]?] = []
    private(set) var places: [ImportPlace] = []
    private(set) var problems: [String] = []
    private(set) var failure: String?

    init<Rows: AsyncSequence>(_ rows: Rows) async where Rows.Element == ImportRow {
        do {
            for try await row in rows {
                places.append(row.place)
                switch row.content {
                case .success(let values): self.rows.append(values)
                case .failure(let error):
                    self.rows.append(nil)
                    problems.append(Self.message(of: error))
                }
            }
        } catch {
            failure = Self.message(of: error)
        }
    }

    private static func message(of error: any Error) -> String {
        (error as? FormatError)?.message ?? "not a FormatError: \(error)"
    }

    /// The values of the rows that have some.
    var values: [[String: ManagedValue]] { rows.compactMap(\.self) }
    var description: String { "\(rows) \(problems) \(failure ?? "")" }
}

extension ByteSource {
    static func chunks(of text: some StringProtocol, size: Int) -> ByteSource {
        .chunks(SmallChunks(bytes: Array(text.utf8), size: size))
    }
}
