#if Macros
    import DataMonk
    import Foundation

    /// A function that an import calls in a test. Not the bare function, with which `TaskLocal.withValue` crashes in optimized
    /// programs of Swift 6.3.
    struct ImportHook: Sendable {
        let call: @Sendable () throws -> Void

        init(_ call: @escaping @Sendable () throws -> Void) { self.call = call }
    }

    /// Guests, who have two unique attributes, and hooks.
    final class Registrar: Sendable {
        @Entity("ImportGuest", userInfo: ["relatedByAttribute": "id"]) final class Guest: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(.unique) var email: String?
            var age: Int = 0
            var note: String = ""
        }

        /// Called for each guest that is imported.
        @TaskLocal static var duringImport: ImportHook?

        let stack: Stack

        init() throws {
            stack = try Stack(Guest.self)
            try stack.addInMemoryStore()
        }
    }

    extension Registrar.Guest: ImportHooks {
        struct Refusal: Error {}

        func shouldImport(_ values: [String: ManagedValue]) throws -> Bool { values["email"] != "refuse" }
        func willImport(_ values: [String: ManagedValue]) throws { note += "will " }
        func didImport(_ values: [String: ManagedValue]) throws {
            note += "did"
            try Registrar.duringImport?.call()
            if values["email"] == "throw" { throw Refusal() }
            if values["email"] == "look" { throw FetchError(.objectNotFound, "There is none. Look elsewhere.") }
        }
        func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool {
            guard key == "age", value == "n/a" else { return false }
            age = -1
            return true
        }
    }
#endif
