public import DataMonkCore

extension UpdateContext {
    /// The name of ``beginPerform(deadline:_:fileID:line:)-8x656`` in programs of CoreDataMonk, in Swift 5 mode. In Swift
    /// 6 mode `perform` is the form that is awaited, everywhere.
    @available(swift, obsoleted: 6, renamed: "beginPerform(deadline:_:fileID:line:)")
    @discardableResult
    public nonisolated func perform(
        deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("perform", file: fileID, line: line), deadline: deadline, canSuspend: true, body: body)
    }

    /// The same for a body that cannot suspend.
    @available(swift, obsoleted: 6, renamed: "beginPerform(deadline:_:fileID:line:)")
    @discardableResult
    public nonisolated func perform(
        deadline: Duration? = nil, _ body: @escaping @Sendable (Update) throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("perform", file: fileID, line: line), deadline: deadline, canSuspend: false) { try body($0) }
    }

    /// Commits in a step that is not awaited, in programs of CoreDataMonk. In Swift 6 mode,
    /// `beginPerform { try $0.commit() }`.
    @available(swift, obsoleted: 6, message: "Use `try await commit()`, or `beginPerform { try $0.commit() }`.")
    @discardableResult
    public nonisolated func commit(fileID: StaticString = #fileID, line: UInt = #line) -> UpdateHandle {
        begin(UpdateCall("commit", file: fileID, line: line), deadline: nil, canSuspend: false) { try $0.commit() }
    }

    /// Takes back changes in a step that is not awaited, in programs of CoreDataMonk. In Swift 6 mode,
    /// `beginPerform { $0.rollback() }`.
    @available(swift, obsoleted: 6, message: "Use `try await rollback()`, or `beginPerform { $0.rollback() }`.")
    @discardableResult
    public nonisolated func rollback(fileID: StaticString = #fileID, line: UInt = #line) -> UpdateHandle {
        begin(UpdateCall("rollback", file: fileID, line: line), deadline: nil, canSuspend: false) { $0.rollback() }
    }

    /// The name of ``waitUntilAllStepsAreFinished(deadline:fileID:line:)`` in programs of CoreDataMonk, in Swift 5 mode.
    @available(swift, obsoleted: 6, renamed: "waitUntilAllStepsAreFinished(deadline:fileID:line:)")
    @available(*, noasync, message: "Use `try await wait()`, because this form blocks the thread.")
    public nonisolated func wait(fileID: StaticString = #fileID, line: UInt = #line) throws {
        try waitHere(UpdateCall("wait", file: fileID, line: line), deadline: nil)
    }

    /// The context that the steps use, in programs of CoreDataMonk in Swift 5 mode; it may be used inside a step only. In
    /// Swift 6 mode, each step has it from its update.
    @available(swift, obsoleted: 6, message: "Use `update.managedObjectContext` in a step.")
    public nonisolated var managedObjectContext: ManagedObjectContext { graph }
}
