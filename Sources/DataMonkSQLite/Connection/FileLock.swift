import Foundation

/// **Value.** A lock on a file, as a line of `/proc/locks` lists it.
///
///     4: POSIX  ADVISORY  WRITE 30774 fe:00:5876083 120 120
package struct FileLock: Equatable {
    package let isForWriting: Bool
    package let process: Int32
    /// The number of the file's device, as `stat` has it.
    package let device: UInt64
    /// The number of the file on its device.
    package let number: UInt64
    /// The locked bytes.
    package let bytes: ClosedRange<UInt64>

    /// The byte of the log's index that the writer locks.
    static let writerByte: UInt64 = 120

    /// Reads a line; `nil` for that of a process that waits for a lock, and for lines of another form.
    package init?(line: some StringProtocol) {
        let fields = line.split(separator: " ")
        guard fields.count == 8, ["READ", "WRITE"].contains(fields[3]), let process = Int32(fields[4]) else {
            return nil
        }
        let place = fields[5].split(separator: ":")
        guard place.count == 3, let major = UInt64(place[0], radix: 16), let minor = UInt64(place[1], radix: 16),
            let number = UInt64(place[2]), let first = UInt64(fields[6])
        else { return nil }
        isForWriting = fields[3] == "WRITE"
        self.process = process
        device = minor & 0xFF | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
        self.number = number
        bytes = first...max(first, UInt64(fields[7]) ?? .max)
    }

    package func covers(_ byte: UInt64) -> Bool { bytes.contains(byte) }

    /// Returns the locks on a file that the system lists; none where it does not.
    ///
    /// The list is no snapshot: while others take and release locks, some are left out. So it is read again if the file has none.
    static func all(onFileAt path: String) -> [FileLock] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        let (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        for _ in 0..<maximumReads {
            // Not `contents(atPath:)`, which takes the first part of such a list for all of it.
            // Reason for try?: a system without the list tells of no locks.
            guard let list = try? FileHandle(forReadingAtPath: "/proc/locks")?.readToEnd() else { return [] }
            let locks = String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { FileLock(line: $0) }
                .filter { $0.device == device && $0.number == number }
            if !locks.isEmpty { return locks }
        }
        return []
    }

    private static let maximumReads = 5
}
