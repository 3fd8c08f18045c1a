// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Stations
import TestTools
import Testing

@Suite("Files of a configuration")
struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("aircheck-config") }

    private func reason(_ path: String) -> FileFault.Reason? {
        guard case .failure(.unreadable(let fault)) = ConfigurationFile.read(path, context) else { return nil }
        #expect(fault.path == path && "\(fault)".contains("'"))
        return fault.reason
    }

    @Test("A file is read with its paths relative to its folder")
    func read() throws {
        let path = try folder.write("c.toml", "\u{FEFF}[storage]\r\nstate = \"x\"\r\n")
        let configuration = try ConfigurationFile.read(path, context).get()
        #expect(configuration.storage.state == folder.file("x"))
        #expect(configuration.storage.recordings == folder.file("recordings"))
        #expect(symlink("c.toml", folder.file("link")) == 0)
        #expect(try ConfigurationFile.read(folder.file("link"), context).get() == configuration)
        try folder.write("bad.toml", "a = 1\r\n\r\nb = 2")
        #expect(faults(of: ConfigurationFile.read(folder.file("bad.toml"), context)).map(\.line) == [1, 3])
    }

    @Test("A file that is missing, a folder, a pipe, a link loop, too long or not permitted is reported as such")
    func unreadable() throws {
        #expect(reason(folder.file("none")) == .missing)
        #expect(reason("") == .missing && reason("/a\0b") == .missing)
        #expect(reason(folder.path) == .isFolder)
        #expect(reason("/dev/null") == .notAFile)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0 && reason(folder.file("pipe")) == .notAFile)
        #expect(symlink("loop", folder.file("loop")) == 0)
        #expect(reason(folder.file("loop")) == .linkLoop)
        try folder.write("long", [UInt8](repeating: UInt8(ascii: "\n"), count: 10 << 20))
        #expect(reason(folder.file("long")) == .tooLong(1 << 20))
        try folder.write("closed", "")
        #expect(chmod(folder.file("closed"), 0) == 0)
        // Root may read every file, so root gets no error.
        #expect(reason(folder.file("closed")) == (geteuid() == 0 ? nil : .denied))
        #expect(reason(folder.file("closed/x")) == .missing)
    }

    @Test("The users file of a configuration is checked")
    func users() throws {
        let text = "[server]\nusers = \"users\""
        #expect(faults(text, folder: folder.path).map(\.line) == [2])
        try folder.write("users", "me:nothash\n")
        #expect(faults(text, folder: folder.path).count == 1)
        try folder.write("users", "me:$2y$05$abcdefghijklmnopqrstuuSAxVuYV6x0tLiVxMOPcVnXpnxnJYd2y\n")
        #expect(try parse(text, folder: folder.path).get().server.users == folder.file("users"))
        #expect(unlink(folder.file("users")) == 0 && mkfifo(folder.file("users"), 0o600) == 0)
        #expect(faults(text, folder: folder.path).count == 1)
    }

    @Test("A password file has to be private and short, and to hold one line")
    func passwords() throws {
        let text = station("username = \"Aladdin\"\npassword-file = \"secret\"")
        func result(_ content: String, _ mode: mode_t = 0o600) throws -> Result<Configuration, ConfigurationError> {
            try folder.write("secret", content)
            #expect(chmod(folder.file("secret"), mode) == 0)
            return parse(text, folder: folder.path)
        }
        for content in ["open sesame", "open sesame\n", "open sesame\r\n"] {
            let header = StationSettings.Header(name: "Authorization", value: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
            #expect(try result(content).get().stations[0].source.headers == [header])
        }
        for (content, mode) in [
            ("s3cret", 0o640), ("s3cret", 0o604), ("s3cret\nx", 0o600), ("", 0o600), ("\n", 0o600),
            (String(repeating: "s3cret", count: 200), 0o600),
        ] {
            let found = faults(of: try result(content, mode_t(mode)))
            #expect(found.map(\.key) == ["station[1].password-file"], "\(content.prefix(20)) \(mode)")
            #expect(!"\(found)".contains("s3cret"))
        }
        #expect(unlink(folder.file("secret")) == 0)
        #expect(faults(text, folder: folder.path).map(\.line) == [5])
        #expect(mkfifo(folder.file("secret"), 0o600) == 0)
        #expect(faults(text, folder: folder.path).map(\.line) == [5])
        for other in ["headers = [\"authorization: x\"]", "password-credential = \"x\""] {
            #expect(faults(text + "\n" + other, folder: folder.path).count >= 2)
        }
    }

    @Test("A password may be a systemd credential, whose permissions are not checked")
    func credentials() throws {
        try folder.write("radio", "a")
        #expect(chmod(folder.file("radio"), 0o440) == 0)
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        let service = ConfigurationContext(environment: environment, userAgent: "x", zones: .any, events: events)
        func text(_ name: String) -> String { station("username = \"a\"\npassword-credential = \"\(name)\"") }
        let header = try parse(text("radio"), service).get().stations[0].source.headers.first
        #expect(header?.value == "Basic YTph")
        for name in ["none", "", ".", "..", "../radio", "a/b"] { #expect(faults(text(name), service).count == 1) }
        #expect(faults(text("radio")).count == 1)
    }

    @Test("The token file of a hook has to be private and short, and to hold one line of ASCII without blanks")
    func tokens() throws {
        let text = "[[hook]]\non = \"gap\"\npost = \"https://example.org/hook\"\ntoken-file = \"secret\""
        func result(_ content: String, _ mode: mode_t = 0o600) throws -> Result<Configuration, ConfigurationError> {
            try folder.write("secret", content)
            #expect(chmod(folder.file("secret"), mode) == 0)
            return parse(text, folder: folder.path)
        }
        for content in ["tk_s3cret=", "tk_s3cret=\n", "tk_s3cret=\r\n"] {
            let hook = try result(content).get().hooks[0]
            #expect(hook.token == "tk_s3cret=")
            #expect(!"\(hook) \(String(reflecting: hook))".contains("s3cret"))
            var dumped = ""
            dump(hook, to: &dumped)
            #expect(dumped.contains("hasToken: true") && !dumped.contains("s3cret"), "\(dumped)")
        }
        for (content, mode) in [
            ("s3cret", 0o640), ("s3cret", 0o604), ("s3cret\nx", 0o600), ("", 0o600), ("Bearer s3cret", 0o600),
            ("s3crét", 0o600), (String(repeating: "s3cret", count: 200), 0o600),
        ] {
            let found = faults(of: try result(content, mode_t(mode)))
            #expect(found.map(\.key) == ["hook[1].token-file"], "\(content.prefix(20)) \(mode)")
            #expect(!"\(found)".contains("s3c"), "\(found)")
        }
        let blank = faults(of: try result("Bearer s3cret"))
        #expect("\(blank)".contains("only ASCII letters, digits and punctuation, and no blanks"), "\(blank)")
        #expect(unlink(folder.file("secret")) == 0)
        #expect(faults(text, folder: folder.path).map(\.line) == [4])
    }

    @Test("A hook's token may be a credential, and only goes with requests whose address has no user")
    func tokenSources() throws {
        for name in ["file", "credential"] {
            try folder.write(name, "tk")
            #expect(chmod(folder.file(name), 0o600) == 0)
        }
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        let service = ConfigurationContext(environment: environment, userAgent: "x", zones: .any, events: events)
        func text(_ lines: String...) -> String {
            (["[[hook]]", "on = \"gap\""] + lines).joined(separator: "\n")
        }
        let (file, credential) = ("token-file = \"file\"", "token-credential = \"credential\"")
        let ntfy = "ntfy = \"https://ntfy.sh/x\""
        for source in [file, credential] {
            #expect(try parse(text(ntfy, source), folder: folder.path, service).get().hooks[0].token == "tk")
            for other in [
                "run = [\"/bin/true\"]", "mail = \"me@example.org\"", "post = \"https://me:x@example.org/\"",
            ] {
                let found = faults(text(other, source), folder: folder.path, service)
                #expect(found.map(\.line) == [4] && found.allSatisfy { $0.key.contains("token") }, "\(found)")
            }
        }
        #expect(faults(text(ntfy, credential), folder: folder.path).count == 1)
        #expect(faults(text(ntfy, file, credential), folder: folder.path, service).map(\.line) == [5])
    }

    @Test("The address file of a hook has to be private, and its content is shown nowhere")
    func addresses() throws {
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        let service = ConfigurationContext(environment: environment, userAgent: "x", zones: .any, events: events)
        func text(_ lines: String...) -> String {
            (["[[hook]]", "on = \"gap\""] + lines).joined(separator: "\n")
        }
        func write(_ content: String, _ mode: mode_t) throws {
            try folder.write("address", content)
            #expect(chmod(folder.file("address"), mode) == 0)
        }
        for source in ["post-file = \"address\"", "post-credential = \"address\""] {
            try write("https://home.example/api/s3cret\n", 0o600)
            let hook = try parse(text(source), folder: folder.path, service).get().hooks[0]
            #expect(hook.action == .post(url: "https://home.example/api/s3cret"))
            var dumped = ""
            dump(hook, to: &dumped)
            #expect(dumped.contains("home.example") && !"\(dumped) \(hook)".contains("s3cret"), "\(dumped)")
            try folder.write("token", "tk")
            #expect(chmod(folder.file("token"), 0o600) == 0)
            let withToken = text(source, "token-file = \"token\"")
            #expect(try parse(withToken, folder: folder.path, service).get().hooks[0].token == "tk")
            #expect(faults(text("run = [\"/bin/true\"]", source), folder: folder.path, service).map(\.line) == [4])

            try write("ftp://home.example/s3cret", 0o600)
            let found = faults(text(source), folder: folder.path, service)
            #expect(found.map(\.line) == [3] && !"\(found)".contains("s3c"), "\(found)")
            try write("https://me:s3cret@home.example/", 0o600)
            #expect(faults(withToken, folder: folder.path, service).map(\.line) == [4])
        }
        try write("https://home.example/api/s3cret", 0o604)
        #expect(faults(text("post-file = \"address\""), folder: folder.path).map(\.line) == [3])
    }

    @Test("A configuration is looked for in the user's folder first, then in the system's")
    func path() {
        func choose(_ option: String?, _ environment: [String: String], _ files: Set<String>) -> String {
            ConfigurationPath.choose(option: option, environment: environment, exists: files.contains)
        }
        let both = ["XDG_CONFIG_HOME": "/x/", "HOME": "/me"]
        #expect(choose("mine", both, []) == "mine")
        #expect(choose(nil, both, ["/x/aircheck/config.toml"]) == "/x/aircheck/config.toml")
        #expect(choose(nil, both, []) == "/etc/aircheck/config.toml")
        let home = "/me/.config/aircheck/config.toml"
        #expect(choose(nil, ["HOME": "/me"], [home]) == home)
        #expect(choose(nil, ["XDG_CONFIG_HOME": "x", "HOME": "/me"], [home]) == home)
        #expect(choose(nil, [:], [home]) == "/etc/aircheck/config.toml")
    }

    @Test("A new configuration goes to the existing file, or else to the user's folder, for root to /etc")
    func newPath() {
        func choose(_ option: String?, isRoot: Bool = false, _ files: Set<String> = []) -> String {
            ConfigurationPath.chooseToWrite(
                option: option, environment: ["HOME": "/me"], isRoot: isRoot, exists: files.contains)
        }
        let (system, home) = ("/etc/aircheck/config.toml", "/me/.config/aircheck/config.toml")
        #expect(choose("mine") == "mine" && choose(nil) == home && choose(nil, isRoot: true) == system)
        #expect(choose(nil, [system]) == system && choose(nil, isRoot: true, [home]) == home)
    }
}
