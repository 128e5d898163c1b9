#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// How many statements each batch request runs, and which.
    @Suite struct `Statements of batch requests` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let office: Stack

        init() throws {
            folder = try TemporaryFolder()
            let recorder = recorder
            office = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "office") })
            try office.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
        }

        private func statements(of body: (ManagedObjectContext) throws -> Void) throws -> [String] {
            let context = ManagedObjectContext(coordinator: office.coordinator)
            return try recorder.statements { try body(context) }.filter { !$0.hasPrefix("PRAGMA") }
                .map { $0.replacing(/\(Z_PK, .*/, with: "").replacing(/Z_\d+/, with: "Z_n") }
        }

        @Test func `an insert reserves its keys once and has a statement an object`() throws {
            #expect(
                try statements { context in
                    try context.execute(
                        BatchInsertRequest(entityName: "Employee", objects: [["name": "a"], ["name": "b"]]))
                } == [
                    "BEGIN IMMEDIATE",
                    "SELECT Z_MAX, (SELECT max(Z_PK) FROM ZEMPLOYEE) FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
                    "INSERT INTO ZEMPLOYEE",
                    "INSERT INTO ZEMPLOYEE", "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", "COMMIT",
                ])
        }

        @Test func `an update is one statement`() throws {
            _ = try statements { context in
                try context.execute(BatchInsertRequest(entityName: "Employee", objects: [["age": 20], ["age": 2]]))
            }
            #expect(
                try statements { context in
                    try context.execute(
                        BatchUpdateRequest(
                            entityName: "Employee", condition: .compare("age", .greaterThan, 18),
                            propertiesToUpdate: ["age": .keyPath("age") + 1, "name": "x"]))
                } == [
                    "BEGIN IMMEDIATE",
                    """
                    UPDATE ZEMPLOYEE AS t0 SET Z_OPT = Z_OPT + 1, ZNAME = ?, \
                    ZAGE = datamonk_calculate('add:to:', 'ii', t0.ZAGE, ?) \
                    WHERE Z_PK IN (SELECT t0.Z_PK FROM ZEMPLOYEE t0 WHERE t0.ZAGE > ?) \
                    RETURNING Z_PK, Z_ENT, Z_OPT, ZAGE
                    """, "COMMIT",
                ])
        }

        @Test func `a deletion is the keys, and a statement for each relationship and table`() throws {
            _ = try statements { context in
                try context.execute(BatchInsertRequest(entityName: "Skill", objects: [["name": "a"], ["name": "b"]]))
            }
            let many = "(SELECT value FROM json_each(?))"
            #expect(
                try statements { context in
                    try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Skill")))
                } == [
                    "BEGIN IMMEDIATE", "SELECT t0.Z_PK FROM ZSKILL t0",
                    "DELETE FROM Z_nSKILLS WHERE Z_nSKILLS IN \(many)", "DELETE FROM ZSKILL WHERE Z_PK IN \(many)",
                    // By which readers tell that they see the commit.
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", "COMMIT",
                ])
        }
    }
#endif
