#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// What conditions can ask of objects beside their values, in stores and over unsaved changes.
    @Suite struct `Conditions of objects` {
        private func names(_ context: ManagedObjectContext, _ entity: String, _ format: String) throws -> [String] {
            let request = FetchRequest(entityName: entity, condition: try Condition(format: format))
            let found = try context.fetch(request)
            #expect(try context.count(request) == found.count)
            return try found.map { object in
                guard case .string(let name) = try object.value(forKey: "name") else { return "?" }
                return name
            }
            .sorted()
        }

        /// Whether the condition runs in the store or, over an unsaved change, in memory.
        @Test(arguments: StoreKind.allCases, [true, false])
        func `elements of an ordered relationship are in its order`(kind: StoreKind, inMemory: Bool) throws {
            let office = try OfficeStack(kind)
            let writing = office.newContext()
            let temple = try writing.insert(Office.Company.self)
            temple.name = "temple"
            let (kitchen, library, garden) = (
                try writing.department("kitchen"), try writing.department("library"), try writing.department("garden")
            )
            temple.departments = [library, kitchen, garden]
            let empty = try writing.insert(Office.Company.self)
            empty.name = "empty"
            try writing.save()
            temple.departments = [garden, library, kitchen]
            try writing.save()
            let context = office.newContext()
            if inMemory { for company in try context.all(Office.Company.self) { company.name += "" } }
            for (format, expected) in [
                ("departments[FIRST].name == 'garden'", ["temple"]),
                ("departments[LAST].name == 'kitchen'", ["temple"]),
                ("departments[1].name == 'library'", ["temple"]), ("departments[3].name == nil", ["empty", "temple"]),
                ("departments[SIZE] == 3", ["temple"]), ("departments[FIRST] == nil", ["empty"]),
                ("departments[FIRST].company.name == name", ["temple"]),
                ("departments[0].company.departments[LAST].name == 'kitchen'", ["temple"]),
                ("departments[0].employees.@count == 0", ["empty", "temple"]),
            ] {
                #expect(try names(context, "Company", format) == expected, "\(format)")
            }
            #expect(try names(context, "Department", "company.departments[FIRST] == SELF") == ["garden"])
        }

        @Test(arguments: ["employees[FIRST].name == 'x'", "name[0] == 'x'", "employees[0] == nil"])
        func `elements need an order`(format: String) throws {
            let context = try OfficeStack().newContext()
            let error = #expect(throws: FetchError.self) { try names(context, "Department", format) }
            #expect(error?.code == .unsupportedCondition)
        }

        @Test(arguments: ["departments[-1] == nil", "departments['x'] == nil", "departments[name] == nil"])
        func `an index is a whole number from 0 on`(format: String) throws {
            let context = try OfficeStack().newContext()
            let error = #expect(throws: FetchError.self) { try names(context, "Company", format) }
            #expect(error?.message.contains("integer") == true)
        }

        @Test(arguments: StoreKind.allCases, [true, false])
        func `objects are told apart by their own entity`(kind: StoreKind, inMemory: Bool) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            for height in [1, 2] { try context.insert(Office.Tower.self).height = height }
            if !inMemory { try context.save() }
            func count(_ format: String) throws -> Int {
                try context.count(FetchRequest(entityName: "Tower", condition: Condition(format: format)))
            }
            #expect(try count("entity == 'Tower'") == 2)
            #expect(try count("entity.name == 'Castle'") == 0)
            #expect(try count("entity != 'Castle' AND entity IN {'Tower', 'Gate'}") == 2)
            #expect(try count("entity BEGINSWITH[c] 'tow' AND ANY floors.entity == 'Floor'") == 0)
        }

        @Test func `objects are filtered and sorted in memory, with their unsaved changes`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let department = try context.department("kitchen")
            let people = try ["Monk", "Abbot", "Cook"].enumerated().map { index, name in
                let employee = try context.employee(name)
                employee.age = 20 * index
                return employee
            }
            people[1].department = department
            #expect(
                try people.filtered(using: %"age" >= 20 && %"department.name" == "kitchen").map(\.name) == ["Abbot"])
            #expect(try people.filtered(using: .compare("age", .lessThan, 40)).map(\.name) == ["Monk", "Abbot"])
            #expect(try people.sorted(using: .Ascending("name")).map(\.name) == ["Abbot", "Cook", "Monk"])
            #expect(try people.sorted(using: [SortTerm("age", ascending: false)]).map(\.age) == [40, 20, 0])
            #expect(try (%"age" == 40).evaluate(with: people[2]))
            #expect(try !Condition(format: "ANY department.employees.age > 20").evaluate(with: people[1]))
            #expect(try (%"a" == 1).evaluate(with: ["a": 1]))
        }

        @Test func `filtering refuses what a fetch refuses`() throws {
            let context = try OfficeStack().newContext()
            let people = [try context.employee("Monk")]
            let unknown = #expect(throws: FetchError.self) { try people.filtered(using: %"nmae" == "x") }
            #expect(unknown?.message.contains("Did you mean \"name\"?") == true)
            let text = #expect(throws: FetchError.self) { try people.filtered(using: %"age" == "x") }
            #expect(text?.code == .typeMismatch)
            let order = #expect(throws: FetchError.self) { try people.sorted(using: .Ascending("friends")) }
            #expect(order?.code == .notComparable)
            let mixed: [ManagedObject] = [people[0], try context.department("kitchen")]
            let nothing = #expect(throws: FetchError.self) { try mixed.sorted(using: .Ascending("name")) }
            #expect(nothing?.code == .invalidRequest)
            #expect(try mixed.filtered(using: %"name" == "kitchen").count == 1)
        }

        @Test(arguments: StoreKind.allCases)
        func `a transient property is for objects at hand, in no store for a fetch`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let diaries = try ["sad", "fine", "merry"].map { mood in
                let diary = try context.insert(Office.Diary.self)
                diary.mood = mood
                return diary
            }
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                let sorted = try diaries.sorted(using: [SortTerm("mood")])
                #expect(sorted.map(\.mood) == ["fine", "merry", "sad"])
                let chosen = try diaries.filtered(using: .compare("mood", .beginsWith, "m"))
                #expect(chosen.map(\.mood) == ["merry"])
                var request = FetchRequest(entityName: "Diary", condition: .compare("mood", .equal, "sad"))
                var error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .unsupportedByStore && error?.keyPath == "mood")
                request.condition = nil
                request.sortTerms = [SortTerm("mood")]
                error = #expect(throws: FetchError.self) { try context.fetch(request) }
                #expect(error?.code == .unsupportedByStore && error?.keyPath == "mood")
            }
        }
    }
#endif
