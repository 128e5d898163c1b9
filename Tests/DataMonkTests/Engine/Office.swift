#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Entities of the engine's tests: relationships of every shape, and every delete rule.
    enum Office {
        /// The model, once: a model is never freed.
        static let model = Result {
            try ManagedObjectModel(classes: [
                Company.self, Skill.self, Step.self, Tower.self, Castle.self, Diary.self, Farewell.self,
            ])
        }

        @Entity final class Company: ManagedObject {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Department.company) var departments: [Department]
        }

        @Entity final class Department: ManagedObject {
            var name: String = ""
            var company: Company?
            @Relationship(inverse: \Employee.department) var employees: Set<Employee>
            @Relationship(deleteRule: .deny, inverse: \Project.department) var projects: Set<Project>
            /// Without an inverse.
            var guests: Set<Employee>
        }

        @Entity final class Employee: ManagedObject {
            var name: String = ""
            var age: Int = 0
            var note: String?
            var department: Department?
            @Relationship(deleteRule: .cascade, inverse: \Badge.owner) var badge: Badge?
            @Relationship(inverse: \Employee.reports) var manager: Employee?
            var reports: Set<Employee>
            @Relationship(inverse: "friends") var friends: Set<Employee>
            @Relationship(inverse: \Skill.employees) var skills: Set<Skill>
            /// Without an inverse.
            var mentor: Employee?
        }

        @Entity final class Badge: ManagedObject {
            @Attribute(.unique) var code: String?
            var owner: Employee?
        }

        @Entity final class Project: ManagedObject {
            var name: String = ""
            @Relationship(.required) var department: Department?
        }

        @Entity final class Skill: ManagedObject {
            var name: String = ""
            var employees: Set<Employee>
        }

        /// A chain whose links take each other along.
        @Entity final class Step: ManagedObject {
            @Relationship(deleteRule: .cascade, inverse: \Step.previous) var next: Step?
            @Relationship(deleteRule: .cascade) var previous: Step?
        }

        /// Counts, and sub-entities.
        @Entity class Tower: ManagedObject {
            var height: Int = 1
            @Relationship(minimumModelCount: 2, maximumModelCount: 3, inverse: \Floor.tower) var floors: Set<Floor>
        }

        @Entity final class Castle: Tower {
            var moat: Bool = true
            @Relationship(.required, inverse: \Gate.castle) var gates: Set<Gate>
        }

        @Entity final class Gate: ManagedObject {
            var castle: Castle?
        }

        @Entity final class Floor: ManagedObject {
            @Relationship(deleteRule: .deny) var tower: Tower?
        }

        /// Does something when it goes.
        @Entity final class Farewell: ManagedObject {
            var text: String = ""
            lazy var atDeinit: (() -> Void)? = nil

            deinit { atDeinit?() }
        }

        /// Writes down what the engine tells it.
        @Entity final class Diary: ManagedObject {
            var text: String = ""
            var title: String = "untitled"
            @Transient var mood: String = "fine"
            lazy var events: [String] = []
            /// What `willSave` does besides.
            lazy var atWillSave: ((Diary) -> Void)? = nil
            /// What `willTurnIntoFault` ("will") and `didTurnIntoFault` ("did") do besides.
            lazy var atTurnIntoFault: ((String) -> Void)? = nil
            /// A further action of `prepareForDeletion`.
            lazy var atDeletion: ((Diary) -> Void)? = nil

            override func awakeFromInsert() { events.append("awakeFromInsert \(title)") }
            override func awakeFromFetch() { events.append("awakeFromFetch \(title)") }
            override func prepareForDeletion() {
                events.append("prepareForDeletion")
                atDeletion?(self)
            }
            override func willSave() {
                events.append(isDeleted ? "willSave deleted" : "willSave")
                atWillSave?(self)
            }
            override func didSave() { events.append("didSave") }
            override func willTurnIntoFault() {
                events.append("willTurnIntoFault")
                atTurnIntoFault?("will")
            }
            override func didTurnIntoFault() {
                events.append("didTurnIntoFault")
                atTurnIntoFault?("did")
            }
        }
    }

    /// Where the tests' data lies.
    enum StoreKind: CaseIterable, CustomTestStringConvertible {
        case memory, file

        var testDescription: String { self == .memory ? "in memory" : "in a file" }
    }

    /// A stack over the office's model with one empty store, and the contexts that a test makes on it.
    final class OfficeStack {
        private(set) var stack: Stack
        /// Errors that reached the stack's handler.
        let errors = Locked<[any Error]>([])
        private let folder: URL
        /// Objects do not outlive their context; tests look at them in one expression.
        private var contexts: [ManagedObjectContext] = []

        /// Where the store lies that is in a file.
        var fileURL: URL { folder.appendingPathComponent("office.sqlite") }

        init(_ kind: StoreKind = .memory) throws {
            stack = Stack(model: try Office.model.get())
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("datamonk-\(UUID().uuidString)")
            switch kind {
            case .memory: try stack.addInMemoryStore()
            case .file:
                try stack.addDatabaseStore(
                    fileURL: fileURL, synchronous: .normal)
            }
            let errors = errors
            stack.onError { error in errors.withLock { $0.append(error) } }
        }

        deinit {
            // Reason for try?: what cannot be closed or removed is the system's to clean up.
            try? stack.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// A context that knows no object. Those made before give their snapshots back, of which a store has a bounded
        /// number.
        func newContext(_ mergePolicy: MergePolicy = .error, followsCommits: Bool = true) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(
                coordinator: stack.coordinator, mergePolicy: mergePolicy, followsCommits: followsCommits)
            contexts.append(context)
            return context
        }
    }

    extension OfficeStack {
        /// Closes the file and opens it by another stack: nothing that was read is remembered.
        func reopen() throws {
            contexts = []
            try stack.close()
            stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: fileURL, synchronous: .normal)
            let errors = errors
            stack.onError { error in errors.withLock { $0.append(error) } }
        }
    }

    extension ManagedObjectContext {
        func employee(_ name: String) throws -> Office.Employee {
            let employee = try insert(Office.Employee.self)
            employee.name = name
            return employee
        }

        func department(_ name: String) throws -> Office.Department {
            let department = try insert(Office.Department.self)
            department.name = name
            return department
        }

        func all<Object: ManagedObject>(_ type: Object.Type) throws -> [Object] {
            try fetch(FetchRequest(entityName: "\(type)")).compactMap { $0 as? Object }
        }

        /// This context's object for one of another context.
        func own<Object: ManagedObject>(_ object: Object) throws -> Object {
            try #require(try existingObject(with: object.anyObjectID) as? Object)
        }
    }
#endif
