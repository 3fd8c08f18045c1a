// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing

/// The manual pages of deploy/man, compared with the help. This command writes the pages again:
/// `RECORD_GOLDEN=1 make suite TARGETS=CommandLineTests`.
struct ManualPageTests {
    private static func pages() throws -> [ManualPage] { try CommandPage.all() + [ConfigurationPage.make()] }

    @Test("The manual pages say what the help says")
    func agreement() throws {
        let pages = try Self.pages()
        guard getenv("RECORD_GOLDEN") == nil else { return try ManualFolder.write(pages) }
        #expect(ManualFolder.names() == Set(pages.map(\.fileName)))
        for page in pages {
            #expect(ManualFolder.text(page.fileName) == page.text, "\(page.fileName): write it anew (docs/changing.md)")
        }
    }

    @Test("Each section that is written by hand is on a page")
    func sections() throws {
        let names = Set(try Self.pages().map { "\($0.name).man" })
        #expect(ManualFolder.names("sections").subtracting(names).isEmpty)
    }

    @Test("Each page has the sections that people look for, in their usual order")
    func order() throws {
        for page in try Self.pages() {
            #expect(page.titles.first == "NAME" && page.titles.last == "SEE ALSO", "\(page.name)")
            guard page.number == 1 else { continue }
            let usual = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]
            #expect(page.titles.filter(usual.contains) == usual, "\(page.name): \(page.titles)")
        }
    }

    @Test("Each page is formatted without a warning, and has all options of its help")
    func formatting() async throws {
        guard getenv("RECORD_GOLDEN") == nil else { return }
        for page in try Self.pages() {
            let path = "\(ManualFolder.path)/\(page.fileName)"
            let formatted = try await ChildProcess(
                .groff, ["-man", "-ww", "-rF0", "-Tascii", "-P-cbou", "-rLL=200n", path]
            ).outcome(within: .seconds(60))
            #expect(formatted.succeeded && formatted.standardError.isEmpty, "\(page.name): \(formatted.standardError)")
            let options = Set(
                page.text.matches(of: /\n\\fB(?:\\-[a-z]\\fR, \\fB)?(\\-\\-(?:[a-z]|\\-)+)/).map {
                    $0.output.1.replacing("\\", with: "")
                })
            for option in options { #expect(formatted.text.contains(option), "\(page.name): \(option)") }
        }
    }

    @Test(
        "What the help marks is marked in a page, and nothing in it is taken for a macro",
        arguments: [
            ("Use 'aircheck play --list-devices'.", #"Use \fBaircheck play \-\-list\-devices\fR."#),
            ("The station's own, as --as says.", #"The station's own, as \fB\-\-as\fR says."#),
            (".part is growing", #"\&.part is growing"#),
            ("One. Two, of 2026-11-24.", "One.\nTwo, of 2026\\-11\\-24."),
            ("a\\b ~/x ← up-to-date", #"a\eb \(ti/x \[u2190] up-to-date"#),
        ])
    func text(plain: String, marked: String) {
        #expect(Roff.text(plain) == marked)
    }
}
