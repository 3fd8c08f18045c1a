// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

extension FileReader {
    /// The facts found at the file's two ends and between them; nil if there are none. `size`: the size that the
    /// complete file has.
    func facts(_ content: ContentGuess, size: Int64?) throws(Failure) -> AudioFileFacts? {
        guard var inspection = FileInspection(content, size: size, isThorough: true) else { return nil }
        while let read = inspection.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { inspection.take($0) }
        }
        if let problem = inspection.problem, case .wrapped(let wrapper) = content {
            throw Failure(unsupported: wrapper.words(for: problem))
        }
        return inspection.facts
    }

    /// The facts that the movie box of an MP4 file states, wherever it is; nil for other files.
    func movieFacts(_ name: String) throws(Failure) -> AudioFileFacts? {
        let head = try bytes(FileRead(offset: 0, count: StreamRecognizer.limit))
        let recognizer = StreamRecognizer(contentType: nil, url: name)
        let guess = head.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        return guess == .wrapped(.mp4) ? try facts(guess, size: size) : nil
    }

    /// The place at which to begin reading for `sample`; nil if it cannot be found.
    func place(of sample: Int64, _ facts: AudioFileFacts) throws(Failure) -> SeekPlace? {
        var seek = SeekEstimate(facts, to: sample)
        while let read = seek.next() {
            let bytes = try bytes(read)
            bytes.withUnsafeBytes { seek.take($0) }
        }
        return seek.place
    }
}

extension Failure {
    /// The failure for a file whose content is not supported. `name`: what it is.
    init(unsupported name: String) {
        self.init(.unsupported, "\(name) is not supported", remedy: "convert it to MP3, Ogg, FLAC or AAC")
    }
}
