public import DataMonk

/// **Confined.** Written as `@Entity` would expand it, which spares this package the build of swift-syntax.
public final class Message: ManagedObject {
    /// The time of a clock that all processes share.
    public var sentAt: Double {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    override public nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Message", class: Message.self, validatesValues: false,
            properties: [.property("sentAt", Double.self, default: 0)])
    }
}
