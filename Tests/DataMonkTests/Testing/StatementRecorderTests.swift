#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// The recorder of statements as tests of applications use it.
    @Suite struct `A recorder of statements` {
        @Test func `counts what commits and fetches run`() async throws {
            let recorder = StatementRecorder()
            try await withTemporaryStore { url in
                let stack = try Stack(Person.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url)
                let context = try Context(stack: stack)
                let saving = try await recorder.recording {
                    try await context.update { update in
                        for age in 0..<10 { try update.create(Person.self).age = age }
                        try update.commit()
                    }
                }
                #expect(count(saving, .insert) == 10 && count(saving, .delete) == 0)
                let changing = try await recorder.recording {
                    try await context.update { update in
                        try update.fetch(Person.self, %"age" == 1).name = "Monk"
                        try update.deleteAll(Person.self, %"age" == 9)
                        try update.commit()
                    }
                }
                #expect(count(changing, .update) == 1 && count(changing, .delete) == 1)
                let fetching = try await recorder.recording {
                    _ = try await context.read { try $0.fetchAll(Person.self).map(\.name) }
                }
                #expect(count(fetching, .select) == 1, "\(fetching)")
                recorder.forget()
                #expect(recorder.all.isEmpty)
                try stack.close()
            }
        }

        @Entity final class MediaChange: ManagedObject { var number: Int = 0 }

        @Test func `an application's table is none of the store's own, whatever its name contains`() async throws {
            let recorder = StatementRecorder()
            try await withTemporaryStore { url in
                let stack = try Stack(MediaChange.self, trace: recorder.trace)
                try stack.addDatabaseStore(fileURL: url, tracksHistory: true)
                let context = try Context(stack: stack)
                let saving = try await recorder.recording {
                    try await context.update { update in
                        try update.create(MediaChange.self).number = 1
                        try update.commit()
                    }
                }
                #expect(count(saving, .insert) == 1, "\(saving)")
                let fetching = try await recorder.recording {
                    _ = try await context.read { try $0.fetchAll(MediaChange.self).count }
                }
                #expect(count(fetching, .select) == 1, "\(fetching)")
                try stack.close()
            }
        }

        @Test func `a block that forgets has the statements after that`() throws {
            let recorder = StatementRecorder()
            recorder.trace("SELECT 1")
            recorder.trace("SELECT 2")
            let recorded = recorder.recording {
                recorder.trace("SELECT 3")
                recorder.forget()
                recorder.trace("SELECT 4")
            }
            #expect(recorded.map(\.sql) == ["SELECT 4"] && recorder.all.map(\.sql) == ["SELECT 4"])
        }

        private func count(
            _ statements: [StatementRecorder.Statement], _ kind: StatementRecorder.Kind
        ) -> Int {
            statements.count { $0.kind == kind }
        }
    }
#endif
