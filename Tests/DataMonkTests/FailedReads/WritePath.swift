#if Macros
    import DataMonk
    import Testing

    /// **Value.** A way to change data that reads before it writes. Every object that it begins with is a fault.
    struct WritePath: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var policy = MergePolicy.error
        /// What another coordinator over the same store commits between the changes and their commit.
        var changesOfOthers: (@Sendable (ManagedObjectContext) throws -> Void)?
        /// Makes the changes; the caller commits.
        let run: @Sendable (Update) throws -> Void

        private init(_ description: String, run: @escaping @Sendable (Update) throws -> Void) {
            testDescription = description
            self.run = run
        }

        typealias Harbour = Harbours.Harbour
        typealias Ship = Harbours.Ship
        typealias Sailor = Harbours.Sailor

        /// All objects of a class as faults, by the order of their names.
        private static func faults<Object: ManagedObject>(
            _ type: Object.Type, _ update: Update, _ query: Query? = nil
        ) throws -> [Object] {
            try update.fetchAll(type, query, orderBy: .Ascending("name"), options: .NoPropertyValues)
        }

        /// The size of a value that may lie in a file of its own.
        private static func size(_ sailor: Sailor) -> Int { sailor.photo?.count ?? 0 }

        static let all: [WritePath] =
            [
                adding, settingMembers, changingMembers, settingToOne, fetchingOrCreating, validating, deriving,
                undoing,
                cascading,
            ] + mergePolicies

        static let adding = WritePath("adding to a property") { update in
            for sailor in try faults(Sailor.self, update) {
                sailor.age += 100
                sailor.note = (sailor.note ?? "") + sailor.name + " \(size(sailor))"
            }
        }

        static let settingMembers = WritePath("setting to-manys") { update in
            let ships = try faults(Ship.self, update)
            let sailors = try faults(Sailor.self, update)
            ships[0].crew = Set([sailors[2]] + sailors.filter { size($0) > 0 })
            sailors[1].friends = [sailors[5]]
            try faults(Harbour.self, update)[1].ships = [ships[2], ships[0]]
        }

        static let changingMembers = WritePath("adding, removing and reordering members") { update in
            let (harbours, ships) = (try faults(Harbour.self, update), try faults(Ship.self, update))
            let sailors = try faults(Sailor.self, update)
            harbours[0].ships = harbours[0].ships.reversed()
            harbours[0].remove(ships[0], from: \.ships)
            harbours[1].add(ships[0], to: \.ships)
            if size(sailors[0]) > 0 { sailors[0].friends.remove(sailors[1]) }
            sailors[0].add(sailors[3], to: \.friends)
            sailors[2].remove(try faults(Harbours.Skill.self, update)[0], from: \.skills)
        }

        static let settingToOne = WritePath("setting to-ones with inverses") { update in
            let (ships, sailors) = (try faults(Ship.self, update), try faults(Sailor.self, update))
            sailors[0].ship = ships[1]
            sailors[2].ship = size(sailors[4]) > 0 ? sailors[4].ship : nil
            ships[2].flag = ships[0].flag
            try faults(Harbours.Flag.self, update)[1].ship = ships[0]
        }

        static let fetchingOrCreating = WritePath("fetching or creating") { update in
            let sailor = try update.fetchOrCreate(Sailor.self, %"name" == "Anna 0")
            sailor.age += 1
            let other = try update.fetchOrCreate(Sailor.self, %"name" == "Dora")
            other.ship = sailor.ship
            other.photo = sailor.photo
            let third = try update.fetchOrCreate(Sailor.self, %"ship.name" == "Anna" && %"name" == "Anna 1")
            third.note = other.ship?.name
        }

        static let validating = WritePath("validating counts and deny") { update in
            let (ships, sailors) = (try faults(Ship.self, update), try faults(Sailor.self, update))
            ships[0].add(sailors[2], to: \.crew)
            ships[2].remove(sailors[5], from: \.crew)
            let harbour = try update.create(Harbour.self)
            harbour.name = "Turku \(size(sailors[0]))"
            try update.delete(try faults(Harbour.self, update, %"name" == "Oslo"))
        }

        static let deriving = WritePath("derived values") { update in
            let (harbours, ships) = (try faults(Harbour.self, update), try faults(Ship.self, update))
            ships[0].harbour = harbours[1]
            ships[1].load += harbours[0].shipCount + harbours[1].shipCount
            ships[2].load = try faults(Sailor.self, update).reduce(0) { $0 + size($1) }
        }

        static let undoing = WritePath("undo and redo") { update in
            let (harbours, sailors) = (try faults(Harbour.self, update), try faults(Sailor.self, update))
            guard let context = sailors[0].managedObjectContext else { return }
            context.undoManager = ContextUndoManager()
            sailors[0].age += size(sailors[4])
            sailors[1].ship = sailors[5].ship
            sailors[0].friends = []
            context.processPendingChanges()
            try update.delete(harbours[0])
            context.processPendingChanges()
            context.undo()
            context.undo()
            context.redo()
        }

        static let cascading = WritePath("cascade delete") { update in
            let (harbours, ships) = (try faults(Harbour.self, update), try faults(Ship.self, update))
            let sailors = try faults(Sailor.self, update)
            try update.delete(harbours[0])
            try update.delete(ships[2])
            sailors[3].age = size(sailors[0])
        }

        static let mergePolicies: [WritePath] = [
            mergePolicy("store", .mergeByPropertyStoreTrump), mergePolicy("object", .mergeByPropertyObjectTrump),
            mergePolicy("overwrite", .overwrite), mergePolicy("rollback", .rollback),
        ]

        private static func mergePolicy(_ name: String, _ policy: MergePolicy) -> WritePath {
            var path = WritePath("merge policy \(name)") { update in
                let (ships, sailors) = (try faults(Ship.self, update), try faults(Sailor.self, update))
                ships[0].load += 1
                ships[0].flag = ships[1].flag
                sailors[2].ship = ships[2]
                for sailor in sailors where sailor.name == "Cato 0" { sailor.age += 1 }
                sailors[1].age += size(sailors[0])
            }
            path.policy = policy
            path.changesOfOthers = { context in
                let ships = try context.fetch(FetchRequest(entityName: "Ship")).compactMap { $0 as? Ship }
                for ship in ships where ship.name == "Anna" {
                    ship.load += 1_000
                    ship.flag = nil
                }
                let sailors = try context.fetch(FetchRequest(entityName: "Sailor")).compactMap { $0 as? Sailor }
                for sailor in sailors where sailor.name == "Cato 0" { context.delete(sailor) }
                for sailor in sailors where sailor.name == "Bent 0" { sailor.ship = nil }
            }
            return path
        }
    }
#endif
