// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import RadioCore
import TestSupport
import TestTools
import Testing

/// Random requests to this server and to nginx, which must answer alike.
///
/// For answers with content, the tests compare status, body, length, range, date and whether there is a tag. They also
/// compare whether ranges are offered, whether the connection is announced as kept, and whether it then is kept. They
/// do not compare the texts of errors, the form of tags, or the version, because we answer HTTP/1.0 with HTTP/1.0. Two
/// kinds of requests are not drawn: `OPTIONS`, which nginx does not answer, and methods that we do not know (501,
/// nginx: 405).
@Suite struct NginxTests {
    /// An intended difference: its reason, the requests to which it applies, and the change that turns such a request
    /// into one that nginx answers as we do.
    private struct Difference: Sendable {
        let reason: String
        let applies: @Sendable (DrawnRequest) -> Bool
        let translate: @Sendable (inout DrawnRequest) -> Void
    }

    private static let differences = [
        Difference(
            reason: "ranges are defined for GET alone (RFC 9110, 14.2)",
            applies: { $0.method == "HEAD" && $0.has("Range") }, translate: { $0.remove("Range") }),
        Difference(
            reason: "where there is If-None-Match, If-Modified-Since is not looked at (13.1.3)",
            applies: { $0.has("If-None-Match") && $0.has("If-Modified-Since") },
            translate: { $0.remove("If-Modified-Since") }),
        Difference(
            reason: "where there is If-Match, If-Unmodified-Since is not looked at (13.1.4)",
            applies: { $0.has("If-Match") && $0.has("If-Unmodified-Since") },
            translate: { $0.remove("If-Unmodified-Since") }),
        Difference(
            reason: "a date that is none is as good as no field (13.1.4)",
            applies: { $0.has("If-Unmodified-Since") && CivilTime(httpDate: $0.value("If-Unmodified-Since")) == nil },
            translate: { $0.remove("If-Unmodified-Since") }),
        Difference(
            reason: "a position beyond 64 bits lies behind the end, and is no mistake (14.1.2)",
            applies: { request in ["99999999999", "18446744073"].contains { request.value("Range").contains($0) } },
            translate: { request in
                let value = request.value("Range")
                let end = value.lastIndex(of: "-").map { value[...$0] } ?? ""
                for index in request.fields.indices where request.fields[index].name == "Range" {
                    request.fields[index].value = end + "9223372036854775807"
                }
            }),
        Difference(
            reason: "a head that is not read to the letter is the last one on its connection",
            applies: { $0.lineEnd == "\n" },
            translate: {
                $0.remove("Connection")
                $0.fields.append(("Connection", "close"))
            }),
        Difference(
            reason: "a path that could mean two things is refused",
            applies: { $0.path.contains("/..") || $0.path.contains("%2e%2e") }, translate: { $0.path = "/../x" }),
    ]

    @Test("Random requests are answered as nginx answers them, except for listed differences")
    func sameAsNginx() async throws {
        let (requests, complaints, used) = try await onThread { try Self.compare(requests: 500, seed: 13) }
        #expect(complaints.isEmpty, "\(complaints.prefix(10).joined(separator: "\n"))")
        #expect(requests >= 500)
        #expect(used == Set(Self.differences.map(\.reason)), "a difference that no request shows")
    }

    private static func compare(requests: Int, seed: UInt64) throws -> (Int, [String], Set<String>) {
        let folder = try TemporaryFolder("aircheck-peer")
        let files = try makeFiles(in: folder)
        let nginx = try NginxServer(serving: folder.path, options: "if_modified_since before; max_ranges 1;")
        let site = try Site()
        site.serveFiles(of: folder, under: "/")
        let ports = [site.port, UInt16(nginx.port)]
        var tags: [[String]] = []
        for port in ports {
            let talk = Conversation(site.reactor.connect(port: port), site.reactor)
            tags.append(files.map { talk.get("/" + $0.name)?.fields["etag"] ?? "none" })
        }
        var draw = RequestDraw(seed: seed, files: files)
        var (count, complaints, used) = (0, [String](), Set<String>())
        while count < requests {
            let talks = ports.map { Conversation(site.reactor.connect(port: $0), site.reactor) }
            var isOpen = true
            for (request, file) in draw.conversation() where isOpen {
                var translated = request
                for difference in differences where difference.applies(translated) {
                    difference.translate(&translated)
                    used.insert(difference.reason)
                }
                let index = files.firstIndex { $0.name == file.name } ?? 0
                let texts = [request.text(tag: tags[0][index]), translated.text(tag: tags[1][index])]
                let answers = zip(talks, texts).map { $0.0.ask($0.1).map(Seen.init) }
                count += 1
                if answers[0] != answers[1] || answers[0] == nil {
                    complaints.append("\(texts[0])we: \(describe(answers[0]))\nnginx: \(describe(answers[1]))\n")
                }
                // After a 412 nginx closes the connection, although it announces that it keeps it.
                guard answers[0] == answers[1], let answer = answers[0], answer.status != 412 else { break }
                isOpen = answer.fields["connection"] == "keep-alive"
            }
            // If the parser refuses a path, both servers send an explanation, even to HEAD. So bytes may follow the
            // head here.
            let haveClosed =
                isOpen
                || talks.allSatisfy { talk in
                    site.reactor.pump { talk.client.collect().end == .closed }
                }
            if !haveClosed { complaints.append("one of two has not closed") }
        }
        site.close()
        return (count, complaints, used)
    }

    /// Files of interesting sizes, whose dates differ by more than a second.
    private static func makeFiles(in folder: TemporaryFolder) throws -> [DrawnRequest.File] {
        var random = SplitMix64(seed: 1)
        return try ["empty": 0, "one": 1, "ten": 10, "page.html": 1000, "song.mp3": 70_000, "show.mp3": 700_000]
            .sorted { $0.value < $1.value }.enumerated().map { index, entry in
                try folder.write(entry.key, random.bytes(entry.value))
                let second = 784_111_777 + index * 1000
                let time = timespec(tv_sec: second, tv_nsec: 500_000_000)
                utimensat(AT_FDCWD, folder.file(entry.key), [time, time], 0)
                return DrawnRequest.File(name: entry.key, size: entry.value, modified: second)
            }
    }

    /// The compared parts of an answer.
    private struct Seen: Equatable {
        let status: Int
        var fields: [String: String]
        let body: [UInt8]

        init(_ answer: Conversation.Answer) {
            status = answer.status
            let isContent = [200, 206].contains(status)
            body = isContent ? answer.body : []
            let names = ["content-range", "connection", "accept-ranges", "last-modified"]
            fields = answer.fields.filter { names.contains($0.key) || (isContent && $0.key == "content-length") }
            fields["etag"] = answer.fields["etag"] == nil ? nil : "there"
        }
    }

    private static func describe(_ answer: Seen?) -> String {
        guard let answer else { return "closes" }
        return "\(answer.status) \(answer.fields.sorted { $0.key < $1.key }) \(answer.body.count) bytes"
    }
}
