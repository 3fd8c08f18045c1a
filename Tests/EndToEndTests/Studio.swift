// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import Testing

/// A station to be relayed, with real MP3 of 128 kbit/s. No two frames are equal, each frame decodes alone, and the
/// title changes every three seconds.
struct Studio: Sendable {
    static let name = "Reference Radio"
    static let titlePrefix = "Aircheck - Piece"

    let programme: Broadcast
    let origin: ScriptedOrigin
    private let checker: FrameChecker

    /// The number of frames for each title: some three seconds.
    private static let framesATitle = 115

    /// The programme and its checker. All studios share them, because it takes a moment to make them.
    private static let prepared = Task {
        let reference = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 130, usesReservoir: false))
        var programme = try Broadcast(reference)
        for place in stride(from: 0, to: programme.frames.count, by: framesATitle) {
            programme = programme.title(title(of: place), from: place)
        }
        return (programme, FrameChecker(programme))
    }

    /// Starts the station with these faults in each connection, and with absences in which nothing answers. Metadata
    /// blocks are so frequent that there is one in every frame.
    init(faults: [LiveFault] = [], absences: [LiveScript.Absence] = [], burst: Int = 64 * 1024) async throws {
        (programme, checker) = try await Self.prepared.value
        let stream = LiveStream(
            programme, burst: burst, interval: 400, faults: faults,
            fields: ["icy-name": Self.name, "icy-genre": "Test", "icy-br": "128", "icy-url": "http://radio.example/"])
        origin = try ScriptedOrigin(LiveScript(.stream(stream), absences: absences))
    }

    /// A station without faults, and a relay of it that has audio for listeners. If the relay is not open to everybody,
    /// the call waits only for the relay's connection to the station.
    static func relayed(_ options: [String] = [], isOpen: Bool = true) async throws -> (Studio, Relaying) {
        let studio = try await Studio()
        return (studio, try await studio.relay(options, isOpen: isOpen))
    }

    /// A relay of this station that has audio for listeners.
    func relay(_ options: [String] = [], isOpen: Bool = true, descriptors: Int? = nil) async throws -> Relaying {
        let relay = try await Relaying([origin.url("/studio")], options, descriptors: descriptors)
        if isOpen { try await relay.waitForAudio() } else { try await relay.waitForStation() }
        return relay
    }

    /// The title that is valid for a frame.
    static func title(of place: Int) -> String { "\(titlePrefix) \(place / framesATitle)" }

    /// The place of the first frame that begins at or after this offset in the bytes of a stretch.
    func place(ofFrameAfter offset: Int, in stretch: ClosedRange<Int>) -> Int {
        var (place, start) = (stretch.lowerBound, 0)
        while start < offset, place < stretch.upperBound {
            start += programme.frames[place].bytes.count
            place += 1
        }
        return place
    }

    /// Checks the frames received by a client that left in the middle of the programme.
    func check(_ bytes: [UInt8]) -> FrameReport { checker.check(cutOff: bytes) }

    /// Whether the bytes are one stretch; faster than ``expectStretch(_:seconds:mayBeginInFrame:_:at:)`` for many
    /// listeners.
    func isStretch(_ bytes: [UInt8]) -> Bool {
        guard let first = programme.frames.firstIndex(where: { bytes.starts(with: $0.bytes) }) else { return false }
        let start = programme.byteRange(of: first..<first + 1).lowerBound
        guard bytes.count <= programme.bytes.count - start else { return false }
        return bytes.withUnsafeBytes { heard in
            programme.bytes.withUnsafeBytes { source in
                guard let one = source.baseAddress, let other = heard.baseAddress else { return false }
                return memcmp(one + start, other, heard.count) == 0
            }
        }
    }

    /// Expects every frame once and nothing else, and at least `seconds` of audio. Returns the places of the frames.
    @discardableResult
    func expectStretch(
        _ bytes: [UInt8], seconds: Double, mayBeginInFrame: Bool = false, _ more: String = "",
        at location: SourceLocation = #_sourceLocation
    ) -> ClosedRange<Int>? {
        let found = check(mayBeginInFrame ? fromFirstFrame(bytes) : bytes)
        #expect(found.isExact, "\(found) \(more)", sourceLocation: location)
        let length = Double(found.places.count) * 1152 / 44_100
        #expect(length >= seconds, "\(length) s: \(found) \(more)", sourceLocation: location)
        return found.exactStretch
    }

    private func fromFirstFrame(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.indices.prefix(500).first { start in
            bytes[start] == 0xFF && programme.frames.contains { bytes[start...].starts(with: $0.bytes) }
        }
        return Array(bytes[(start ?? 0)...])
    }
}
