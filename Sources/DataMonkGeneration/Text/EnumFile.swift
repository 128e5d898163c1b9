import DataMonkCore

/// **Value.** The file with an enum of attributes, which is written each time.
struct EnumFile {
    let plan: GeneratedEnum
    let names: SwiftNames
    let access: ClassAccess

    /// Adds the enum.
    func write(to text: inout SwiftText) {
        let conformances = [names.type(plan.rawType), names.type("CaseIterable"), names.type("ManagedAttribute")]
        text.documentation("The values of an attribute of the model.")
        text.block(
            "\(access.prefix)nonisolated enum \(SwiftNames.identifier(plan.name)): \(conformances.joined(separator: ", "))"
        ) { text in
            for each in plan.cases {
                text.documentation("The value \(Self.description(of: each.value)).")
                text.line("case \(SwiftNames.identifier(each.name))\(rawValue(of: each))")
            }
        }
    }

    /// Returns the raw value, unless it is the one that the case has without saying so.
    private func rawValue(of each: GeneratedEnum.Case) -> String {
        switch each.value {
        case .string(let text): text == each.name ? "" : " = \(SwiftLiteral.literal(text))"
        case .int(let number): " = \(number)"
        default: ""
        }
    }

    private static func description(of value: ManagedValue) -> String {
        switch value {
        case .int(let number): "\(number)"
        case .string(let text): SwiftLiteral.literal(text)
        default: ""
        }
    }
}
