/// **Value.** A call that began an update or a step of one, as named in errors and logs.
///
///     error.holder.map { print($0) }          // beginUpdate at Shop/Import.swift:42
public struct UpdateCall: Sendable, Hashable, CustomStringConvertible {
    private let method: StaticString
    private let file: StaticString

    /// The name of the called method.
    public var name: String { method.description }
    /// The file of the call, prefixed with its module, as in `#fileID`.
    public var fileID: String { file.description }
    /// The line of the call.
    public let line: UInt

    package init(_ method: StaticString, file: StaticString = "", line: UInt = 0) {
        self.method = method
        self.file = file
        self.line = line
    }

    /// The method, and the location of the call if it is known.
    public var description: String { line == 0 ? name : "\(name) at \(fileID):\(line)" }

    /// Returns `true` if two calls have the same location.
    public static func == (left: UpdateCall, right: UpdateCall) -> Bool {
        left.line == right.line && left.fileID == right.fileID && left.name == right.name
    }

    /// Adds the call to a hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(fileID)
    }
}
