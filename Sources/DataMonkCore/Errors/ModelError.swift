public import Foundation

/// **Value.** A model that cannot be used: what is wrong with it, all of it at once, and what to do.
///
/// ```swift
/// do {
///     let model = try ManagedObjectModel(entities: entities)
/// } catch {
///     for problem in error.problems { print(problem) }
/// }
/// ```
public struct ModelError: Error, Sendable, Hashable {
    /// **Value.** Which stage refused the model. Open: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code as text.
        public var rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The entities do not make a sound model: see `problems`.
        public static let invalidModel = Code(rawValue: "invalidModel")
        /// The model has no configuration of a name.
        public static let unknownConfiguration = Code(rawValue: "unknownConfiguration")
        /// There is no model at the place that was named, or it cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The file is there, but is not a model file, or not one that can be understood.
        public static let invalidFile = Code(rawValue: "invalidFile")
        /// An object was asked of an entity that has none of its own.
        public static let abstractEntity = Code(rawValue: "abstractEntity")
        /// The model has no entity for a class.
        public static let unknownClass = Code(rawValue: "unknownClass")
        /// Parts of a stored model were not understood, so that no new store can be made of it.
        public static let incompleteModel = Code(rawValue: "incompleteModel")
        /// The model file is larger or deeper than any sensible one.
        public static let fileTooLarge = Code(rawValue: "fileTooLarge")
    }

    /// Which stage refused the model.
    public var code: Code
    /// What is wrong and what to do, as one text.
    public var message: String
    /// Every fault that was found, in the order of entities and properties; empty when the file could not be read.
    public var problems: [Problem]
    /// What the system said, when the system refused.
    public var underlyingError: (any Error)? { underlying?.error }

    private var underlying: UnderlyingError?

    /// An error with a message of its own.
    public init(code: Code, message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.problems = []
        self.underlying = underlyingError.map(UnderlyingError.init)
    }

    /// An error about the contents of a model.
    public init(problems: [Problem]) {
        self.code = .invalidModel
        self.problems = problems
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        self.message = "The model has \(count):\n" + problems.map { "- \($0)" }.joined(separator: "\n")
    }
}

extension ModelError {
    /// An object of an abstract entity cannot be.
    package static func abstractEntity(_ entity: Entity) -> ModelError {
        ModelError(
            code: .abstractEntity,
            message: "\(entity.name) is abstract: it has no objects of its own. Create one of a sub-entity.")
    }

    /// A class is used with a model that does not know it.
    package static func unknownClass(_ type: ManagedObject.Type, in model: ManagedObjectModel) -> ModelError {
        ModelError(
            code: .unknownClass,
            message: "The model has no entity for the class \(type). Name the class when the stack is made.")
    }
}

extension ModelError: CustomStringConvertible, LocalizedError {
    /// The message.
    public var description: String { message }

    /// The message, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}

extension ModelError {
    /// The system's error; it takes no part in equality, since most errors have none.
    private struct UnderlyingError: Sendable, Hashable {
        let error: any Error

        static func == (left: UnderlyingError, right: UnderlyingError) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
