import DataMonkFixtures
import Foundation

/// **Value.** One line of a conformance file.
struct ConformanceCase: Decodable, CustomStringConvertible {
    let id: String
    let kind: String
    let dataset: String?
    let entity: String?
    let format: String?
    let args: [ConformanceValue]?
    let vars: [String: ConformanceValue]?
    let object: ConformanceValue?
    let objects: [ConformanceValue]?
    let key: String?
    let ascending: Bool?
    let expect: ConformanceValue
    let ref: String?
    let tags: [String]?

    var description: String { "\(id): \(format ?? kind)" }

    /// The cases of a file.
    static func all(in file: String) throws -> [ConformanceCase] {
        let text = try String(contentsOf: Fixtures.url("conformance/\(file)"), encoding: .utf8)
        let decoder = JSONDecoder()
        return try text.split(separator: "\n").dropFirst().map { line in
            try decoder.decode(ConformanceCase.self, from: Data(line.utf8))
        }
    }
}
