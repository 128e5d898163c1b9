public import Foundation

/// **Value.** A file that comes with an article, such as an episode of a podcast. The store keeps it as JSON.
public struct Enclosure: Sendable, Codable, Hashable {
    /// The address.
    public var url: URL
    /// The size in bytes.
    public var length: Int

    /// Creates a description of a file.
    public init(url: URL, length: Int) {
        self.url = url
        self.length = length
    }
}
