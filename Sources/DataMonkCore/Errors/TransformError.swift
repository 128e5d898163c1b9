public import Foundation

/// **Value.** Why bytes of a transformable attribute do not give a value, or a value no bytes.
public struct TransformError: Error, Sendable, Hashable {
    /// **Value.** What is wrong. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as text.
        public var rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are no archive, or a damaged one.
        public static let damaged = Code(rawValue: "damaged")
        /// The archive has an object of a class that is not read.
        public static let unsupportedClass = Code(rawValue: "unsupportedClass")
        /// The value has a part that is not archived.
        public static let unsupportedValue = Code(rawValue: "unsupportedValue")
        /// Nobody has registered the attribute's transformer.
        public static let unknownTransformer = Code(rawValue: "unknownTransformer")
        /// The attribute is not transformable.
        public static let notTransformable = Code(rawValue: "notTransformable")
    }

    /// What is wrong.
    public var code: Code
    /// What is wrong and what to do, as one text.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension TransformError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension TransformError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
