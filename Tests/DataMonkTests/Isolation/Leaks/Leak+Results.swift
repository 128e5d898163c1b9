extension Leak {
    /// Objects that would leave as results, or in them.
    static let results: [Leak] = [
        .program(
            "an object as a result as Any", .refused(.types, ["non_sendable_type"]),
            "_ = try await World.update { update -> Any in try update.create(Person.self) } // refused"),
        .program(
            "an object as a result in a Result", .notSendable,
            """
            _ = try await World.update { update -> Result<Person, any Error> in .success(try update.create(Person.self)) } // refused
            """),
        .program(
            "an object as a result in a Set", .notSendable,
            """
            _ = try await World.update { update -> Set<Person> in [try update.create(Person.self)] } // refused
            """),
        .program(
            "an object as a result in a tuple", .notSendable,
            """
            _ = try await World.update { update -> (Int, Person) in (1, try update.create(Person.self)) } // refused
            """),
        .program(
            "a result that is the update", .notSendable,
            "_ = try await World.update { update -> Update in update } // refused"),
        .program(
            "a batched array as a result", .notSendable,
            "_ = try await World.read { try $0.fetchBatched(Person.self) } // refused"),
        .program(
            "a Sendable closure as a result", .capture,
            """
            _ = try await World.read { reader -> @Sendable () -> Int in
                let hero = try reader.fetch(Person.self)
                return { hero.age } // refused
                return { 0 }
            }
            """),
        .program(
            "ages of objects, mapped lazily", .harmless,
            """
            let ages = try await World.read { try $0.fetchAll(Person.self).lazy.map { $0.age } }
            print(Array(ages))
            """),
        .program(
            "a checked continuation", .sent,
            """
            let hero: Person = try await withCheckedThrowingContinuation { continuation in
                World.beginUpdate { update in
                    let hero = try update.create(Person.self)
                    continuation.resume(returning: hero) // refused
                    hero.age = 2
                }
            }
            hero.age = 1
            """),
        .program(
            "an unsafe continuation", .sent,
            """
            let hero: Person = try await withUnsafeThrowingContinuation { continuation in
                World.beginUpdate { update in
                    let hero = try update.create(Person.self)
                    continuation.resume(returning: hero) // refused
                    hero.age = 2
                }
            }
            hero.age = 1
            """),
        .program(
            "a stream that unfolds an object, as a result",
            .warned(.swift, ["non_sendable_capture"], group: "SendableClosureCaptures"),
            """
            let ages = try await World.update { update in
                let hero = try update.create(Person.self)
                return AsyncStream<Int>(unfolding: {
                    hero.age += 1
                    return hero.age
                })
            }
            for await age in ages { print(age) }
            """),
        .program(
            "a throwing stream that unfolds a reader, as a result",
            .warned(.swift, ["non_sendable_capture"], group: "SendableClosureCaptures"),
            """
            let counts = try await World.read { reader in
                AsyncThrowingStream<Int, any Error>(unfolding: { try reader.count(Person.self) })
            }
            for try await count in counts { print(count) }
            """),
        .program(
            "an extension of every target that returns an object", .refused(.types, ["non_sendable_type"]),
            place: .offMain,
            extensions: """
                extension Updating {
                    nonisolated func firstMade<T: ManagedObject>(_ type: T.Type) async throws -> T {
                        return try await update { try $0.fetch(type) } // refused
                        throw CancellationError()
                    }
                }
                """),
        .program(
            "an extension of the main context that returns an object off the main actor",
            .refused(.flow, ["rbi_isolation_crossing_result"]), place: .offMain,
            extensions: """
                extension MainContext {
                    nonisolated func firstFound<T: ManagedObject>(_ type: T.Type) async throws -> T {
                        return try await fetch(type) // refused
                        throw CancellationError()
                    }
                }
                """),
        .program(
            "a target of the application's own", .harmless, place: .offMain,
            declarations: "nonisolated struct Mine: Updating { let updater: Updater }",
            "try await Mine(updater: World.updater).update { _ = try $0.create(Person.self) }"),
    ]
}
