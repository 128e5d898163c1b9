#if Macros
    import DataMonk
    import Testing

    /// What a main context shows of links, between a commit by others and the turn that merges it: the same state as of
    /// everything else.
    @Suite(.serialized) @MainActor struct `Links of contexts behind a commit` {
        enum Scene: CaseIterable {
            case reordering, appending, removalFromTheMiddle, deletionFromTheMiddle
            case moveWithoutInverse, deletionOfGuest, deletionOfHost, deletionOfBothEnds, newLink
        }

        private let office: OfficeStack
        private let World: MainContext
        private let company: Office.Company
        private let departments: [Office.Department]
        private let monk: Office.Employee
        private let novice: Office.Employee
        private let skill: Office.Skill

        init() throws {
            office = try OfficeStack(.file)
            let writer = office.newContext()
            let company = try writer.insert(Office.Company.self)
            company.name = "Old"
            company.departments = try ["A", "B", "C"].map { try writer.department($0) }
            let monk = try writer.employee("Monk")
            monk.skills = [try writer.insert(Office.Skill.self)]
            _ = try writer.employee("Novice")
            company.departments[0].guests = [try writer.employee("Guest")]
            try writer.save()
            // Nothing of it is in the row cache.
            try office.reopen()
            World = try MainContext(stack: office.stack)
            self.company = try World.fetch(Office.Company.self)
            departments = try World.fetchAll(Office.Department.self, orderBy: .Ascending("name"))
            self.monk = try World.fetch(Office.Employee.self, %"name" == "Monk")
            novice = try World.fetch(Office.Employee.self, %"name" == "Novice")
            skill = try World.fetch(Office.Skill.self)
        }

        /// Commits on the calling thread, so that no turn ends in between.
        private func commit(_ scene: Scene) throws {
            World.managedObjectContext.endTurn()
            try Context(stack: office.stack).beginUpdateAndWait { update in
                let company = try update.fetch(Office.Company.self)
                company.name = "New"
                switch scene {
                case .reordering: company.departments.reverse()
                case .appending: company.departments.append(try update.create(Office.Department.self))
                case .removalFromTheMiddle: company.departments.remove(at: 1)
                case .deletionFromTheMiddle: try update.delete(company.departments[1])
                case .deletionOfGuest:
                    try update.delete(try update.fetch(Office.Employee.self, %"name" == "Guest"))
                case .deletionOfHost: try update.delete(company.departments[0])
                case .moveWithoutInverse:
                    company.departments[1].guests = [try update.fetch(Office.Employee.self, %"name" == "Guest")]
                case .deletionOfBothEnds:
                    try update.delete(try update.fetch(Office.Employee.self, %"name" == "Monk"))
                    try update.delete(try update.fetch(Office.Skill.self))
                case .newLink:
                    let novice = try update.fetch(Office.Employee.self, %"name" == "Novice")
                    novice.skills.insert(try update.create(Office.Skill.self))
                    novice.skills.formUnion(try update.fetchAll(Office.Skill.self))
                    for skill in novice.skills { try update.delete(skill) }
                    try update.delete(novice)
                }
                try update.commit()
            }
        }

        /// The links that the context shows.
        private var links: [String] {
            company.departments.map(\.name) + departments.map { "\($0.guests.count)" }
                + ["\(monk.skills.count)", "\(skill.employees.count)", "\(novice.skills.count)"]
        }

        @Test(arguments: Scene.allCases) func `are those of the state that its objects show`(scene: Scene) throws {
            let before = ["A", "B", "C", "1", "0", "0", "1", "1", "0"]
            let after =
                switch scene {
                case .reordering: ["C", "B", "A", "1", "0", "0", "1", "1", "0"]
                case .appending: ["A", "B", "C", "", "1", "0", "0", "1", "1", "0"]
                case .removalFromTheMiddle: ["A", "C", "1", "0", "0", "1", "1", "0"]
                case .deletionFromTheMiddle: ["A", "C", "1", "0", "0", "1", "1", "0"]
                case .deletionOfGuest: ["A", "B", "C", "0", "0", "0", "1", "1", "0"]
                case .deletionOfHost: ["B", "C", "0", "0", "0", "1", "1", "0"]
                case .moveWithoutInverse: ["A", "B", "C", "0", "1", "0", "1", "1", "0"]
                case .deletionOfBothEnds: ["A", "B", "C", "1", "0", "0", "0", "0", "0"]
                case .newLink: ["A", "B", "C", "1", "0", "0", "0", "0", "0"]
                }
            try commit(scene)
            #expect(company.name == "Old")
            let shown = links
            #expect(shown == (company.name == "Old" ? before : after), "\(company.name)")
            _ = try World.count(Office.Badge.self)
            #expect(company.name == "New" && links == after)
        }
    }
#endif
