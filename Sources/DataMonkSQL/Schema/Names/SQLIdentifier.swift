/// **Value.** Spells the names of tables, columns and indexes for statements.
package enum SQLIdentifier {
    /// Returns the name as it is, or in quotes if it has characters that a bare name may not have. Core Data writes bare
    /// names, and `sqlite_master` repeats them as they are.
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

    /// Returns Core Data's spelling of a property or entity in the schema.
    static func folded(_ name: String) -> String { name.uppercased() }
}
