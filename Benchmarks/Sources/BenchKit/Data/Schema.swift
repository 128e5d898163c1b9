/// **Value.** How a peer wants its rows laid out.
package enum Schema: String, Sendable {
    /// Tables as one writes them by hand: `person`, `department`, `employee`.
    case plain
    /// Core Data's: `ZPERSON`, `ZDEPARTMENT`, `ZEMPLOYEE` with `Z_PK`, `Z_ENT`, `Z_OPT`; `Z_PRIMARYKEY`;
    /// `Z_METADATA`.
    case coreData

    /// One row that says what a workload has written, the same for the same rows in either schema: Core Data's dates,
    /// counted from 2001, come out exactly as those counted from 1970.
    func stateQuery(_ written: Written) -> String {
        switch (self, written) {
        case (.plain, .people): peopleQuery(of: "person", key: "id")
        case (.coreData, .people): peopleQuery(of: "ZPERSON", key: "Z_PK")
        case (.plain, .peopleInAnyOrder): peopleQuery(of: "person", key: nil)
        case (.coreData, .peopleInAnyOrder): peopleQuery(of: "ZPERSON", key: nil)
        case (.plain, .enrollments):
            "SELECT count(*) || ' ' || sum(student_id * course_id) FROM enrollment"
        case (.coreData, .enrollments):
            // The entities by name: Course 1, Student 2.
            "SELECT count(*) || ' ' || sum(Z_2STUDENTS * Z_1COURSES) FROM Z_1STUDENTS"
        case (.plain, .nodes): "SELECT count(*) FROM node"
        case (.coreData, .nodes): "SELECT count(*) FROM ZNODE"
        case (.plain, .taggings): "SELECT count(*) || ' ' || sum(article_id * tag_id) FROM tagging"
        case (.coreData, .taggings):
            // Article 1, Tag 2.
            "SELECT count(*) || ' ' || sum(Z_1ARTICLES * Z_2TAGS) FROM Z_1TAGS"
        case (.plain, .pictures), (.plain, .photos): "SELECT count(*) || ' ' || sum(length(name)) FROM picture"
        case (.coreData, .pictures): "SELECT count(*) || ' ' || sum(length(ZNAME)) FROM ZPICTURE"
        case (.coreData, .photos): "SELECT count(*) || ' ' || sum(length(ZNAME)) FROM ZPHOTO"
        }
    }

    /// - Parameter key: what tells the people apart; nil where each peer may have given them other keys.
    private func peopleQuery(of table: String, key: String?) -> String {
        let (prefix, friendID, created) =
            self == .plain ? ("", "friend_id", "created") : ("Z", "ZFRIENDID", "ZCREATED + 978307200")
        let keyed = key.map { ["sum(\($0))", "sum(\($0) * \(prefix)age)"] } ?? []
        let columns =
            ["count(*)"] + keyed + [
                "sum(length(\(prefix)name))", "count(\(prefix)location)", wholeSum("\(prefix)salary", 100),
                wholeSum("(\(created))", 1_000), "total(\(friendID))",
            ]
        return "SELECT \(columns.joined(separator: " || ' ' || ")) FROM \(table)"
    }

    /// A sum of whole numbers: that of doubles depends on the rows' order.
    private func wholeSum(_ column: String, _ factor: Int) -> String {
        "sum(CAST(round(\(column) * \(factor)) AS INTEGER))"
    }

    /// The index that a template has beside those of its tables: one makes W3's condition and order an index scan, one finds
    /// W20's people.
    func index(of template: Template) -> String? {
        switch (self, template) {
        case (.plain, .indexed): "CREATE INDEX person_location_name ON person(location, name)"
        case (.coreData, .indexed): "CREATE INDEX Z_Person_byLocationAndName ON ZPERSON (ZLOCATION, ZNAME)"
        case (.plain, .named): "CREATE INDEX person_name ON person(name)"
        case (.coreData, .named): "CREATE INDEX Z_Person_byName ON ZPERSON (ZNAME)"
        default: nil
        }
    }
}

/// **Value.** What a workload has written, by which its peers are compared.
enum Written {
    case people
    /// Tasks at the same time insert in whatever order they come.
    case peopleInAnyOrder
    case enrollments
    case nodes
    case taggings
    case pictures
    /// Pictures in files of their own, where the schema has any.
    case photos
}
