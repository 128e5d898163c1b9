#if Macros && DEBUG
    import DataMonk
    import Foundation
    import Testing

    /// Changes that an update leaves uncommitted are discarded, in debug builds with a warning.
    @Suite struct `Discarded changes` {
        /// What an update does with its changes.
        enum Ending: String, CaseIterable, Codable {
            case nothing, rollback, commit, error

            /// Runs an update on the calling thread: it has ended, and said what it has to say, when the call returns.
            func run(in context: Context) throws {
                struct Refusal: Error {}
                do {
                    try context.beginUpdateAndWait { update in
                        _ = try update.create(Office.Employee.self)
                        switch self {
                        case .nothing: break
                        case .rollback: update.rollback()
                        case .commit: try update.commit()
                        case .error: throw Refusal()
                        }
                    }
                } catch is Refusal {}
            }
        }

        @Test(arguments: Ending.allCases)
        func `an update that only ends warns of them, and names its call and the remedies`(ending: Ending) async throws
        {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                [ending = ending as Ending] in
                let stack = Stack(model: try Office.model.get())
                try stack.addInMemoryStore()
                try ending.run(in: try Context(stack: stack))
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let opening = /An update \(beginUpdateAndWait at DataMonkTests\/DiscardedChangesTests\.swift:\d+\) ended/
            let rest = """
                 with changes that were not committed, so they are discarded. Call `try update.commit()` to save them, \
                or rollback() to discard them without this warning.
                """
            let isWarned = text.firstMatch(of: opening).map { text[$0.range.upperBound...].hasPrefix(rest) }
            #expect((isWarned ?? false) == (ending == .nothing), "\(text)")
            #expect(text.contains("not committed") == (ending == .nothing), "\(text)")
        }
    }
#endif
