extension Leak {
    #if Macros
        /// The dashes in the tables of the article on waiting: calls that cannot be written where they would stand.
        static let waiting: [Leak] = ((try? WaitTable.dashes.get()) ?? []).map { cell in
            program(
                "\(cell.testDescription), of the table on waiting", cell.verdict, place: cell.place.leakPlace,
                cell.place.statements(with: cell.call.expression(in: cell.place)))
        }
    #else
        static let waiting: [Leak] = []
    #endif
}

#if Macros
    extension WaitCell {
        /// How the compiler says that it cannot be written.
        fileprivate var verdict: Leak.Verdict {
            switch (place.column, call) {
            case ("AndWait", .fetch): .refused(.flow, ["rbi_isolation_crossing_result"])
            case ("AndWait", .reset):
                // A warning, so that programs in Swift 5 mode can use the main context at the top of `main.swift`.
                .warned(.library, ["actor_isolated_call_decl"], group: "ActorIsolatedCall")
            case ("AndWait", _): .refused(.types, ["cannot_pass_async_func_to_sync_parameter"])
            case ("observer", .performHere), ("observer", .waitHere):
                .refused(.types, ["cannot_pass_async_func_to_sync_parameter", "could_not_find_value_member"])
            case ("observer", _) where call.expression(in: place).contains("await"):
                .refused(.types, ["cannot_pass_async_func_to_sync_parameter"])
            // There is no update at hand.
            default: .refused(.types, ["could_not_find_value_member"])
            }
        }
    }

    extension WaitPlace {
        fileprivate var leakPlace: Leak.Place {
            switch self {
            case .beginUpdateAndWait, .performAndWait, .observer: .mainWaiting
            default: .main
            }
        }

        /// A function in which the expression stands there.
        fileprivate func statements(with expression: String) -> String {
            let opening =
                switch self {
                case .update: "try await World.update { update in"
                case .beginUpdate: "World.beginUpdate { update in"
                case .beginUpdateUsing:
                    """
                    let id = try World.fetch(Person.self).objectID
                    World.beginUpdate(using: id) { update, _ in
                    """
                case .perform: "try await World.beginUpdateContext().perform { update in"
                case .beginUpdateAndWait: "try World.beginUpdateAndWait { update in"
                case .performAndWait: "try World.beginUpdateContext().performAndWait { update in"
                case .read: "try await World.read { reader in"
                case .observer: "_ = World.observeCommit {"
                case .main, .beside: "do {"
                }
            return "\(opening)\n\(expression) // refused\n}"
        }
    }

    extension WaitCall {
        /// The call as a program would have it. Where no update is at hand, whatever is there stands in its stead.
        fileprivate func expression(in place: WaitPlace) -> String {
            let here =
                switch place {
                case .read: "reader"
                case .observer, .main, .beside: "World"
                default: "update"
                }
            let context = here == "update" ? "update.context" : here
            let expression =
                switch self {
                case .update: "try await World.update { _ in }"
                case .beginUpdate: "World.beginUpdate { _ in }"
                case .beginUpdateAwaited: "try await World.beginUpdate { _ in }.value"
                case .beginUpdateUsing: "World.beginUpdate(using: try World.fetch(Person.self).objectID) { _, _ in }"
                case .beginUpdateAndWait: "try World.beginUpdateAndWait { _ in }"
                case .performElsewhere: "try await World.beginUpdateContext().perform { _ in }"
                case .performAndWaitElsewhere: "try World.beginUpdateContext().performAndWait { _ in }"
                case .waitElsewhere: "try await World.beginUpdateContext().wait()"
                case .performHere: "try await \(context).perform { _ in }"
                case .beginPerformHere: "\(context).beginPerform { _ in }"
                case .performAndWaitHere: "try \(context).performAndWait { _ in }"
                case .waitHere: "try await \(context).wait()"
                case .performOfUpdate: "\(here).perform { _ in }"
                case .commit: "try \(here).commit()"
                case .rollback: "\(here).rollback()"
                case .use: "try \(here).use([ObjectID<Person>]())"
                case .observeCommit: "World.observeCommit {}"
                case .read: "try await World.read { _ in }"
                case .commitDraft: "try await World.draft().commit()"
                case .reset: "World.reset()"
                case .fetch: "try World.fetch(Person.self)"
                case .addInMemoryStore: "try World.stack.addInMemoryStore()"
                case .addStore: "try await World.stack.addStore(.inMemory())"
                case .close: "try World.stack.close()"
                case .closeStores: "try await World.stack.closeStores()"
                }
            // An observer cannot throw, which is not the point.
            let call = place == .observer ? expression.replacing("try ", with: "try? ") : expression
            return self == .reset ? call : "_ = \(call)"
        }
    }
#endif
