#if Macros
    import DataMonk
    import Testing

    /// Lists with a limit, in which values of related objects count as they were saved.
    @Suite struct `Limited fetched results` {
        /// Ann of department a, and Bob of department b, all of them saved.
        private func makeStage(
            _ kind: StoreKind, where condition: Condition = .constant(true), sortedBy sortTerms: [SortTerm],
            limit: Int
        ) throws -> ResultsStage {
            var request = ResultsStage.request(sortTerms)
            request.condition = condition
            request.fetchLimit = limit
            let stage = try ResultsStage(kind, request: request, sections: nil)
            for (name, department) in [("Ann", "a"), ("Bob", "b")] {
                try stage.insert(name, nil).department = stage.context.department(department)
            }
            try stage.context.save()
            _ = try stage.look()
            return stage
        }

        private func rename(_ name: String, to newName: String, in stage: ResultsStage) throws {
            let departments = try stage.context.all(Office.Department.self)
            let department = try #require(departments.first { $0.name == name })
            department.name = newName
        }

        @Test(arguments: StoreKind.allCases)
        func `a save of a related object that the condition looks at is followed`(kind: StoreKind) throws {
            let stage = try makeStage(
                kind, where: .compare("department.name", .equal, "a"), sortedBy: [SortTerm("name")], limit: 10)
            #expect(stage.shown == [": Ann"])
            try rename("a", to: "c", in: stage)
            try stage.context.save()
            #expect(try stage.look() == ["-0.0"])
            #expect(try stage.controller.count == stage.context.count(stage.controller.request))
            try rename("b", to: "a", in: stage)
            try stage.context.save()
            #expect(try stage.look() == ["+0.0"])
            #expect(stage.shown == [": Bob"])
        }

        @Test(arguments: StoreKind.allCases)
        func `a save of a related object that the order looks at is followed`(kind: StoreKind) throws {
            let stage = try makeStage(kind, sortedBy: [SortTerm("department.name"), SortTerm("name")], limit: 1)
            #expect(stage.shown == [": Ann"])
            try rename("a", to: "c", in: stage)
            try stage.context.save()
            #expect(stage.shown == [": Bob"])
        }
    }
#endif
