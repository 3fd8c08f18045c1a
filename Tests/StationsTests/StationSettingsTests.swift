// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations
import Testing

/// The settings of a station as people write them.
struct StationSettingsTests {
    private let url = "http://radio.example/live"

    private func fault(
        _ urls: [String]? = nil, userAgent: String = "Me/1", headers: [String] = [], charset: String? = nil
    ) -> SettingFault? {
        do throws(SettingFault) {
            _ = try StationSettings(
                parsing: urls ?? [url], userAgent: userAgent, headers: headers, charset: charset, seed: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test("The settings are what the texts say") func parsed() throws {
        let settings = try StationSettings(
            parsing: [url, "HTTPS://mirror.example/"], userAgent: "Me/1",
            headers: ["Referer:  https://x/", "X-Empty:"],
            charset: "cp1251", caFile: "ca.pem", giveUp: .seconds(3), seed: 7)
        #expect(settings.urls == [url, "HTTPS://mirror.example/"] && settings.userAgent == "Me/1")
        #expect(settings.headers.map(\.name) == ["Referer", "X-Empty"])
        #expect(settings.headers.map(\.value) == ["https://x/", ""])
        #expect(settings.charset == .windows1251 && settings.caFile == "ca.pem")
        #expect(settings.giveUp == .seconds(3) && settings.seed == 7)
    }

    @Test(
        "An address that cannot be fetched is refused",
        arguments: ["ftp://a.example/", "radio/live", "file:///etc/passwd", "", "http", "http:/a", "http:a"])
    func badAddress(address: String) {
        let fault = fault([url, address])
        #expect(fault?.field == .url && fault?.description.contains("http://") == true, "\(address)")
    }

    @Test("An address with an @ in its password is refused with the reason") func unescapedAt() {
        let fault = fault(["http://anna:p@ss@a.example/live"])
        #expect(fault?.field == .url && fault?.description.contains("%40") == true)
    }

    @Test("A refusal does not contain a password") func password() {
        #expect(fault(["ftp://anna:secret@a.example/"])?.description.contains("secret") == false)
        #expect(fault(headers: ["secret"])?.description.contains("secret") == false)
    }

    @Test("The number of mirrors is limited to a hundred") func mirrorLimit() {
        #expect(fault(Array(repeating: url, count: 100)) == nil)
        #expect(fault(Array(repeating: url, count: 101))?.field == .url)
    }

    @Test(
        "A header that is invalid or would become another header is refused",
        arguments: [
            ("no colon", "no colon"), (": value", "colon"), ("Bad Name: x", "Bad Name"),
            ("A: b\r\nEvil: c", "line ends"),
            ("A\r\nEvil: c", "name of a header"), ("A: b\u{0}c", "control"), ("", "colon"), ("A\u{e9}: b", "name"),
        ])
    func badHeader(text: String, word: String) {
        let fault = fault(headers: ["Fine: yes", text])
        #expect(fault?.field == .header && fault?.description.contains(word) == true)
    }

    @Test("A user agent must be one line, and a charset must be a known one") func userAgentAndCharset() {
        #expect(fault(userAgent: "A\nB")?.field == .userAgent)
        let unknown = fault(charset: "klingon")
        #expect(unknown?.field == .charset && unknown?.description.contains("windows-1252") == true)
    }
}
