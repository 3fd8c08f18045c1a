// SPDX-License-Identifier: MIT

import Instants
import Platform
import RadioCore
import RadioFormats

/// Reads a file from a position on, as fast as its steps are taken. Confined to the reader's thread, because all calls
/// block.
final class ItemFraming: StepSource {
    private let file: FileReader
    private let content: ContentGuess
    private var parts: ItemParts
    private var steps = StepBuffer()
    private(set) var opening: ItemOpening
    private var offset: Int64 = 0
    /// Whether all of the file has been read.
    private(set) var isOver = false
    /// Whether the end has been reached, but the file may still grow.
    private(set) var isWaiting = false
    /// Whether the file is over because it has not grown for a while, and does not say that it is whole.
    private(set) var mayBeIncomplete = false
    private let path: String
    private var growth: FileGrowth
    /// What the file of this size says about its end.
    private var extent: (size: Int64, value: AudioFileFacts.Extent)

    private static let chunk = 64 << 10
    /// The longest part in front of the audio, with tags and pictures.
    private static let longestHead = 64 << 20

    /// Opens a file to read from `start`, or from its first byte if that position cannot be found.
    init(_ path: String, from start: Duration) throws(Failure) {
        file = try FileReader(path)
        self.path = path
        let size = file.size ?? 0
        let now = MonotonicInstant.read()
        let lastChange = file.age.map { now - $0 } ?? MonotonicInstant(nanoseconds: .min)
        growth = FileGrowth(path, size: size, lastChange: lastChange)
        content = try Self.content(file, path)
        var facts = try file.facts(content, size: file.size)
        extent = (size, facts?.extent ?? .unknown)
        // A download is described as it will be when it is complete.
        if let found = facts, growth.isPromised(extent.value, now: now) {
            facts = try file.facts(content, size: found.statedEnd)
        }
        let begin = facts?.firstPlace ?? SeekPlace(offset: 0, sample: 0)
        // The title of a tag at the file's end.
        let title = TitleText.repaired(facts?.title ?? "")
        parts = ItemParts(PartFramer(content, facts?.start(at: begin)), title: title.isEmpty ? nil : title)
        opening = ItemOpening(facts: facts, place: begin, start: .zero, isGrowing: growth.isRecording)
        offset = begin.offset
        defer { steps.append(.opened(opening)) }
        guard let facts, start > .zero else { return }
        let early = max(.zero, start - ItemOpening.warmUp)
        let sample = Int64(early.inSeconds * Double(facts.sampleRate))
        guard let place = try file.place(of: sample, facts), place.offset > facts.audioStart else {
            // The file is read from its first byte, and played from `start`.
            opening.start = start
            return
        }
        (opening.place, opening.start) = (place, start)
        if let inside = facts.start(at: place) {
            parts = ItemParts(PartFramer(inside), title: title.isEmpty ? nil : title)
        } else {
            try takeHead(facts.container)
        }
        offset = place.offset
    }

    /// Reads the title from the start of the file, and the format that a decoder needs. Ignores the frames there.
    private func takeHead(_ container: Container) throws(Failure) {
        while parts.format == nil, offset < Self.longestHead {
            let bytes = try file.bytes(FileRead(offset: offset, count: 4 << 10))
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            _ = bytes.withUnsafeBytes { parts.push($0) }
        }
        parts.restart(container)
    }

    private static func content(_ file: FileReader, _ path: String) throws(Failure) -> ContentGuess {
        let head = try file.bytes(FileRead(offset: 0, count: StreamRecognizer.limit))
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        let guess = head.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        switch guess {
        case .audio, .wrapped: return guess
        case .unsupported(let name): throw Failure(unsupported: name)
        case .hls:
            throw Failure(
                .unsupported, "it is a list of an HLS stream, which is played from its address on the web alone",
                remedy: "give its address, or join its segments with ffmpeg -i LIST -c copy FILE")
        case .playlist:
            throw Failure(.notAudio, "playlists within playlists are not supported", remedy: "give the inner list")
        case .html, .json, .xml, .text, .unknown, .undecided:
            throw Failure(
                .notAudio, head.isEmpty ? "it is empty" : "it is not audio that can be played",
                remedy: "give audio files, such as MP3, AAC, Ogg or FLAC")
        }
    }

    func next() -> MediaStep? {
        if let step = steps.take() { return step }
        guard !isOver else { return nil }
        do throws(Failure) {
            let found = try read()
            if let bytes = parts.takeAttachments() { steps.append(.leftOut(bytes: bytes, of: path)) }
            if mayBeIncomplete { steps.append(.mayBeIncomplete) }
            if !found.isEmpty {
                steps.append(.parts(found))
            } else if isWaiting {
                steps.append(.idle(Self.growthInterval))
            }
            if isOver { steps.append(.ended(parts.hasFrames ? nil : Self.noAudio)) }
        } catch {
            isOver = true
            steps.append(.ended(error))
        }
        return steps.take()
    }

    func close() { isOver = true }

    private static let noAudio = Failure(
        .notAudio, "it holds no audio", remedy: "give audio files, such as MP3, AAC, Ogg or FLAC")
    /// How often a file that may still grow is read again.
    private static let growthInterval = Duration.milliseconds(250)

    /// Reads once, and returns the parts of that read.
    func read() throws(Failure) -> StreamParts {
        // The name is checked before the read. Nothing is written after the recording has been renamed, so a read that
        // begins later reaches the end.
        let hasName = growth.isRecording && file.isAt(path)
        let bytes = try file.bytes(FileRead(offset: offset, count: Self.chunk))
        offset += Int64(bytes.count)
        var found = bytes.withUnsafeBytes { parts.push($0) }
        let hasWaited = isWaiting
        isWaiting = bytes.count < Self.chunk ? try mayGrow(hasName: hasName) : false
        if bytes.count < Self.chunk, !isWaiting {
            mayBeIncomplete = hasWaited && !growth.isRecording && extent.value != .whole
            found.append(parts.finish())
            isOver = true
        }
        if case .unsupported(let name) = parts.content { throw Failure(unsupported: name) }
        guard !parts.lacksAudio else {
            throw Failure(.notAudio, "too much of it is not audio", remedy: "give audio files, or repair this file")
        }
        return found
    }

    private func mayGrow(hasName: Bool) throws(Failure) -> Bool {
        let size = max(offset, file.size ?? 0)
        if !growth.isRecording, size != extent.size {
            extent = (size, try file.facts(content, size: size)?.extent ?? .unknown)
        }
        return growth.mayProceed(size: size, extent: extent.value, hasName: hasName, now: .read())
    }
}
