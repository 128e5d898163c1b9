import DataMonk

// Written as `@Entity` would expand them, which spares this package the build of swift-syntax. `description` is a name of
// managed objects themselves, as in Core Data.

/// **Confined.** A customer whose key the store gives: the object's id.
final class Customer: ManagedObject {
    var name: String? {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var details: String? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Customer", class: Customer.self, validatesValues: false,
            properties: [.property("name", String?.self), .property("details", String?.self)])
    }
}

/// **Confined.** A customer whose key is given, or read as a value: a unique attribute beside the object's id.
final class NumberedCustomer: ManagedObject {
    var id: Int {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var name: String? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var details: String? {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "NumberedCustomer", class: NumberedCustomer.self, validatesValues: false,
            properties: [
                .property("id", Int.self, default: 0, options: [.unique]), .property("name", String?.self),
                .property("details", String?.self),
            ])
    }
    override nonisolated class var keyNames: [AnyKeyPath: String] {
        [\NumberedCustomer.id: "id", \NumberedCustomer.name: "name", \NumberedCustomer.details: "details"]
    }
}
