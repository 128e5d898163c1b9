#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Many changes of an ordered relationship, made from the other side.
    @Suite struct `Changes of ordered relationships` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        @Test(arguments: 0..<20 as Range<UInt64>) func `the order is that of an array with the same changes`(
            seed: UInt64
        ) throws {
            var generator = SeededGenerator(seed: seed)
            let company = try context.insert(Office.Company.self)
            let departments = try (0..<60).map { try context.department("\($0)") }
            company.departments = Array(departments.prefix(40))
            if seed.isMultiple(of: 2) { try context.save() }
            var model = Array(departments.prefix(40))
            for step in 0..<400 {
                let department = try #require(departments.randomElement(using: &generator))
                if let place = model.firstIndex(of: department) {
                    department.company = nil
                    model.remove(at: place)
                } else {
                    department.company = company
                    model.append(department)
                }
                // A look in between closes what removals have left open.
                let looks = Int.random(in: 0..<25, using: &generator) == 0
                if looks { #expect(company.departments == model, "seed \(seed), step \(step)") }
                if step == 200 { try context.save() }
            }
            #expect(company.departments == model, "seed \(seed)")
            try context.save()
            try context.checkInvariants()
            #expect(try office.newContext().own(company).departments.map(\.name) == model.map(\.name))
        }

        @Test func `deleting every member one by one leaves none`() throws {
            let company = try context.insert(Office.Company.self)
            company.departments = try (0..<300).map { try context.department("\($0)") }
            try context.save()
            for department in company.departments { context.delete(department) }
            try context.save()
            #expect(company.departments.isEmpty)
            try context.checkInvariants()
        }
    }
#endif
