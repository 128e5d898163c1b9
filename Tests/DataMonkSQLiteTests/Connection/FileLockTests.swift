import Foundation
import Testing

@testable import DataMonkSQLite

@Suite struct FileLockTests {
    @Test func `a line of the system's list is read`() throws {
        let lock = try #require(FileLock(line: "4: POSIX  ADVISORY  WRITE 30774 fe:01:5876083 120 121"))
        #expect(lock.isForWriting && lock.process == 30_774 && lock.number == 5_876_083)
        #expect(lock.device == 0xFE01)
        #expect(lock.covers(120) && lock.covers(121) && !lock.covers(119) && !lock.covers(122))
        let endless = try #require(FileLock(line: "1: FLOCK  ADVISORY  READ 0 08:10:7 0 EOF"))
        #expect(!endless.isForWriting && endless.covers(.max))
    }

    @Test(arguments: [
        "", "4: -> POSIX ADVISORY WRITE 1 fe:00:5 0 EOF", "4: POSIX ADVISORY WRITE x fe:00:5 0 EOF",
        "4: POSIX ADVISORY WRITE 1 fe:00 0 EOF", "4: LEASE ACTIVE BREAKING 1 fe:00:5 0 EOF",
    ])
    func `other lines are passed over`(line: String) { #expect(FileLock(line: line) == nil) }

    #if os(Linux)
        @Test func `every lock of a long list is read`() throws {
            let folder = try TemporaryDirectory()
            let path = folder.url.appendingPathComponent("locked").path
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            for number in 0..<400 {
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                lock.l_start = off_t(2 * number)
                lock.l_len = 1
                #expect(fcntl(file, F_SETLK, &lock) == 0)
            }
            // Others lock and unlock meanwhile, so that some may be left out.
            #expect(FileLock.all(onFileAt: path).count > 300)
        }
    #endif

    @Test func `a process is named as far as it is known`() {
        #expect(LockHolder(process: 12, program: "sqlite3").description == "sqlite3 (process 12)")
        #expect(LockHolder(process: 12, program: nil).description == "process 12")
        #expect(LockHolder(process: 0, program: nil).description == "a process outside of this container")
    }
}
