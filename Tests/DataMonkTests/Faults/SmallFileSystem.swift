import Foundation

/// A file system in memory that this process alone sees, over a folder.
struct SmallFileSystem {
    /// The system does not allow a process to have file systems of its own.
    struct Refusal: Error {
        let description: String
    }

    private typealias Unshare = @convention(c) (CInt) -> CInt
    private typealias Mount =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, CUnsignedLong, UnsafeRawPointer?
        ) -> CInt

    private static let (newNamespace, newUser): (CInt, CInt) = (0x2_0000, 0x1000_0000)
    private static let (readOnly, remount): (CUnsignedLong, CUnsignedLong) = (1, 1 << 5)
    private static let (recursive, isolated): (CUnsignedLong, CUnsignedLong) = (1 << 14, 1 << 18)

    let url: URL
    private var ballast: URL { url.appendingPathComponent("ballast") }

    /// Mounts it. Called once, by a process with one thread.
    init(over folder: URL, bytes: Int) throws {
        url = folder
        guard let unshare = ForkedProcess.systemFunction("unshare", as: Unshare.self) else {
            throw Refusal(description: "The system has no file systems of single processes.")
        }
        guard unshare(Self.newNamespace | (geteuid() == 0 ? 0 : Self.newUser)) == 0 else {
            throw Refusal(description: "unshare: \(String(cString: strerror(errno)))")
        }
        try mount(nil, on: "/", Self.recursive | Self.isolated)
        try mount("tmpfs", on: url.path, 0, "size=\(bytes)")
    }

    /// Fills it but for some bytes.
    func fill(leaving bytes: Int) throws {
        try Data().write(to: ballast)
        let file = try FileHandle(forWritingTo: ballast)
        let page = [UInt8](repeating: 1, count: 4_096)
        while write(file.fileDescriptor, page, page.count) == page.count {}
        try file.truncate(atOffset: UInt64(max(0, Int(try file.seekToEnd()) - bytes)))
        try file.close()
    }

    /// Makes room again.
    func empty() throws { try FileManager.default.removeItem(at: ballast) }

    /// Refuses or allows changes.
    func setReadOnly(_ isReadOnly: Bool) throws {
        try mount("tmpfs", on: url.path, Self.remount | (isReadOnly ? Self.readOnly : 0))
    }

    private func mount(_ kind: String?, on path: String, _ flags: CUnsignedLong, _ options: String? = nil) throws {
        let function = ForkedProcess.systemFunction("mount", as: Mount.self)
        let code = kind.withCString { kind in options.withCString { function?("none", path, kind, flags, $0) } }
        guard code == 0 else {
            throw Refusal(description: "mount of \(kind ?? "nothing"): \(String(cString: strerror(errno)))")
        }
    }
}

extension String? {
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text = self else { return body(nil) }
        return text.withCString { body($0) }
    }
}
