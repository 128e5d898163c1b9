import DataMonk
import Foundation

/// **Confined.** An attribute of every type, and a relationship. Written out as `Person` is.
final class Everything: ManagedObject {
    /// **Value.** An attribute's type of one's own.
    enum Level: Int16, CaseIterable, ManagedAttribute { case low, high }

    var flag: Bool {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var small: Int16 {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var medium: Int32 {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    var large: Int {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    var single: Float {
        get { property(at: 4) }
        set { setProperty(newValue, at: 4) }
    }
    var double: Double {
        get { property(at: 5) }
        set { setProperty(newValue, at: 5) }
    }
    var date: Date {
        get { property(at: 6) }
        set { setProperty(newValue, at: 6) }
    }
    var uuid: UUID {
        get { property(at: 7) }
        set { setProperty(newValue, at: 7) }
    }
    var optional: Int64? {
        get { property(at: 8) }
        set { setProperty(newValue, at: 8) }
    }
    var level: Level {
        get { property(at: 9) }
        set { setProperty(newValue, at: 9) }
    }
    var short: String {
        get { property(at: 10) }
        set { setProperty(newValue, at: 10) }
    }
    var text: String {
        get { property(at: 11) }
        set { setProperty(newValue, at: 11) }
    }
    var decimal: Decimal {
        get { property(at: 12) }
        set { setProperty(newValue, at: 12) }
    }
    var data: Data {
        get { property(at: 13) }
        set { setProperty(newValue, at: 13) }
    }
    var url: URL {
        get { property(at: 14) }
        set { setProperty(newValue, at: 14) }
    }
    var friend: Everything? {
        get { property(at: 15) }
        set { setProperty(newValue, at: 15) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Everything", class: Everything.self, validatesValues: false,
            properties: [
                .property("flag", Bool.self, default: false),
                .property("small", Int16.self, default: 0),
                .property("medium", Int32.self, default: 0),
                .property("large", Int.self, default: 0),
                .property("single", Float.self, default: 0),
                .property("double", Double.self, default: 0),
                .property("date", Date.self, default: Date(timeIntervalSinceReferenceDate: 0)),
                .property("uuid", UUID.self, default: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
                .property("optional", Int64?.self),
                .property("level", Level.self, default: .low),
                .property("short", String.self, default: ""),
                .property("text", String.self, default: ""),
                .property("decimal", Decimal.self, default: 0),
                .property("data", Data.self, default: Data()),
                .property("url", URL.self, default: URL.fallback),
                .property("friend", Everything?.self),
            ])
    }
}
