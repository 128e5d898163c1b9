/// **Value.** The keys that we add to Core Data's, for what its archives keep in a form that no archive at hand shows, or
/// not at all. Readers that do not know a key pass over it.
///
/// Conditions and expressions are kept as text beside the objects that Core Data makes of them.
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
