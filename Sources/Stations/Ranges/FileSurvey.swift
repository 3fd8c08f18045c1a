// SPDX-License-Identifier: MIT

package import CurlClient
package import EventLoop
import Instants
package import RadioCore
package import RadioFormats

/// Inspects the two ends of a file on the web, and locates an instant in it, by consecutive range requests.
package final class FileSurvey {
    /// What is known about a file.
    package struct Knowledge: Hashable, Sendable {
        package var facts: AudioFileFacts
        /// See ``FileBegin/head``.
        package var head: [UInt8]
        package var validator: String?
        /// Whether the server sends ranges. Otherwise later audio arrives only after everything before it.
        package var isSentFromMiddle = true
    }

    package struct Found: Sendable {
        package var knowledge: Knowledge
        /// Where the wanted instant begins; nil if none was wanted, or the server sends no ranges.
        package var place: SeekPlace?
    }

    private let settings: StationSettings
    private let target: Duration?
    private let client: any HTTPClient
    private let reactor: any Reactor
    private var done: ((Result<Found, Failure>) -> Void)?
    private var fetch: RangeFetch?
    private var first: RangeFetch.Answer?
    private var inspection: FileInspection?
    private var knowledge: Knowledge?
    private var seek: SeekEstimate?
    private var isSentFromMiddle = true

    /// Starts the survey, with what is already in `knowledge` or in `beginning`, if anything. Calls `done` once, but
    /// never during this call, and not after a cancellation.
    package init(
        _ settings: StationSettings, _ knowledge: Knowledge? = nil, after beginning: FileBeginning? = nil,
        of target: Duration? = nil, client: any HTTPClient, reactor: any Reactor,
        done: @escaping (Result<Found, Failure>) -> Void
    ) {
        self.settings = settings
        self.target = target
        self.client = client
        self.reactor = reactor
        self.done = done
        self.knowledge = knowledge
        first = beginning?.answer
        reactor.defer { [weak self] in self?.proceed() }
    }

    package func cancel() {
        done = nil
        fetch?.cancel()
        fetch = nil
    }

    private func end(_ result: Result<Found, Failure>) {
        fetch = nil
        done.take()?(result)
    }

    /// Requests the next bytes needed, or ends.
    private func proceed() {
        guard done != nil else { return }
        if let knowledge {
            guard let target, target > .zero, knowledge.isSentFromMiddle else {
                return end(.success(Found(knowledge: knowledge)))
            }
            let sample = Int64(target.inSeconds * Double(knowledge.facts.sampleRate))
            var seek = self.seek ?? SeekEstimate(knowledge.facts, to: sample)
            self.seek = seek
            guard let read = seek.next() else {
                return end(.success(Found(knowledge: knowledge, place: seek.place)))
            }
            return get(read) { survey, answer in
                answer.bytes.withUnsafeBytes { seek.take($0) }
                survey.seek = seek
            }
        }
        guard let inspection else {
            if let first {
                begin(first)
                return proceed()
            }
            return get(FileRead(offset: 0, count: FileBeginning.length)) { survey, answer in survey.begin(answer) }
        }
        guard let read = inspection.next() else { return conclude() }
        if let first, let bytes = first.bytes(read) {
            inspect(bytes)
            return proceed()
        }
        get(read) { survey, answer in survey.inspect(answer.bytes) }
    }

    private func get(_ read: FileRead, _ take: @escaping (FileSurvey, RangeFetch.Answer) -> Void) {
        fetch = RangeFetch(
            read, settings, validator: first?.validator ?? knowledge?.validator, client: client, reactor: reactor
        ) { [weak self] result in
            guard let self else { return }
            fetch = nil
            switch result {
            case .failure(.notFromMiddle) where read.offset > 0: concludeFromStart()
            case .failure(let problem): end(.failure(problem.failure(of: settings)))
            case .success(let answer):
                take(self, answer)
                proceed()
            }
        }
    }

    private func begin(_ answer: RangeFetch.Answer) {
        first = answer
        let recognizer = StreamRecognizer(contentType: answer.contentType, url: settings.urls.first)
        let isWhole = Int64(answer.bytes.count) >= answer.size
        let guess = answer.bytes.withUnsafeBytes { recognizer.guess($0, isComplete: isWhole) }
        inspection = FileInspection(guess, size: answer.size)
        guard inspection != nil else {
            return end(.failure(Failure(guess, at: AddressText(settings.urls.first ?? "").redacted)))
        }
    }

    private func inspect(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { inspection?.take($0) }
    }

    private func conclude() {
        guard let facts = inspection?.facts, let first else {
            return end(
                .failure(Failure(.unsupported, "the file's length is not known", remedy: "play it from its start")))
        }
        knowledge = Knowledge(
            facts: facts, head: Self.head(of: first.bytes, facts), validator: first.validator,
            isSentFromMiddle: isSentFromMiddle)
        proceed()
    }

    /// Concludes from the start of the file alone, because the server sends no ranges.
    private func concludeFromStart() {
        isSentFromMiddle = false
        knowledge?.isSentFromMiddle = false
        if knowledge == nil { conclude() } else { proceed() }
    }

    /// The part before the audio, if a decoder needs it.
    private static func head(of bytes: [UInt8], _ facts: AudioFileFacts) -> [UInt8] {
        switch facts.container {
        case .mpeg, .adts: []
        case .flac: Array(bytes.prefix(Int(clamping: facts.audioStart)))
        case .ogg: Array(bytes.prefix(OggHead.length(bytes) ?? bytes.count))
        }
    }
}
