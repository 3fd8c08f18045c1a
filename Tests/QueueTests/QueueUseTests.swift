// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import Instants
import Playback
import RadioCore
import Stations
import TestSupport
import TestTools
import Testing

@testable import Queue

/// Queues with real files, a real server and a real sound server.
@Suite(.timeLimit(.minutes(2)))
struct QueueUseTests {
    private let rig: QueueUseRig

    init() throws { rig = try QueueUseRig() }

    @Test("A folder is played in its order, and each item to its end") func folder() async throws {
        try await rig.make("b/10 - Two.mp3", seconds: 0.5)
        try await rig.make("b/9 - One.opus", seconds: 0.5)
        try await rig.make("b/11 - Three.flac", seconds: 0.5)
        let outcome = try await rig.play([rig.folder.file("b")])
        #expect(outcome.failure == nil && outcome.items?.map(\.title) == ["One", "Two", "Three"])
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd, .playedToItsEnd])
        for item in outcome.items ?? [] {
            #expect(abs(item.heard.inSeconds - 0.5) < 0.1, "\(item)")
        }
    }

    @Test("Files are named by their tags, or by the list if it names them") func titles() async throws {
        for (number, ending) in ["mp3", "ogg", "opus", "flac"].enumerated() {
            try await rig.make("b/\(number).\(ending)", seconds: 0.4, title: "Song \(number)")
        }
        try rig.folder.write("b/list.m3u", "#EXTM3U\n#EXTINF:1,Mine\n0.mp3\n1.ogg\n")
        var began: [String?] = []
        let songs = (0..<4).map { "Ann - Song \($0)" }
        let folder = try await rig.play([rig.folder.file("b")]) { _, notice in
            if case .began(let item, _) = notice { began.append(item.title) }
        }
        #expect(folder.items?.map(\.title) == songs && began == songs)
        let list = try await rig.play([rig.folder.file("b/list.m3u")])
        #expect(list.items?.map(\.title) == ["Mine", songs[1]])
    }

    @Test("A file of several links is played whole, and so is the file after it", arguments: ["ogg", "opus"])
    func links(ending: String) async throws {
        try await rig.make("1.\(ending)", seconds: 0.6)
        try await rig.make("2.\(ending)", seconds: 0.9)
        let links = try ["1", "2", "1"].map { try bytes(ofFile: rig.folder.file("\($0).\(ending)")) }
        try rig.folder.write("chain.\(ending)", links.flatMap(\.self))
        let outcome = try await rig.play(["chain", "2"].map { rig.folder.file("\($0).\(ending)") })
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd])
        #expect(abs(outcome.player.heard.inSeconds - 3) < 0.1, "\(outcome.player.heard)")
        #expect(outcome.player.underruns == 0)
    }

    @Test("Joined files are played whole, from the disk and from the web", arguments: [true, false])
    func joined(isOnDisk: Bool) async throws {
        try await rig.make("1.mp3", seconds: 0.6)
        let part = try bytes(ofFile: rig.folder.file("1.mp3"))
        try rig.folder.write("joined.mp3", part + part + part)
        let server = try NginxServer(serving: rig.folder.path)
        let source = isOnDisk ? rig.folder.file("joined.mp3") : "http://127.0.0.1:\(server.port)/joined.mp3"
        let outcome = try await rig.play([source])
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd])
        // The padding within the file is heard, which is less than a tenth of a second for each part.
        let heard = outcome.player.heard.inSeconds
        #expect(heard > 1.75 && heard < 2.1, "\(heard)")
    }

    @Test("A folder continues at the item at which it was left, and begins anew once it was played to its end")
    func continuesList() async throws {
        let state = rig.folder.file("state")
        for number in 1...3 { try await rig.make("b/\(number).mp3", seconds: 1.5) }
        let book = rig.folder.file("b")
        func heard(_ stop: String?, isFromStart: Bool = false) async throws -> [String?] {
            let outcome = try await rig.play([book], state: state, isFromStart: isFromStart) { rig, notice in
                if case .began(let item, _) = notice, item.title == stop { rig.end() }
            }
            return outcome.items?.map(\.title) ?? []
        }
        #expect(try await heard("2") == ["1", "2"])
        #expect(try await heard("2") == ["2"])
        #expect(try await heard("1", isFromStart: true) == ["1"])
        #expect(try await heard(nil) == ["1", "2", "3"])
        #expect(try await heard("1") == ["1"])
    }

    @Test("An episode that was heard or skipped is not played again, and a number asks for one")
    func heardEpisodes() async throws {
        let state = rig.folder.file("state")
        for number in 1...3 { try await rig.make("\(number).mp3", seconds: 0.8) }
        let items = (1...3).map { number in
            "<item><title>Episode \(number)</title><guid>urn:test:episode-of-a-test-\(number)</guid>"
                + "<enclosure url=\"\(number).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        func write(_ items: some Sequence<String>) throws {
            try rig.folder.write(
                "feed.xml",
                "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
            )
        }
        let server = try NginxServer(serving: rig.folder.path)
        let feed = "http://127.0.0.1:\(server.port)/feed.xml"
        try write(items.dropFirst())
        var isSkipped = false
        let first = try await rig.play([feed], state: state) { rig, notice in
            guard case .began(let item, _) = notice, item.title == "Episode 2", !isSkipped else { return }
            isSkipped = true
            rig.ask(.next)
        }
        #expect(first.items?.map(\.title) == ["Episode 2", "Episode 3"])
        try write(items)
        #expect(try await rig.play([feed], state: state).items?.map(\.title) == ["Episode 1"])
        let none = try await rig.play([feed], state: state)
        #expect(none.items?.isEmpty == true && none.failure?.message.contains("all 3 episodes") == true)
        let again = try await rig.play([feed], state: state, item: 3)
        #expect(again.items?.map(\.title) == ["Episode 3"])
        #expect(try await rig.play([feed], state: state, item: 4).failure?.message.contains("3 items") == true)
    }

    @Test(
        "B35: What is left out of a file that is played is said once, with the file's name", arguments: [true, false])
    func attachments(isFolder: Bool) async throws {
        try await rig.make("b/a.opus", seconds: 0.5, cover: 1_500_000)
        if isFolder { try await rig.make("b/b.opus", seconds: 0.5, cover: 1_000) }
        let outcome = try await rig.play([rig.folder.file(isFolder ? "b" : "b/a.opus")])
        #expect(outcome.failure == nil && outcome.items?.count == (isFolder ? 2 : 1))
        #expect(rig.leftOut.count == 1 && rig.leftOut.first??.contains("a") == true, "\(rig.leftOut)")
    }

    @Test("An item that cannot be played is passed over, and having nothing to play is a failure")
    func unplayable() async throws {
        try await rig.make("a.mp3", seconds: 0.3)
        try rig.folder.write("text.mp3", "this is no audio\n")
        let some = try await rig.play([rig.folder.file("text.mp3"), rig.folder.file("a.mp3")])
        #expect(some.failure == nil && some.items?.map { $0.end == .playedToItsEnd } == [false, true])
        var lines = 0
        let none = try await rig.play([rig.folder.file("text.mp3")]) { _, notice in
            if case .failed = notice { lines += 1 }
        }
        #expect(lines == 1, "with the name of the file")
        #expect(none.failure?.failureClass == .notAudio)
    }

    @Test("A feed of three items is played, and a missing item is passed over", arguments: [true, false])
    func feed(isWhole: Bool) async throws {
        for number in isWhole ? [1, 2, 3] : [1, 3] { try await rig.make("\(number).mp3", seconds: 0.4) }
        let items = (1...3).map {
            "<item><title>Episode \($0)</title><guid>urn:test:episode-number-\($0)</guid>"
                + "<enclosure url=\"\($0).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        try rig.folder.write(
            "feed.xml",
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>")
        let server = try NginxServer(serving: rig.folder.path)
        let outcome = try await rig.play(["http://127.0.0.1:\(server.port)/feed.xml"])
        #expect(outcome.failure == nil)
        #expect(outcome.items?.map(\.title) == ["Episode 1", "Episode 2", "Episode 3"])
        #expect(outcome.items?.map { $0.end == .playedToItsEnd } == [true, isWhole, true])
    }

    @Test(
        "A feed that cannot be played fails with what is wrong with it",
        arguments: [
            ("<rss version=\"2.0\"><channel><title>T<item><enclosure url=\"1.mp3", "no web address of audio"),
            ("<rss version=\"2.0\"><channel><title>T</title></channel></rss>", "no web address of audio"),
            (
                "<rss version=\"2.0\"><channel><item><enclosure url=\"file:///m/a.mp3\" type=\"audio/mpeg\"/></item>"
                    + "</channel></rss>", "no web address of audio"
            ),
        ])
    func badFeed(feed: String, words: String) async throws {
        try rig.folder.write("feed.xml", feed)
        let server = try NginxServer(serving: rig.folder.path)
        let outcome = try await rig.play(["http://127.0.0.1:\(server.port)/feed.xml"])
        #expect(outcome.failure?.message.contains(words) == true, "\(String(describing: outcome.failure))")
    }

    @Test("A playlist of files is a queue, and so are several addresses of files") func playlist() async throws {
        try await rig.make("1.mp3", seconds: 0.4)
        try await rig.make("2.mp3", seconds: 0.4)
        try rig.folder.write("list.m3u", "#EXTM3U\n#EXTINF:1,One\n1.mp3\n#EXTINF:1,Two\n2.mp3\n")
        let server = try NginxServer(serving: rig.folder.path)
        let base = "http://127.0.0.1:\(server.port)"
        let began = Watched<[String?]>([])
        let list = try await rig.play(["\(base)/list.m3u"]) { _, notice in
            if case .began(let item, _) = notice { began.change { $0.append(item.title) } }
        }
        #expect(list.items?.map(\.title) == ["One", "Two"])
        #expect(list.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd])
        #expect(began.value == ["One", "Two"], "nothing is heard before it is known what is to be")
        let several = try await rig.play(["\(base)/1.mp3", "\(base)/2.mp3"])
        #expect(several.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd])
        let skipped = try await rig.play(["\(base)/1.mp3", "\(base)/2.mp3"], asking: [.next])
        #expect(skipped.items?.map(\.source) == ["\(base)/2.mp3"], "a skip before the items are known is remembered")
    }

    @Test("A list that is longer than a station's is read, and the items left out are counted")
    func longList() async throws {
        try await rig.make("1.mp3", seconds: 20)
        try rig.folder.write("list.m3u", String(repeating: "1.mp3\n", count: 15_000))
        let server = try NginxServer(serving: rig.folder.path)
        let notices = Watched<[QueueNotice]>([])
        _ = try await rig.play(["http://127.0.0.1:\(server.port)/list.m3u"]) { rig, notice in
            notices.change { $0.append(notice) }
            if case .began = notice { rig.end() }
        }
        #expect(rig.failures.isEmpty)
        let said: [QueueNotice] = [
            .skipped(item: "5000 more", reason: "a list from the web has at most 10000 items"),
            .list(title: nil, count: 10_000),
        ]
        #expect(Array(notices.value.prefix(2)) == said)
    }

    @Test("Ten of many missing items are reported, and how many more there are") func missingItems() async throws {
        try await rig.make("1.mp3", seconds: 0.3)
        let names = (1...5_000).map { "gone-\($0).mp3\n" }
        try rig.folder.write("list.m3u", names.joined() + "1.mp3\n")
        let skipped = Watched<[String]>([])
        let outcome = try await rig.play([rig.folder.file("list.m3u")]) { _, notice in
            if case .skipped(let item, "there is no such file") = notice { skipped.change { $0.append(item) } }
        }
        #expect(skipped.value.count == 11 && skipped.value.last == "4990 more")
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd])
    }

    @Test("Ten of many items without audio are reported, and how many more there are")
    func itemsWithoutAudio() async throws {
        try await rig.make("z.mp3", seconds: 0.3)
        for number in 1...14 { try rig.folder.write("a\(number).mp3", "text\n") }
        let (failed, skipped) = (Watched(0), Watched<[String]>([]))
        _ = try await rig.play([rig.folder.path]) { _, notice in
            if case .failed = notice { failed.change { $0 += 1 } }
            if case .skipped(let item, _) = notice { skipped.change { $0.append(item) } }
        }
        #expect(failed.value == 10 && skipped.value == ["4 more"])
    }

    @Test(
        "A place that has not arrived yet can be sought, and is played from there",
        arguments: ["mp3", "opus", "ogg", "flac"])
    func seekAhead(ending: String) async throws {
        try await rig.make("long.\(ending)", seconds: 60)
        let server = try NginxServer(serving: rig.folder.path, options: "limit_rate 200k; limit_rate_after 300k;")
        let address = "http://127.0.0.1:\(server.port)/long.\(ending)"
        let outcome = try await rig.play([address]) { rig, notice in
            if case .began = notice { rig.ask(.position(.seconds(59))) }
        }
        #expect(outcome.failure == nil && outcome.items?.map(\.end) == [.playedToItsEnd])
        let heard = outcome.player.heard.inSeconds
        #expect(heard > 0.9 && heard < 6, "\(heard)")
    }

    @Test("An item that was left in the middle begins there, unless the user wants its start")
    func resumedItem() async throws {
        let path = try await rig.makeLong()
        let starts = Watched<[Duration]>([])
        let state = rig.folder.file("state")
        _ = try await rig.play([path], state: state) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.ask(.position(.seconds(40)))
            rig.endSoon()
        }
        _ = try await rig.play([path], state: state) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.endSoon()
        }
        _ = try await rig.play([path], state: state, isFromStart: true) { rig, notice in
            guard case .began(_, let start) = notice else { return }
            starts.change { $0.append(start) }
            rig.endSoon()
        }
        let found = starts.value
        #expect(found.count == 3 && found.first == .zero && found.last == .zero)
        #expect(found.count > 1 && abs(found[1].inSeconds - 40) < 2, "\(found)")
    }

    @Test("An item that was left by a seek beyond its end begins at its start the next time")
    func seekBeyondEnd() async throws {
        for name in ["1", "2"] { try await rig.make("\(name).mp3", seconds: 60) }
        let paths = ["1", "2"].map { rig.folder.file("\($0).mp3") }
        let starts = Watched<[Duration]>([])
        let state = rig.folder.file("state")
        for _ in 0..<2 {
            _ = try await rig.play(paths, state: state) { rig, notice in
                guard case .began(let item, let start) = notice else { return }
                if item.title == "1" {
                    starts.change { $0.append(start) }
                    rig.ask(.position(.seconds(40)))
                    rig.ask(.seek(.seconds(30)))
                } else {
                    rig.end()
                }
            }
        }
        #expect(starts.value == [.zero, .zero])
    }

    @Test("A request about the order after an item that failed does not end the queue")
    func orderAfterFailure() async throws {
        for name in ["1", "3"] { try await rig.make("\(name).mp3", seconds: 4) }
        let origin = try ScriptedOrigin([.request, .failure(404, "Not Found")])
        let sources = [rig.folder.file("1.mp3"), origin.url("/2.mp3"), rig.folder.file("3.mp3")]
        let began = Watched<[String]>([])
        let outcome = try await rig.play(sources) { rig, notice in
            switch notice {
            case .failed where began.value.count == 1:
                for _ in 0..<3 { rig.ask(.changeRepeat) }
            case .began(let item, _): began.change { $0.append(item.title ?? "") }
            default: break
            }
        }
        #expect(began.value == ["1", "3"])
        #expect(outcome.failure == nil && outcome.items?.count == 3)
    }

    @Test("An empty list is not announced, and fails as a source without audio") func emptyList() async throws {
        try rig.folder.write("feed.xml", "<rss><channel></channel></rss>")
        var lists = 0
        let outcome = try await rig.play([rig.folder.file("feed.xml")]) { _, notice in
            if case .list = notice { lists += 1 }
        }
        #expect(lists == 0 && outcome.failure?.failureClass == .notAudio)
    }

    @Test("Positions that cannot be written are reported") func unwritablePositions() async throws {
        let path = try await rig.makeLong()
        let problems = Watched(0)
        _ = try await rig.play([path], state: "/dev/null/state") { rig, notice in
            switch notice {
            case .began:
                rig.ask(.position(.seconds(40)))
                rig.endSoon()
            case .cannotRemember(let failure):
                #expect(failure.failureClass == .storage)
                problems.change { $0 += 1 }
            default: break
            }
        }
        #expect(problems.value == 1)
    }

    @Test("Repeat takes effect even if it is requested during the last item") func lateRepeat() async throws {
        for number in 1...2 { try await rig.make("\(number).mp3", seconds: 4) }
        let began = Watched<[String]>([])
        let outcome = try await rig.play((1...2).map { rig.folder.file("\($0).mp3") }) { rig, notice in
            guard case .began(let item, _) = notice else { return }
            let count = began.change { began in
                began.append(item.title ?? "")
                return began.count
            }
            if count == 2 { rig.ask(.setRepeat(.all)) }
            if count == 4 { rig.end() }
        }
        #expect(began.value == ["1", "2", "1", "2"])
        #expect(outcome.items?.map(\.end) == [.playedToItsEnd, .playedToItsEnd, .playedToItsEnd, .stopped])
    }

    @Test("Next and previous leave the item and begin the other one") func nextAndPrevious() async throws {
        for number in 1...3 { try await rig.make("\(number).mp3", seconds: 20) }
        let began = Watched<[String]>([])
        let outcome = try await rig.play((1...3).map { rig.folder.file("\($0).mp3") }) { rig, notice in
            guard case .began(let item, _) = notice else { return }
            let count = began.change { began in
                began.append(item.title ?? "")
                return began.count
            }
            switch count {
            case 1, 2: rig.ask(.next)
            case 3: rig.ask(.previous)
            default: rig.ask(.pause); rig.end()
            }
        }
        #expect(began.value == ["1", "2", "3", "2"])
        #expect(outcome.items?.map(\.end) == [.skipped, .skipped, .skipped, .stopped])
    }
}
