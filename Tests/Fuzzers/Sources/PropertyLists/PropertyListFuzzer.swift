import DataMonk
import Foundation
import FuzzStage

@main enum PropertyListFuzzer {
    static func main() { FuzzDriver.run(fuzzPropertyList) }
}

private let folder = FuzzFolder("lists")

/// A property list is refused or read: as the value of a transformable attribute, and as the lists in the folders of models.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPropertyList(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        if let value = try? Transformable(data: input.data).value() {  // Most are refused.
            _ = try? Transformable(value).value()  // A date or a number may be out of an archive's range.
        }
        let list = try folder.write(input.data, to: "Notes.momd/VersionInfo.plist")
        try folder.add(Data(), at: "Notes.momd/Notes.mom")
        _ = try? ModelBundle(contentsOf: list.deletingLastPathComponent()).model()  // Its only version is empty.
        let other = try folder.add(input.data, at: "Notes.xcdatamodeld/.xccurrentversion")
        try folder.add(Data(), at: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
        _ = try ModelBundle(contentsOf: other.deletingLastPathComponent())
    }
}
