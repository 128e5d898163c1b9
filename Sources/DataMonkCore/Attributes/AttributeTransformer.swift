public import Foundation

/// What turns the values of transformable attributes into bytes and back, by the name that a model gives it.
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
/// An attribute whose transformer nobody has registered keeps its bytes: they are read as data, and written back as they are.
public protocol AttributeTransformer: Sendable {
    /// The value that some bytes of a store stand for. The bytes may be damaged.
    func value(from data: Data) throws -> ManagedValue
    /// The bytes that a store keeps of a value.
    func data(from value: ManagedValue) throws -> Data
}

/// **Value.** Foundation's secure coding, which attributes without a transformer have.
struct SecureCodingTransformer: AttributeTransformer {
    /// The names that Foundation has for it.
    static let names: Set = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"]

    func value(from data: Data) throws -> ManagedValue { try Transformable(data: data).value() }
    func data(from value: ManagedValue) throws -> Data { try Transformable(value).data }
}
