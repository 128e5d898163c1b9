#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// The ordered SQL of saves, and how many statements reads take.
    @Suite struct `Statements` {
        private let recorder = StatementRecorder()
        private let stack: Stack
        private let folder: TemporaryFolder
        private let context: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let recorder = recorder
            stack = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        // MARK: Saves

        private static func lookUp(_ table: String) -> String {
            "SELECT Z_MAX, (SELECT max(Z_PK) FROM \(table)) FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
        }

        private static let reservation = "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?"

        /// The writer's transaction, without the questions that it asks about other processes.
        private func statementsOfSave() throws -> [String] {
            let all = try recorder.statements { try context.save() }
            return all.drop { $0 != "BEGIN IMMEDIATE" }.filter { !$0.hasPrefix("PRAGMA") }
                // Entity numbers change with the model.
                .map { $0.replacing(/Z_\d+/, with: "Z_n") }
        }

        @Test func `a save takes keys, then inserts, in one transaction`() throws {
            try context.employee("Monk").department = try context.department("kitchen")
            _ = try context.employee("Abbot")
            let insertion =
                "INSERT INTO ZEMPLOYEE(Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE, ZNOTE, ZDEPARTMENT, ZBADGE, ZMANAGER, ZMENTOR) "
                + "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            let department = "INSERT INTO ZDEPARTMENT(Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOMPANY) VALUES(?, ?, ?, ?, ?)"
            let expected =
                [
                    "BEGIN IMMEDIATE", Self.lookUp("ZEMPLOYEE"), Self.lookUp("ZDEPARTMENT"), insertion, department,
                    insertion, Self.reservation, Self.reservation, "COMMIT",
                ]
            #expect(try statementsOfSave() == expected)
        }

        @Test func `keys are written down once a transaction, and what is undone gives its keys back`() throws {
            let transaction = try stack.coordinator.stores[0].beginTransaction()
            let entity = try #require(stack.model.entitiesByName["Employee"])
            var keys: [Int64] = []
            let statements = try recorder.statements {
                for isKept in [true, false, true] {
                    try transaction.beginSavepoint()
                    keys.append(try transaction.reservePrimaryKeys(2, for: entity))
                    if isKept { try transaction.releaseSavepoint() } else { try transaction.rollBackToSavepoint() }
                }
                try transaction.commit()
            }
            transaction.end()
            #expect(keys == [1, 3, 3])
            #expect(statements.count { $0 == Self.reservation } == 1)
            let monk = try context.employee("Monk")
            try context.save()
            #expect(monk.objectID.uri.lastPathComponent == "p5")
        }

        @Test func `a save writes the changed columns alone, against the version that was read`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 18
            monk.note = "tall"
            #expect(
                try statementsOfSave() == [
                    "BEGIN IMMEDIATE",
                    "UPDATE ZEMPLOYEE SET Z_OPT = ?, ZAGE = ?, ZNOTE = ? WHERE Z_PK = ? AND Z_OPT = ?",
                    "COMMIT",
                ])
        }

        @Test func `a save of nothing new runs nothing`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 0
            #expect(try statementsOfSave() == [])
        }

        @Test func `a link is one row of the join table, and no version`() throws {
            let monk = try context.employee("Monk")
            let skill = try context.insert(Office.Skill.self)
            try context.save()
            monk.skills = [skill]
            #expect(
                try statementsOfSave().filter { !$0.contains("Z_PRIMARYKEY") } == [
                    "BEGIN IMMEDIATE", "INSERT OR IGNORE INTO Z_nSKILLS(Z_nEMPLOYEES, Z_nSKILLS) VALUES(?, ?)",
                    "COMMIT",
                ])
            skill.employees = []
            #expect(
                try statementsOfSave().filter { !$0.contains("Z_PRIMARYKEY") } == [
                    "BEGIN IMMEDIATE", "DELETE FROM Z_nSKILLS WHERE Z_nEMPLOYEES = ? AND Z_nSKILLS = ?", "COMMIT",
                ])
        }

        @Test func `deletions come first, then updates, insertions and links`() throws {
            let kitchen = try context.department("kitchen")
            let monk = try context.employee("Monk")
            monk.department = kitchen
            try context.save()
            let skill = try context.insert(Office.Skill.self)
            monk.skills = [skill]
            context.delete(kitchen)
            let verbs = try statementsOfSave().filter { !$0.contains("Z_PRIMARYKEY") }.map {
                $0.split(separator: " ").prefix(3).joined(separator: " ")
            }
            #expect(
                verbs == [
                    "BEGIN IMMEDIATE", "UPDATE ZEMPLOYEE SET", "DELETE FROM ZDEPARTMENT", "UPDATE ZEMPLOYEE SET",
                    "INSERT INTO ZSKILL(Z_PK,", "INSERT OR IGNORE", "COMMIT",
                ])
        }

        @Test func `a new order writes each place`() throws {
            let company = try context.insert(Office.Company.self)
            company.departments = try ["a", "b", "c"].map(context.department)
            try context.save()
            company.departments.swapAt(0, 2)
            let place = "UPDATE ZDEPARTMENT SET Z_FOK_COMPANY = ? WHERE ZCOMPANY = ? AND Z_PK = ?"
            #expect(
                try statementsOfSave().filter { !$0.contains("Z_PRIMARYKEY") }
                    == ["BEGIN IMMEDIATE", place, place, place, "COMMIT"])
        }

        // MARK: Reads

        /// A company of three departments with two employees each, read by nobody yet.
        private func makeCompany() throws -> AnyObjectID {
            let company = try context.insert(Office.Company.self)
            company.departments = try ["a", "b", "c"].map(context.department)
            for department in company.departments {
                department.employees = [try context.employee("1"), try context.employee("2")]
            }
            try context.save()
            return company.anyObjectID
        }

        /// A context of a stack of its own: no row is in its cache.
        private func coldContext() throws -> ManagedObjectContext {
            let recorder = recorder
            let cold = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "cold") })
            try cold.addDatabaseStore(fileURL: folder.file("office.sqlite"))
            return ManagedObjectContext(coordinator: cold.coordinator)
        }

        @Test func `a fetch is one query`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            #expect(
                try recorder.queries { _ = try cold.all(Office.Department.self) } == [
                    "SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME, t0.ZCOMPANY FROM ZDEPARTMENT t0"
                ])
        }

        @Test func `a count is one query and makes no object`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            #expect(
                try recorder.queries { _ = try cold.count(FetchRequest(entityName: "Department")) } == [
                    "SELECT COUNT(*) FROM ZDEPARTMENT t0"
                ])
        }

        @Test func `an object by its id is one query, and none once it is known`() throws {
            let uri = try makeCompany().uri
            let cold = try coldContext()
            let id = try #require(cold.coordinator.directory.key(of: uri))
            let company = AnyObjectID(key: id, directory: cold.coordinator.directory)
            let query = "SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM ZCOMPANY t0 WHERE t0.Z_PK = ?"
            #expect(try recorder.queries { _ = try cold.existingObject(with: company) } == [query])
            #expect(try recorder.queries { _ = try cold.existingObject(with: company) } == [])
        }

        @Test func `a fault of a to-one is one query, and none once it is fulfilled`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            let department = try #require(try cold.all(Office.Department.self).first)
            let queries = [
                recorder.queries { _ = department.company }, recorder.queries { _ = department.company?.name },
                recorder.queries { _ = department.company?.name },
            ]
            #expect(queries.map(\.count) == [0, 1, 0])
        }

        @Test func `a fault of a to-many is one query, and its objects are no faults`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            let company = try #require(try cold.all(Office.Company.self).first)
            let queries = recorder.queries { _ = company.departments.map(\.name) }
            #expect(
                queries == [
                    "SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME, t0.ZCOMPANY FROM ZDEPARTMENT t0 WHERE t0.ZCOMPANY = ? "
                        + "ORDER BY t0.Z_FOK_COMPANY, t0.Z_PK"
                ])
            #expect(recorder.queries { _ = company.departments.map(\.name) }.isEmpty)
        }

        @Test func `prefetching a to-one is one query more for all objects`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            var request = FetchRequest(entityName: "Employee")
            request.relationshipKeyPathsForPrefetching = ["department"]
            var employees: [ManagedObject] = []
            let queries = try recorder.queries { employees = try cold.fetch(request) }
            #expect(queries.count == 2)
            let more = recorder.queries {
                for case let employee as Office.Employee in employees { _ = employee.department?.name }
            }
            #expect(more.isEmpty)
        }

        @Test func `adding to a to-many that was not read reads nothing of it`() throws {
            _ = try makeCompany()
            let cold = try coldContext()
            let departments = try cold.all(Office.Department.self)
            let employee = try cold.employee("new")
            #expect(recorder.queries { employee.department = departments[0] }.isEmpty)
            let queriesOfSave = try recorder.queries { try cold.save() }
            #expect(queriesOfSave.allSatisfy { $0.contains("Z_PRIMARYKEY") })
        }

        @Test func `a row that was read is not read again by another context`() throws {
            let id = try makeCompany()
            let (first, second) = (
                ManagedObjectContext(coordinator: stack.coordinator),
                ManagedObjectContext(coordinator: stack.coordinator)
            )
            _ = try first.existingObject(with: id)
            #expect(try recorder.queries { _ = try second.existingObject(with: id) }.isEmpty)
        }
    }
#endif
