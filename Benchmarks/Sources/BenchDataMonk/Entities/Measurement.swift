import BenchKit
import DataMonk

/// **Confined.** A row of 40 attributes. Written out as `Person` is, but for those that nothing reads.
final class Measurement: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var number: Int {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var ratio: Double {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Measurement", class: Measurement.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("number", Int.self, default: 0),
                .property("ratio", Double.self, default: 0),
            ] + WideRows.furtherColumns.map { .property($0, String?.self) })
    }
    override nonisolated class var keyNames: [AnyKeyPath: String] {
        [\Measurement.name: "name", \Measurement.number: "number", \Measurement.ratio: "ratio"]
    }
}
