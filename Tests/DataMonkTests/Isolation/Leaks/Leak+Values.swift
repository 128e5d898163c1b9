extension Leak {
    /// Objects in pointers, tuples, slices and other values.
    static let values: [Leak] = [
        .ofUpdate(
            "a pointer to an object", .taskCapture,
            """
            withUnsafePointer(to: hero) { pointer in
                Task.detached { pointer.pointee.age = 1 } // refused
            }
            """),
        .ofUpdate(
            "a pointer's address", .silent(.author, stoppedBy: .ownerCheck),
            """
            let address = UInt(bitPattern: Unmanaged.passUnretained(hero).toOpaque())
            Task.detached { Unmanaged<Person>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).takeUnretainedValue().age = 1 }
            """),
        .ofUpdate(
            "a bit cast to a Sendable reference", .silent(.author, stoppedBy: .ownerCheck),
            """
            let shared = unsafeBitCast(hero, to: (AnyObject & Sendable).self)
            Task.detached { (shared as! Person).age = 1 }
            """),
        .ofUpdate(
            "a sent parameter that is used again", .sent,
            declarations: "nonisolated static func take(_ person: sending Person) { Task { person.age = 1 } }",
            "take(hero) // refused"),
        .ofUpdate(
            "a consumed parameter", .taskCapture,
            declarations: """
                nonisolated static func take(_ person: consuming Person) {
                    Task { [person] in person.age = 1 } // refused
                }
                """,
            "take(hero)"),
        .ofUpdate(
            "a metatype in a task", .harmless,
            """
            let type = type(of: hero)
            Task.detached { print(type) }
            """),
        .ofUpdate(
            "an object as any Hashable", .taskCapture,
            """
            let hashed: any Hashable = hero
            Task.detached { print(hashed) } // refused
            """),
        .ofUpdate(
            "a tuple of an object and a number", .taskCapture,
            """
            let pair = (hero, 1)
            Task { print(pair.1, pair.0.age) } // refused
            """),
        .ofUpdate(
            "an array's slice", .taskCapture,
            """
            let people = try update.fetchAll(Person.self)[...]
            Task { print(people.count) } // refused
            """),
        .ofUpdate(
            "a lazy sequence of objects", .taskCapture,
            """
            let ages = try update.fetchAll(Person.self).lazy.map(\\.age)
            Task { print(Array(ages)) } // refused
            """),
        .ofUpdate(
            "a method reference", .taskCapture,
            extensions: "extension Person { nonisolated func grown() -> Int { age + 1 } }",
            """
            let grow = hero.grown
            Task { print(grow()) } // refused
            """),
        .ofUpdate(
            "an unapplied method in a task", .taskCapture,
            extensions: "extension Person { nonisolated func named() -> String { name } }",
            """
            let grow = Person.named
            Task { print(grow(hero)()) } // refused
            """),
        .ofUpdate(
            "an inout object", .sent,
            declarations: "@concurrent nonisolated static func swap(_ person: inout Person) async { person.age = 1 }",
            """
            var other = hero
            await swap(&other) // refused
            """),
        .ofUpdate(
            "a task's result", .notSendable,
            "let task = Task { try update.create(Person.self) } // refused"),
        .program(
            "a task's result, claimed by type", .notSendable,
            "let task = Task<Person, any Error> { throw CancellationError() } // refused"),
        .ofUpdate(
            "an unsafe continuation of an object inside of an update", .sent,
            """
            let other: Person = await withUnsafeContinuation { $0.resume(returning: hero) } // refused
            Task { other.age = 1 } // refused
            """),
    ]
}
