#if Macros
    import DataMonk
    import DataMonkSQLite
    import Foundation

    extension Warehouse {
        static let entities = [
            "Box", "Thing", "Label", "Tool", "Paper", "Note", "Lid", "Mark", "Key", "Seal", "Guest", "Pin",
            "Slip",
        ]
        /// To-ones that nothing but the rule no action, or a missing inverse, may leave without a destination.
        fileprivate static let owned = [
            ("Thing", "box"), ("Label", "box"), ("Tool", "box"), ("Paper", "box"), ("Lid", "box"), ("Box", "lid"),
            ("Box", "outer"), ("Box", "next"), ("Box", "previous"), ("Slip", "crate"),
        ]
        /// The other side of a one-to-one.
        fileprivate static func inverse(_ entity: String, _ name: String) -> String? {
            switch (entity, name) {
            case ("Lid", _): "lid"
            case (_, "lid"): "box"
            case (_, "next"): "previous"
            case (_, "previous"): "next"
            default: nil
            }
        }
    }

    extension WarehouseStack {
        /// What is wrong with the references in the store: by the file's tables if it lies in a file, else by its objects.
        func brokenReferences() throws -> [String] {
            guard let file = stack.coordinator.stores.first?.url else { return try brokenObjects() }
            return try brokenRows(file)
        }

        private func brokenObjects() throws -> [String] {
            let context = newContext()
            var objects: [AnyObjectID: ManagedObject] = [:]
            for entity in Warehouse.entities {
                for object in try context.fetch(FetchRequest(entityName: entity)) {
                    objects[object.anyObjectID] = object
                }
            }
            func destination(_ object: ManagedObject, _ name: String) throws -> AnyObjectID? {
                guard case .object(let id) = try object.value(forKey: name) else { return nil }
                return id
            }
            var problems: [String] = []
            for (entity, name) in Warehouse.owned {
                guard let kind = stack.coordinator.model.entitiesByName[entity] else { continue }
                for object in objects.values where object.entity.isKind(of: kind) {
                    guard let id = try destination(object, name) else {
                        if entity == "Thing" || entity == "Paper" { problems.append("\(entity).\(name) is null") }
                        continue
                    }
                    guard let other = objects[id] else {
                        problems.append("\(entity).\(name) dangles")
                        continue
                    }
                    if let back = Warehouse.inverse(entity, name), try destination(other, back) != object.anyObjectID {
                        problems.append("\(entity).\(name) and \(back) disagree")
                    }
                }
            }
            for case let box as Warehouse.Box in objects.values {
                let members: [ManagedObject] =
                    Array(box.marks) + Array(box.keys) + Array(box.seals) + Array(box.guests)
                for member in members where objects[member.anyObjectID] == nil { problems.append("a link dangles") }
            }
            context.endTurn()
            return problems
        }

        private func brokenRows(_ file: URL) throws -> [String] {
            let connection = try SQLiteConnection(fileURL: file, options: SQLiteOptions(access: .readOnly))
            var problems: [String] = []
            func expectNone(_ problem: String, _ sql: String) throws {
                if let rows = try connection.text("SELECT group_concat(rowid, ' ') FROM \(sql)") {
                    problems.append("\(problem): rows \(rows)")
                }
            }
            for (entity, name) in Warehouse.owned {
                let (table, column) = ("Z\(entity.uppercased())", "Z\(name.uppercased())")
                let destination = name == "lid" ? "ZLID" : "ZBOX"
                try expectNone(
                    "\(entity).\(name) dangles",
                    "\(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(destination))")
            }
            for table in ["ZTHING", "ZPAPER"] {
                try expectNone("\(table) lacks its box", "\(table) WHERE ZBOX IS NULL")
            }
            for (table, column, other, inverse) in [
                ("ZLID", "ZBOX", "ZBOX", "ZLID"), ("ZBOX", "ZLID", "ZLID", "ZBOX"),
                ("ZBOX", "ZNEXT", "ZBOX", "ZPREVIOUS"), ("ZBOX", "ZPREVIOUS", "ZBOX", "ZNEXT"),
            ] {
                try expectNone(
                    "\(table).\(column) and \(inverse) disagree",
                    """
                    \(table) a WHERE a.\(column) IS NOT NULL
                    AND a.Z_PK IS NOT (SELECT b.\(inverse) FROM \(other) b WHERE b.Z_PK = a.\(column))
                    """)
            }
            try checkLinks(connection, expectNone)
            return problems
        }

        private func checkLinks(
            _ connection: SQLiteConnection, _ expectNone: (String, String) throws -> Void
        ) throws {
            let found = try connection.text(
                """
                SELECT group_concat(m.name || '.' || c.name, ' ') FROM sqlite_master m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND (m.name GLOB 'Z_[0-9]*' OR c.name GLOB 'Z*GUESTS')
                """)
            for place in (found ?? "").split(separator: " ") {
                let (table, column) = (place.split(separator: ".")[0], place.split(separator: ".")[1])
                // `Z_1BOXES`: named after the relationship whose objects it holds. Guests are told by their owner's.
                let name = String(column.drop { !$0.isLetter || $0 == "Z" }.prefix(while: \.isLetter))
                let destination = ["BOXES", "GUESTS"].contains(name) ? "ZBOX" : "Z\(name.dropLast())"
                try expectNone(
                    "\(place) dangles",
                    "\(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(destination))")
            }
        }
    }
#endif
