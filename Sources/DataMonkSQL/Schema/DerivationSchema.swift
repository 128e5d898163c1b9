import DataMonkCore

/// **Value.** How a store keeps an attribute that is derived from other objects: triggers, under Core Data's names.
///
/// ```
/// Z_DA_ZFOLDER_Folder_photoCount_PARAMETER_INSERT
///      |       |      |          |         after what
///      |       |      |          SOURCE: a row of the object itself; PARAMETER: a row that it is derived from
///      |       |      the attribute
///      |       the entity that declares it
///      its table
/// ```
/// A trigger writes the column and then tells the writer which object it was, by a function that Core Data's triggers call
/// too; so whoever writes to such a store has to have functions of these names.
package struct DerivationSchema: Sendable {
    /// The functions that triggers call with the table, `Z_ENT`, `Z_PK`, the attribute's name and its new value.
    package static let functionNames = [updateFunction, insertFunction]
    static let updateFunction = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    static let insertFunction = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

    /// What the names of all its triggers begin with.
    package let prefix: String
    /// The statements that create the triggers.
    package let createStatements: [String]
    /// The statement that computes the column of every row anew.
    package let computeStatement: String
}
