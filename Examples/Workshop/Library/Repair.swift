public import DataMonk
import Foundation

/// **Confined.** A repair. The model asks for its properties alone, so the class is written by hand.
public final class Repair: ManagedObject {
    /// The declaration of the entity, which is generated with the properties.
    public override nonisolated class var entityDeclaration: EntityDeclaration? { declareEntity(of: Repair.self) }

    /// The names of the properties by key path, which are generated with them.
    public override nonisolated class var keyNames: [AnyKeyPath: String] { collectKeyNames(of: Repair.self) }

    /// Notes when the repair came in.
    public override func awakeFromInsert() { received = Date() }
}
