#if Postgres
    import DataMonk

    /// **Confined.** Written as `@Entity` would expand it, which spares this package the build of swift-syntax.
    final class Counter: ManagedObject {
        var number: Int {
            get { property(at: 0) }
            set { setProperty(newValue, at: 0) }
        }
        var value: Int {
            get { property(at: 1) }
            set { setProperty(newValue, at: 1) }
        }
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "Counter", class: Counter.self, validatesValues: false,
                properties: [
                    .property("number", Int.self, default: 0, options: [.unique]),
                    .property("value", Int.self, default: 0),
                ])
        }
    }
#endif
