import Foundation

extension Sample {
    /// The samples that `--json` or the Python part has left.
    package static func read(from path: String) throws -> [Sample] {
        try JSONDecoder().decode([Sample].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
