/// **Value.** How a peer wants its rows laid out.
package enum Schema: String, Sendable {
    /// Tables as one writes them by hand: `person`, `department`, `employee`.
    case plain
    /// Core Data's: `ZPERSON`, `ZDEPARTMENT`, `ZEMPLOYEE` with `Z_PK`, `Z_ENT`, `Z_OPT`; `Z_PRIMARYKEY`;
    /// `Z_METADATA`.
    case coreData

    /// One row that says what is in the table of people, the same for the same people in either schema: Core Data's
    /// dates, counted from 2001, come out exactly as those counted from 1970.
    var stateQuery: String {
        switch self {
        case .plain: Self.stateQuery(of: "person", prefix: "", id: "id", friendID: "friend_id", created: "created")
        case .coreData:
            Self.stateQuery(
                of: "ZPERSON", prefix: "Z", id: "Z_PK", friendID: "ZFRIENDID", created: "ZCREATED + 978307200")
        }
    }

    private static func stateQuery(
        of table: String, prefix: String, id: String, friendID: String, created: String
    ) -> String {
        let columns = [
            "count(*)", "sum(\(id))", "sum(\(id) * \(prefix)age)", "sum(length(\(prefix)name))",
            "count(\(prefix)location)", "printf('%.2f', total(\(prefix)salary))", "printf('%.3f', total(\(created)))",
            "total(\(friendID))",
        ]
        return "SELECT \(columns.joined(separator: " || ' ' || ")) FROM \(table)"
    }

    /// What makes W3's condition and order an index scan.
    package var queryIndex: String {
        switch self {
        case .plain: "CREATE INDEX person_location_name ON person(location, name)"
        case .coreData: "CREATE INDEX Z_Person_byLocationAndName ON ZPERSON (ZLOCATION, ZNAME)"
        }
    }
}
