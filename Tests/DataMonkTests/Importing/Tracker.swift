#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation

    /// Issues with their authors and labels, as an interface of a tracker answers.
    final class Tracker: Sendable {
        @Entity("ImportUser") final class User: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(importedFrom: "login") var name: String = ""
            @Attribute(importedFrom: "profile.city") var city: String?
            var born: Date?
            var issues: Set<Issue>
        }

        @Entity("ImportIssue") final class Issue: ManagedObject {
            @Attribute(.unique) var number: Int = 0
            @Attribute(.minimum(1)) var title: String = "untitled"
            var isOpen: Bool = true
            @Relationship(inverse: \User.issues, importedFrom: "user") var author: User?
            @Relationship(inverse: \Label.issues, relatedBy: "name") var labels: Set<Label>
            @Relationship(deleteRule: .cascade, inverse: \Step.issue, relatedBy: "place") var steps: [Step]
        }

        @Entity("ImportLabel") final class Label: ManagedObject {
            @Attribute(.unique) var name: String = ""
            var color: String?
            var issues: Set<Issue>
        }

        @Entity("ImportStep", userInfo: ["relatedByAttribute": "id"]) final class Step: ManagedObject {
            var id: Int = 0
            var place: Int = 0
            var issue: Issue?
        }

        static let model = Result { try ManagedObjectModel(classes: [Issue.self]) }
        let stack: Stack
        let recorder = StatementRecorder()
        private let folder: TemporaryFolder

        init(updateOrder: UpdateOrder = .default, trace: (@Sendable (String) -> Void)? = nil) throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Self.model.get(), updateOrder: updateOrder, trace: trace ?? recorder.trace)
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        }

        /// The location of the store.
        var url: URL { folder.file("tracker.sqlite") }

        /// Opens another stack over a tracker's store, which may wait long for the commits of others.
        static func openStack(at url: URL) throws -> Stack {
            let stack = Stack(model: try model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal, busyTimeout: .seconds(600))
            return stack
        }

        var context: Context { get throws { try Context(stack: stack) } }

        func count(_ type: ManagedObject.Type) async throws -> Int {
            try await context.read { try $0.count(type) }
        }

        /// Returns values of all issues, by their numbers.
        func issues<Value: Sendable>(_ value: @escaping @Sendable (Issue) -> Value) async throws -> [Value] {
            try await context.read { try $0.fetchAll(Issue.self, orderBy: .Ascending("number")).map(value) }
        }

        /// Returns the first user.
        func user<Value: Sendable>(_ id: Int, _ value: @escaping @Sendable (User) -> Value) async throws -> Value {
            try await context.read { value(try $0.fetch(User.self, %"id" == id)) }
        }
    }

    extension [ImportRow] {
        /// Rows of values, numbered from 0.
        init(_ values: [[String: ManagedValue]]) {
            self = values.enumerated().map { ImportRow(at: ImportPlace(index: $0.offset), values: $0.element) }
        }

        /// The rows as a sequence that is read row by row, and ends with an error if there is one.
        func stream(endingWith error: (any Error)? = nil) -> AsyncThrowingStream<ImportRow, any Error> {
            AsyncThrowingStream { continuation in
                for row in self { continuation.yield(row) }
                continuation.finish(throwing: error)
            }
        }
    }
#endif
