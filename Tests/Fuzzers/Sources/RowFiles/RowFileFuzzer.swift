import DataMonk
import Foundation
import FuzzStage
import Synchronization

@main enum RowFileFuzzer {
    static func main() { FuzzDriver.run(fuzzRowFile) }
}

/// What came of an input.
private struct Outcome: Equatable, Sendable {
    var rows: [[String: ManagedValue]?] = []
    var messages: [String] = []
    var hasOtherError = false
}

/// A file of rows is refused or read, the same in one chunk and in small ones. Its first byte is the format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRowFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        guard let format = input.data.first else { return }
        let data = input.data.dropFirst()
        let whole = outcome(of: .data(Data(data)), format)
        let parts = outcome(of: .chunks(Chunks(bytes: Array(data), size: Int(format >> 3) + 1)), format)
        if whole.hasOtherError { throw FuzzFailure(message: "An error is no FormatError.") }
        if whole != parts { throw FuzzFailure(message: "Chunks change the rows.") }
    }
}

private func outcome(of source: ByteSource, _ format: UInt8) -> Outcome {
    switch format & 7 {
    case 0: readApart(JSONRows(source))
    case 1: readApart(JSONRows(source, at: "a.b"))
    case 2: readApart(JSONLines(source, maximumRowSize: 100))
    case 3: readApart(JSONLines(source))
    case 4: readApart(CSVRows(source, format: CSVFormat(delimiter: .tab), columns: ["a", "b"]))
    case 5: readApart(CSVRows(source, maximumRowSize: 100))
    default: readApart(CSVRows(source))
    }
}

/// Reads all rows, and waits for them: the fuzzer calls no asynchronous function.
private func readApart<Rows: AsyncSequence & Sendable>(_ rows: Rows) -> Outcome where Rows.Element == ImportRow {
    let result = Box()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        let outcome = await read(rows)
        result.outcome.withLock { $0 = outcome }
        isDone.signal()
    }
    isDone.wait()
    return result.outcome.withLock { $0 }
}

private final class Box: Sendable {
    let outcome = Mutex(Outcome())
}

private func read<Rows: AsyncSequence>(_ rows: Rows) async -> Outcome where Rows.Element == ImportRow {
    var outcome = Outcome()
    do {
        for try await row in rows {
            switch row.content {
            case .success(let values): outcome.rows.append(values)
            case .failure(let error):
                outcome.rows.append(nil)
                outcome.note(error)
            }
        }
    } catch {
        outcome.note(error)
    }
    return outcome
}

extension Outcome {
    fileprivate mutating func note(_ error: any Error) {
        if let error = error as? FormatError { messages.append(error.message) } else { hasOtherError = true }
    }
}

/// Chunks of a few bytes.
private struct Chunks: AsyncSequence, Sendable {
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
