import Foundation

/// **Value.** A failed conversion between the bytes and the value of a transformable attribute.
public struct TransformError: DataMonkError, Sendable, Hashable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as a string.
        public var rawValue: String

        /// Creates a code from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not an archive, or are damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// The archive contains an object of an unsupported class.
        public static let unsupportedClass = Code(rawValue: "unsupportedClass")
        /// The value contains a part that cannot be archived.
        public static let unsupportedValue = Code(rawValue: "unsupportedValue")
        /// The attribute's transformer has not been registered.
        public static let unknownTransformer = Code(rawValue: "unknownTransformer")
        /// The attribute is not transformable.
        public static let notTransformable = Code(rawValue: "notTransformable")
    }

    /// The reason for the error.
    public var code: Code
    /// A description of the problem and its remedy, as one string.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
