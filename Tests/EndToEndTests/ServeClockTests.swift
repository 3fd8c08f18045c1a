// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The daemon with a wrong clock.
@Suite
struct ServeClockTests {
    private static let starter = ["/usr/bin/env"]
    private static let shape = MPEGShape(128)
    private static let programme = Broadcast([.music(.seconds(600))], shape)

    /// A time on a summer day, in UTC: 08:00 in Berlin is 06:00 UTC.
    private static func instant(_ text: String) throws -> WallInstant {
        let date = try Date("2026-07-01T\(text)Z", strategy: .iso8601)
        return WallInstant(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000)
    }

    private static let shows = """
        record = "always"
        [[station.show]]
        id = "morning"
        name = "morning"
        days = "daily"
        start = "08:00"
        length = "10s"
        zone = "Europe/Berlin"
        template = "morning"
        [[station.show]]
        id = "leapt"
        name = "leapt"
        days = "daily"
        start = "09:30"
        length = "1h30m"
        zone = "Europe/Berlin"
        template = "leapt"
        """

    @Test("A daemon started in 1970 learns the time, and records through two steps of the clock")
    func steps() async throws {
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), Self.shows))
        let clock = try FakedClock(in: serving.folder, at: WallInstant(nanoseconds: 7_200_000_000_000))
        // libfaketime changes the environment of the first process that loads it. A program in Swift finds its
        // arguments by way of the environment, so it must not be that first process.
        try await serving.start(environment: try clock.environment(), by: Self.starter)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("the clock of this machine is not set yet") })
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("[fip] recording to") })

        // The daemon reads the clock every 15 s, if no notification reports that it was set.
        try clock.set(to: Self.instant("05:59:43"))
        #expect(try await waitUntil(.seconds(60)) { serving.log.contains("finished") }, "\(serving.log)")

        // The clock is set past the beginning of the second show, and then back before it.
        try clock.set(to: Self.instant("07:40:00"))
        #expect(try await waitUntil(.seconds(40)) { serving.folder.names(in: "recordings").contains("leapt.mp3.part") })
        try clock.set(to: Self.instant("06:40:00"))
        #expect(try await waitUntil(.seconds(40)) { serving.folder.names(in: "recordings").contains("leapt.mp3") })
        #expect(try await serving.stop().ending == .exited(0))

        let checker = FrameChecker(Self.programme)
        for file in serving.files {
            let frames = checker.check([try serving.folder.read(file)])
            #expect(frames.isExact, "\(file): \(frames)")
        }
        let morning = checker.check([try serving.folder.read("recordings/morning.mp3")])
        let seconds = Double(morning.places.count) * 1152 / Double(Self.shape.sampleRate)
        #expect(abs(seconds - 10) < 0.1, "\(serving.log)")
        let always = serving.files.filter { $0.contains("/fip ") }
        #expect(always.count == 1, "a clock that is set cuts nothing: \(serving.files)")
    }

    @Test("E2: Audio recorded before the clock was set is kept apart, and does not count for retention")
    func early() async throws {
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(
            """
            [[station]]
            id = "fip"
            name = "fip"
            url = "\(origin.url("/fip"))"
            record = "always"
            segment = "4s"
            pure = true
            keep-last = 1

            """)
        let clock = try FakedClock(in: serving.folder, at: WallInstant(nanoseconds: 43_200_000_000_000))
        try await serving.start(environment: try clock.environment(), by: Self.starter)
        #expect(try await waitUntil(.seconds(30)) { serving.log.ranges(of: "finished").count >= 2 })
        try clock.set(to: Self.instant("05:59:43"))
        #expect(
            try await waitUntil(.seconds(60)) {
                serving.files.count { $0.contains("fip 2026-07-01") && $0.hasSuffix(".mp3") } >= 3
            }, "\(serving.files)")
        let listed = try #require(try await serving.object(["recordings"])["recordings"]?.arrayValue)
        let id = try #require(listed.first?["id"]?.stringValue)
        let shown = try await serving.object(["recordings", "show", id])["files"]?.arrayValue ?? []
        let next = try await serving.object(["recordings", "clean"])["deletions"]?.arrayValue ?? []
        #expect(try await serving.stop().ending == .exited(0))

        // The file that was growing when the clock was set is the last of those with an early date.
        let files = serving.files
        let early = files.filter { $0.contains("/fip 1970-01-01 ") }
        let late = files.filter { $0.contains("/fip 2026-07-01 ") }
        #expect(early.count >= 3 && late.count >= 3 && files == early + late, "\(files)")
        let frames = FrameChecker(Self.programme).check(try files.map { try serving.folder.read($0) })
        #expect(frames.isExact, "\(files): \(frames)")
        let years = try serving.sidecars().map { $0["at"]?.stringValue?.prefix(4) }
        #expect(years == early.map { _ in "1970" } + late.map { _ in "2026" }, "\(years)")

        // When it was listed, the catalog contained all files finished by then, and the growing one.
        let cataloged = shown.map { $0["at"]?.stringValue?.prefix(4) }
        #expect(listed.count == 1 && cataloged == Array(years.prefix(cataloged.count)), "\(shown)")
        #expect(cataloged.count >= early.count + 2, "\(shown)")
        let doomed = next.flatMap { $0["files"]?.arrayValue ?? [] }.map { $0.stringValue ?? "" }
        #expect(!doomed.isEmpty && doomed.allSatisfy { $0.hasPrefix("fip 2026-07-01 ") }, "\(doomed)")
    }
}
