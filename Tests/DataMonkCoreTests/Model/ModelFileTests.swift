import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

struct ModelFileTests {
    @Test(
        .enabled(if: ReferenceFiles.arePresent, Comment(rawValue: ReferenceFiles.absence)),
        arguments: ["models", "stores"])
    func `every model file of the references loads`(folder: String) throws {
        let root = try #require(ReferenceFiles.folder(named: folder))
        for path in ReferenceFiles.files(in: folder, endingIn: ".xcdatamodel/contents") {
            let model = try ManagedObjectModel.load(contentsOf: root.appending(path: path))
            #expect(!model.entities.isEmpty, "\(path)")
        }
    }
}
