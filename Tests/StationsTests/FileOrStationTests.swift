// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// What is a file, and what only looks like one, judged by what servers send, in virtual time.
struct FileOrStationTests {
    private static let programme = Broadcast([.music(.seconds(230))])
    private static let heard = HeardFrames(of: programme)
    /// A file of a minute.
    private static let file = Broadcast([.music(.seconds(60))])
    private static let heardFile = HeardFrames(of: file)

    /// The head of a file. It offers byte ranges only with `ranges`.
    private static func head(
        _ status: Int = 200, length: Int, ranges: Bool = true, _ fields: [(String, String)] = []
    ) -> LiveHead {
        var head = LiveHead(status, status == 206 ? "Partial Content" : "OK", ["Content-Type": "audio/mpeg"])
        head.fields.append(("Content-Length", "\(length)"))
        if ranges { head.fields.append(("Accept-Ranges", "bytes")) }
        head.fields += fields
        return head
    }

    private func run(_ script: LiveScript, hearing heard: HeardFrames, for length: Duration) -> VirtualStation.Outcome {
        VirtualStation(script, hearing: heard).run(for: length)
    }

    // MARK: Resumes

    /// What the server answers to the request for the rest of a file.
    enum Rest: CaseIterable {
        case part, whole, refused, partOfOtherTag, partFromElsewhere, otherPart, otherWhole, shorter, nothing
    }

    /// The server breaks off after `cut` bytes of the file. It answers the next request as `rest` says.
    private func resume(_ rest: Rest, after cut: Int) -> (outcome: VirtualStation.Outcome, other: Broadcast) {
        let other = Broadcast([.music(.seconds(30))], MPEGShape(128, sampleRate: 48_000))
        let bytes = Self.file.bytes
        let script = LiveScript { visit in
            if visit.number == 0 {
                return .response(Self.head(length: bytes.count, [("ETag", "\"1\"")]), body: Array(bytes[..<cut]))
            }
            let whole = LiveScript.Answer.response(Self.head(length: other.bytes.count), body: other.bytes)
            let own = LiveScript.Answer.response(Self.head(length: bytes.count), body: bytes)
            guard let place = visit.resumeAt else { return [.part, .whole, .refused].contains(rest) ? own : whole }
            func part(_ place: Int, tag: String, of body: ArraySlice<UInt8>) -> LiveScript.Answer {
                let range = "bytes \(place)-\(bytes.count - 1)/\(bytes.count)"
                return .response(
                    Self.head(206, length: body.count, [("Content-Range", range), ("ETag", tag)]), body: Array(body))
            }
            switch rest {
            case .part: return part(place, tag: "\"1\"", of: bytes[place...])
            case .whole: return own
            case .refused: return .status(403, "Forbidden")
            case .partOfOtherTag: return part(place, tag: "\"2\"", of: bytes[place...])
            case .partFromElsewhere: return part(place + 4_096, tag: "\"1\"", of: bytes[(place + 4_096)...])
            case .otherPart: return part(place, tag: "\"1\"", of: other.bytes[place...])
            case .otherWhole: return whole
            case .shorter: return .response(Self.head(length: cut - 10_000), body: Array(bytes[..<(cut - 10_000)]))
            case .nothing: return .status(416, "Range Not Satisfiable")
            }
        }
        return (run(script, hearing: Self.heardFile, for: .seconds(600)), other)
    }

    @Test(
        "A23: The rest of a file continues it if the bytes prove that it is the rest",
        arguments: [Rest.part, .whole, .refused])
    func proven(rest: Rest) {
        for cut in [3_000, 100_000, 417 * 1_000, 500_001] {
            let (outcome, _) = resume(rest, after: cut)
            #expect(outcome.isWhole && outcome.report.places.count == Self.file.frames.count, "\(cut): \(outcome)")
            // Of a short beginning, the whole file is requested again anyway.
            let requests = rest == .refused && cut > 5_120 ? 3 : 2
            #expect(outcome.hasFinished && outcome.log.accepts.count == requests, "\(cut): \(outcome)")
        }
    }

    @Test(
        "A23: A body that does not continue a file is kept whole behind a gap, like a station",
        arguments: [Rest.partOfOtherTag, .partFromElsewhere, .otherPart, .otherWhole, .shorter, .nothing])
    func unproven(rest: Rest) {
        let (outcome, other) = resume(rest, after: 100_000)
        // All whole frames of the first file and all frames of the other one are delivered once.
        var end = 0
        let whole = Self.file.frames.prefix { frame in
            end += frame.bytes.count
            return end <= 100_000
        }
        #expect(outcome.report.places.compactMap(\.self) == Array(0..<whole.count), "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        #expect(outcome.report.foreign == other.frames.count, "\(outcome)")
        // The rest of the first file is missing, and the other file does not show how much that is.
        #expect(outcome.heard.gaps.map(\.length) == [nil], "\(outcome)")
        // The new file arrives whole and faster than it plays. If the answer to the request for the rest was already
        // such a file, the file is not fetched again.
        #expect(outcome.hasFinished && outcome.log.accepts.count == (rest == .otherWhole ? 2 : 3), "\(outcome)")
    }

    // MARK: Stations that look like files

    /// A live station that sends the head of a file, and answers any request with the audio on air.
    private func lying(_ faults: [LiveFault], status: Int = 200, ranges: Bool = true) -> LiveScript {
        LiveScript { visit in
            var stream = LiveStream(Self.programme, faults: faults)
            stream.head = Self.head(length: 1 << 31, ranges: ranges)
            if let place = visit.resumeAt, status == 206 {
                stream.head = Self.head(206, length: 1 << 31, [("Content-Range", "bytes \(place)-/\(1 << 31)")])
            }
            return .stream(stream)
        }
    }

    @Test(
        "A23: A station under a file's head continues after a cut without losing what its burst covers",
        arguments: [200, 206])
    func lyingStation(status: Int) {
        let outcome = run(
            lying([.inFrame(after: .seconds(40), .reset)], status: status), hearing: Self.heard, for: .seconds(180))
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 4 && outcome.heard.splices.count >= 4, "\(outcome)")
        let length = Duration.samples(Int64(outcome.report.places.count * 1_152), at: 44_100)
        #expect(length >= .seconds(180), "\(length)")
    }

    @Test("A23: A long-running station under a file's head is recognized on its next connection, which is kept whole")
    func lyingForLong() throws {
        let fields = [("content-length", "\(1 << 31)"), ("accept-ranges", "bytes")]
        let (programme, other) = (SampleProgramme(200), SampleProgramme(300, seed: 2))
        let station = VirtualStation.byHand()
        let before = try station.connection(0)
        // The first connection sends 20 MiB and a piece of a frame.
        let much = 20 << 20
        while station.heard.audio.count < much { before.bring(programme.bytes, fields: fields, isStation: false) }
        before.receive(programme.bytes[..<200])
        let heard = station.heard.audio.count / 417
        before.end(TransferError(.dropped, "it broke off"))
        station.reactor.advance(by: .seconds(1))

        let now = try station.connection(1)
        #expect(now.request.resumeAt ?? 0 >= Int64(much))
        // The audio arrives at real-time pace from its first byte on, which lies inside a frame.
        var rest = other.bytes[100...]
        while !rest.isEmpty {
            now.bring(Array(rest.prefix(417)), fields: fields, isStation: false)
            rest = rest.dropFirst(417)
            station.reactor.advance(by: .samples(1_152, at: 44_100))
        }
        #expect(!now.isCancelled && station.origin.log.accepts.count == 2)
        #expect(Array(station.heard.audio[(heard * 417)...]) == other.frames(1..<299))
        #expect(station.heard.gaps.count == 1 && station.heard.infos.last?.kind == .live)
        let length = try #require(station.heard.gaps.first?.length)
        #expect(abs((length - .seconds(1)).inSeconds) < 0.1, "\(length)")
        #expect(station.heard.gaps.first?.tried.count == 1)
    }

    @Test("A23: A supposed file that proves to be a station is announced as live and is no longer paused")
    func unpaused() throws {
        let programme = SampleProgramme(200)
        let fields = [("content-length", "83400"), ("accept-ranges", "bytes")]
        let station = VirtualStation.byHand()
        try station.connection(0).bring(programme.frames(0..<100), fields: fields, isStation: false)
        station.station.pause(for: station.sink)
        #expect(try station.connection(0).isPaused)
        station.station.resume(for: station.sink)
        #expect(try !station.connection(0).isPaused)
        try station.connection(0).end(TransferError(.dropped, "it broke off"))
        station.reactor.advance(by: .seconds(1))
        #expect(station.heard.infos.map(\.kind) == [.finite])
        // This is neither the requested part nor the whole file, so it is not a file.
        let fault = [("content-range", "bytes 5-83399/83400")]
        for number in 1...2 {
            #expect(station.heard.infos.map(\.kind) == [.finite])
            try station.connection(number).receiveHead(206, interval: nil, fields: fields + fault, isStation: false)
            station.reactor.advance(by: .milliseconds(10))
        }
        #expect(station.heard.infos.map(\.kind) == [.finite, .live])
        station.reactor.advance(by: .seconds(1))
        station.station.pause(for: station.sink)
        #expect(try !station.connection(3).isPaused)
        try station.connection(3).bring(programme.frames(90..<200))
        station.reactor.advance(by: .seconds(1))
        #expect(station.heard.audio == programme.frames(0..<199) && station.heard.gaps.isEmpty)
    }

    @Test("A23: A silent station under a file's head has one gap beyond its burst, and hedges from then on")
    func silentStation() throws {
        let outcome = run(lying([.at(.seconds(20), .stall)]), hearing: Self.heard, for: .seconds(180))
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        #expect(outcome.report.disorders == 0 && outcome.snapshot.hedges >= 5, "\(outcome)")
        let missing = Duration.samples(Int64(outcome.report.lost.count * 1_152), at: 44_100)
        let length = try #require(outcome.heard.gaps.first?.length)
        #expect(abs((missing - length).inSeconds) < 0.5, "\(missing) \(length)")
        #expect(outcome.heard.gaps.first?.cause == "the station stopped sending audio")
    }

    @Test("A23: A partial response that was not requested is not taken for a file")
    func unasked() {
        var stream = LiveStream(Self.programme, faults: [.at(.seconds(8), .stall)])
        stream.head = Self.head(
            206, length: 1 << 31, ranges: false, [("Content-Range", "bytes 0-\(1 << 31 - 1)/\(1 << 31)")])
        let outcome = run(LiveScript(.stream(stream)), hearing: Self.heard, for: .seconds(45))
        #expect(outcome.isWhole && outcome.snapshot.hedges >= 4, "\(outcome)")
    }

    // MARK: Files that look like stations

    /// How fast a file arrives, and whether it pauses on the way.
    enum Pace: CaseIterable {
        case atOnce, tenTimes, slightlyFaster, slowWithHiccup, withStall
    }

    @Test("A24: A file from a server without range support is fetched once", arguments: Pace.allCases)
    func noRanges(pace: Pace) {
        let bytes = Self.file.bytes
        var stream = LiveStream(Self.file, burst: 0)
        stream.head = Self.head(length: bytes.count, ranges: false)
        switch pace {
        case .atOnce: stream.speed = (10_000, nil)
        case .tenTimes: stream.speed = (10, nil)
        case .slightlyFaster: stream.speed = (1.3, nil)
        case .slowWithHiccup:
            stream.speed = (1.3, nil)
            stream.faults = [.at(.seconds(20), .stall), .at(.seconds(22), .resume)]
        case .withStall:
            stream.speed = (10, nil)
            stream.faults = [.at(.seconds(2), .stall), .at(.seconds(4), .resume), .at(.seconds(4.5), .stall)]
        }
        var script = LiveScript { [stream] visit in
            visit.number == 0 ? .stream(stream) : .response(Self.head(length: bytes.count, ranges: false), body: bytes)
        }
        script.onAir = .zero
        let outcome = run(script, hearing: Self.heardFile, for: .seconds(600))
        #expect(outcome.isWhole && outcome.report.places.count == Self.file.frames.count, "\(outcome)")
        #expect(outcome.hasFinished, "\(outcome)")
        // The silence on the way opens a hedge.
        #expect(outcome.log.accepts.count == (pace == .withStall ? 2 : 1), "\(outcome)")
    }

    /// How the server of a file that breaks off answers the requests for the rest.
    enum Resumes: CaseIterable {
        case without, withoutLength, withPartOfOtherTag, withPartOfNowhere
    }

    /// A server whose responses break off after these numbers of bytes, in turn.
    private static func cutting(_ cuts: [Int], _ resumes: Resumes = .without) -> LiveScript {
        let bytes = programme.bytes
        let isPart = resumes == .withPartOfOtherTag || resumes == .withPartOfNowhere
        var whole = head(length: bytes.count, ranges: resumes != .without, [("ETag", "\"1\"")])
        if resumes == .withoutLength { whole.fields.removeAll { $0.0 == "Content-Length" } }
        var script = LiveScript { [whole] visit in
            if isPart, let place = visit.resumeAt {
                let range = ("Content-Range", "bytes \(place)-\(bytes.count - 1)/\(bytes.count)")
                let fields = resumes == .withPartOfOtherTag ? [("ETag", "\"2\""), range] : [("ETag", "\"1\"")]
                return .response(head(206, length: bytes.count - place, fields), body: Array(bytes[place...]))
            }
            let number = min(isPart ? (visit.number + 1) / 2 : visit.number, cuts.count - 1)
            let cut = LiveFault.afterBytes(cuts[number], cuts[number] < bytes.count ? .reset : .close)
            var stream = LiveStream(programme, burst: 0, faults: [cut], lag: visit.time, speed: (10_000, nil))
            stream.head = whole
            return .stream(stream)
        }
        script.onAir = .zero
        return script
    }

    @Test(
        "A37: A file longer than two minutes that breaks off is resumed from its start where no rest of it is sent",
        arguments: Resumes.allCases, [true, false])
    func resumedFromStart(_ resumes: Resumes, isRecorded: Bool) {
        let script = Self.cutting([2_400_000, 1_000_000, 3_000_000, Self.programme.bytes.count], resumes)
        let rig =
            isRecorded
            ? Self.recorded(script, hearing: Self.heard) : VirtualStation(script, hearing: Self.heard)
        let outcome = rig.run(for: .seconds(120))
        // Where only a station is expected, the end of a body without a length proves nothing.
        if isRecorded, resumes == .withoutLength { return #expect(outcome.report.disorders <= 1, "\(outcome)") }
        #expect(outcome.report.exactStretch?.count == Self.programme.frames.count, "\(outcome)")
        #expect(outcome.heard.stretches.isEmpty && outcome.hasFinished != isRecorded, "\(outcome)")
        if !isRecorded { #expect(outcome.isWhole, "\(outcome)") }
    }

    @Test("A37: A file that always breaks off at the same place is kept once, and its rest is a gap")
    func alwaysCut() {
        let outcome = VirtualStation(Self.cutting([2_400_000]), hearing: Self.heard) { $0.giveUp = .seconds(300) }
            .run(for: .seconds(600))
        #expect(outcome.report.exactStretch.map { $0.count * 417 / 100_000 } == 23, "\(outcome)")
        #expect(outcome.heard.gaps.map(\.length) == [nil], "\(outcome)")
        #expect(outcome.heard.failure?.failureClass == .dropped, "\(outcome)")
        // A station that has begun at the address is received, and nothing of it is lost.
        let later = Self.later
        let file = Self.cutting([2_400_000])
        let script = LiveScript { visit in visit.number < 5 ? file.answer(visit) : .stream(LiveStream(later)) }
        let station = VirtualStation(script, hearing: HeardFrames(of: later)).run(for: .seconds(45))
        #expect(station.report.duplicated.isEmpty && station.report.disorders == 0, "\(station)")
        #expect(station.report.places.count > 1_500 && station.heard.gaps.count == 1, "\(station)")
    }

    /// What follows a head that announces no length, and how it ends.
    enum Lengthless: CaseIterable {
        case file, slowerFile, shortFile, cutFile, radioServer, burstOfAMinute, secondConnection
    }

    @Test("A24: A file without a length is fetched once if it is longer than any burst", arguments: Lengthless.allCases)
    func lengthless(_ what: Lengthless) {
        var stream = LiveStream(Self.programme, burst: 0)
        stream.head = LiveHead(200, "OK", ["Content-Type": "audio/mpeg"])
        stream.speed = (100, nil)
        switch what {
        case .file, .secondConnection: break
        case .slowerFile: stream.speed = (12, nil)
        case .shortFile: stream.programme = Self.file
        case .cutFile: stream.faults = [.afterBytes(16_000 * 200, .reset)]
        case .radioServer: stream.head.fields.append(("icy-br", "128"))
        case .burstOfAMinute:
            stream.burst = 16_000 * 60
            stream.speed = (1, nil)
            stream.faults = [.afterBytes(16_000 * 80, .close)]
        }
        let isFile = what == .file || what == .slowerFile
        var station = LiveStream(Self.programme, faults: [.at(.seconds(20), .close)])
        station.head = stream.head
        var script = LiveScript { [stream, station] visit in
            .stream(what == .secondConnection && visit.number == 0 ? station : stream)
        }
        script.onAir = what == .burstOfAMinute ? .seconds(90) : .zero
        let outcome = run(script, hearing: what == .shortFile ? Self.heardFile : Self.heard, for: .seconds(25))
        #expect(outcome.hasFinished == isFile, "\(outcome)")
        if isFile {
            #expect(outcome.isWhole && outcome.report.places.count == Self.programme.frames.count, "\(outcome)")
        }
        #expect((outcome.log.accepts.count == 1) == isFile, "\(outcome)")
    }

    /// The head of a file, with a length or without.
    private static func plainHead(hasLength: Bool) -> LiveHead {
        var head = head(length: file.bytes.count, ranges: false)
        if !hasLength { head.fields.removeAll { $0.0 == "Content-Length" } }
        return head
    }

    @Test("A24: A file that broke off without a length is over where a body has all of it", arguments: [true, false])
    func brokenBeginning(hasLength: Bool) {
        let (bytes, head) = (Self.programme.bytes, LiveHead(200, "OK", ["Content-Type": "audio/mpeg"]))
        let beginning = Array(bytes[..<320_000])
        let script = LiveScript { visit in
            if visit.number == 0 { return .response(head, body: beginning) }
            return .response(hasLength ? Self.head(length: bytes.count, ranges: false) : head, body: bytes)
        }
        let outcome = run(script, hearing: Self.heard, for: .seconds(60))
        #expect(outcome.isWhole && outcome.report.places.count == Self.programme.frames.count, "\(outcome)")
        #expect(outcome.hasFinished && outcome.log.accepts.count == 2, "\(outcome)")
        // A beginning that a cache sends again, with a length, proves nothing, however long it is.
        let long = Array(bytes[..<2_400_000])
        var cut = LiveStream(Self.programme, burst: bytes.count, faults: [.afterBytes(long.count, .reset)])
        cut.head = head
        var cached = LiveScript { [cut] visit in
            visit.number == 0 ? .stream(cut) : .response(Self.head(length: long.count, ranges: false), body: long)
        }
        cached.onAir = .seconds(200)
        let again = run(cached, hearing: Self.heard, for: .seconds(30))
        #expect(!again.hasFinished && again.log.accepts.count > 1, "\(again)")
        // Where only a station is expected, all of it is repeated once at most.
        let rig = Self.recorded(script, hearing: Self.heard).run(for: .seconds(60))
        #expect(rig.report.places.count <= 2 * Self.programme.frames.count && !rig.hasFinished, "\(rig)")
    }

    @Test(
        "A24: A body that comes twice unchanged ends the programme for a player but not for a recording",
        arguments: [true, false])
    func repeated(isPlayed: Bool) {
        let script = LiveScript(.response(Self.plainHead(hasLength: false), body: Self.file.bytes))
        let outcome = VirtualStation(script, hearing: Self.heardFile) {
            $0.endsWhereRepeated = isPlayed
        }.run(for: .seconds(30))
        #expect(outcome.report.exactStretch?.count == Self.file.frames.count, "\(outcome)")
        #expect(outcome.hasFinished == isPlayed, "\(outcome)")
        if isPlayed { #expect(outcome.log.accepts.count == 2) }
    }

    // MARK: Files at the addresses of stations

    /// A programme other than that of the files.
    private static let later = Broadcast([.music(.seconds(90))], MPEGShape(128, sampleRate: 48_000))

    /// A station that must not be a file, as in a configuration.
    private static func recorded(_ script: LiveScript, hearing heard: HeardFrames) -> VirtualStation {
        VirtualStation(script, hearing: heard) { $0.allowsFinite = false }
    }

    @Test("A26: A file at a station's address is recorded once", arguments: [true, false])
    func fileForStation(ranges: Bool) {
        let bytes = Self.programme.bytes
        let script = LiveScript(.response(Self.head(length: bytes.count, ranges: ranges), body: bytes))
        let rig = Self.recorded(script, hearing: Self.heard)
        rig.station.start()
        rig.reactor.advance(by: .seconds(3_600))
        let position = rig.station.hub.position
        let outcome = rig.end()
        #expect(outcome.report.exactStretch?.count == Self.programme.frames.count, "\(outcome)")
        #expect(position.bytes == Int64(bytes.count) && outcome.snapshot.reconnects == 0, "\(outcome)")
        let failure = outcome.snapshot.lastFailure
        #expect(failure?.failureClass == .file, "\(outcome)")
        #expect(failure?.message == "http://radio.test/live is a file of 3m50s, not a live station", "\(outcome)")
        #expect(failure?.remedy.hasSuffix("trying this address, in case a live stream begins there") == true)
        // Like any address without audio, it is tried often at first, and every minute later.
        #expect((240...360).contains(outcome.log.accepts.count), "\(outcome)")
        #expect(!outcome.hasFinished && outcome.heard.gaps.count <= 1, "\(outcome)")
    }

    @Test("A26: A station or another file that replaces a file at the address is recorded", arguments: [true, false])
    func stationAfterFile(isStation: Bool) {
        let (file, later) = (Self.programme, Self.later)
        let script = LiveScript { visit in
            if visit.number < 5 {
                return .response(Self.head(length: file.bytes.count, ranges: false), body: file.bytes)
            }
            if isStation { return .stream(LiveStream(later)) }
            return .response(Self.head(length: later.bytes.count, ranges: false), body: later.bytes)
        }
        let outcome = Self.recorded(script, hearing: HeardFrames(of: later)).run(for: .seconds(45))
        #expect(outcome.report.foreign == file.frames.count, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        let played = Duration.samples(Int64(outcome.report.places.count * 1_152), at: 48_000)
        #expect(played >= .seconds(40), "\(outcome)")
        // After the other file, the station is unavailable until the end.
        #expect(outcome.heard.gaps.count == (isStation ? 1 : 2), "\(outcome)")
    }

    /// What only looks like a file at a station's address.
    enum Doubtful: CaseIterable {
        case hugeLength, noLength, endsEarly, radioServer, shortConnections, announcement
    }

    @Test(
        "A26: A station whose head lies is not taken for a file, and none of it is lost", arguments: Doubtful.allCases)
    func doubtful(_ what: Doubtful) {
        var stream = LiveStream(Self.programme, faults: [.at(.seconds(40), .close)])
        let length =
            switch what {
            case .hugeLength: 2_147_483_647
            case .noLength: 0
            case .endsEarly: 16_000 * 3_600
            case .radioServer: 16_000 * 40
            // The connections last for a burst and two seconds.
            case .shortConnections: 65_536 + 32_000
            case .announcement: Self.file.bytes.count
            }
        stream.head = Self.head(length: length, ranges: false, what == .radioServer ? [("icy-br", "128")] : [])
        if what == .radioServer || what == .shortConnections { stream.faults = [.afterBytes(length, .close)] }
        let script = LiveScript { [stream] visit in
            guard what == .announcement, visit.number < 3 else { return .stream(stream) }
            return .response(Self.head(length: length, ranges: false), body: Self.file.bytes)
        }
        let outcome = Self.recorded(script, hearing: Self.heard).run(for: .seconds(120))
        #expect(outcome.snapshot.lastFailure?.failureClass != .file, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
        let played = Duration.samples(Int64(outcome.report.places.count * 1_152), at: 44_100)
        #expect(played >= .seconds(what == .announcement ? 110 : 118), "\(played) \(outcome)")
    }

    @Test("A26: A file no longer than a burst is fetched again but recorded once", arguments: [20, 60, 110])
    func shortFileForStation(seconds: Int) {
        let file = Broadcast([.music(.seconds(seconds))])
        let script = LiveScript(.response(Self.head(length: file.bytes.count, ranges: false), body: file.bytes))
        let outcome = Self.recorded(script, hearing: HeardFrames(of: file)).run(for: .seconds(60))
        #expect(outcome.report.exactStretch?.count == file.frames.count, "\(outcome)")
        #expect(outcome.log.accepts.count > 10 && !outcome.hasFinished, "\(outcome)")
    }

    // MARK: Held back

    @Test("A24: A source that is faster than any station can be paused, and a station cannot", arguments: [1.0, 20])
    func heldBack(speed: Double) {
        var stream = LiveStream(Self.programme)
        stream.head = Self.plainHead(hasLength: false)
        stream.speed = (speed, nil)
        let rig = VirtualStation(LiveScript(.stream(stream)), hearing: Self.heard)
        rig.station.start()
        rig.reactor.advance(by: .seconds(9))
        let waiter = Waiter()
        rig.station.pause(for: waiter)
        rig.reactor.advance(by: .milliseconds(100))
        let before = rig.station.hub.position.frames
        rig.reactor.advance(by: .seconds(30))
        #expect((rig.station.hub.position.frames == before) == (speed > 1))
        rig.station.resume(for: waiter)
        rig.reactor.advance(by: .seconds(1))
        #expect(rig.station.hub.position.frames > before)
        // The pause has not made a station of it.
        rig.station.pause(for: waiter)
        rig.reactor.advance(by: .milliseconds(100))
        let later = rig.station.hub.position.frames
        rig.reactor.advance(by: .seconds(30))
        #expect((rig.station.hub.position.frames == later) == (speed > 1))
        #expect(rig.end().snapshot.reconnects == 0)
    }

    private final class Waiter: StreamSink {
        func receive(_ event: StreamEvent) {}
        let tolerance: Duration? = nil
    }

    @Test(
        "A24: A station whose connections end after exactly the announced length is not taken for a file",
        arguments: [8, 25])
    func stationOfLength(seconds: Int) {
        var stream = LiveStream(Self.programme, faults: [.afterBytes(16_000 * seconds, .close)])
        stream.head = Self.head(length: 16_000 * seconds, ranges: false)
        let outcome = run(LiveScript(.stream(stream)), hearing: Self.heard, for: .seconds(120))
        #expect(outcome.isWhole && !outcome.hasFinished, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 4, "\(outcome)")
    }
}

extension VirtualStation.Outcome {
    /// Whether the programme ended by itself.
    fileprivate var hasFinished: Bool { heard.hasEnded && snapshot.activity == .stopped }
}
