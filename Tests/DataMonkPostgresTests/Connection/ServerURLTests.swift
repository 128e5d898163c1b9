#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// URLs of servers: their parts, and the mistakes that are refused without a word of the URL.
    @Suite struct ServerURLTests {
        @Test func `a URL has all parts`() throws {
            let url = try ServerURL(
                "postgresql://us%40er:p%2Fw%3A@db1:6432,[::1],%2Ftmp%2Fpg:5433/sh%20op"
                    + "?sslmode=verify-full&application_name=a%3Db"
            )
            #expect(url.user == "us@er")
            #expect(url.password == ServerPassword("p/w:"))
            #expect(
                url.hosts == [
                    ServerHost(name: "db1", port: 6432), ServerHost(name: "::1"),
                    ServerHost(name: "/tmp/pg", port: 5433),
                ])
            #expect(url.database == "sh op")
            #expect(url.parameters == ["sslmode": "verify-full", "application_name": "a=b"])
            #expect("\(url)" == "postgresql://db1:6432,[::1],/tmp/pg:5433/sh op")
        }

        @Test func `everything but the scheme may be missing`() throws {
            for text in ["postgresql://", "postgres://", "postgresql:///", "postgresql:///?"] {
                let url = try ServerURL(text)
                #expect(url.hosts == [ServerHost(name: nil)])
                #expect(url.database == nil && url.user == nil && url.password == nil && url.parameters.isEmpty)
            }
        }

        @Test func `parameters take the place of parts`() throws {
            let url = try ServerURL("postgresql:///?host=/tmp/a,/tmp/b&port=1,2&dbname=d&user=u&password=p&ssl=true")
            #expect(url.hosts == [ServerHost(name: "/tmp/a", port: 1), ServerHost(name: "/tmp/b", port: 2)])
            #expect(url.database == "d" && url.user == "u" && url.password?.text == "p")
            #expect(url.parameters == ["sslmode": "require"])
        }

        @Test(arguments: [
            ("", ServerURLError.otherScheme), ("mysql://h/d", .otherScheme), ("postgresql:/h", .otherScheme),
            (" postgresql://h", .otherScheme), ("postgresql://h/d d", .unencodedCharacter),
            ("postgresql://u:p@ss@h/d", .unencodedCharacter), ("postgresql://u:1/2@h/d", .unencodedCharacter),
            ("postgresql://u:1?a=b@h/d", .unencodedCharacter), ("postgresql://u:1#2@h", .unencodedCharacter),
            ("postgresql://u:1/2@\u{301}h/d", .unencodedCharacter), ("postgresql://h/\u{0}", .unencodedCharacter),
            ("postgresql://u:%zz@h", .invalidPercentEncoding(.password)),
            ("postgresql://%", .invalidPercentEncoding(.host)),
            ("postgresql://u%00@h", .invalidPercentEncoding(.user)),
            ("postgresql://h/%ff", .invalidPercentEncoding(.database)),
            ("postgresql://h:x", .invalidPort), ("postgresql://h:0", .invalidPort),
            ("postgresql://h:65536", .invalidPort),
            ("postgresql://h:+1", .invalidPort), ("postgresql://[::1", .invalidHost), ("postgresql://[]", .invalidHost),
            ("postgresql://[::1]5", .invalidHost), ("postgresql://a,,b", .invalidHost),
            ("postgresql://?host=", .invalidHost),
            ("postgresql://a,b?port=1,2,3", .portsDoNotMatchHosts),
            ("postgresql://h?a=1", .unknownParameter(number: 1)),
            ("postgresql://h?sslmode=require&b", .unknownParameter(number: 2)),
            ("postgresql://h?hostaddr=::1", .unsupportedParameter("hostaddr")),
            ("postgresql://h?user=a&user=b", .repeatedParameter("user")),
            ("postgresql://h?sslmode=yes", .invalidValue(parameter: "sslmode")),
        ])
        func `a malformed URL is refused`(text: String, error: ServerURLError) {
            #expect(throws: error) { try ServerURL(text) }
            #expect(!error.description.isEmpty)
        }

        /// Everything that a program could print of a URL or an error.
        private func output(_ value: Any) -> String {
            var dumped = ""
            dump(value, to: &dumped)
            return "\(value) \(String(reflecting: value)) \(String(describing: [value])) \(dumped)"
        }

        @Test func `a password that is not percent-encoded appears in no output`() {
            var generator = SeededGenerator(seed: testSeed)
            let special = Array("@/:?#[]%&=, +'\"\\\u{301}\u{0}\n{}ä🔒")
            let hosts = ["h", "h:5432", "[::1]:1", "a,b", "%2Ftmp", "", "h:x", "[::1"]
            let tails = ["/d", "", "/d?sslmode=require", "?x=1", "/d?sslmode=x", "/%", "?host=a&host=b"]
            var parsedCount = 0
            for round in 0..<5_000 * testEffort {
                var password = "S3cr3t"
                for _ in 0..<Int.random(in: 0...4, using: &generator) {
                    let place = password.indices.randomElement(using: &generator) ?? password.startIndex
                    password.insert(special.randomElement(using: &generator) ?? "@", at: place)
                }
                // Letters that no special character has torn apart.
                let pieces = password.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.filter { $0.count > 2 }
                let host = hosts.randomElement(using: &generator) ?? ""
                let tail = tails.randomElement(using: &generator) ?? ""
                var text = "postgresql://user:" + password + "@" + host + tail
                if round % 4 == 0 { text = String(text.dropFirst(Int.random(in: 0...18, using: &generator))) }
                let printed: String
                do {
                    printed = output(try ServerURL(text))
                    parsedCount += 1
                } catch {
                    printed = output(error)
                }
                let leaked = pieces.filter { printed.contains($0) }
                #expect(leaked.isEmpty, "seed \(testSeed), round \(round)")
            }
            #expect(parsedCount > 250)
        }

        @Test func `a percent-encoded password is read as it was, and appears in no output`() throws {
            var generator = SeededGenerator(seed: testSeed)
            for round in 0..<1_000 * testEffort {
                let scalars = (0..<12).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 1...0x2000, using: &generator))
                }
                let password = String(String.UnicodeScalarView(scalars))
                let encoded = password.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                    .joined()
                let url = try ServerURL("postgresql://u:\(encoded)@h/d?sslpassword=\(encoded)")
                #expect(url.password?.text == password, "seed \(testSeed), round \(round)")
                #expect(!output(url).contains(password), "seed \(testSeed), round \(round)")
            }
        }

        @Test func `random bytes are read or refused`() {
            var generator = SeededGenerator(seed: testSeed)
            let pieces = [
                "postgresql://", "postgres://", "@", ":", "/", "?", "#", "%", "%4", "%40", "[", "]", ",", "=", "&", "a",
                "1",
                "host", "port", "sslmode", "require", "ä", "\u{301}", "\u{0}",
            ]
            for _ in 0..<20_000 * testEffort {
                let count = Int.random(in: 0...12, using: &generator)
                let text =
                    "postgresql://" + (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
                if let url = try? ServerURL(text) { #expect(!url.hosts.isEmpty) }
            }
        }

        // MARK: The environment

        @Test(arguments: [
            "PGDATABASE", "PGHOST", "PGHOSTADDR", "PGOPTIONS", "PGPORT", "PGSERVICE", "PGSSLMODE",
            "PGTARGETSESSIONATTRS",
            "PGUSER",
        ])
        func `a variable that would decide is refused unless the URL says otherwise`(variable: String) throws {
            let bare = ServerURL(hosts: [ServerHost(name: nil)])
            func check(_ url: ServerURL, address: String?) throws {
                let parameters = url.connectionParameters(host: url.hosts[0], address: address)
                try ServerURL.checkEnvironment([variable: "x"], with: parameters)
            }
            let failure = #expect(throws: PostgresFailure.self) { try check(bare, address: nil) }
            #expect(failure?.message.contains(variable) == true)
            let full = try ServerURL(
                "postgresql://u@h:1/d?sslmode=require&target_session_attrs=any&options=-c%20jit%3Doff")
            if variable != "PGSERVICE" { #expect(throws: Never.self) { try check(full, address: "127.0.0.1") } }
            #expect(throws: Never.self) {
                try ServerURL.checkEnvironment([variable: "", "PGPASSWORD": "x", "PGAPPNAME": "x"], with: [])
            }
        }

        @Test(arguments: ["PGHOSTADDR", "PGSERVICE"])
        func `libpq is not asked while a variable would redirect it`(variable: String) async {
            await #expect(processExitsWith: .success) { [variable = variable as String] in
                setenv(variable, "127.0.0.1", 1)
                let url = ServerURL(hosts: [ServerHost(name: "/nowhere", port: 1)], database: "d", user: "u")
                let failure = #expect(throws: PostgresFailure.self) { try PostgresConnection(url, until: farDeadline) }
                #expect(failure?.kind == .invalidUse)
            }
        }

        @Test func `no URL turns Kerberos on`() throws {
            #expect(throws: ServerURLError.invalidValue(parameter: "gssencmode")) {
                try ServerURL("postgresql://h/d?gssencmode=prefer")
            }
            var url = try ServerURL("postgresql://h/d?gssencmode=disable")
            url.parameters["gssencmode"] = "prefer"
            let parameters = url.connectionParameters(host: url.hosts[0], address: nil)
            #expect(parameters.contains { $0 == ("gssencmode", "disable") })
        }
    }
#endif
