#if Macros
    import DataMonk
    import Testing

    /// Two objects with the same unique values: reported like conflicts of versions, settled by the same policies.
    @Suite(.serialized) struct `Conflicts of unique values` {
        /// A stored customer, and a context with another one of the same email.
        private final class Meeting {
            let registry: RegistryStack
            let first: ManagedObjectContext
            let second: ManagedObjectContext
            let stored: Registry.Customer

            init(_ kind: StoreKind, _ policy: MergePolicy) throws {
                registry = try RegistryStack(kind)
                first = registry.newContext()
                second = registry.newContext(policy)
                stored = try first.insert(Registry.Customer.self)
                (stored.email, stored.note, stored.first) = ("a@b", "stored", "Ada")
                try first.save()
            }

            func newCustomer(_ email: String?) throws -> Registry.Customer {
                let customer = try second.insert(Registry.Customer.self)
                customer.email = email
                return customer
            }

            /// What a context that knows nothing finds.
            func read(_ object: ManagedObject) throws -> Registry.Customer {
                try #require(try registry.newContext().existingObject(with: object.anyObjectID) as? Registry.Customer)
            }

            func count(_ entity: String) throws -> Int {
                try registry.newContext().count(FetchRequest(entityName: entity))
            }
        }

        // MARK: New objects

        @Test(arguments: StoreKind.allCases)
        func `error: the save throws with constraint, object and stored object, and nothing is lost`(kind: StoreKind)
            throws
        {
            let meeting = try Meeting(kind, .error)
            let mine = try meeting.newCustomer("a@b")
            mine.note = "mine"
            let error = try #require(throws: SaveError.self) { try meeting.second.save() }
            #expect(error.code == .constraintConflict && error.code.rawValue == 133_021)
            let conflict = try #require(error.conflicts.first)
            #expect(error.conflicts.count == 1 && conflict.constraint == ["email"])
            #expect(conflict.objectID == mine.anyObjectID && conflict.storedObjectID == meeting.stored.anyObjectID)
            #expect(conflict.storedValues["note"] == "stored" && conflict.changedValues["note"] == "mine")
            #expect(conflict.baseVersion == 0 && conflict.storedVersion == 1 && conflict.objectSnapshot.isEmpty)
            #expect(error.message.contains("email of Customer") && !error.message.contains("a@b"))
            #expect(mine.isInserted && mine.objectID.isTemporaryID && mine.email == "a@b")
            mine.email = "b@b"
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 2)
        }

        @Test(arguments: StoreKind.allCases)
        func `store trump and rollback: the stored row stays, and the new object goes`(kind: StoreKind) throws {
            for policy in [MergePolicy.mergeByPropertyStoreTrump, .rollback] {
                let meeting = try Meeting(kind, policy)
                let mine = try meeting.newCustomer("a@b")
                mine.note = "mine"
                let other = try meeting.newCustomer("b@b")
                try meeting.second.save()
                #expect(mine.isDeleted && !other.hasChanges && !meeting.second.hasChanges)
                #expect(try meeting.count("Customer") == 2)
                let read = try meeting.read(meeting.stored)
                #expect(read.note == "stored" && read.first == "Ada")
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `object trump: the stored row takes the values that the new object was given`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyObjectTrump)
            let mine = try meeting.newCustomer("a@b")
            mine.last = "Lovelace"
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 1)
            let read = try meeting.read(meeting.stored)
            #expect(read.last == "Lovelace" && read.note == "stored" && read.first == "Ada")
        }

        @Test(arguments: StoreKind.allCases)
        func `overwrite: the stored row is replaced by the new object's, and keeps its id`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .overwrite)
            let mine = try meeting.newCustomer("a@b")
            mine.last = "Lovelace"
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 1)
            let read = try meeting.read(meeting.stored)
            #expect(read.last == "Lovelace" && read.note == "none" && read.first == nil)
        }

        @Test(arguments: StoreKind.allCases)
        func `the id of the object that went leads to the one that stays`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyObjectTrump)
            let mine = try meeting.newCustomer("a@b")
            let temporary = mine.anyObjectID
            try meeting.second.save()
            #expect(mine.anyObjectID == meeting.stored.anyObjectID)
            #expect(try meeting.second.existingObject(with: temporary).anyObjectID == meeting.stored.anyObjectID)
        }

        @Test(arguments: StoreKind.allCases)
        func `a permanent id of the object that went leads to the one that stays, too`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyObjectTrump)
            let mine = try meeting.newCustomer("a@b")
            let temporary = mine.anyObjectID
            try meeting.second.obtainPermanentIDs(for: [mine])
            let permanent = mine.anyObjectID
            try meeting.second.save()
            #expect(mine.anyObjectID == meeting.stored.anyObjectID && permanent != mine.anyObjectID)
            for id in [temporary, permanent] {
                #expect(try meeting.second.existingObject(with: id).anyObjectID == meeting.stored.anyObjectID)
                #expect(try meeting.second.objects(with: [id]).count == 1)
            }
            try meeting.second.checkInvariants()
        }

        @Test(arguments: StoreKind.allCases)
        func `what leads to the new object leads to the one that stays`(kind: StoreKind) throws {
            for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback] {
                let meeting = try Meeting(kind, policy)
                let mine = try meeting.newCustomer("a@b")
                let order = try meeting.second.insert(Registry.Order.self)
                order.customer = mine
                try meeting.second.save()
                #expect(order.customer?.anyObjectID == meeting.stored.anyObjectID)
                #expect(try meeting.read(meeting.stored).orders.map(\.objectID) == [order.objectID])
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `what the new object owns goes with it where the stored one stays, and else goes over`(kind: StoreKind)
            throws
        {
            let cases: [(MergePolicy, Int)] = [
                (.mergeByPropertyStoreTrump, 0), (.mergeByPropertyObjectTrump, 1), (.overwrite, 1),
            ]
            for (policy, count) in cases {
                let meeting = try Meeting(kind, policy)
                let mine = try meeting.newCustomer("a@b")
                mine.cards = [try meeting.second.insert(Registry.Card.self)]
                try meeting.second.save()
                #expect(try meeting.count("Card") == count)
                #expect(try meeting.read(meeting.stored).cards.count == count)
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `within one save the first object stands for the stored one`(kind: StoreKind) throws {
            let cases: [(MergePolicy, String, String?)] = [
                (.mergeByPropertyStoreTrump, "one", nil), (.rollback, "one", nil),
                (.mergeByPropertyObjectTrump, "two", "Two"), (.overwrite, "two", "Two"),
            ]
            for (policy, note, last) in cases {
                let meeting = try Meeting(kind, policy)
                let (one, two) = (try meeting.newCustomer("new@b"), try meeting.newCustomer("new@b"))
                (one.note, two.note, two.last) = ("one", "two", last)
                try meeting.second.save()
                #expect(!one.isDeleted && two.isDeleted && two.anyObjectID == one.anyObjectID)
                let read = try meeting.read(one)
                #expect(read.note == note && read.last == last)
                #expect(try meeting.count("Customer") == 2)
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `error: two new objects of one save with the same value are a conflict, with both`(kind: StoreKind) throws
        {
            let meeting = try Meeting(kind, .error)
            let (one, two) = (try meeting.newCustomer("new@b"), try meeting.newCustomer("new@b"))
            let error = try #require(throws: SaveError.self) { try meeting.second.save() }
            #expect(error.code == .constraintConflict)
            #expect(error.conflicts.map(\.objectID) == [two.anyObjectID])
            #expect(error.conflicts.map(\.storedObjectID) == [one.anyObjectID])
        }

        // MARK: Saved objects

        /// A second saved customer, which is given the first one's email.
        private func rename(_ meeting: Meeting) throws -> Registry.Customer {
            let mine = try meeting.newCustomer("b@b")
            try meeting.second.save()
            mine.email = "a@b"
            mine.note = "mine"
            return mine
        }

        @Test(arguments: StoreKind.allCases)
        func `error: an update that takes a value of another object throws`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .error)
            let mine = try rename(meeting)
            let error = try #require(throws: SaveError.self) { try meeting.second.save() }
            #expect(error.code == .constraintConflict && error.conflicts.map(\.objectID) == [mine.anyObjectID])
            #expect(error.conflicts.map(\.storedObjectID) == [meeting.stored.anyObjectID])
            #expect(error.conflicts[0].objectSnapshot["email"] == "b@b" && mine.email == "a@b")
        }

        @Test(arguments: StoreKind.allCases)
        func `store trump: an update keeps its old unique value and its other changes`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyStoreTrump)
            let mine = try rename(meeting)
            try meeting.second.save()
            let read = try meeting.read(mine)
            #expect(read.email == "b@b" && read.note == "mine" && mine.email == "b@b")
            #expect(try meeting.read(meeting.stored).email == "a@b")
        }

        @Test(arguments: StoreKind.allCases)
        func `rollback: an update is dropped`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .rollback)
            let mine = try rename(meeting)
            try meeting.second.save()
            #expect(mine.email == "b@b" && mine.note == "none" && !mine.hasChanges)
            #expect(try meeting.count("Customer") == 2)
        }

        @Test(arguments: StoreKind.allCases)
        func `object trump and overwrite: an update stays, and the other object gives way`(kind: StoreKind) throws {
            for policy in [MergePolicy.mergeByPropertyObjectTrump, .overwrite] {
                let meeting = try Meeting(kind, policy)
                let order = try meeting.first.insert(Registry.Order.self)
                order.customer = meeting.stored
                try meeting.first.save()
                let mine = try rename(meeting)
                try meeting.second.save()
                #expect(try meeting.count("Customer") == 1)
                let read = try meeting.read(mine)
                #expect(read.email == "a@b" && read.note == "mine")
                #expect(read.orders.map(\.objectID) == [order.objectID])
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `values that change places within a save are no conflict`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .error)
            let others = try ["1", "2", "3"].map(meeting.newCustomer)
            try meeting.second.save()
            (others[0].email, others[1].email, others[2].email) = ("2", "3", "1")
            try meeting.second.save()
            #expect(try others.map { try meeting.read($0).email } == ["2", "3", "1"])
        }

        // MARK: Constraints

        @Test(arguments: StoreKind.allCases)
        func `several attributes are unique together`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .error)
            (meeting.stored.first, meeting.stored.last) = ("Ada", "Lovelace")
            try meeting.first.save()
            let mine = try meeting.newCustomer(nil)
            (mine.first, mine.last) = ("Ada", "Byron")
            try meeting.second.save()
            mine.last = "Lovelace"
            let error = try #require(throws: SaveError.self) { try meeting.second.save() }
            #expect(error.conflicts.map(\.constraint) == [["first", "last"]])
        }

        @Test(arguments: StoreKind.allCases)
        func `nil is in nobody's way`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .error)
            for _ in 0..<3 { try meeting.newCustomer(nil).first = "Ada" }
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 4)
        }

        @Test(arguments: StoreKind.allCases)
        func `objects of a sub-entity share the constraints of their superentity`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyObjectTrump)
            let mine = try meeting.second.insert(Registry.Wholesaler.self)
            (mine.email, mine.note, mine.discount) = ("a@b", "mine", 5)
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 1 && meeting.read(meeting.stored).note == "mine")
        }

        @Test(arguments: StoreKind.allCases)
        func `a to-one may be part of a constraint`(kind: StoreKind) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let (front, back) = (try context.insert(Registry.SeatRow.self), try context.insert(Registry.SeatRow.self))
            func seat(_ row: Registry.SeatRow?) throws -> Registry.Seat {
                let seat = try context.insert(Registry.Seat.self)
                seat.row = row
                return seat
            }
            let first = try seat(front)
            for row in [back, nil, nil] { _ = try seat(row) }
            try context.save()
            let same = try seat(front)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.conflicts.map(\.constraint) == [["row", "number"]])
            #expect(error.conflicts.map(\.storedObjectID) == [first.anyObjectID])
            context.mergePolicy = .mergeByPropertyObjectTrump
            same.label = "aisle"
            try context.save()
            #expect(first.label == "aisle" && front.seats == [first])
        }

        @Test(arguments: StoreKind.allCases)
        func `a value moves from a deleted object to a new one in one save`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .error)
            meeting.second.delete(try meeting.second.existingObject(with: meeting.stored.anyObjectID))
            _ = try meeting.newCustomer("a@b")
            try meeting.second.save()
            #expect(try meeting.count("Customer") == 1)
        }

        @Test(arguments: StoreKind.allCases)
        func `conflicts of versions and of values in one save are both settled`(kind: StoreKind) throws {
            let meeting = try Meeting(kind, .mergeByPropertyObjectTrump)
            let known = try #require(
                try meeting.second.existingObject(with: meeting.stored.anyObjectID) as? Registry.Customer)
            known.last = "mine"
            meeting.stored.note = "changed"
            try meeting.first.save()
            let mine = try meeting.newCustomer("a@b")
            mine.first = "new"
            try meeting.second.save()
            let read = try meeting.read(meeting.stored)
            #expect(read.note == "changed" && read.last == "mine" && read.first == "new")
            #expect(try meeting.count("Customer") == 1)
        }
    }
#endif
