/// **Value.** The part of an entity's class that tools make from a model file, and that you therefore do not write yourself.
///
/// Xcode's names for them are Manual/None, Class Definition and Category/Extension. The version hash does not contain it,
/// and stores do not keep it.
public enum CodeGeneration: String, Sendable, Hashable, CaseIterable {
    /// Nothing: you write the class.
    case manual
    /// The class with all its properties.
    case classDefinition = "class"
    /// The properties alone, as an extension of a class that you write.
    case category
}
