#if Macros
    import DataMonk
    import Foundation

    extension FaultWorkload {
        /// Every table is rebuilt, and one is new.
        static let migration = FaultWorkload(
            name: "migration", fill: { try Authors.fill($0) }, open: { try $0.open(Authors.second) },
            opensFirst: false,
            body: { run in
                try run.attempt { try run.open(Authors.second) }
            })

        /// Two stages, of which the second computes a value for each row.
        static let stagedMigration = FaultWorkload(
            name: "staged migration", fill: { try Authors.fill($0) },
            open: { try $0.open(Authors.third, stages: Authors.stages()) }, opensFirst: false,
            body: { run in
                try run.attempt { try run.open(Authors.third, stages: Authors.stages()) }
            })

        /// A stage with code before and after it.
        static let codedMigration = FaultWorkload(
            name: "coded migration", fill: { try Authors.fill($0) },
            open: { try $0.open(Authors.third, stages: Authors.codedStages()) }, opensFirst: false,
            body: { run in
                try run.attempt { try run.open(Authors.third, stages: Authors.codedStages()) }
            })
    }

    /// Three versions of a model.
    private enum Authors {
        static let first = Result { try model([]) }
        static let second = Result {
            try model([EntityDescription("Aardvark") { AttributeDescription("name", .string) }])
        }

        static let third = Result {
            try model([EntityDescription("Aardvark") { AttributeDescription("name", .string) }], age: .string)
        }

        static func stages() throws -> StagedMigration {
            StagedMigration(
                from: try first.get(),
                [
                    .lightweight(to: try second.get()),
                    .custom(to: try third.get(), mapping: [.transform("Author", [.converted("age")])]),
                ])
        }

        static func codedStages() throws -> StagedMigration {
            let mark: @Sendable (ManagedObjectContext, String, ManagedValue) throws -> Void = { context, name, value in
                for author in try context.fetch(FetchRequest(entityName: "Author")) {
                    try author.setValue(value, forKey: name)
                    try context.save()
                }
            }
            return StagedMigration(
                from: try first.get(),
                [
                    .lightweight(to: try second.get()),
                    .custom(
                        to: try third.get(), mapping: [.transform("Author", [.converted("age")])],
                        willMigrate: { try mark($0, "age", 7) }, didMigrate: { try mark($0, "name", "coded") }),
                ])
        }

        private static func model(
            _ more: [EntityDescription], age: AttributeType = .integer16
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Author", indexes: [FetchIndexDescription("byName", on: ["name"])]) {
                    AttributeDescription("name", .string)
                    RelationshipDescription("books", to: "Book", inverse: "authors", isToMany: true, isOrdered: true)
                    more.map { _ in .attribute(AttributeDescription("age", age, defaultValue: age == .string ? "1" : 1))
                    }
                }
                EntityDescription("Book") {
                    AttributeDescription("title", .string)
                    RelationshipDescription("authors", to: "Author", inverse: "books", isToMany: true)
                }
                more
            }
        }

        static func fill(_ url: URL) throws {
            let stack = Stack(model: try first.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let authors = try (0..<6).map { try context.insert("Author", ["name": .string("author \($0)")]) }
            for number in 0..<30 {
                let book = try context.insert("Book", ["title": .string("book \(number)")])
                try book.setObjects([authors[number % 6], authors[number * 7 % 6]], forKey: "authors")
            }
            try context.save()
            context.endTurn()
            try stack.close()
        }
    }
#endif
