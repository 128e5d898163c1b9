import DataMonkCore
import Foundation

extension StoreContract {
    static let valueRules: [Rule] =
        cases.map { attribute, values in
            Rule("every value of \(attribute) is read as it was written") {
                try roundTrip(attribute, values: values, in: $0)
            }
        } + [
            Rule("decimals are read with the digits that the store keeps", decimalsRoundTrip),
            Rule("an object without values is read without values", noValueRoundTrips),
            Rule("updates to nil and from nil are read as they were written", updatesToAndFromNil),
            Rule("long values of one row do not overlap", longValuesKeepApart),
            Rule("a transient value is not stored", transientValueIsNotStored),
            Rule("an object with many attributes is read as it was written", wideObjectRoundTrips),
            Rule("an object without attributes exists", emptyObjectIsThere),
            Rule("names can be SQL keywords", namesMayBeWordsOfSQL),
        ]

    /// Values at the limits of each type.
    private static let cases: [(attribute: String, values: [ManagedValue])] = [
        ("aBool", [false, true]),
        ("aShort", [.int(Int64(Int16.min)), 0, .int(Int64(Int16.max))]),
        ("anInt", [.int(Int64(Int32.min)), -1, .int(Int64(Int32.max))]),
        ("aLong", [.int(.min), .int(.min + 1), 0, .int(1 << 53 + 1), .int(.max)]),
        (
            "aDouble",
            [
                -0.0, .double(.infinity), .double(-.infinity), .double(.greatestFiniteMagnitude),
                .double(.leastNonzeroMagnitude), .double(0.1 + 0.2), .double(.pi), 1e15, 9_007_199_254_740_993.0,
            ]
        ),
        (
            "aFloat",
            [
                0.0, .double(Double(Float(0.1))), .double(Double(Float.greatestFiniteMagnitude)), .double(-.infinity),
                .double(Double(Float.leastNonzeroMagnitude)),
            ]
        ),
        (
            "aString",
            [
                "", " ", "a\0b", "\0", "“quotes’; DROP TABLE”", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\u{FEFF}mark", "\u{FFFF}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
                "line\r\nbreak", "123", "1e5", .string(String(repeating: "長い", count: 50_000)),
            ]
        ),
        (
            "aData",
            [
                .data(Data()), .data(Data([0])), .data(Data(0...255)), .data(Data("text".utf8)),
                .data(Data(repeating: 0xFF, count: 100_000)),
            ]
        ),
        (
            "aDate",
            [
                .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: -0.5)),
                .date(Date(timeIntervalSince1970: 0)), .date(.distantPast), .date(.distantFuture),
                .date(Date(timeIntervalSinceReferenceDate: 445_103_622.123_456_7)),
            ]
        ),
        (
            "aUUID",
            [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uuid(UUID())]
        ),
        (
            "aURL",
            ["about:invalid", "https://example.org/a%20b?c=d#e", "file:///tmp/x", "mailto:a@b", "urn:x"]
                .compactMap { URL(string: $0).map(ManagedValue.url) }
        ),
    ]

    private static func roundTrip(_ attribute: String, values: [ManagedValue], in stage: ContractStage) throws {
        let context = stage.newContext()
        let entity = try stage.entity("Values")
        let objects = try values.indices.map { index in
            let object = try context.insert(entity)
            try object.setValue(.string("\(index)"), forKey: "label")
            try object.setValue(values[index], forKey: attribute)
            return object
        }
        try context.save()
        // Again in the opposite order, through an update.
        for (object, value) in zip(objects, values.reversed()) { try object.setValue(value, forKey: attribute) }
        try expectValues(of: attribute, equal: values, in: stage, when: "inserted")
        try context.save()
        try expectValues(of: attribute, equal: values.reversed(), in: stage, when: "updated")
    }

    private static func expectValues(
        of attribute: String, equal values: [ManagedValue], in stage: ContractStage, when: String
    ) throws {
        let context = stage.newContext()
        let objects = try context.fetch(FetchRequest(entityName: "Values"))
        try expectEqual(objects.count, values.count, "objects")
        for object in objects {
            guard case .string(let label) = try object.value(forKey: "label"), let index = Int(label) else { continue }
            try expectEqual(object.value(forKey: attribute), values[index], "\(when) \(attribute), fetched")
            let key = object.anyObjectID.key
            let alone = try stage.read {
                try stage.value(attribute, of: stage.row(of: key, in: $0), entityName: "Values")
            }
            try expectEqual(alone, values[index], "\(when) \(attribute), read by key")
        }
    }

    @Sendable private static func decimalsRoundTrip(_ stage: ContractStage) throws {
        let texts = [
            "0", "-1", "0.1", "10.11", "3.3333333332999993", "123456789012345", "0.000000000000001",
            "-99999999999999999999999999999999999999", "12345678901234567890.123456789012345678", "1e100",
        ]
        for text in texts {
            guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else { continue }
            let change = try stage.commitObject("Values", values: ["aDecimal": .decimal(decimal)])
            let found = try stage.read {
                try stage.value("aDecimal", of: stage.row(of: change.key, in: $0), entityName: "Values")
            }
            guard let stored = decimal.stored else { continue }
            try expectEqual(found, .decimal(stored), "the decimal \(text)")
        }
    }

    @Sendable private static func noValueRoundTrips(_ stage: ContractStage) throws {
        let change = try stage.commitObject("Values")
        let entity = try stage.entity("Values")
        let row = try stage.read { try stage.row(of: change.key, in: $0) }
        let fetched = try stage.newContext().fetch(FetchRequest(entityName: "Values"))
        for attribute in entity.attributes {
            try expectEqual(
                stage.value(attribute.name, of: row, entityName: "Values"), .null, "\(attribute.name), read by key")
            try expectEqual(fetched[0].value(forKey: attribute.name), .null, "\(attribute.name), fetched")
        }
    }

    @Sendable private static func updatesToAndFromNil(_ stage: ContractStage) throws {
        let values: [String: ManagedValue] = [
            "aBool": true, "aData": .data(Data([1])), "aDate": .date(.distantPast), "aDecimal": .decimal(1.5),
            "aDouble": 1.5, "aFloat": 1.5, "aLong": 1, "aShort": 1, "aString": "text", "aUUID": .uuid(UUID()),
            "aURL": .url(URL.fallback), "anInt": 1,
        ]
        let context = stage.newContext()
        let object = try context.insert(stage.entity("Values"))
        for isFilled in [false, true, false] {
            for (name, value) in values { try object.setValue(isFilled ? value : .null, forKey: name) }
            try context.save()
            let read = try stage.newContext().fetch(FetchRequest(entityName: "Values"))[0]
            for (name, value) in values { try expectEqual(read.value(forKey: name), isFilled ? value : .null, name) }
        }
    }

    @Sendable private static func longValuesKeepApart(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let object = try context.insert(stage.entity("Values"))
        // Growing, shrinking and empty values in turn, so that each one overwrites the bytes of another.
        for length in [0, 10, 3, 5_000, 0, 1, 20_000, 2] {
            let text = ManagedValue.string(String(repeating: "s", count: length))
            let data = ManagedValue.data(Data(repeating: 7, count: 2 * length))
            try object.setValue(text, forKey: "aString")
            try object.setValue(data, forKey: "aData")
            try object.setValue(.string("label \(length)"), forKey: "label")
            try context.save()
            let read = try stage.newContext().fetch(FetchRequest(entityName: "Values"))[0]
            try expectEqual(read.value(forKey: "aString"), text, "text of \(length) characters")
            try expectEqual(read.value(forKey: "aData"), data, "data of \(2 * length) bytes")
            try expectEqual(read.value(forKey: "label"), .string("label \(length)"), "the label")
        }
    }

    @Sendable private static func wideObjectRoundTrips(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let object = try context.insert(stage.entity("Wide"))
        let value = { (number: Int, round: Int) -> ManagedValue in
            // In each round, different attributes have no value.
            if (number + round).isMultiple(of: 7) { return .null }
            return number.isMultiple(of: 2) ? .string("\(number).\(round)") : .int(Int64(number * round))
        }
        for round in 1...3 {
            for number in 0..<ContractModel.width { try object.setValue(value(number, round), forKey: "a\(number)") }
            try context.save()
            let read = try stage.newContext().fetch(FetchRequest(entityName: "Wide"))[0]
            for number in 0..<ContractModel.width {
                try expectEqual(read.value(forKey: "a\(number)"), value(number, round), "a\(number) in round \(round)")
            }
        }
        try object.setValue("alone", forKey: "a148")
        try context.save()
        let read = try stage.newContext().fetch(FetchRequest(entityName: "Wide"))[0]
        try expectEqual(read.value(forKey: "a148"), "alone", "an attribute of the third word")
        try expectEqual(read.value(forKey: "a146"), value(146, 3), "its neighbour")
    }

    @Sendable private static func emptyObjectIsThere(_ stage: ContractStage) throws {
        let context = stage.newContext()
        for _ in 0..<3 { _ = try context.insert(stage.entity("Empty")) }
        try context.save()
        let found = try stage.newContext().fetch(FetchRequest(entityName: "Empty"))
        try expectEqual(found.count, 3, "objects")
        let deleting = stage.newContext()
        deleting.delete(try deleting.fetch(FetchRequest(entityName: "Empty"))[0])
        try deleting.save()
        try expectEqual(stage.newContext().count(FetchRequest(entityName: "Empty")), 2, "objects after a deletion")
    }

    @Sendable private static func namesMayBeWordsOfSQL(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let first = try context.insert(stage.entity("Select"))
        try first.setValue("where", forKey: "from")
        try first.setValue(7, forKey: "order")
        let second = try context.insert(stage.entity("Select"))
        try second.setDestinations("group", to: [first])
        try context.save()
        var request = FetchRequest(entityName: "Select", condition: .compare("order", .equal, 7))
        request.sortTerms = [SortTerm("from")]
        let found = try stage.newContext().fetch(request)
        try expectEqual(found.map { try $0.value(forKey: "from") }, ["where"], "values")
        try expectEqual(found[0].destinations("values").count, 1, "links")
    }

    @Sendable private static func transientValueIsNotStored(_ stage: ContractStage) throws {
        let object = try stage.newContext().insert(stage.entity("Values"))
        try object.setValue("here", forKey: "aMemory")
        try object.setValue("kept", forKey: "aString")
        try object.managedObjectContext?.save()
        let row = try stage.read { try stage.row(of: object.anyObjectID.key, in: $0) }
        try expectEqual(stage.value("aMemory", of: row, entityName: "Values"), .null, "the transient value")
        try expectEqual(stage.value("aString", of: row, entityName: "Values"), "kept", "the stored value")
    }
}
