/// **Value.** The keys that this library adds to Core Data's, for contents that Core Data's archives do not have, or have
/// in a form that no archive at hand shows. Readers ignore unknown keys.
///
/// Conditions and expressions are stored as text beside the objects that Core Data makes of them.
enum ModelArchiveKey {
    static let name = "DataMonkName"
    static let predicateFormat = "DataMonkPredicateFormat"
    static let expressionFormat = "DataMonkExpressionFormat"
    static let derivationFormat = "DataMonkDerivationFormat"
    static let excludesSubentities = "DataMonkExcludesSubentities"
    static let excludesPropertyValues = "DataMonkExcludesPropertyValues"
    static let excludesPendingChanges = "DataMonkExcludesPendingChanges"
    static let returnsFullObjects = "DataMonkReturnsFullObjects"
    static let returnsDistinctResults = "DataMonkReturnsDistinctResults"
}
