#if Macros
    import DataMonk
    import Testing

    /// Saves that a store commits in one batch.
    @Suite struct `Saves of one batch` {
        @Test func `a context shows what another save has added to its own`() throws {
            let treasury = try Treasury()
            let (first, second) = (treasury.newContext(), treasury.newContext())
            let (own, other) = (try treasury.account(in: first), try treasury.account(in: second))
            own.note = "mine"
            try other.grow("balance", 1)
            for end in treasury.stack.coordinator.saveTogether([first, second]) { try end.get() }
            #expect(own.note == "mine" && own.balance == 1)
            try first.checkInvariants()
            own.note = "mine again"
            try first.save()
            #expect(try treasury.stored().note == "mine again")
        }
    }
#endif
