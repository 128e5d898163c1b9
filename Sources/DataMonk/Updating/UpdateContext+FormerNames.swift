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
}
