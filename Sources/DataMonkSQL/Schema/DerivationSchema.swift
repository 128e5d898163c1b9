/// **Value.** The storage of an attribute derived from other objects: triggers, with Core Data's names.
///
/// ```
/// Z_DA_ZFOLDER_Folder_photoCount_PARAMETER_INSERT
///      |       |      |          |         the event
///      |       |      |          SOURCE: a row of the object itself; PARAMETER: a row that it is derived from
///      |       |      the attribute
///      |       the entity that declares it
///      the table that the trigger fires on: another one for PARAMETER
/// ```
/// A trigger writes the column and then reports the object to the writer, through a function that Core Data's triggers also
/// call. A program that writes to such a store must therefore register functions with these names.
package struct DerivationSchema: Sendable {
    /// The functions that triggers call with the table, `Z_ENT`, `Z_PK`, the attribute's name and its new value.
    package static let functionNames = [updateFunction, insertFunction]
    static let updateFunction = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    static let insertFunction = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

    /// The name of the entity that declares the attribute.
    package let entityName: String
    package let attributeName: String
    /// The triggers of a new store.
    package let triggers: [TriggerSchema]
    /// A Boolean value indicating whether they bring the value into the attribute's type.
    let isFitted: Bool
    /// Those of Core Data, and of earlier versions of this library, which do not bring the value into the attribute's type.
    let plainTriggers: [TriggerSchema]
    /// The triggers written by earlier versions of this library, which Core Data does not find.
    let formerTriggers: [TriggerSchema]
    /// The numbers of the entity and of its sub-entities.
    let entityNumbers: ClosedRange<Int>
    /// The names of all tables of the store, one of which a trigger is named after.
    let tableNames: Set<String>
    /// The statement that computes the column of every row anew.
    package let computeStatement: String
    /// The statement that selects the keys of the rows with another value than the one that would be computed.
    package let differenceStatement: String
    /// The name of the attribute's table.
    package let tableName: String

    package var createStatements: [String] { triggers.map(\.createStatement) }
}

extension DerivationSchema {
    private static let events = [
        "SOURCE_INSERT", "SOURCE_UPDATE", "SOURCE_DELETE", "PARAMETER_INSERT", "PARAMETER_UPDATE", "PARAMETER_DELETE",
        "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT",
    ]

    /// A Boolean value indicating whether a name is one of this attribute's triggers, whichever table they are named after.
    ///
    /// The table's name is compared as a whole: that of `Shop_Item.count` ends like that of `Item.count`.
    package func ownsTrigger(named name: String) -> Bool {
        Self.events.contains { event in
            let suffix = "_\(entityName)_\(attributeName)_\(event)"
            guard name.hasPrefix("Z_DA_"), name.hasSuffix(suffix) else { return false }
            return tableNames.contains(String(name.dropFirst(5).dropLast(suffix.count)))
        }
    }

    /// Returns `true` if some triggers, all that the attribute has in a store, are those of a new store: no more, no fewer,
    /// and with the same text.
    ///
    /// Core Data's may name the entity's numbers where ours do not, and report a value through either of the two functions;
    /// the rows that they write are the same, unless a value does not fit the attribute. A file that has Core Data's keeps them.
    package func isKept(by stored: [TriggerSchema]) -> Bool {
        isSame(stored, as: triggers, by: normalized) || isSame(stored, as: plainTriggers, by: normalized)
    }

    /// Returns `true` if an earlier version of this library wrote the triggers, and the values that they have maintained are
    /// correct: in the attribute's type.
    package func wasKept(by stored: [TriggerSchema]) -> Bool {
        !isFitted && isSame(stored, as: formerTriggers, by: \.tokens)
    }

    private func isSame(
        _ stored: [TriggerSchema], as expected: [TriggerSchema], by form: (TriggerSchema) -> [String]
    ) -> Bool {
        stored.count == expected.count && Set(stored.map(form)) == Set(expected.map(form))
    }

    private func normalized(_ trigger: TriggerSchema) -> [String] {
        let condition = SQLTokens.all(
            in: "AND \(entityNumbers.lowerBound) <= Z_ENT AND Z_ENT <= \(entityNumbers.upperBound)")
        let function = SQLTokens.all(in: Self.insertFunction)
        return trigger.tokens.split(separator: condition).joined()
            .map { [$0] == function ? Self.updateFunction.uppercased() : $0 }
    }
}
