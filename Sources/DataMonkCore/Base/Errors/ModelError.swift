import Foundation

/// **Value.** A model that cannot be used, with all of its problems and their remedies.
///
/// ```swift
/// do {
///     let model = try ManagedObjectModel(entities: entities)
/// } catch {
///     for problem in error.problems { print(problem) }
/// }
/// ```
public struct ModelError: DataMonkError, Sendable, Hashable {
    /// **Value.** The reason for the error. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as a string.
        public var rawValue: String

        /// Creates a code from a string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The model is invalid; see `problems`.
        public static let invalidModel = Code(rawValue: "invalidModel")
        /// The model has no configuration of the given name.
        public static let unknownConfiguration = Code(rawValue: "unknownConfiguration")
        /// There is no model at the given location, or it cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The file exists, but is not a model file or not a supported one.
        public static let invalidFile = Code(rawValue: "invalidFile")
        /// An object of an abstract entity was requested.
        public static let abstractEntity = Code(rawValue: "abstractEntity")
        /// The model has no entity for a class.
        public static let unknownClass = Code(rawValue: "unknownClass")
        /// Parts of a stored model were not understood, so that no new store can be made of it.
        public static let incompleteModel = Code(rawValue: "incompleteModel")
        /// There is a file in the way of a new one, or the new one cannot be written.
        public static let unwritableFile = Code(rawValue: "unwritableFile")
        /// The model file is larger or deeper than any sensible one.
        public static let fileTooLarge = Code(rawValue: "fileTooLarge")
    }

    /// The reason for the error.
    public var code: Code
    /// A description of the problem and its remedy, as one string.
    public var message: String
    /// All problems found, in the order of entities and properties; empty if the file could not be read.
    public var problems: [Problem]
    /// The error of the system, if there is one.
    public var underlyingError: (any Error)? { underlying?.error }

    private var underlying: UnderlyingError?

    /// Creates an error with a message.
    public init(code: Code, message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.problems = []
        self.underlying = underlyingError.map(UnderlyingError.init)
    }

    /// Creates an error for the contents of a model.
    public init(problems: [Problem]) {
        self.code = .invalidModel
        self.problems = problems
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        self.message = "The model has \(count):\n" + problems.map { "- \($0)" }.joined(separator: "\n")
    }
}

extension ModelError {
    /// The system's error. It is ignored by equality, because most errors are not equatable.
    private struct UnderlyingError: Sendable, Hashable {
        let error: any Error

        static func == (left: UnderlyingError, right: UnderlyingError) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
