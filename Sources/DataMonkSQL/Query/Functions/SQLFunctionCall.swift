package import DataMonkCore
package import Foundation

/// **Confined.** One call of a function by a database: its arguments and its result. A driver's own type conforms.
package protocol SQLFunctionCall: ~Copyable {
    /// The number of arguments.
    var argumentCount: Int { get }
    /// Returns an argument: `.int`, `.double`, `.string`, `.data` or `.null`.
    func managedValue(at index: Int) -> ManagedValue
    func int64(at index: Int) -> Int64
    func isData(at index: Int) -> Bool
    /// Lends the UTF-8 bytes of a text or the bytes of data, or `nil` for NULL, until `body` returns.
    func withText<Result>(at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result

    func returnNull()
    func returnValue(_ value: Bool)
    func returnValue(_ value: Int64)
    func returnValue(_ value: Double)
    func returnValue(_ value: String)
    func returnValue(_ value: Data)
}
