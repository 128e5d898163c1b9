public import DataMonkCore

extension Dictionary where Key == String, Value == ManagedValue {
    /// The value of a column of a row, in a Swift type; `nil` if the column is `nil`.
    ///
    ///     for row in try World.query(Person.self, .Select("location") | .Sum("age", alias: "age"), groupBy: %"location") {
    ///         try print(row["location", as: String.self] ?? "nowhere", row["age", as: Int.self] ?? 0)
    ///     }
    ///
    /// A sum of integers, which is a decimal, is an integer too.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownKey` if the row has no such column, or `typeMismatch` if
    ///   its value is not of that type.
    public subscript<Typed: ManagedAttribute>(_ column: String, as type: Typed.Type) -> Typed? {
        get throws {
            guard let value = self[column] else { throw FetchError.noColumn(column, in: RowColumns(keys.sorted())) }
            if value.isNull { return nil }
            if let typed = Typed(managedValue: value) { return typed }
            if case .decimal(let number) = value, let whole = number.wholeValue,
                let typed = Typed(managedValue: .int(whole))
            {
                return typed
            }
            throw FetchError.undecodable(column, value: value, as: type)
        }
    }
}
