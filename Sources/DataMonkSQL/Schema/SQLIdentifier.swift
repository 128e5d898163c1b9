/// **Value.** Names of tables, columns and indexes as statements need them.
package enum SQLIdentifier {
    /// The name as it stands, or in quotes when it has characters that a bare name may not have. Core Data writes names
    /// bare, and so does `sqlite_master` repeat them.
    package static func quotedIfNeeded(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte >= 0x80
            }
        }
        return isBare ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Core Data's spelling of a property or entity in the schema.
    static func folded(_ name: String) -> String { name.uppercased() }
}
