// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import RadioCore
import Testing
import Words

/// The messages that people get about an event.
struct HookWordsTests {
    private func event(_ name: EventName) -> HookEvent {
        let zone = FixedZone(offset: 3600, identifier: "test")
        var event = HookEvent(name, at: WallInstant(nanoseconds: 1_795_636_800_000_000_000), in: zone)
        event.stationName = "Radio X"
        event.showName = "Jazz Hour"
        return event
    }

    @Test("The message of an event with all its facts is a few lines") func wholeEvent() {
        var event = event(.recordingFinished)
        event.files = ["/a/b.mp3"]
        event.seconds = 3598.5
        event.bytes = 86_400_000
        event.gaps = 2
        event.cause = "the end"
        let message = Wording.message(event)
        #expect(message.title == "Recorded Jazz Hour on Radio X")
        #expect(
            message.body == """
                Jazz Hour on Radio X was recorded: 59:58, 86.4 MB, 2 gaps.
                Why: the end
                When: \(event.at.rfc3339)
                File:
                  /a/b.mp3
                """)
    }

    @Test("The message of several gaps has their number") func gapCount() {
        var event = event(.gap)
        event.gaps = 12
        #expect(Wording.message(event).title == "12 gaps in the recording of Jazz Hour on Radio X")
        #expect(Wording.message(event).body.hasPrefix("Audio of Jazz Hour on Radio X is missing, in 12 gaps.\n"))
        event.seconds = 48
        #expect(Wording.message(event).body.hasPrefix("48 seconds of Jazz Hour on Radio X are missing, in 12 gaps.\n"))
        event.gaps = nil
        #expect(Wording.message(event).title == "A gap in the recording of Jazz Hour on Radio X")
        #expect(Wording.message(event).body.hasPrefix("48 seconds of Jazz Hour on Radio X are missing.\n"))
    }

    @Test(
        "The length of a short gap is given in tenths of a second",
        arguments: [
            (1.2, "1.2 seconds"), (8.2, "8.2 seconds"), (9.96, "9.9 seconds"), (48.7, "48 seconds"),
            (200, "3 min 20 s"),
            (-1, "0.0 seconds"), (.infinity, "277777777 h 46 min"),
        ])
    func shortGap(seconds: Double, words: String) {
        var event = event(.gap)
        event.seconds = seconds
        #expect(Wording.message(event).body.hasPrefix("\(words) of Jazz Hour on Radio X are missing.\n"))
    }

    @Test("The message of an incomplete show has the missing time and the files") func incompleteShow() {
        var event = event(.recordingIncomplete)
        event.seconds = 720
        event.recordings = ["r1", "r2"]
        event.files = ["/a/b.mp3", "/a/c.mp3"]
        #expect(
            Wording.message(event).body == """
                Jazz Hour on Radio X was recorded, but 12 min of it are missing.
                When: \(event.at.rfc3339)
                Files:
                  /a/b.mp3
                  /a/c.mp3
                """)
    }

    @Test("Unknown facts are left out of the message") func unknownFacts() {
        for name in EventName.all {
            let bare = HookEvent(name, at: WallInstant(nanoseconds: 0), in: FixedZone.utc)
            #expect(!Wording.message(bare).title.isEmpty)
            #expect((Wording.message(bare).tag == "white_check_mark") == name.isGood, "\(name)")
            #expect(Wording.message(bare).body.hasSuffix("When: 1970-01-01T00:00:00.000Z"))
        }
    }

    /// Text from outside stays within its line, and messages stay small.
    @Test("Hostile text in an event is made harmless and short") func hostileText() {
        for name in EventName.all {
            var event = event(name)
            let evil = "-f $(reboot)\r\nBcc: all@example.org\r\n.\r\n\u{1b}[2J\u{202e}é"
            event.stationName = evil
            event.showName = evil + String(repeating: "ü", count: 5000)
            event.cause = evil + String(repeating: "ä", count: 100_000)
            event.files = (0..<600).map { "/\($0)\n" + String(repeating: "p", count: 600) }
            (event.seconds, event.bytes, event.gaps) = (.infinity, .max, .max)
            let message = Wording.message(event)
            #expect(message.title.utf8.count <= 200)
            #expect(!message.title.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202e}" })
            #expect(message.body.utf8.count <= 4096 && message.body.split(separator: "\n").count <= 10)
            #expect(!message.body.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
        var odd = event(.gap)
        for seconds in [-1, .nan, -.infinity] as [Double] {
            odd.seconds = seconds
            #expect(Wording.message(odd).body.hasPrefix("0"))
        }
    }
}
