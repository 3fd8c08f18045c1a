// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Configuration
@testable import Daemon

/// Hooks that send requests to a real server.
struct HookPostTests {
    private let rig: HookRig

    init() throws { rig = try HookRig() }

    @Test("An event is posted as JSON") func postedEvent() throws {
        let server = try ScriptedOrigin([.request, .head("HTTP/1.1 201 Created"), .flood([0x78])])
        rig.add(.post(url: server.url("/hook?key=secret")))
        let event = rig.event("-f $(reboot)\r\nX: y")
        rig.runner.hear(event)
        #expect(rig.finish())
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/hook?key=secret")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Icy-MetaData") == nil)
        #expect(request.header("Authorization") == nil)
        #expect(request.header("X") == nil && request.body == event.json.encoded())
        #expect(rig.notices.isEmpty)
    }

    @Test("A message is sent to a topic of ntfy") func ntfy() throws {
        let server = try ScriptedOrigin([.request, .text("{}", type: "application/json")])
        rig.add(.ntfy(url: server.url("/topic")))
        let event = rig.event("because\nTitle: x")
        rig.runner.hear(event)
        #expect(rig.finish())
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.body == Array(HookRig.words(event).body.utf8))
        #expect(request.header("Title") == EncodedWord.encode("gap of Radio Güt"))
        #expect(request.header("Tags") == "warning")
        #expect(request.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(rig.notices.isEmpty)
    }

    /// The second attempt carries the token, too. The target of a redirect does not get it.
    @Test("A token is sent to the hook's address alone") func token() throws {
        let other = try ScriptedOrigin([.request, .head("HTTP/1.1 204 No Content")])
        let server = try ScriptedOrigin([.request, .reset], [.request, .redirect(to: other.url("/"))])
        let topic = try ScriptedOrigin([.request, .text("{}", type: "application/json")])
        rig.add(.post(url: server.url("/hook")), token: "tk_s3cret")
        rig.add(.ntfy(url: topic.url("/topic")), token: "tk_topic")
        rig.runner.hear(rig.event())
        #expect(rig.run { server.requests.count == 1 && rig.runner.runningCount == 0 })
        rig.reactor.advance(by: .seconds(10))
        #expect(rig.finish())
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer tk_s3cret", "Bearer tk_s3cret"])
        #expect(topic.requests.map { $0.header("Authorization") } == ["Bearer tk_topic"])
        #expect(other.acceptCount == 0)
        #expect(rig.notices == [.failed(hook: 0, .gap, why: "its server answered 302 Moved")])
    }

    /// Redirects are not followed.
    @Test(
        "A refusal is reported without the address and is not tried again",
        arguments: [
            (OriginScript.Step.failure(404, "Not \u{1b}[2JFound"), "its server answered 404 Not [2JFound"),
            (.failure(401, ""), "its server answered 401"),
            (.redirect(to: "/other", code: 307), "its server answered 307 Moved"),
            (.redirect(to: "http://169.254.169.254/"), "its server answered 302 Moved"),
            (.send(Array("nonsense\r\n\r\n".utf8)), "the request has failed (protocol-violation)"),
        ])
    func refusal(answer: OriginScript.Step, why: String) throws {
        let server = try ScriptedOrigin([.request, answer])
        rig.add(.post(url: server.url("/secret")))
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.notices == [.failed(hook: 0, .gap, why: why)])
        #expect(server.acceptCount == 1)
    }

    @Test(
        "H15: An event is kept and sent again if its server is at fault or busy",
        arguments: [408, 425, 429, 500, 502, 503, 504, 507, 520])
    func faultyServer(status: Int) throws {
        let server = try ScriptedOrigin(
            [.request, .failure(status, "")], [.request, .head("HTTP/1.1 204 No Content")])
        rig.add(.post(url: server.url("/hook")))
        let event = rig.event()
        rig.runner.hear(event)
        #expect(rig.run { server.requests.count == 1 && rig.runner.runningCount == 0 })
        #expect(rig.runner.waiting["events"]?.arrayValue?.map { $0["event"] } == [event.json])
        rig.reactor.advance(by: .seconds(10))
        #expect(rig.run { server.requests.count == 2 && rig.runner.isIdle })
        #expect(server.requests.last?.body == event.json.encoded() && rig.notices.isEmpty)
        #expect(rig.runner.waiting["events"] == [])
    }

    @Test("An attempt that fails for lack of descriptors is repeated, one that cannot succeed is not") func shortage() {
        func isRepeated(_ code: TransferError.Code) -> Bool {
            HookOutcome(.failure(.failed(TransferError(code, ""))), .seconds(1)).isWorthRepeating
        }
        #expect(isRepeated(.resources) && isRepeated(.dropped) && !isRepeated(.badURL))
    }

    @Test("A failure of the network is tried again after ten seconds") func networkFailure() throws {
        let port = try ClosedPort()
        let server = try ScriptedOrigin([.request, .reset], [.request, .head("HTTP/1.1 204 No Content")])
        rig.add(.post(url: "http://127.0.0.1:\(port.number)/secret"))
        rig.add(.post(url: server.url("/hook")))
        // Another hook, which must not be delayed.
        rig.add(.command([try rig.script("hook", "touch $here/done")]))
        rig.runner.hear(rig.event())
        #expect(rig.run { (try? rig.folder.read("done")) != nil && server.acceptCount == 1 })
        #expect(rig.run { rig.runner.runningCount == 0 } && rig.notices.isEmpty)
        rig.reactor.advance(by: .milliseconds(9_900))
        #expect(rig.run { server.requests.count == 2 && !rig.notices.isEmpty })
        #expect(server.requests.first?.body == server.requests.last?.body)
        #expect(rig.notices == [.failed(hook: 0, .gap, why: "its server refuses connections")])
    }

    @Test("An alert is tried again for hours, and all that waited are sent soon after one has arrived")
    func longOutage() throws {
        let pauses = [10, 30, 60, 120, 300, 300, 300]
        let outage = [[OriginScript.Step]](repeating: [.request, .reset], count: 2 * (pauses.count + 1))
        let back = [[OriginScript.Step]](repeating: [.request, .head("HTTP/1.1 204 No Content")], count: 3)
        let server = try ScriptedOrigin(connections: outage + back)
        rig.add(.post(url: server.url("/hook")))
        for cause in ["first", "second"] { rig.runner.hear(rig.event(cause)) }
        for (attempts, pause) in pauses.enumerated() {
            #expect(rig.run { server.requests.count == 2 * (attempts + 1) && rig.runner.isIdle })
            rig.reactor.advance(by: .seconds(pause) + .milliseconds(100))
        }
        #expect(rig.run { server.requests.count == outage.count && rig.runner.isIdle })
        rig.runner.hear(rig.event("third"))
        #expect(rig.run { server.requests.count == outage.count + 3 && rig.runner.isIdle })
        let sent = try server.requests.suffix(3).map { try JSONValue(parsing: $0.body, limit: 10_000)["cause"] }
        #expect(sent == ["first", "second", "third"])
        #expect(rig.runner.waiting["events"] == [])
    }

    @Test("An alert that is a day old is given up") func staleAlert() throws {
        // The age of an event is known only if the clock was set.
        rig.reactor.stepWall(to: WallInstant(nanoseconds: 1_795_636_800_000_000_000))
        let port = try ClosedPort()
        rig.add(.post(url: "http://127.0.0.1:\(port.number)/secret"))
        var event = rig.event()
        event.at = CivilTime(rig.reactor.wallNow - .seconds(86_395), in: FixedZone.utc)
        rig.runner.hear(event)
        #expect(rig.run { rig.runner.isIdle })
        #expect(rig.runner.waiting["events"]?.arrayValue?.count == 1 && rig.failures.isEmpty)
        rig.reactor.advance(by: .seconds(10))
        #expect(rig.run { rig.runner.waiting["events"] == [] } && rig.failures.count == 1)
    }

    @Test("Gaps that are gathered elsewhere wait, too") func gathered() throws {
        rig.add(.command(["/bin/true"]))
        let event = rig.event("the line is down", .gap)
        rig.runner.gathered = { [event] }
        #expect(rig.runner.waiting["events"]?.arrayValue?.map { $0["event"] } == [event.json])
    }

    @Test("Alerts that wait survive a restart, without any secret in the file") func restartedDaemon() throws {
        let first = try HookRig()
        let server = try ScriptedOrigin([.request, .reset], [.request, .head("HTTP/1.1 204 No Content")])
        let stored = Watched(JSONValue.null)
        first.runner.onChange = { [runner = first.runner] in stored.change { $0 = runner.waiting } }
        first.add(.post(url: server.url("/s3cret")), token: "tk_s3cret")
        var event = first.event("the line is down", .gap)
        event.files = ["/srv/radio/a.mp3"]
        event.from = CivilTime(first.reactor.wallNow, in: FixedZone.utc)
        event.seconds = 1.5
        first.runner.hear(event)
        #expect(first.run { server.requests.count == 1 && first.runner.runningCount == 0 })
        #expect(first.run { stored.value["events"]?.arrayValue?.count == 1 })
        first.runner.close()
        #expect(!stored.value.text().contains("s3cret"))

        let next = try HookRig()
        next.add(.command(["/bin/false"]))
        next.add(.post(url: server.url("/s3cret")), token: "tk_s3cret")
        next.runner.resume(try JSONValue(parsing: stored.value.encoded(), limit: 10_000))
        #expect(next.run { server.requests.count == 2 && next.runner.isIdle })
        #expect(server.requests.last?.body == event.json.encoded())
        #expect(server.requests.last?.target == "/s3cret" && next.notices.isEmpty)
    }

    @Test("H15: After a restart, each hook gets its own events, even if one server has the addresses of several hooks")
    func sameServer() throws {
        let hooks: [HookSettings.Action] = [
            .post(url: "http://a/s3cret"), .post(url: "http://a/s3cret?s3cret=2"), .ntfy(url: "http://a/s3cret"),
            .ntfy(url: "http://a/s3cret2"), .command(["/bin/x", "s3cret"]), .command(["/bin/x", "s3cret2"]),
        ]
        for hook in hooks { rig.add(hook) }
        let event = rig.event()
        rig.runner.gathered = { [event] }
        let stored = rig.runner.waiting
        #expect(!stored.text().contains("s3cret"))
        let changed = hooks.dropFirst().map { HookSettings(events: ["gap"], action: $0) }
        let read = [HookJob](json: stored, changed, at: rig.reactor.readClocks())
        #expect(read.map(\.hook) == [0, 1, 2, 3, 4])
    }

    /// A silence before or within the response head ends with the deadline, and so does the second attempt.
    @Test("A server that does not answer is left at the deadline") func noAnswer() throws {
        for steps in [[OriginScript.Step.request, .stall(Gate())], [.request, .send([0x48]), .stall(Gate())]] {
            let rig = try HookRig()
            let server = try ScriptedOrigin(steps)
            rig.add(.post(url: server.url("/secret")), deadline: .seconds(60))
            rig.runner.hear(rig.event())
            for attempt in 1...2 {
                #expect(rig.run { server.requests.count == attempt })
                rig.reactor.advance(by: .seconds(60))
                if attempt == 1 { #expect(rig.run { rig.runner.runningCount == 0 }) }
                if attempt == 1 { rig.reactor.advance(by: .seconds(10)) }
            }
            #expect(rig.finish() && rig.failures.count == 1)
            #expect(rig.failures.first?.hasPrefix("its server ") == true)
        }
    }

    @Test("An address that cannot be used is reported") func unusableAddress() throws {
        for url in ["", "ftp://127.0.0.1/x", "http://x/\r\nHost: y", "http://169.254.169.254/"] {
            rig.add(.post(url: url))
            rig.add(.ntfy(url: url))
        }
        rig.runner.hear(rig.event())
        #expect(rig.finish() && rig.failures.count == 8)
        #expect(rig.failures.last == "its server has an address to which Aircheck does not connect")
        #expect(rig.failures.count { $0 == "its address cannot be used" } == 6)
    }
}
