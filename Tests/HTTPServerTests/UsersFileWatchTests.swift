// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import HTTPServer

/// A users file that changes while the server runs.
@Suite struct UsersFileWatchTests {
    private let folder: TemporaryFolder
    private let site: Site
    private var path: String { folder.file("users") }

    init() throws {
        folder = try TemporaryFolder("users")
        site = try Site()
        // The file's times are real. So the virtual clock is set forward, which makes the file as old as the test needs
        // it.
        site.reactor.stepWall(to: Self.now + .seconds(3600))
        try folder.write("users", "anna:\(Site.hash)\n")
        var rules = HTTPRouteRules.stream
        rules.users = try UserList(file: folder.file("users"))
        site.service.router.add("/watched", [.get], rules: rules) { $0.respond(HTTPResponse(.ok)) }
    }

    private static var now: WallInstant { WallInstant(nanoseconds: Int64(time(nil)) * 1_000_000_000) }

    private func status(of name: String) -> Int? {
        let basic = ["anna": "YW5uYTpzw6lzYW1l", "bert": "YmVydDpzw6lzYW1l"][name] ?? ""
        return site.get("/watched", "Authorization: Basic \(basic)\r\n").status
    }

    @Test("People who are added to the file get in, and people who are removed do not")
    func changes() throws {
        #expect(status(of: "anna") == 200 && status(of: "bert") == 401)
        try folder.write("users", "bert:\(Site.hash)\n")
        site.reactor.advance(by: .seconds(1))
        #expect(status(of: "bert") == 200 && status(of: "anna") == 401)
    }

    @Test(
        "A file that is half written, empty, or gone keeps the people of before, and is reported once",
        arguments: ["bert:$2b$04$KBCw", "", nil])
    func unusable(content: String?) throws {
        var faults: [SettingFault] = []
        site.service.onNotice = { if case .usersUnusable(let fault) = $0 { faults.append(fault) } }
        #expect(status(of: "anna") == 200)
        if let content { try folder.write("users", content) } else { unlink(path) }
        for _ in 0..<3 {
            site.reactor.advance(by: .seconds(1))
            #expect(status(of: "anna") == 200 && status(of: "bert") == 401)
        }
        #expect(faults.count == 1 && faults.allSatisfy { $0.field == .users })
        try folder.write("users", "bert:\(Site.hash)\nanna:\(Site.hash)\n")
        site.reactor.advance(by: .seconds(1))
        #expect(status(of: "bert") == 200 && status(of: "anna") == 200)
    }

    @Test("A copy whose time of modification is in the future is used")
    func futureTime() throws {
        #expect(status(of: "anna") == 200)
        try folder.write("users", "bert:\(Site.hash)\n")
        let tomorrow = timespec(tv_sec: time(nil) + 86_400, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [tomorrow, tomorrow], 0) == 0)
        site.reactor.advance(by: .seconds(1))
        #expect(status(of: "bert") == 200 && status(of: "anna") == 401)
    }

    @Test("A pipe, a folder and a huge file are refused as users files", .timeLimit(.minutes(1)))
    func otherFiles() throws {
        site.close()
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        try folder.write("huge", String(repeating: "# nobody\n", count: 500_000))
        for (name, word) in [
            ("pipe", "is not a file"), ("", "is a folder"), ("huge", "is too large"), ("none", "No such"),
        ] {
            let fault = #expect(throws: SettingFault.self) { try UserList(file: folder.file(name)) }
            #expect(fault.map { "\($0)".contains(word) } == true, "\(String(describing: fault))")
        }
    }

    @Test("A file is left alone for a second after each write, because its writer may not have finished")
    func settling() throws {
        site.close()
        // Without HTTP, because virtual time advances while a request is awaited.
        let reactor = PolledReactor()
        let watch = UsersFileWatch(reactor: reactor)
        let before = try UserList(file: path)
        try folder.write("users", "bert:\(Site.hash)\n")
        let after = try UserList(file: path)
        var written = stat()
        #expect(stat(path, &written) == 0)
        reactor.stepWall(
            to: WallInstant(nanoseconds: Int64(written.st_ctim.tv_sec) * 1_000_000_000 + Int64(written.st_ctim.tv_nsec))
        )
        for (wait, expected) in [(500, before), (2_000, after)] {
            reactor.advance(by: .milliseconds(wait))
            var users: UserList?
            watch.current(before) { users = $0 }
            #expect(reactor.pump { users != nil } && users == expected)
        }
    }
}
