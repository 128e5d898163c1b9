#if Macros
    import DataMonk

    /// The program of the README.
    @MainActor enum FourSteps {
        @Entity final class Person: ManagedObject {  // 1. A model: classes.
            var name: String = ""
            var age: Int = 0
        }

        /// Compiled and not run: it would write into the user's own folder.
        static func run() async throws {
            let stack = try Stack(Person.self)  // 2. A stack: the model and its stores.
            try stack.addDatabaseStore()
            let World = try MainContext(stack: stack)  // 3. A main context: what you read from.
            try await World.update { update in  // 4. An update: on disk when commit returns.
                try update.create(Person.self).name = "Monk"
                try update.commit()
            }
        }
    }
#endif
