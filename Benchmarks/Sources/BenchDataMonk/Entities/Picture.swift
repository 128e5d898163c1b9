import DataMonk
import Foundation

/// **Confined.** A picture in its row. Written out as `Person` is.
final class Picture: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var data: Data {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Picture", class: Picture.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("data", Data.self, default: Data()),
            ])
    }
}
