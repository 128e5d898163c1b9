import Foundation
import Glibc

/// The memory of this process.
enum HeldMemory {
    /// What the allocator has handed out and not got back, in all its arenas (`mallinfo2` knows one of them).
    static var bytes: Int {
        var buffer: UnsafeMutablePointer<CChar>?
        var length = 0
        guard let stream = open_memstream(&buffer, &length) else { return 0 }
        typealias Report = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32
        // Glibc's module leaves the allocator's own header out: its function is found by name.
        if let function = dlsym(nil, "malloc_info") {
            _ = unsafeBitCast(function, to: Report.self)(0, UnsafeMutableRawPointer(stream))
        }
        fclose(stream)
        guard let buffer else { return 0 }
        defer { free(buffer) }
        // The figures of all arenas stand behind those of each.
        let totals = String(cString: buffer).components(separatedBy: "</heap>").last ?? ""
        func size(_ element: String) -> Int {
            guard let part = totals.components(separatedBy: element).dropFirst().first,
                let text = part.components(separatedBy: "size=\"").dropFirst().first?.prefix(while: \.isNumber)
            else { return 0 }
            return Int(text) ?? 0
        }
        return size("<system type=\"current\"") + size("<total type=\"mmap\"") - size("<total type=\"fast\"")
            - size("<total type=\"rest\"")
    }
}
