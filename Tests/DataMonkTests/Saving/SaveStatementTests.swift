#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// The ordered SQL of saves that do more than write a row: delete rules, conflicts, unique values.
    @Suite struct `Statements of saves` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let office: Stack
        private let registry: Stack

        init() throws {
            folder = try TemporaryFolder()
            let recorder = recorder
            office = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "office") })
            try office.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            registry = Stack(model: try Registry.model.get(), trace: { recorder.record($0, by: "registry") })
            try registry.addDatabaseStore(fileURL: folder.file("registry.sqlite"), synchronous: .normal)
        }

        private func context(_ stack: Stack, _ policy: MergePolicy = .error) -> ManagedObjectContext {
            ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: policy)
        }

        /// What the writer runs, without primary keys and the questions about other processes.
        private func statements(of save: () throws -> Void) throws -> [String] {
            let all = try recorder.statements(save)
            return all.drop { $0 != "BEGIN IMMEDIATE" }
                .filter { !$0.hasPrefix("PRAGMA") && !$0.contains("Z_PRIMARYKEY") }
                // Entity numbers change with the model, lists of columns with its entities.
                .map { statement in
                    statement.replacing(/Z_\d+/, with: "Z_n").replacing(/\(Z_PK.*/, with: "")
                        .replacing(/SELECT t0.*FROM/, with: "SELECT … FROM")
                        .replacing(/\ AND t0.Z_ENT = \d+/, with: "")
                }
        }

        @Test func `a deletion that cascades takes links out, then rows, in the order of the deletions`() throws {
            let context = context(office)
            let monk = try context.employee("Monk")
            monk.badge = try context.insert(Office.Badge.self)
            monk.skills = [try context.insert(Office.Skill.self)]
            try context.save()
            context.delete(monk)
            let deletion = try statements { try context.save() }
            #expect(deletion.first == "BEGIN IMMEDIATE" && deletion.last == "COMMIT")
            #expect(
                deletion.filter { $0.hasSuffix("AND Z_OPT = ?") } == [
                    "DELETE FROM ZEMPLOYEE WHERE Z_PK = ? AND Z_OPT = ?",
                    "DELETE FROM ZBADGE WHERE Z_PK = ? AND Z_OPT = ?",
                ])
            #expect(deletion.contains("DELETE FROM Z_nSKILLS WHERE Z_nEMPLOYEES = ?"))
        }

        @Test func `a nullified to-one is an update of that column`() throws {
            let context = context(office)
            let (department, monk) = (try context.department("kitchen"), try context.employee("Monk"))
            monk.department = department
            try context.save()
            context.delete(department)
            let saved = try statements { try context.save() }
            // The department's guests, which have no inverse, are let go by the deletion itself.
            #expect(saved[1].hasPrefix("UPDATE ZEMPLOYEE SET") && saved[1].contains("= NULL WHERE"))
            #expect(
                saved.filter { !$0.contains("= NULL") } == [
                    "BEGIN IMMEDIATE", "DELETE FROM ZDEPARTMENT WHERE Z_PK = ? AND Z_OPT = ?",
                    "UPDATE ZEMPLOYEE SET Z_OPT = ?, ZDEPARTMENT = ? WHERE Z_PK = ? AND Z_OPT = ?", "COMMIT",
                ])
        }

        @Test func `a conflict is an update that meets no row, the row, and the update again`() throws {
            let first = context(office)
            let monk = try first.employee("Monk")
            try first.save()
            let second = context(office, .mergeByPropertyObjectTrump)
            try second.own(monk).note = "mine"
            monk.age = 18
            try first.save()
            let update = "UPDATE ZEMPLOYEE SET Z_OPT = ?, ZNOTE = ? WHERE Z_PK = ? AND Z_OPT = ?"
            let saved = try statements { try second.save() }
            #expect(
                saved == [
                    "BEGIN IMMEDIATE", update, "SELECT … FROM ZEMPLOYEE t0 WHERE t0.Z_PK = ?", "ROLLBACK",
                    "BEGIN DEFERRED", "ROLLBACK",  // What others have committed by now.
                    "BEGIN IMMEDIATE", update, "COMMIT",
                ])
        }

        private func makeCustomers(_ emails: [String], _ policy: MergePolicy) throws -> (
            ManagedObjectContext, [Registry.Customer]
        ) {
            let context = context(registry, policy)
            let customers = try emails.map { email in
                let customer = try context.insert(Registry.Customer.self)
                customer.email = email
                return customer
            }
            try context.save()
            return (context, customers)
        }

        private static let insertion = "INSERT INTO ZCUSTOMER"
        private static let holder = "SELECT Z_PK, Z_ENT FROM ZCUSTOMER WHERE ZEMAIL = ? AND Z_PK <> ?"
        private static let row = "SELECT … FROM ZCUSTOMER t0 WHERE t0.Z_PK = ?"

        @Test func `a unique value of a stored object is looked for once it is refused, and its row updated`() throws {
            let (context, _) = try makeCustomers(["a@b"], .mergeByPropertyObjectTrump)
            let new = try context.insert(Registry.Customer.self)
            (new.email, new.note) = ("a@b", "new")
            let saved = try statements { try context.save() }
            #expect(
                saved == [
                    "BEGIN IMMEDIATE", Self.insertion, Self.holder, Self.row, "ROLLBACK", "BEGIN DEFERRED", "ROLLBACK",
                    "BEGIN IMMEDIATE", "UPDATE ZCUSTOMER SET Z_OPT = ?, ZNOTE = ? WHERE Z_PK = ? AND Z_OPT = ?",
                    "COMMIT",
                ])
        }

        @Test func `a save without refused values runs nothing for them`() throws {
            let (context, customers) = try makeCustomers(["a@b"], .error)
            customers[0].email = "b@b"
            #expect(
                try statements { try context.save() } == [
                    "BEGIN IMMEDIATE", "UPDATE ZCUSTOMER SET Z_OPT = ?, ZEMAIL = ? WHERE Z_PK = ? AND Z_OPT = ?",
                    "COMMIT",
                ])
        }

        @Test func `values that change places are emptied first`() throws {
            let (context, customers) = try makeCustomers(["a@b", "b@b"], .error)
            (customers[0].email, customers[1].email) = ("b@b", "a@b")
            let update = "UPDATE ZCUSTOMER SET Z_OPT = ?, ZEMAIL = ? WHERE Z_PK = ? AND Z_OPT = ?"
            let emptying = "UPDATE ZCUSTOMER SET ZEMAIL = NULL WHERE Z_PK = ?"
            #expect(
                try statements { try context.save() } == [
                    "BEGIN IMMEDIATE", update, update, emptying, emptying, update, update, "COMMIT",
                ])
        }

        @Test func `an ordered to-many of new objects is their rows, and their places`() throws {
            let context = context(office)
            let company = try context.insert(Office.Company.self)
            try context.save()
            company.departments = try ["a", "b"].map(context.department)
            let place = "UPDATE ZDEPARTMENT SET Z_FOK_COMPANY = ? WHERE ZCOMPANY = ? AND Z_PK = ?"
            #expect(
                try statements { try context.save() } == [
                    "BEGIN IMMEDIATE", "INSERT INTO ZDEPARTMENT", "INSERT INTO ZDEPARTMENT", place, place, "COMMIT",
                ])
        }

        @Test func `a to-one set, moved and cleared is one column of one row`() throws {
            let context = context(office)
            let (kitchen, garden) = (try context.department("kitchen"), try context.department("garden"))
            let monk = try context.employee("Monk")
            try context.save()
            let update = "UPDATE ZEMPLOYEE SET Z_OPT = ?, ZDEPARTMENT = ? WHERE Z_PK = ? AND Z_OPT = ?"
            for department in [kitchen, garden, nil] {
                monk.department = department
                #expect(try statements { try context.save() } == ["BEGIN IMMEDIATE", update, "COMMIT"])
            }
        }

        @Test func `a one-to-one is a column on each side`() throws {
            let context = context(office)
            let (monk, badge) = (try context.employee("Monk"), try context.insert(Office.Badge.self))
            try context.save()
            monk.badge = badge
            #expect(
                try statements { try context.save() } == [
                    "BEGIN IMMEDIATE", "UPDATE ZEMPLOYEE SET Z_OPT = ?, ZBADGE = ? WHERE Z_PK = ? AND Z_OPT = ?",
                    "UPDATE ZBADGE SET Z_OPT = ?, ZOWNER = ? WHERE Z_PK = ? AND Z_OPT = ?", "COMMIT",
                ])
        }

        @Test func `an object that moves from one order to another is its owner, and its place`() throws {
            let context = context(office)
            let (first, second) = (try context.insert(Office.Company.self), try context.insert(Office.Company.self))
            first.departments = try ["a", "b"].map(context.department)
            try context.save()
            second.departments = [first.departments[0]]
            let saved = try statements { try context.save() }
            #expect(
                saved == [
                    "BEGIN IMMEDIATE", "UPDATE ZDEPARTMENT SET Z_OPT = ?, ZCOMPANY = ? WHERE Z_PK = ? AND Z_OPT = ?",
                    "UPDATE ZDEPARTMENT SET Z_FOK_COMPANY = ? WHERE ZCOMPANY = ? AND Z_PK = ?", "COMMIT",
                ])
        }

        @Test func `a to-many without an inverse is a column of each member, and no version`() throws {
            let context = context(office)
            let (kitchen, garden) = (try context.department("kitchen"), try context.department("garden"))
            let monk = try context.employee("Monk")
            kitchen.guests = [monk]
            try context.save()
            garden.guests = [monk]
            let saved = try statements { try context.save() }
            let column = try #require(saved.last { $0.hasPrefix("UPDATE") }?.split(separator: " ").dropFirst(3).first)
            #expect(
                saved == [
                    "BEGIN IMMEDIATE",
                    "UPDATE ZEMPLOYEE SET \(column) = NULL WHERE \(column) = ? AND Z_PK = ?",
                    "UPDATE ZEMPLOYEE SET \(column) = ? WHERE Z_PK = ?", "COMMIT",
                ])
        }

        @Test func `a deletion is one row, and the links that lead to it`() throws {
            let context = context(office)
            let skill = try context.insert(Office.Skill.self)
            try context.save()
            context.delete(skill)
            #expect(
                try statements { try context.save() } == [
                    "BEGIN IMMEDIATE", "DELETE FROM Z_nSKILLS WHERE Z_nSKILLS = ?",
                    "DELETE FROM ZSKILL WHERE Z_PK = ? AND Z_OPT = ?", "COMMIT",
                ])
        }
    }
#endif
