// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import RadioFormats
import Stations
import TestTools
import Testing

@testable import aircheck

/// Addresses without `http://`.
struct SchemelessAddressTests {
    @Test(
        "What begins with a host is read as an http address",
        arguments: [
            "radio.example/stream", "radio.example:8000/live", "radio.example", "radio.example.", "192.168.1.2",
            "192.168.1.2:8000", "localhost:8000/x", "localhost:8000", "localhost/x", "radio:8000/live", "[::1]:8000",
            "[2001:db8::1]/live", "user:pass@radio.example/live", "radio.example/song.mp3", "radio.example?a=b:c",
            "münchen.example/x", "LOCALHOST:80",
        ])
    func addresses(text: String) {
        #expect(AddressText(text).withScheme == "http://" + text)
    }

    @Test(
        "Files, stations' IDs and other schemes are left alone",
        arguments: [
            "", "-", "fip", "localhost", "song.mp3", "list.M3U", "./radio.example/x", "../x", "/srv/radio", "~/radio",
            "music/song.mp3", "C:\\Music", "C:/Music", "ftp://a.example/", "ftp:a", "mailto:a@b.example",
            "http://a.example/", "https:/a.example", "a.example:99999/", "a.example:x/", "a..b/x", "a b.example/x",
            "[a.example]/x", "[::1", "[::1]x", ":8000/live", ".hidden/x", "-a.example/x", "a.example:",
        ])
    func others(text: String) {
        #expect(AddressText(text).withScheme == text)
    }

    @Test(
        "A30: The schemes that players write for HTTP are read as HTTP",
        arguments: ["icy://a.example:8000/live", "ICYX://a.example/", "shout://user:pass@a.example/x?y=icy://z"])
    func playersSchemes(text: String) throws {
        let rest = text.dropFirst(text.prefix { $0 != ":" }.count)
        #expect(AddressText(text).withScheme == "http\(rest)")
        #expect(Self.urls(try RecordCommand.parse([text]).session()) == ["http\(rest)"])
    }

    @Test("A36: Bytes of an address that are not UTF-8 are percent-encoded, and those of a file's name are not")
    func otherBytes() throws {
        let path = PathText.text(of: Array("/caf".utf8) + [0xE9] + Array("?q=".utf8) + [0xFF])
        for address in ["icy://a.example", "http://a.example", "a.example"] {
            #expect(AddressText(address + path).withScheme == "http://a.example/caf%E9?q=%FF")
        }
        #expect(AddressText(path).withScheme == path)
        let session = try RecordCommand.parse(["http://a.example" + path]).session()
        #expect(Self.urls(session) == ["http://a.example/caf%E9?q=%FF"])
    }

    @Test("Every command takes them, and a file that exists comes first")
    func commands() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("radio.example", "")
        let record = try RecordCommand.parse(["radio.example/stream", "b.example:8000"]).session()
        #expect(Self.urls(record) == ["http://radio.example/stream", "http://b.example:8000"])
        let named = try RecordCommand.parse(["--station", "Radio.FM=radio.example/stream?a=b"]).session()
        #expect(Self.urls(named) == ["http://radio.example/stream?a=b"] && named.parts.first?.name == "Radio.FM")
        #expect(
            Self.urls(try RelayCommand.parse(["radio.example/stream"]).session()) == ["http://radio.example/stream"])
        #expect(Self.urls(try RelayCommand.parse([file]).session()) == nil)
        #expect(SourceText.completed(file) == file && SourceText.completed("a.example") == "http://a.example")
        #expect(throws: (any Error).self) { try RecordCommand.parse(["--station", "radio.example/x?a=b"]) }
        let error = #expect(throws: (any Error).self) { try RecordCommand.parse(["ftp://a.example/"]) }
        #expect(error.map { RecordCommand.message(for: $0).contains("ftp://a.example/") } == true)
    }

    private static func urls(_ session: Session) -> [String]? {
        if case .station(let settings)? = session.parts.first?.programme { settings.urls } else { nil }
    }
}
