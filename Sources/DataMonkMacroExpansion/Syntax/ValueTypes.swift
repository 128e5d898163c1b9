#if Macros
    import SwiftSyntax

    /// **Value.** Facts about types that their names alone tell. Types of the application's own have to be left to the compiler.
    enum ValueTypes {
        /// The types of attributes.
        private static let attributes: Set<String> = [
            "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "String",
            "TimeInterval", "Transformable", "URL", "UUID",
        ]
        /// The types that are no attributes, and the ones to use instead.
        private static let substitutes = [
            "CGFloat": "Double", "Character": "String", "Float16": "Float", "Float80": "Double", "Int8": "Int16",
            "NSData": "Data", "NSDate": "Date", "NSDecimalNumber": "Decimal", "NSString": "String", "NSURL": "URL",
            "NSUUID": "UUID", "Substring": "String", "UInt": "Int", "UInt16": "Int32", "UInt32": "Int64",
            "UInt64": "Int64",
            "UInt8": "Int16",
        ]
        /// Further types that are `Codable`, and none of an attribute.
        private static let codable: Set<String> = ["DateComponents", "Duration", "IndexPath", "IndexSet", "Locale"]

        /// Returns `true` if a type is certainly one of an attribute.
        static func isAttribute(_ type: TypeSyntax) -> Bool { name(type).map(attributes.contains) ?? false }

        /// Returns the type of an attribute that serves instead of one that is none.
        static func substitute(for type: TypeSyntax) -> String? { name(type).flatMap { substitutes[$0] } }

        /// Returns `true` if a type is certainly `Codable`, and none of an attribute.
        static func isCodable(_ type: TypeSyntax) -> Bool {
            if let name = name(type), codable.contains(name) { return true }
            guard let parts = type.valueTypes else { return false }
            return parts.allSatisfy { isAttribute($0) || substitute(for: $0) != nil || isCodable($0) }
        }

        /// Returns `true` if a collection certainly holds values, and no objects.
        static func isCollectionOfValues(_ type: TypeSyntax) -> Bool {
            if type.isDictionary { return true }
            guard let element = type.elementType?.withoutOptional else { return false }
            return isAttribute(element) || substitute(for: element) != nil || element.isTuple
                || codable.contains(name(element) ?? "") || isCollectionOfValues(element)
        }

        private static func name(_ type: TypeSyntax) -> String? {
            if let member = type.as(MemberTypeSyntax.self), ["Foundation", "Swift"].contains(member.baseType.lastName) {
                return member.name.text
            }
            return type.as(IdentifierTypeSyntax.self)?.name.text
        }
    }

    extension TypeSyntax {
        /// The wrapped type of an optional, or the type itself.
        var withoutOptional: TypeSyntax { wrappedType ?? self }

        /// A Boolean value indicating whether this is `[Key: Value]` or `Dictionary<Key, Value>`.
        var isDictionary: Bool { dictionaryTypes != nil }

        var isTuple: Bool { self.is(TupleTypeSyntax.self) }

        /// The types that a collection consists of; `nil` for other types.
        fileprivate var valueTypes: [TypeSyntax]? {
            dictionaryTypes?.map(\.withoutOptional) ?? elementType.map { [$0.withoutOptional] }
        }

        private var dictionaryTypes: [TypeSyntax]? {
            if let dictionary = `as`(DictionaryTypeSyntax.self) {
                return [dictionary.key.trimmed, dictionary.value.trimmed]
            }
            guard let identifier = `as`(IdentifierTypeSyntax.self), identifier.name.text == "Dictionary",
                let arguments = identifier.genericArgumentClause?.arguments
            else { return nil }
            return arguments.compactMap { argument in
                if case .type(let type) = argument.argument { type.trimmed } else { nil }
            }
        }
    }
#endif
