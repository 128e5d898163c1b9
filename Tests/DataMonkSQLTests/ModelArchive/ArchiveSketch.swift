import DataMonkCore
import DataMonkSQL
import Foundation

/// **Value.** The objects of a model's archive as texts that two archives share when they say the same: without the
/// numbers of objects, the order of dictionaries, or the difference between a class and its mutable form.
struct ArchiveSketch {
    private let objects: [PropertyListValue]
    /// Keys that are passed over.
    private let ignored: Set<String>

    init(_ archive: Data, ignoring ignored: Set<String> = []) throws {
        objects = try BinaryPropertyListReader.read(archive)["$objects"]?.arrayValue ?? []
        self.ignored = ignored
    }

    /// One line for the model and for each entity, property, index and index element.
    var lines: Set<String> {
        Set(
            objects.compactMap { object in
                guard let fields = object.dictionaryValue, let name = className(fields), isNamed(fields) else {
                    return nil
                }
                let parts = fields.keys.filter { $0 != "$class" && !ignored.contains($0) }.sorted().compactMap { key in
                    text(of: fields[key] ?? .null).map { text in
                        // Indexes that Core Data adds by itself stand in no order.
                        key == "NSFetchIndexDescriptions"
                            ? "\(key)=\(text.split(separator: ",").count)" : "\(key)=\(text)"
                    }
                }
                return "\(name) \(parts.joined(separator: " "))"
            })
    }

    private func className(_ fields: [String: PropertyListValue]) -> String? {
        guard case .uid(let number)? = fields["$class"] else { return nil }
        return objects[Int(number)]["$classname"]?.stringValue?.replacing("NSMutable", with: "NS")
    }

    private func isNamed(_ fields: [String: PropertyListValue]) -> Bool {
        className(fields)?.hasSuffix("Description") == true || fields["NSEntities"] != nil
    }

    /// nil for what may as well be absent: no object, an empty collection.
    private func text(of value: PropertyListValue) -> String? {
        guard case .uid(let number) = value else { return "\(value)" }
        let target = objects[Int(number)]
        guard let fields = target.dictionaryValue else { return number == 0 ? nil : "\(target)" }
        if let text = fields["NS.string"] { return "\(text)" }
        if isNamed(fields) {
            let names = ["NSEntity", "NSEntityName", "NSPropertyName", "NSIndexName"]
            return names.compactMap { fields[$0] }.compactMap(reference).joined(separator: ".")
        }
        if let mapping = fields["searchMapping"], case .uid(let number) = mapping,
            let keys = objects[Int(number)]["keys"], let values = fields["values"]
        {
            return "\(text(of: keys) ?? "") \(text(of: values) ?? "")"
        }
        return collection(fields)
    }

    private func reference(_ value: PropertyListValue) -> String? {
        guard case .uid(let number) = value else { return nil }
        return objects[Int(number)].dictionaryValue.flatMap { $0["NSEntityName"].flatMap(text) } ?? text(of: value)
    }

    private func collection(_ fields: [String: PropertyListValue]) -> String? {
        let values = fields["NS.objects"]?.arrayValue?.map { text(of: $0) ?? "nil" } ?? []
        guard !values.isEmpty, let name = className(fields) else { return nil }
        // Models made in code have sets where compiled ones have arrays.
        if name == "NSSet" { return "NSArray\(values.sorted())" }
        guard let keys = fields["NS.keys"]?.arrayValue?.map({ text(of: $0) ?? "nil" }) else {
            return "\(name)\(values)"
        }
        return "\(name)\(zip(keys, values).map { "\($0): \($1)" }.sorted())"
    }
}
