import Foundation

/// **Shared.** Writes to a terminal, beside the main actor: a terminal that is stopped (by Control-S, or since nobody reads
/// it) holds only this.
final class TerminalWriter: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "LiveList.TerminalWriter")

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes bytes in one call, then says so on the main actor.
    func write(_ bytes: [UInt8], completion: @escaping @MainActor @Sendable () -> Void) {
        let descriptor = descriptor
        queue.async {
            Self.write(bytes, to: descriptor)
            DispatchQueue.main.async { completion() }
        }
    }

    /// Writes bytes after all others, on the calling thread. A terminal that takes nothing is waited for no longer than a
    /// second, since the program ends.
    func writeLast(_ bytes: [UInt8]) {
        let done = DispatchGroup()
        queue.async(group: done) {}
        guard done.wait(timeout: .now() + .seconds(1)) == .success else { return }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&request, 1, 1_000) == 1 { Self.write(bytes, to: descriptor) }
    }

    /// The terminal takes all bytes of a call, unless a signal comes in between.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddressOfSlice, rest.count)
                if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { return }
            }
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// The address of the slice's first byte.
    fileprivate var baseAddressOfSlice: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
