// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Daemon

struct CauseTests {
    private static func cause(_ from: Double, _ until: Double, _ text: String) -> RecordingResult.Cause {
        let start = WallInstant(nanoseconds: 0)
        return .init(span: start + .seconds(from)..<start + .seconds(until), text: text)
    }

    private static func divided(_ known: [RecordingResult.Cause], least: Duration = .zero) -> [RecordingResult.Cause] {
        cause(10, 20, "").span.divided(by: known, least: least) { [.init(span: $0, text: "other")] }
    }

    @Test("A span has the known causes inside it, the earlier of two first, and others for the rest") func known() {
        #expect(Self.divided([]) == [Self.cause(10, 20, "other")])
        #expect(Self.divided([Self.cause(1, 10, "a"), Self.cause(20, 21, "b")]) == [Self.cause(10, 20, "other")])
        #expect(
            Self.divided([Self.cause(16, 30, "b"), Self.cause(12, 17, "a"), Self.cause(13, 14, "c")]) == [
                Self.cause(10, 12, "other"), Self.cause(12, 17, "a"), Self.cause(17, 20, "b"),
            ])
    }

    @Test("Neighbours with one text are one cause") func neighbours() {
        #expect(Self.divided([Self.cause(9, 12, "a"), Self.cause(12, 20, "a")]) == [Self.cause(10, 20, "a")])
        #expect(Self.divided([Self.cause(12, 20, "other")]) == [Self.cause(10, 20, "other")])
    }

    @Test("A part that is too short has the cause beside it") func short() {
        let known = [Self.cause(10.2, 12, "a"), Self.cause(12.2, 19.8, "b")]
        #expect(
            Self.divided(known, least: .milliseconds(500)) == [Self.cause(10, 12, "a"), Self.cause(12, 20, "b")])
        #expect(Self.divided([], least: .seconds(11)).isEmpty)
    }
}
