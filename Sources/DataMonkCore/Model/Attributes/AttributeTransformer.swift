public import Foundation

/// Turns the values of transformable attributes into bytes and back, under the name that a model uses for it.
///
/// ```swift
/// struct ColorTransformer: AttributeTransformer {
///     func value(from data: Data) throws -> ManagedValue { .string(String(decoding: data, as: UTF8.self)) }
///     func data(from value: ManagedValue) throws -> Data {
///         guard case .string(let name) = value else { throw ColorError() }
///         return Data(name.utf8)
///     }
/// }
///
/// stack.register(ColorTransformer(), forName: "ColorTransformer")
/// try shirt.setTransformedValue("red", forKey: "color")
/// ```
/// An attribute whose transformer is not registered keeps its bytes: they are read as data and written back unchanged.
public protocol AttributeTransformer: Sendable {
    /// Returns the value that bytes from a store represent. The bytes may be damaged.
    func value(from data: Data) throws -> ManagedValue
    /// Returns the bytes that a store keeps for a value.
    func data(from value: ManagedValue) throws -> Data
}

/// **Value.** Foundation's secure coding, which is used for attributes without a transformer.
struct SecureCodingTransformer: AttributeTransformer {
    /// Foundation's names for this transformer.
    static let names: Set = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"]

    func value(from data: Data) throws -> ManagedValue { try Transformable(data: data).value() }
    func data(from value: ManagedValue) throws -> Data { try Transformable(value).data }
}
