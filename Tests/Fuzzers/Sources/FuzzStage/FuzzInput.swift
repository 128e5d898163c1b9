import DataMonk
public import Foundation

/// **Value.** The input of one run of a fuzzer.
public struct FuzzInput {
    /// The bytes that libFuzzer made.
    public let data: Data

    /// Copies the bytes, which are libFuzzer's.
    public init(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        data = Data(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The bytes as text; damaged parts are replaced.
    public var text: String { String(decoding: data, as: UTF8.self) }

    /// Runs `body`, which may throw the library's own errors. Any other error ends the program, as a trap does, and
    /// libFuzzer keeps the input.
    ///
    /// - Returns: 0, as libFuzzer wants it.
    public func run(_ body: (FuzzInput) throws -> Void) -> CInt {
        do {
            try body(self)
        } catch is FetchError {
        } catch is ModelError {
        } catch is StoreError {
        } catch is SaveError {
        } catch is MigrationError {
        } catch is TransformError {
        } catch is FormatError {
        } catch {
            fatalError("The error is none of the library's: \(type(of: error)): \(error)")
        }
        return 0
    }
}
