// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct NameTemplateTests {
    private let values = NameValues(
        station: "FIP", title: "So What", artist: "Miles Davis", sequence: 7,
        time: CivilTime(WallInstant("2026-02-03T04:05:06.789Z"), utcOffset: 3600))

    @Test(
        "A name template is filled in with a segment's values",
        arguments: [
            ("{station} %Y-%m-%d %H-%M-%S%z", "FIP 2026-02-03 05-05-06+0100"),
            ("%y%j %A %a %B %b", "26034 Tuesday Tue February Feb"),
            ("%s", "1770091506"),
            ("{station}/%Y/%m/{sequence} {artist} - {title}", "FIP/2026/02/007 Miles Davis - So What"),
            ("100%%}", "100%}"),
            ("%H:%M", "05-05"),
            (".{title}.", "So What"),
            ("nul/{title}", "nul_/So What"),
            ("é%%日", "é%日"),
        ])
    func rendering(text: String, path: String) throws {
        #expect(try NameTemplate(parsing: text).render(values) == path)
    }

    @Test(
        "The format's own extension in a template is not doubled, and another one is a part of the name",
        arguments: [
            ("{station}.mp3", "mp3", "FIP"), ("{station}.MP3", "mp3", "FIP"), ("a/b.mp3", "mp3", "a/b"),
            ("{station}.aac", "mp3", "FIP.aac"), ("{station}mp3", "mp3", "FIPmp3"), (".mp3", "mp3", "mp3"),
            ("{station}.mp3", "ogg", "FIP.mp3"), ("x.mp3/{title}", "mp3", "x.mp3/So What"),
        ])
    func extensions(text: String, fileExtension: String, path: String) throws {
        let template = try NameTemplate(parsing: text).forFiles(withExtension: fileExtension)
        #expect(template.render(values) == path)
    }

    @Test("The standard template is parsed from its own text") func standardTemplate() throws {
        #expect(try NameTemplate(parsing: NameTemplate.standard.text) == .standard)
    }

    @Test("A value that the station does not provide is replaced by words") func missingValues() throws {
        var values = values
        let template = try NameTemplate(parsing: "{artist} - {title}")
        for nothing in [nil, "", "  ", "...", "\u{200B}\u{0}"] {
            (values.title, values.artist) = (nothing, nothing)
            #expect(template.render(values) == "unknown artist - untitled")
        }
    }

    @Test("No value makes a folder or leaves one") func folders() throws {
        var values = values
        for text in ["/", "../..", "/etc/passwd", "..", "a/../b", "C:\\x"] {
            (values.title, values.station, values.artist) = (text, text, text)
            let path = try NameTemplate(parsing: "{station}/{artist}{title}").render(values)
            let parts = HostileText.components(path)
            #expect(parts.count == 2)
            for part in parts { HostileText.expectSafe(part) }
        }
    }

    @Test("A long title is cut, and the time behind it stays") func longTitle() throws {
        var values = values
        values.title = String(repeating: "ü", count: 300)
        let template = try NameTemplate(parsing: "{station} {title} {artist} %H-%M-%S%z")
        let path = template.render(values)
        #expect(path.hasPrefix("FIP ü") && path.hasSuffix("ü Miles Davis 05-05-06+0100"))
        #expect((SafeName.maxBytes - 3...SafeName.maxBytes).contains(path.utf8.count))
        values.artist = values.title
        values.station = String(repeating: "x", count: 1000)
        let shared = template.render(values)
        #expect(shared.hasSuffix("ü 05-05-06+0100") && shared.utf8.count <= SafeName.maxBytes)
    }

    @Test("Long text in the template itself is cut too") func longTemplate() throws {
        let long = String(repeating: "x", count: 400)
        #expect(try NameTemplate(parsing: long).render(values).utf8.count == SafeName.maxBytes - 1)
    }

    @Test(
        "An error in a template is reported with its place",
        arguments: [
            ("", "the name template is empty"),
            (
                "a%qb",
                """
                %q at character 2 is not a field; use %Y %y %m %d %j %H %M %S %z %s %A %a %B %b, or %% for a percent \
                sign
                """
            ),
            ("50%", "nothing follows the % at character 3; write %% for a percent sign"),
            (
                "{shew}",
                "{shew} at character 1 is not a placeholder; use one of {station} {show} {title} {artist} {song} {sequence}"
            ),
            (
                "ab{}",
                "{} at character 3 is not a placeholder; use one of {station} {show} {title} {artist} {song} {sequence}"
            ),
            (
                "ab{title",
                "the { at character 3 has no }; use one of {station} {show} {title} {artist} {song} {sequence}"
            ),
            ("/tmp/x", "the name template begins with a slash; it must be a path inside the output folder"),
            ("a/../b", "the part at character 3 leaves its folder; \".\" and \"..\" are not allowed"),
            ("..", "the part at character 1 leaves its folder; \".\" and \"..\" are not allowed"),
            ("./a", "the part at character 1 leaves its folder; \".\" and \"..\" are not allowed"),
            ("a//b", "the part at character 3 is empty; a name is needed on both sides of each slash"),
            ("a/", "the part at character 3 is empty; a name is needed on both sides of each slash"),
            ("a/ . /b", "the part at character 3 is empty; a name is needed on both sides of each slash"),
            ("a/b/c/d/e/f/g/h/i", "the name template is too long: at most 1000 characters in 8 parts"),
        ])
    func errors(text: String, message: String) {
        let error = #expect(throws: NameTemplate.ParseError.self) { try NameTemplate(parsing: text) }
        #expect(error?.description == message)
    }

    @Test("No text traps the template parser, and text that it accepts renders safely") func randomText() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<2000 {
            let text = HostileText.make(using: &random)
            guard let template = try? NameTemplate(parsing: text) else { continue }
            for part in HostileText.components(template.render(values)) {
                HostileText.expectSafe(part)
            }
        }
    }
}
