import DataMonkCore

extension ImportRow {
    /// Creates a row from values as decoders make them.
    init(at place: ImportPlace, dictionary: [String: any Sendable]) {
        var values: [String: ManagedValue] = [:]
        values.reserveCapacity(dictionary.count)
        do {
            for (name, value) in dictionary { values[name] = try ManagedValue(decoded: value, named: name) }
            self.init(at: place, values: values)
        } catch {
            self.init(at: place, problem: error)
        }
    }

    /// Creates a row from a value that encodes itself.
    init(at place: ImportPlace, encoding value: some Encodable) {
        do {
            guard case .dictionary(let values) = try ManagedValueEncoder.encode(value) else {
                throw ImportError.malformedRow(
                    "\(type(of: value)) encodes itself as a single value or as an array. Encode it by coding keys.",
                    at: place)
            }
            self.init(at: place, values: values)
        } catch {
            self.init(at: place, problem: error)
        }
    }
}
