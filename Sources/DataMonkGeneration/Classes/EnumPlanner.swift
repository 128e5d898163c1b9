import DataMonkCore

/// **Value.** The enums that attributes name in their user info, collected from the whole model.
///
///     enum     Rank                          the type of the property
///     cases    novice=0, monk=1, abbot=5     the cases and their raw values; without them, you write the enum
///
/// The values of integers may be left out, and then count on from the one before; those of texts are then the names. With
/// `none=`, the value is the empty text.
struct EnumPlanner {
    static let nameKey = "enum"
    static let casesKey = "cases"

    private var byName: [String: GeneratedEnum] = [:]
    private(set) var problems: [ModelError.Problem] = []

    init(_ model: ManagedObjectModel) {
        for entity in model.entities {
            for attribute in entity.description.attributes { add(attribute, of: entity.name) }
        }
    }

    /// The enums to write, by name.
    var written: [GeneratedEnum] {
        byName.values.filter { !$0.cases.isEmpty }.sorted { String.precedesInBytes($0.name, $1.name) }
    }

    /// The names of all enums, those that somebody else writes included.
    var names: [String] { byName.keys.sorted(by: String.precedesInBytes) }

    /// Returns the enum of an attribute, or `nil` if it has none.
    func type(of attribute: AttributeDescription) -> GeneratedEnum? {
        attribute.userInfo[Self.nameKey].flatMap { byName[$0] }
    }

    private mutating func add(_ attribute: AttributeDescription, of entity: String) {
        guard let name = attribute.userInfo[Self.nameKey] else { return }
        func problem(_ message: String) -> ModelError.Problem {
            ModelError.Problem(
                kind: .invalidType, entityName: entity, propertyName: attribute.name, message: message)
        }
        guard SwiftNames.isIdentifier(name), !SwiftNames.isUnusable(asClass: name, style: .macro) else {
            return problems.append(problem("The enum in its user info has no usable name: \"\(name)\". Change it."))
        }
        guard let rawType = attribute.type.swiftName, attribute.type.isInteger || attribute.type == .string else {
            return problems.append(
                problem(
                    "Only integers and texts can be an enum. Change the type, or remove \(name) from the user info."))
        }
        do {
            let cases = try Self.cases(attribute.userInfo[Self.casesKey], of: attribute.type)
            var description = GeneratedEnum(name: name, rawType: rawType, cases: cases)
            if let other = byName[name] {
                // It is enough to list the cases once.
                if cases.isEmpty { description.cases = other.cases }
                guard other.rawType == rawType, other.cases.isEmpty || other.cases == description.cases else {
                    return problems.append(
                        problem(
                            "Another attribute gives the enum \(name) other cases or another type. Make them alike."))
                }
            }
            byName[name] = description
            guard case .null = attribute.defaultValue else {
                if cases.isEmpty || cases.contains(where: { $0.value == attribute.defaultValue }) { return }
                return problems.append(
                    problem("Its default value is no case of the enum \(name). Add a case, or change the default."))
            }
        } catch {
            problems.append(problem(error.message))
        }
    }

    private struct Fault: Error { let message: String }

    private static func cases(_ list: String?, of type: AttributeType) throws(Fault) -> [GeneratedEnum.Case] {
        guard let list else { return [] }
        var cases: [GeneratedEnum.Case] = []
        var next: Int64 = 0
        for part in list.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { side in
                String(side.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
            guard let name = sides.first, SwiftNames.isIdentifier(name) else {
                throw Fault(message: "The cases in its user info are not readable at \"\(part)\". Write name=value.")
            }
            let value: ManagedValue
            if type == .string {
                value = .string(sides.count > 1 ? sides[1] : name)
            } else {
                let number = sides.count > 1 ? Int64(sides[1]) : next
                let attribute = AttributeDescription(name, type)
                guard let number, attribute.hasRoom(for: .int(number)) else {
                    throw Fault(message: "The value of the case \(name) does not fit the attribute's type. Change it.")
                }
                value = .int(number)
                next = number &+ 1
            }
            guard !cases.contains(where: { $0.name == name || $0.value == value }) else {
                throw Fault(message: "Two cases in its user info have the name or the value of \(name). Change one.")
            }
            cases.append(GeneratedEnum.Case(name: name, value: value))
        }
        return cases
    }
}
