// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import TestSupport
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
        // The file's times are real. So the virtual clock is set such that they lie as far in the past as a test wants.
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
        site.close()
    }

    @Test(
        "A file that is half written, empty, or gone keeps the people of before, and is reported once",
        arguments: [("bert:$2b$04$KBCw", 1), ("", 1), (nil, 0)])
    func unusable(content: String?, reports: Int) throws {
        var faults: [SettingFault] = []
        site.service.onUnusableUsers = { faults.append($0) }
        #expect(status(of: "anna") == 200)
        if let content { try folder.write("users", content) } else { unlink(path) }
        for _ in 0..<3 {
            site.reactor.advance(by: .seconds(1))
            #expect(status(of: "anna") == 200 && status(of: "bert") == 401)
        }
        #expect(faults.count == reports && faults.allSatisfy { $0.field == .users })
        try folder.write("users", "bert:\(Site.hash)\nanna:\(Site.hash)\n")
        site.reactor.advance(by: .seconds(1))
        #expect(status(of: "bert") == 200 && status(of: "anna") == 200)
        site.close()
    }

    @Test("A copy whose time of modification is in the future is used")
    func futureTime() throws {
        #expect(status(of: "anna") == 200)
        try folder.write("users", "bert:\(Site.hash)\n")
        let tomorrow = timespec(tv_sec: time(nil) + 86_400, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [tomorrow, tomorrow], 0) == 0)
        site.reactor.advance(by: .seconds(1))
        #expect(status(of: "bert") == 200 && status(of: "anna") == 401)
        site.close()
    }

    @Test("A pipe, a folder and a huge file are refused as users files", .timeLimit(.minutes(1)))
    func otherFiles() throws {
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
        try folder.write("users", "bert:\(Site.hash)\n")
        var written = stat()
        #expect(stat(path, &written) == 0)
        site.reactor.stepWall(
            to: WallInstant(nanoseconds: Int64(written.st_ctim.tv_sec) * 1_000_000_000 + Int64(written.st_ctim.tv_nsec))
        )
        site.reactor.advance(by: .milliseconds(500))
        #expect(status(of: "anna") == 200)
        site.reactor.advance(by: .seconds(2))
        #expect(status(of: "bert") == 200)
        site.close()
    }
}
