#if Macros
    public import DataMonkCore

    extension ManagedObject {
        /// Accepts a to-one relationship. `@Entity` writes a call for each inverse in another class, so that the compiler checks it.
        ///
        ///     _ = { (object: Employee) in requireRelationship(object.department) }        // never runs
        ///
        /// The argument is not evaluated. Nothing is thrown: what is no relationship does not compile.
        public nonisolated static func requireRelationship<Object: ManagedObject>(
            _ relationship: @autoclosure () -> Object?
        ) {}

        /// Accepts a to-many relationship.
        ///
        ///     _ = { (object: Department) in requireRelationship(object.employees) }       // never runs
        ///
        /// The argument is not evaluated. Nothing is thrown: what is no relationship does not compile.
        public nonisolated static func requireRelationship<Object: ManagedObject>(
            _ relationship: @autoclosure () -> Set<Object>
        ) {}

        /// Accepts an ordered to-many relationship.
        ///
        ///     _ = { (object: Department) in requireRelationship(object.employees) }       // never runs
        ///
        /// The argument is not evaluated. Nothing is thrown: what is no relationship does not compile.
        public nonisolated static func requireRelationship<Object: ManagedObject>(
            _ relationship: @autoclosure () -> [Object]
        ) {}

        /// Refuses an attribute as an inverse, with the remedy.
        ///
        ///     _ = { (object: Employee) in requireRelationship(object.name) }              // does not compile
        ///
        /// The argument is not evaluated. Nothing is thrown: there is no call that compiles.
        @available(
            *, unavailable,
            message: "An attribute cannot be an inverse. Name the relationship that leads back, or remove 'inverse:'."
        )
        public nonisolated static func requireRelationship<Value>(_ attribute: @autoclosure () -> Value) {}
    }
#endif
