// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPServer

@Suite struct PasswordTests {
    /// Hashes of "sésame" that openssl and libcrypt wrote.
    private static let hashes = [
        "$5$abcdefgh$NCavERfmYhNzMgxG3v.xZEfF1ktu6acr2HC.KyxnBY9",
        "$6$abcdefgh$rBiy.oWqKG.Y6L7IJuTD4Mnh6fiQ3JZtYW1wRpJpQywKv4pslYQScESsF/lNKyuDX8OD5w0rVwjN2Mip7aNbM/",
        "$2b$04$KBCwKxOzLha2MUDgW0PjXewA1o2Hfp5H/s/yB9RgCg0ktMiYb//oy",
        "$2y$04$abcdefghijklmnopqrstuuRYHuwq6VOVEg5t5gHn6M9LpGL5NoXYi",
        "$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/HAmA1BpMnBsYHMWB4NZN4$dkmeq.rt2Ocf7dnAm4WRmADAftFsewyol/nKhic1xvD",
    ]

    @Test("Hashes of other programs match their password only", arguments: hashes)
    func knownHashes(_ text: String) throws {
        let hash = try #require(PasswordHash(text))
        #expect(hash.matches(Array("sésame".utf8)))
        #expect(!hash.matches(Array("sesame".utf8)))
        #expect(!hash.matches([]))
        #expect(!hash.matches(Array("sésame\0x".utf8)))
        #expect(!hash.matches(Array(repeating: 65, count: 100_000)))
    }

    @Test("A new password is hashed with a new salt") func newHash() throws {
        let (one, other) = (
            try #require(PasswordHash(hashing: "geheim")), try #require(PasswordHash(hashing: "geheim"))
        )
        #expect(one != other && one.text.hasPrefix("$y$") && one.matches(Array("geheim".utf8)))
        #expect(!one.matches(Array("Geheim".utf8)) && PasswordHash(one.text) == one)
        for password in ["", "a\0b", String(repeating: "x", count: 257)] {
            #expect(PasswordHash(hashing: password) == nil)
        }
    }

    @Test(
        "Other kinds of hashes are refused",
        arguments: [
            "", "geheim", "$1$abcdefgh$G//4keteveJp0qb8z2DxG/", "$apr1$abcdefgh$0uGbEGUb7Oj9vQZZ8jcAC/",
            "ab1234567890.",
            "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=", "$6$", "$2y$99$abcdefghijklmnopqrstuu", "$6$abc def$x", "*0",
            "$6$a\nb$",
        ])
    func otherHashes(_ text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test("A file of users is parsed") func usersFile() throws {
        let users = try UsersFile.parse("# mine\r\n\r\nanna:\(Self.hashes[0])\r\n  bert:\(Self.hashes[1])  \n")
        #expect(users.keys.sorted() == ["anna", "bert"] && users["anna"]?.text == Self.hashes[0])
        #expect(try UsersFile.parse("").isEmpty)
    }

    @Test("All faults of a file of users are reported with their lines") func faultsOfUsersFile() {
        let text = "anna\n:\(Self.hashes[0])\nbert:geheim\nanna:\(Self.hashes[0])\nanna:\(Self.hashes[1])\n"
        let error = #expect(throws: UsersFile.Invalid.self) { try UsersFile.parse(text) }
        #expect(error?.problems.map(\.line) == [1, 2, 3, 5])
        #expect(error?.problems.first?.description == "line 1: not NAME:HASH")
        #expect(error?.problems.contains { $0.message.contains("geheim") } == false)
    }

    @Test("Digests depend on the texts, the boundaries between them, and the key of their process") func digests() {
        let digest = KeyedDigest()
        #expect(digest([[1], [2, 3]]) == digest([[1], [2, 3]]))
        #expect(digest([[1], [2, 3]]) != digest([[1, 2], [3]]))
        #expect(KeyedDigest()([[1]]) != KeyedDigest()([[1]]))
    }

    @Test("The cache remembers the newest credentials") func newestCredentials() {
        var cache = CredentialCache(capacity: 3)
        let values = (0..<5).map { KeyedDigest.Value(high: $0, low: $0) }
        for value in values + [values[4]] { cache.insert(value) }
        #expect(values.map(cache.contains) == [false, false, true, true, true])
    }

    @Test(
        "Credentials are read from the Authorization field",
        arguments: [
            ("Basic YTpi", "a", "b"), ("bAsIc YTpi", "a", "b"), ("Basic   YTpi", "a", "b"), ("Basic YTo=", "a", ""),
            ("Basic OmI=", "", "b"), ("Basic YTpiOmM=", "a", "b:c"), ("Basic w6Q6w7Y=", "ä", "ö"),
        ])
    func credentials(_ value: String, _ name: String, _ password: String) throws {
        let credentials = try #require(BasicCredentials(head([value])))
        #expect(credentials.name == name && credentials.password == Array(password.utf8))
    }

    @Test(
        "Credentials that are not exactly right are refused",
        arguments: [
            [], [""], ["Basic"], ["Basic "], ["Basic YTpi", "Basic YTpi"], ["Bearer YTpi"], ["BasicYTpi"],
            ["Basic YTpi x"],
            ["Basic YTo"], ["Basic YTo=="], ["Basic YTp="], ["Basic YT=="], ["Basic ===="], ["Basic Y=pi"],
            ["Basic YT-_"],
            ["Basic YQ=="], ["Basic YQo6Yg=="], ["Basic YQA6Yg=="], ["Basic /zpi"], ["Basic YTph=YTph"],
            ["Basic " + String(repeating: "YTpi", count: 3000)],
        ])
    func badCredentials(_ values: [String]) {
        let isRefused = BasicCredentials(head(values)) == nil
        #expect(isRefused)
    }

    private func head(_ authorization: [String]) -> HTTPRequestHead {
        HTTPRequestHead(
            method: .get, target: HTTPTarget(path: "/"), fields: authorization.map { HTTPField("authorization", $0) })
    }
}
