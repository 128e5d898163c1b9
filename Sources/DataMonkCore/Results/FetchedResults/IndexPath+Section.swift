public import Foundation

// Results are addressed by Foundation's own type: table and collection views use it, `[0, 1]` is one, and it holds two
// indexes without an allocation.
extension IndexPath {
    /// Creates the index path of an object from its section and its position in it.
    init(_ position: ResultPosition) { self = [position.section, position.item] }
}

#if (!canImport(UIKit) && !canImport(AppKit)) || os(watchOS)
    extension IndexPath {
        /// Creates the index path of an object in a section. UIKit and AppKit provide the same initializer.
        public init(item: Int, section: Int) { self = [section, item] }

        /// The section's index, the first one.
        public var section: Int { self[0] }

        /// The object's index in its section, the second one.
        public var item: Int { self[1] }
    }
#endif

/// **Value.** The position of an object in a list.
struct ResultPosition: Hashable, Comparable, Sendable {
    let section: Int
    let item: Int

    static func < (left: ResultPosition, right: ResultPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
