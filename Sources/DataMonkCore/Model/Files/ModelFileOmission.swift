/// **Value.** A part of a model that Xcode's model files have no place for.
///
/// ```swift
/// for omission in try model.writeModelFile(to: url) { print(omission) }
/// ```
public struct ModelFileOmission: Sendable, Hashable, CustomStringConvertible {
    /// The entity concerned; `nil` if the omission concerns the model as a whole.
    public var entityName: String?
    /// The property, index or constraint concerned.
    public var propertyName: String?
    /// A description of the part that the file does not contain.
    public var message: String

    /// The place and the message, such as `Person.name: …`.
    public var description: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
