#if Macros
    import DataMonk

    /// Entities of the tests of referential integrity: a relationship of every shape, under every delete rule.
    enum Warehouse {
        /// The model, once: a model is never freed.
        static let model = Result {
            try ManagedObjectModel(classes: [
                Box.self, Thing.self, Label.self, Tool.self, Paper.self, Note.self, Lid.self, Mark.self, Key.self,
                Seal.self, Guest.self, Pin.self, Crate.self, Slip.self,
            ])
        }

        @Entity class Box: ManagedObject {
            var name: String = ""
            /// A box in a box.
            @Relationship(deleteRule: .cascade, inverse: \Box.outer) var inner: Set<Box>
            var outer: Box?
            @Relationship(deleteRule: .cascade, inverse: \Thing.box) var things: Set<Thing>
            @Relationship(inverse: \Label.box) var labels: [Label]
            @Relationship(deleteRule: .deny, inverse: \Tool.box) var tools: Set<Tool>
            /// Nullified, and required there.
            @Relationship(inverse: \Paper.box) var papers: Set<Paper>
            @Relationship(deleteRule: .noAction, inverse: \Note.box) var notes: Set<Note>
            @Relationship(inverse: \Lid.box) var lid: Lid?
            @Relationship(inverse: \Mark.boxes) var marks: Set<Mark>
            @Relationship(deleteRule: .cascade, inverse: \Key.boxes) var keys: Set<Key>
            @Relationship(deleteRule: .deny, inverse: \Seal.boxes) var seals: Set<Seal>
            /// A row of boxes, each of which knows both neighbours.
            @Relationship(inverse: \Box.previous) var next: Box?
            var previous: Box?
            /// Without an inverse.
            var guests: Set<Guest>
        }

        /// A box in whose table its own relationships lie.
        @Entity final class Crate: Box {
            @Relationship(deleteRule: .cascade, inverse: \Slip.crate) var slips: [Slip]
        }

        @Entity final class Slip: ManagedObject {
            var name: String = ""
            var crate: Crate?
        }

        @Entity final class Thing: ManagedObject {
            var name: String = ""
            @Relationship(.required) var box: Box?
            lazy var events: [String] = []

            override func prepareForDeletion() { events.append("prepareForDeletion") }
            override func willSave() { events.append(isDeleted ? "willSave deleted" : "willSave") }
            override func didSave() { events.append("didSave") }
        }

        @Entity final class Label: ManagedObject {
            var name: String = ""
            var box: Box?
        }

        @Entity final class Tool: ManagedObject {
            var name: String = ""
            var box: Box?
        }

        @Entity final class Paper: ManagedObject {
            var name: String = ""
            @Relationship(.required) var box: Box?
        }

        @Entity final class Note: ManagedObject {
            var name: String = ""
            var box: Box?
        }

        @Entity final class Lid: ManagedObject {
            var name: String = ""
            var box: Box?
        }

        @Entity final class Mark: ManagedObject {
            var name: String = ""
            var boxes: Set<Box>
        }

        @Entity final class Key: ManagedObject {
            var name: String = ""
            var boxes: Set<Box>
        }

        @Entity final class Seal: ManagedObject {
            var name: String = ""
            var boxes: Set<Box>
        }

        @Entity final class Guest: ManagedObject {
            var name: String = ""
        }

        /// Points at a box that does not know of it.
        @Entity final class Pin: ManagedObject {
            var name: String = ""
            var box: Box?
        }
    }
#endif
