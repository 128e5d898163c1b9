#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Entities of the tests of saving: every rule that a model can have, every hook, and values that must be unique.
    enum Registry {
        /// The model, once: a model is never freed.
        static let model = Result {
            try ManagedObjectModel(classes: [
                Ruled.self, Dated.self, Guarded.self, Customer.self, Wholesaler.self, Seat.self,
            ])
        }

        static let dayOne = Date(timeIntervalSinceReferenceDate: 0)
        static let smallEven = Condition.comparison(.init(.object, .isIn, .value([2, 4, 6])))

        /// A rule of each kind.
        @Entity final class Ruled: ManagedObject {
            @Attribute(.minimum(0), .maximum(150)) var age: Int = 1
            @Attribute(.minimum(.double(0.1)), .maximum(.double(0.9))) var share: Float = 0.5
            @Attribute(.minimum(1), .maximum(10)) var price: Decimal?
            @Attribute(.minimum(.date(Registry.dayOne)), .maximum(.date(Registry.dayOne + 100))) var day: Date?
            @Attribute(.minimum(2), .maximum(4)) var code: String?
            @Attribute(.regularExpression("[a-z]+")) var word: String?
            @Attribute(.validation(Registry.smallEven, warning: "Sizes are 2, 4 and 6.")) var size: Int = 2
            var weight: Double?
        }

        /// A value without any rule.
        @Entity final class Dated: ManagedObject {
            var day: Date?
        }

        struct Refusal: Error, Equatable {
            let text: String
        }

        /// Does what a test asks for when it is validated.
        @Entity class Guarded: ManagedObject {
            var name: String = ""
            var age: Int = 0
            @Attribute(.maximum(10)) var level: Int = 0
            @Relationship(inverse: \Guarded.helpers) var chief: Guarded?
            var helpers: Set<Guarded>
            lazy var events: [String] = []
            lazy var atValidation: ((Guarded) throws -> Void)? = nil
            lazy var atValue: ((inout ManagedValue, String) throws -> Void)? = nil

            override func validateForInsert() throws {
                events.append("insert")
                try super.validateForInsert()
                try atValidation?(self)
            }

            override func validateForUpdate() throws {
                events.append("update")
                try super.validateForUpdate()
                try atValidation?(self)
            }

            override func validateForDelete() throws {
                events.append("delete")
                try super.validateForDelete()
                try atValidation?(self)
            }

            override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
                try atValue?(&value, key)
                try super.validateValue(&value, forKey: key)
            }
        }

        /// Unique by one attribute, and by two together.
        @Entity class Customer: ManagedObject {
            #Unique<Customer>([\.email], [\.first, \.last])
            var email: String?
            var first: String?
            var last: String?
            var note: String = "none"
            @Relationship(inverse: \Order.customer) var orders: Set<Order>
            @Relationship(deleteRule: .cascade, inverse: \Card.customer) var cards: Set<Card>
        }

        /// Shares the constraints of its superentity.
        @Entity final class Wholesaler: Customer {
            var discount: Int = 0
        }

        @Entity final class Order: ManagedObject {
            var number: Int = 0
            @Relationship(.required) var customer: Customer?
        }

        @Entity final class Card: ManagedObject {
            var customer: Customer?
        }

        /// Unique by a to-one and a number.
        @Entity final class Seat: ManagedObject {
            #Unique<Seat>([\.row, \.number])
            var number: Int = 0
            var label: String = ""
            @Relationship(inverse: \SeatRow.seats) var row: SeatRow?
        }

        @Entity final class SeatRow: ManagedObject {
            var seats: Set<Seat>
        }
    }

    /// A stack over the registry with one empty store, and the contexts that a test makes on it.
    final class RegistryStack {
        let stack: Stack
        private let folder: URL
        /// Objects do not outlive their context; tests look at them in one expression.
        private var contexts: [ManagedObjectContext] = []

        init(_ kind: StoreKind = .memory) throws {
            stack = Stack(model: try Registry.model.get())
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("datamonk-\(UUID().uuidString)")
            switch kind {
            case .memory: try stack.addInMemoryStore()
            case .file:
                try stack.addDatabaseStore(
                    fileURL: folder.appendingPathComponent("registry.sqlite"), synchronous: .normal)
            }
        }

        deinit {
            // Reason for try?: what cannot be closed or removed is the system's to clean up.
            try? stack.close()
            try? FileManager.default.removeItem(at: folder)
        }

        func newContext(_ mergePolicy: MergePolicy = .error) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: mergePolicy)
            contexts.append(context)
            return context
        }
    }
#endif
