import DataMonkCore

/// **Value.** The file with the properties of an entity's class, which is written each time.
struct PropertiesFile {
    let plan: GeneratedClass
    let names: SwiftNames
    let style: ClassStyle
    let access: ClassAccess

    var name: String { SwiftNames.identifier(plan.name) }
    var literals: SwiftLiteral { SwiftLiteral(names: names) }

    /// Adds the extension with the properties.
    func write(to text: inout SwiftText) {
        if style == .macro, !plan.needsPlainStyle {
            writeMacro(to: &text)
        } else {
            text.block("\(extensionKeywords)extension \(name)", body: writePlain)
        }
        guard hasFunctions else { return }
        text.line()
        text.block("\(extensionKeywords)extension \(name)", body: writeFunctions)
    }

    /// Objects belong to their contexts, even in modules that isolate everything else to the main actor.
    private var extensionKeywords: String { "nonisolated " }

    // MARK: Functions

    private var hasFunctions: Bool {
        !plan.fetches.isEmpty
            || plan.properties.contains { property in
                switch property.kind {
                case .relationship(let relationship): relationship.isToMany
                case .fetched: true
                case .attribute, .opaque: false
                }
            }
    }

    private func writeFunctions(to text: inout SwiftText) {
        var isFirst = true
        func separate(_ text: inout SwiftText) {
            if !isFirst { text.line() }
            isFirst = false
        }
        for property in plan.properties {
            switch property.kind {
            case .relationship(let relationship) where relationship.isToMany:
                separate(&text)
                write(changesOf: property.name, relationship, to: &text)
            case .fetched(let destination):
                separate(&text)
                write(fetched: property, destination, to: &text)
            default: continue
            }
        }
        for fetch in plan.fetches {
            separate(&text)
            write(fetch, to: &text)
        }
    }

    private func write(
        changesOf name: String, _ relationship: GeneratedProperty.Relationship, to text: inout SwiftText
    ) {
        let (title, destination) = (SwiftNames.upperCamel(name), relationship.destination)
        let member = SwiftNames.identifier(name)
        let (object, sequence) = (
            "_ object: \(destination)", "_ objects: some \(names.type("Sequence"))<\(destination)>"
        )
        func add(_ documentation: String, _ function: String, _ parameters: [String], _ body: String) {
            text.documentation(documentation)
            text.function("\(access.prefix)func \(function)\(title)", parameters) { $0.line(body) }
        }
        add("Adds an object to `\(name)`, and sets its inverse.", "addTo", [object], "add(object, to: \\.\(member))")
        text.line()
        add(
            "Removes an object from `\(name)`, and clears its inverse.", "removeFrom", [object],
            "remove(object, from: \\.\(member))")
        text.line()
        add(
            "Adds objects to `\(name)`, and sets their inverses.", "addTo", [sequence],
            "for object in objects { add(object, to: \\.\(member)) }")
        text.line()
        add(
            "Removes objects from `\(name)`, and clears their inverses.", "removeFrom", [sequence],
            "for object in objects { remove(object, from: \\.\(member)) }")
        guard relationship.isOrdered else { return }
        // A parameter would hide a property of its name, such as `index`.
        let index = "at index: \(names.type("Int"))"
        text.line()
        add(
            "Inserts an object into `\(name)` at a position.", "insertInto", [object, index],
            "self.\(member).insert(object, at: index)")
        text.line()
        add(
            "Removes the object at a position of `\(name)`.", "removeFrom", [index], "self.\(member).remove(at: index)")
        text.line()
        add(
            "Replaces the object at a position of `\(name)`.", "replaceIn", [index, "with object: \(destination)"],
            "self.\(member)[index] = object")
    }

    private func write(fetched property: GeneratedProperty, _ destination: String, to text: inout SwiftText) {
        let (key, type) = (SwiftLiteral.text(property.name), SwiftNames.identifier(destination))
        text.documentation(property.documentation)
        text.function("\(access.prefix)func fetch\(SwiftNames.upperCamel(property.name))", [], " throws -> [\(type)]") {
            $0.line("try objects(forKey: \(key)).compactMap { $0 as? \(type) }")
        }
    }

    private func write(_ fetch: GeneratedFetch, to text: inout SwiftText) {
        let parameters = fetch.parameters.map { "\(SwiftNames.identifier($0.label)): \($0.type)" }
        let (reader, condition) = (fetch.localName("reader"), fetch.localName("condition"))
        let result = if case .unique = fetch.kind { "\(name)?" } else { "[\(name)]" }
        text.documentation(fetch.documentation)
        text.function(
            "\(access.prefix)static func \(fetch.name)", parameters + ["in \(reader): \(names.type("Reader"))"],
            " throws -> \(result)"
        ) { text in
            switch fetch.kind {
            case .unique: writeUnique(fetch.parameters, condition: condition, reader: reader, to: &text)
            case .template(let template):
                write(template, with: fetch.parameters, condition: condition, reader: reader, to: &text)
            }
        }
    }

    private func writeUnique(
        _ parameters: [GeneratedFetch.Parameter], condition: String, reader: String, to text: inout SwiftText
    ) {
        let type = names.type("Condition")
        let conditions = parameters.map { parameter in
            let value = "\(SwiftNames.identifier(parameter.label)).formatArgument"
            return [".compare", SwiftLiteral.text(parameter.key), ".equal", value]
        }
        if conditions.count == 1 {
            text.call("let \(condition) = \(type).compare", Array(conditions[0].dropFirst()))
        } else {
            text.array("let \(condition) = \(type).and(", elements: conditions, tail: ")")
        }
        text.line("return try \(reader).first(\(name).self, \(names.type("Query"))(\(condition)))")
    }

    private func write(
        _ template: FetchRequestTemplate, with parameters: [GeneratedFetch.Parameter], condition: String,
        reader: String, to text: inout SwiftText
    ) {
        var arguments = ["\(name).self"]
        if let format = template.predicateFormat {
            let values = parameters.map { "\(SwiftLiteral.text($0.key)): \(SwiftNames.identifier($0.label))" }
            text.call("let \(condition) = try \(names.type("Condition"))", ["format: \(SwiftLiteral.text(format))"])
            arguments.append(
                values.isEmpty
                    ? "\(names.type("Query"))(\(condition))"
                    : "\(names.type("Query"))(\(condition).substituting(\(SwiftLiteral.list(values))))")
        }
        var options: [String] = []
        let type = names.type("QueryOptions")
        if template.fetchLimit > 0 { options.append("\(type).Limit(\(template.fetchLimit))") }
        if template.fetchBatchSize > 0 { options.append("\(type).Batch(\(min(template.fetchBatchSize, 500)))") }
        if !template.includesSubentities { options.append("\(type).NoSubEntities") }
        if !template.includesPendingChanges { options.append("\(type).NoPendingChanges") }
        if !template.includesPropertyValues { options.append("\(type).NoPropertyValues") }
        if !options.isEmpty { arguments.append("options: \(options.joined(separator: " | "))") }
        text.call("\(template.predicateFormat == nil ? "" : "return ")try \(reader).fetchAll", arguments)
    }
}
