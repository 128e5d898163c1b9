package import Foundation

/// **Value.** The size of W31's pictures, in bytes. A file has one of them for 200 rows of the other workloads.
package enum PictureSize: Int, CaseIterable, Sendable {
    case small = 100_000
    case large = 200_000

    package static func count(for count: Int) -> Int { max(1, count / 200) }
    package static func name(id: Int64) -> String { "Picture Number \(id)" }

    /// The content of every picture of the size.
    package var data: Data { Data((0..<rawValue).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }

    var template: Template {
        switch self {
        case .small: .smallPictures
        case .large: .largePictures
        }
    }
}
