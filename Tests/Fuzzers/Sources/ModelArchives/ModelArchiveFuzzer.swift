import DataMonk
import Foundation
import FuzzStage

@main enum ModelArchiveFuzzer {
    static func main() { FuzzDriver.run(fuzzModelArchive) }
}

private let folder = FuzzFolder("archives")

/// A compiled model, which is what stores contain too, is refused, or is a model of which a store can be made, unless parts
/// of it could not be read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelArchive(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        let model = try ManagedObjectModel.load(contentsOf: folder.write(input.data, to: "Notes.mom"))
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.url.appending(path: "Notes.sqlite"), synchronous: .normal)
        try stack.close()
    }
}
