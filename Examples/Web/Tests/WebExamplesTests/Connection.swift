import Foundation

/// A connection to a server on this machine, which is read only when a test reads it.
final class Connection {
    private let socket: Int32
    private var received = Data()
    /// The number of bytes that arrived last.
    private var newCount = 0

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Connects to a server.
    ///
    /// - Parameter bufferSize: The number of bytes that the system keeps until they are read, if it is not the system's.
    init(to url: URL, bufferSize: Int32? = nil) throws {
        socket = Self.makeSocket(AF_INET)
        if var bufferSize {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bufferSize, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(url.port ?? 80).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "no connection to \(url): \(errno)") }
    }

    /// Connects to a server at a Unix socket.
    init(toSocket path: String) throws {
        socket = Self.makeSocket(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "no connection to \(path): \(errno)") }
    }

    private static func makeSocket(_ family: Int32) -> Int32 {
        let socket = Foundation.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        // Longer than anything takes, so that a test ends whose server is stuck.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return socket
    }

    deinit { close(socket) }

    /// Sends a request.
    func send(_ method: String, _ path: String, headers: [String] = [], _ body: Data = Data()) throws {
        let head = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.count)"] + headers
        try send(Data((head + ["", ""]).joined(separator: "\r\n").utf8) + body)
    }

    /// Sends bytes.
    func send(_ bytes: Data) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { throw Failure(description: "nothing can be sent: \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until something has arrived; false at the end of the stream.
    func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        newCount = max(0, recv(socket, &bytes, bytes.count, 0))
        received += bytes.prefix(newCount)
        return newCount > 0
    }

    /// Looks for a text that ends among the bytes that arrived last: all of them may be millions.
    func has(_ text: String) -> Bool {
        received.suffix(newCount + text.utf8.count).firstRange(of: Data(text.utf8)) != nil
    }

    /// The last event that has arrived whole.
    var lastEventID: String? {
        guard let end = received.range(of: Data("\n\n".utf8), options: .backwards),
            let id = received[..<end.lowerBound].range(of: Data("id: ".utf8), options: .backwards)
        else { return nil }
        return String(decoding: received[id.upperBound...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The bytes that have arrived.
    var text: String { String(decoding: received, as: UTF8.self) }

    /// **Value.** The answer to a request.
    struct Answer {
        let status: Int
        /// The status line and the headers.
        let head: String
        let body: Data
    }

    /// Sends a request to a server, and returns its answer.
    static func answer(to method: String, _ url: URL, _ body: Data = Data()) throws -> Answer {
        try Connection(to: url).answer(to: method, url.path, body)
    }

    /// Sends a request, the only one of this connection, and returns its answer.
    func answer(to method: String, _ path: String, _ body: Data = Data()) throws -> Answer {
        try send(method, path, headers: ["Content-Type: application/json", "Connection: close"], body)
        return try answer()
    }

    /// Reads the answer to the request that was sent.
    func answer() throws -> Answer {
        while true {
            if let answer = completeAnswer { return answer }
            if !receive() { throw Failure(description: "an answer without its end: \(text)") }
        }
    }

    private var completeAnswer: Answer? {
        guard let end = received.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
        let body = received[end.upperBound...]
        guard body.count >= length, let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else {
            return nil
        }
        return Answer(status: status, head: head, body: Data(body.prefix(length)))
    }
}
