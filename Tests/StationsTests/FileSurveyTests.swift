// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// What a survey learns about a file of the web, from servers of several kinds.
struct FileSurveyTests {
    /// How a server answers.
    private struct Server {
        var sendsParts = true
        /// The tag of each answer. The last one applies to all further answers.
        var tags = ["\"v1\""]
        /// The beginning of each answer to a request for a part, relative to the requested byte.
        var shift = 0
        var status: Int?
        /// The status of each answer to a request for a part.
        var partStatus: Int?
    }

    private let programme = SampleProgramme(2_000)
    private let settings = StationSettings(urls: ["http://a.example/a.mp3"], userAgent: "Aircheck/test")

    /// Surveys the programme at a server.
    private func survey(
        _ server: Server, _ knowledge: FileSurvey.Knowledge? = nil, of target: Duration? = .seconds(30)
    ) throws -> (Result<FileSurvey.Found, Failure>, requests: Int) {
        let script = LiveScript { [bytes = programme.bytes] in Self.answer($0, server, bytes) }
        let fetch = VirtualFetch(script) {
            FileSurvey(settings, knowledge, of: target, client: $0, reactor: $1, done: $2).cancel
        }
        return (try fetch.result(), fetch.origin.log.requests.count)
    }

    private static func answer(_ visit: LiveScript.Visit, _ server: Server, _ bytes: [UInt8]) -> LiveScript.Answer {
        let asked = visit.resumeAt ?? 0
        if asked > 0, let status = server.partStatus { return .status(status, "No") }
        let tag = server.tags[min(visit.number, server.tags.count - 1)]
        let isSame = visit.resumeValidator.map { $0 == tag } ?? true
        let isPart = asked > 0 && server.sendsParts && isSame
        let start = isPart ? asked + server.shift : 0
        var head = LiveHead(server.status ?? (isPart ? 206 : 200), "", ["Content-Type": "audio/mpeg", "ETag": tag])
        head.fields.append(("Content-Length", "\(bytes.count - start)"))
        if isPart { head.fields.append(("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")) }
        return .response(head, body: Array(bytes.dropFirst(start)))
    }

    @Test("A survey finds length and place, and a second place with what it already knows") func lengthAndPlace() throws
    {
        let (result, requests) = try survey(Server())
        let found = try result.get()
        let facts = found.knowledge.facts
        // The length is estimated by the bit rate, because these frames have no padding.
        #expect(abs((facts.length ?? .zero).inSeconds - 52.2) < 0.2)
        #expect(found.knowledge.isSentFromMiddle && found.knowledge.validator == "\"v1\"")
        let place = try #require(found.place)
        #expect(place.offset % 417 == 0 && place.sample <= 30 * 44_100)
        #expect(place.sample > 30 * 44_100 - 3 * 1_152)
        #expect(requests == 3)
        let (again, fewer) = try survey(Server(), found.knowledge)
        #expect(try again.get().place == place && fewer == 1)
    }

    @Test("A survey of a server that sends no parts finds the length and remembers that there are no parts")
    func noParts() throws {
        let (result, _) = try survey(Server(sendsParts: false))
        let found = try result.get()
        #expect(found.place == nil && !found.knowledge.isSentFromMiddle)
        #expect(abs((found.knowledge.facts.length ?? .zero).inSeconds - 52.2) < 0.2)
        let (again, requests) = try survey(Server(sendsParts: false), found.knowledge)
        #expect(try again.get().place == nil && requests == 0)
    }

    @Test("A server that refuses parts counts as one that sends none", arguments: [400, 403, 404, 405, 416, 501])
    func partsRefused(status: Int) throws {
        let found = try survey(Server(partStatus: status)).0.get()
        #expect(found.place == nil && !found.knowledge.isSentFromMiddle)
    }

    @Test("A server that has stopped sending parts counts as one that sends none") func partsStopped() throws {
        let known = try survey(Server()).0.get().knowledge
        let found = try survey(Server(sendsParts: false), known).0.get()
        #expect(found.place == nil && !found.knowledge.isSentFromMiddle)
    }

    @Test("Parts that begin elsewhere than requested do not count as parts", arguments: [1, -1, 4_096])
    func shiftedParts(shift: Int) throws {
        let found = try survey(Server(shift: shift)).0.get()
        #expect(found.place == nil && !found.knowledge.isSentFromMiddle)
    }

    @Test("A file that changes meanwhile is not searched further") func changedFile() throws {
        let (result, requests) = try survey(Server(tags: ["\"v1\"", "\"v2\""]))
        #expect(result.failure?.message.contains("has changed") == true && requests == 2)
        let known = try survey(Server()).0.get().knowledge
        #expect(try survey(Server(tags: ["\"v3\""]), known).0.failure != nil)
    }

    @Test("A server's failure fails the survey") func serverFailure() throws {
        #expect(try survey(Server(status: 503)).0.failure?.failureClass == .serverBusy)
    }
}
