import Foundation

/// The kernel's page cache of one file.
enum PageCache {
    /// Drops a file's pages, so that the next read comes from the disk.
    ///
    /// - Throws: `BenchError` if pages stay: then nothing is known of a cold start here.
    static func drop(_ path: String) throws {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw BenchError("cannot open \(path)") }
        defer { close(file) }
        // Pages that are not on the disk yet would stay.
        fsync(file)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        let resident = try residentPages(of: file)
        if resident > 0 { throw BenchError("\(resident) pages of \(path) stay in the page cache") }
    }

    private static func residentPages(of file: Int32) throws -> Int {
        let size = Int(lseek(file, 0, SEEK_END))
        guard size > 0, let map = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), map != MAP_FAILED else {
            throw BenchError("cannot map the file")
        }
        defer { munmap(map, size) }
        let pageSize = Int(getpagesize())
        var pages = [UInt8](repeating: 0, count: (size + pageSize - 1) / pageSize)
        guard mincore(map, size, &pages) == 0 else { throw BenchError("cannot ask for the file's pages") }
        return pages.count { $0 & 1 == 1 }
    }
}
