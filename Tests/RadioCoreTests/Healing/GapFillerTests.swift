// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Testing

@testable import RadioCore

/// Which frames that were not delivered fill a gap. The frames 100 to 129 of a programme are missing.
struct GapFillerTests {
    @Test("Frames that fit on both sides fill the gap", arguments: [.seconds(3), nil, .seconds(1)] as [Duration?])
    func bothSides(length: Duration?) throws {
        var station = Station(length)
        station.add(Array(85..<140))
        let found = try #require(station.found.first)
        #expect(station.found.count == 1 && found.numbers == Array(100..<130) && found.before == 100)
        #expect(found.continuesBefore && found.isContinuedAfter && found.rest == .zero)
        #expect(found.batch.count == 30 && found.length == .seconds(3) && !station.filler.hasGaps)
    }

    @Test("Of a list of the user, no more than is missing is taken: it may have adverts of its own")
    func fromElsewhere() {
        for (length, count) in [(Duration.seconds(3), 30), (.milliseconds(2_600), 30), (.seconds(1), 0)] {
            var station = Station(length)
            station.add(Array(85..<140), fromElsewhere: true)
            let found = station.found.map(\.numbers.count)
            #expect(found == (count > 0 ? [count] : []), "\(length)")
            #expect(station.filler.hasGaps == (count == 0), "\(length)")
        }
    }

    @Test("Frames that fit behind the frame before the gap leave a gap after them") func onlyLeft() throws {
        var station = Station(.seconds(3))
        station.add(Array(85..<120))
        let found = try #require(station.found.first)
        #expect(found.numbers == Array(100..<120) && found.continuesBefore && !found.isContinuedAfter)
        #expect(found.rest == .seconds(1) && station.filler.hasGaps)
    }

    @Test("More audio than is kept at once fills a gap, if it comes in its order, however long that takes")
    func longGap() throws {
        let end = 200_000
        var station = Station(.seconds(20_000), after: Array(100 + end..<120 + end))
        var next = 90
        while next < end + 110 {
            station.add(Array(next..<min(next + 3_000, end + 110)), size: 256)
            next += 3_000
            station.now = station.now + .seconds(30)
        }
        let found = station.found.reduce(0) { $0 + $1.batch.count }
        #expect(found == end && station.filler.bytes <= 16 << 20 && !station.filler.hasGaps)
        #expect(station.found.last?.isContinuedAfter == true && station.found.allSatisfy(\.continuesBefore))
    }

    @Test("Titles that came within found frames are found, too") func titles() throws {
        var station = Station(.seconds(3))
        station.add(Array(85..<105), then: .title("A"))
        station.add(Array(105..<140), then: .title("B"))
        let found = try #require(station.found.last)
        #expect(found.numbers == Array(105..<130) && found.titles.map(\.text) == ["A"])
        #expect(found.titles.map(\.frame) == [0] && found.dropping(.seconds(1))?.titles.isEmpty == true)
    }

    @Test("Frames that fit before the frame after the gap leave a gap before them") func onlyRight() throws {
        var station = Station(.seconds(3))
        station.add(Array(110..<140))
        let found = try #require(station.found.first)
        #expect(found.numbers == Array(110..<130) && !found.continuesBefore && found.isContinuedAfter)
        #expect(found.rest == .seconds(1) && station.filler.hasGaps)
    }

    @Test("Before frames that leave no more of a gap than a frame's length, nothing is missing") func shortRest() throws
    {
        var station = Station(.milliseconds(2_090))
        station.add(Array(110..<140))
        let found = try #require(station.found.first)
        #expect(found.numbers == Array(110..<130) && found.continuesBefore && found.isContinuedAfter)
        #expect(found.rest == .zero && !station.filler.hasGaps)
    }

    @Test("Frames that fit on one side are not used if they are longer than the gap, or than the time that has passed")
    func tooLong() {
        for length in [.seconds(1), nil] as [Duration?] {
            for spare in [Array(85..<115), Array(115..<140)] {
                var station = Station(length, most: .seconds(1))
                station.add(spare)
                #expect(station.found.isEmpty && station.filler.hasGaps)
            }
        }
    }

    @Test("What fits on one side of a gap of unknown length is used, and the rest is unknown") func unknownLength()
        throws
    {
        for (spare, expected) in [(85..<115, 100..<115), (115..<140, 115..<130)] {
            var station = Station(nil, most: .seconds(4))
            station.add(Array(spare))
            let found = try #require(station.found.first)
            #expect(found.numbers == Array(expected) && found.rest == nil && station.filler.hasGaps)
            #expect(found.continuesBefore != found.isContinuedAfter)
        }
    }

    @Test("Frames that arrived during the gap, and fit on no side, are put in after a while, in their order")
    func within() {
        for length in [.seconds(3), nil] as [Duration?] {
            var station = Station(length, most: .seconds(4))
            station.add(Array(105..<110), awaiting: 100, at: .milliseconds(500))
            station.add(Array(112..<120), of: 2, awaiting: 100, at: .milliseconds(1_200))
            #expect(station.found.isEmpty, "a side may still be found")
            station.now = station.now + .seconds(4)
            station.deliver(Array(150..<160))
            #expect(station.found.map(\.numbers) == [Array(105..<110), Array(112..<120)])
            #expect(station.found.allSatisfy { $0.isWithin && $0.rest == nil && $0.before == 100 })
            #expect(!station.filler.hasGaps)
        }
    }

    @Test(
        "Time tells on which side of such frames the rest of the gap is missing, if not on both",
        arguments: [(-1, 0), (0, 0), (1, nil), (5, nil), (9, nil), (10, 1), (12, 1)] as [(Int, Int?)])
    func sides(tenths: Int, whole: Int?) throws {
        var station = Station(.seconds(3))
        station.add(Array(105..<125), awaiting: 100, at: .milliseconds(tenths * 100))
        station.now = station.now + .seconds(4)
        station.deliver(Array(150..<160))
        let found = try #require(station.found.first)
        #expect(found.continuesBefore == (whole == 0) && found.isContinuedAfter == (whole == 1))
        #expect(found.rest == whole.map { _ in .seconds(1) } && station.found.count == 1)
    }

    @Test("Frames that fit on no side are not used if they aired at another time, are too long, or were delivered")
    func notWithin() {
        let others: [(frames: Range<Int>, awaited: Int64, at: Int?)] = [
            (105..<110, 99, 500), (1_000..<1_040, 100, 0), (131..<135, 100, 1_000), (105..<110, 100, nil),
            (105..<110, 100, 3_000), (105..<110, 100, -500),
        ]
        for (frames, awaited, at) in others {
            var station = Station(.seconds(3))
            station.add(Array(frames), awaiting: awaited, at: at.map { .milliseconds($0) })
            station.now = station.now + .seconds(4)
            station.deliver(Array(150..<160))
            #expect(station.found.isEmpty && station.filler.hasGaps)
        }
    }

    @Test("At the end, frames that fit on no side are not put in if nothing has shown yet that they are not elsewhere")
    func withinAtTheEnd() {
        var station = Station(.seconds(3))
        station.add(Array(105..<110), awaiting: 100, at: .milliseconds(500))
        station.deliver([], isOver: true)
        #expect(station.found.isEmpty)
    }

    @Test("Fewer than eight frames prove a side if the connection begins or ends with them")
    func fewAtSide() throws {
        for (frames, expected) in [(98..<110, 100..<110), (120..<132, 120..<130), (98..<132, 100..<130)] {
            var station = Station(.seconds(3))
            station.add(Array(frames))
            #expect(try #require(station.found.first).numbers == Array(expected))
            #expect(station.filler.hasGaps == (expected.count < 30))
        }
        // A single frame proves nothing.
        for frames in [99..<110, 120..<131] {
            var station = Station(.seconds(3))
            station.add(Array(frames))
            #expect(station.found.isEmpty)
        }
    }

    @Test("A gap that is told again, also after it was filled, gets no audio twice") func toldAgain() {
        for spare in [80..<115, 85..<140] {
            var station = Station(nil, most: .seconds(4))
            station.add(Array(spare))
            let found = station.found.map(\.numbers)
            station.tell(.seconds(3))
            station.add(Array(spare), of: 2)
            #expect(found.count == 1 && station.found.map(\.numbers).prefix(1) == found[...])
            #expect(Set(station.found.flatMap(\.numbers)).count == station.found.flatMap(\.numbers).count)
        }
    }

    @Test("Frames that are all alike fit nowhere") func silence() {
        let quiet = Array(repeating: 7, count: 20)
        var station = Station(.seconds(3), before: quiet, after: quiet)
        station.add(quiet + Array(100..<130) + quiet)
        #expect(station.found.isEmpty && station.filler.hasGaps)
    }

    @Test("Frames of another format, and those between which something is missing, are not used") func otherFormat() {
        var station = Station(.seconds(3))
        station.add(Array(85..<140), .init(codec: .mp3, sampleRate: 44_100, channels: 2))
        station.add(Array(85..<110), of: 2, then: .missing(samples: nil))
        station.add(Array(110..<140), of: 2)
        #expect(station.found.flatMap(\.numbers) == Array(100..<110), "those before the missing audio fit")
    }

    @Test("Two connections fill one gap, in any order") func twoSpares() {
        for isReversed in [false, true] {
            var station = Station(.seconds(3))
            let spares = [Array(85..<117), Array(112..<140)]
            for (number, spare) in (isReversed ? spares.reversed() : spares).enumerated() {
                station.add(spare, of: number)
            }
            #expect(Set(station.found.flatMap(\.numbers)) == Set(100..<130), "\(isReversed)")
            #expect(station.found.reduce(0) { $0 + $1.numbers.count } == 30, "no frame twice, \(isReversed)")
        }
    }

    @Test("A connection that brings missing audio little by little fills the gap with each frame once")
    func growing() {
        for count in [1, 3, 5, 12] {
            var station = Station(.seconds(3))
            for start in stride(from: 80, to: 150, by: count) { station.add(Array(start..<start + count)) }
            #expect(station.found.flatMap(\.numbers) == Array(100..<130), "\(count) at a time")
            #expect(!station.filler.hasGaps)
        }
    }

    @Test("Frames of which fewer than eight were delivered before the gap are put in once") func fewBefore() {
        var station = Station(.seconds(3))
        station.add(Array(95..<140))
        #expect(station.found.flatMap(\.numbers) == Array(100..<130))
    }

    @Test("Frames are put in once those behind the gap are known") func earlySpare() {
        var station = Station(.seconds(3), after: Array(130..<134))
        station.add(Array(85..<133))
        #expect(station.found.isEmpty)
        station.deliver(Array(134..<150))
        #expect(station.found.flatMap(\.numbers) == Array(100..<130))
    }

    @Test("What a source left out on all connections is the rest of a gap, also if a connection fits on both sides")
    func leftOut() throws {
        var station = Station(.seconds(3))
        station.add(Array(85..<110) + Array(130..<140))
        let found = try #require(station.found.first)
        #expect(found.numbers == Array(100..<110) && !found.isContinuedAfter && found.rest == .seconds(2))
        #expect(station.found.count == 1 && station.filler.hasGaps)
    }

    @Test("A gap in which nothing is missing is withdrawn") func nothingMissing() throws {
        var station = Station(nil)
        station.add(Array(85..<100) + Array(130..<140))
        let found = try #require(station.found.first)
        #expect(found.numbers.isEmpty && found.batch.count == 0 && found.length == .zero && found.rest == .zero)
        #expect(found.continuesBefore && found.isContinuedAfter && !station.filler.hasGaps)
    }

    @Test("A gap is over once the time shows that nothing is missing, or once no more than a frame is left of it")
    func over() throws {
        var station = Station(nil, most: .seconds(4))
        #expect(station.filler.rest(ofGapBefore: 100, length: .milliseconds(40)) == .zero)
        #expect(!station.filler.hasGaps && station.filler.rest(ofGapBefore: 100, length: .seconds(1)) == nil)
        station = Station(.milliseconds(2_090))
        station.add(Array(85..<120))
        #expect(station.found.map(\.rest) == [.milliseconds(90)] && station.filler.hasGaps)
        station.now = station.now + .seconds(4)
        station.deliver(Array(150..<160))
        #expect(station.found.map(\.rest) == [.milliseconds(90), .zero] && station.found[1].batch.count == 0)
        #expect(!station.filler.hasGaps)
    }

    @Test("Frames and gaps are forgotten after two minutes") func forgotten() {
        var station = Station(.seconds(3))
        station.add(Array(200..<240))
        station.now = station.now + .seconds(5)
        station.deliver(Array(150..<190))
        #expect(station.filler.hasGaps && station.filler.bytes > 0)
        station.now = station.now + .seconds(116)
        station.deliver(Array(190..<200))
        #expect(station.found.isEmpty && !station.filler.hasGaps && station.filler.bytes == 0)
    }

    @Test("While somebody looks for its audio, a gap stays open for ten minutes") func search() throws {
        for isLate in [false, true] {
            var station = Station(.seconds(3))
            for _ in 0..<5 {
                station.now = station.now + .seconds(115)
                station.filler.noteSearch(station.now)
                station.deliver([])
                #expect(station.filler.hasGaps)
            }
            station.now = station.now + .seconds(isLate ? 30 : 20)
            station.filler.noteSearch(station.now)
            station.add(Array(85..<140))
            #expect(station.found.map(\.numbers) == (isLate ? [] : [Array(100..<130)]) && !station.filler.hasGaps)
        }
        var other = Station(.seconds(3))
        other.filler.noteSearch(other.now + .seconds(60))
        other.now = other.now + .seconds(175)
        other.deliver([])
        #expect(other.filler.hasGaps)
        other.now = other.now + .seconds(10)
        other.deliver([])
        #expect(!other.filler.hasGaps, "nobody has looked for two minutes")
    }
}

/// A programme with a gap, and what was found for it. Each frame plays a tenth of a second, and consists of its number.
private struct Station {
    var filler = GapFiller()
    var found: [FoundAudio] = []
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private var memory = FrameMemory()
    private var end: Int64 = 100
    /// When the gap began.
    private let began: MonotonicInstant
    private static let format = StreamFormat(codec: .aac, sampleRate: 44_100, channels: 2)

    init(_ length: Duration?, most: Duration = .zero, before: [Int] = Array(80..<100), after: [Int] = Array(130..<150))
    {
        began = now - (length ?? most)
        for number in before { memory.append(mark(number)) }
        filler.note(
            gapBefore: end, length: length, most: most, in: memory, Self.format, from: began, now)
        deliver(after)
    }

    /// Tells the gap again, which now has this length.
    mutating func tell(_ length: Duration) {
        filler.note(
            gapBefore: 100, length: length, in: memory, back: Int(end - 100), Self.format, from: began, now)
        found += filler.search(memory, upTo: end, now) { _ in .zero }
    }

    mutating func deliver(_ numbers: [Int], isOver: Bool = false) {
        for number in numbers { memory.append(mark(number)) }
        end += Int64(numbers.count)
        found += filler.search(memory, upTo: end, isOver: isOver, now) { _ in .zero }
    }

    mutating func add(
        _ numbers: [Int], of connection: Int = 1, _ format: StreamFormat = Self.format, then part: StreamPart? = nil,
        awaiting frame: Int64? = nil, at time: Duration? = nil, size: Int = 1, fromElsewhere: Bool = false
    ) {
        var parts = StreamParts()
        parts.append(.format(format))
        for number in numbers {
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size).withUnsafeBytes {
                parts.append(FrameBatch(FrameFacts(samples: 4_410, mark: mark(number)), length: size), $0)
            }
        }
        if let part { parts.append(part) }
        let awaited = frame.map { [(frame: $0, frames: 0..<numbers.count)] } ?? []
        var spare = SpareFrames(run: 0, format, parts, awaited: awaited)
        (spare.connection, spare.isFromElsewhere) = (connection, fromElsewhere)
        spare.start = time.map { began + $0 }
        filler.add(spare, now)
        found += filler.search(memory, upTo: end, now) { _ in .zero }
    }

    private func mark(_ number: Int) -> FrameMark {
        FrameMark(fingerprint: UInt64(number), nanoseconds: 100_000_000)
    }
}

extension FoundAudio {
    fileprivate var numbers: [Int] { bytes.map(Int.init) }
}
