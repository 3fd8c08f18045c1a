// SPDX-License-Identifier: MIT

import Configuration
package import Engine
import Playback
import RadioCore
import Recorder
import Relay
import Storage

extension Wording {
    /// The occurrence that is a notice of a use; nil if it is not worth a line.
    package static func occurrence(
        _ notice: UseNotice, of subject: Occurrence.Subject, in context: Occurrence.Context
    ) -> Occurrence? {
        func use(_ line: String?, _ detail: Detail = .usual) -> Occurrence? {
            guard let line else { return nil }
            var occurrence = Occurrence(.debug, "use", of: subject, line)
            occurrence.detail = detail
            return occurrence
        }
        let name = context.setting
        switch notice {
        case .recorder(let notice): return occurrence(notice, of: subject, in: context)
        case .programme(let notice, let kind): return occurrence(notice, of: subject, as: kind, in: context)
        case .other(let notice): return (notice as? any Worded)?.occurrence(of: subject, in: context)
        case .exec(let notice):
            if case .failed = notice { return use(line(notice), .needed) }
            return use(line(notice))
        case .wanted(let isWanted):
            return use(isWanted ? "somebody wants to listen" : "nobody listens any more: disconnecting")
        case .fallback(let notice):
            let isFault =
                switch notice {
                case .failed(let failure): failure != nil
                case .otherKind: true
                case .began, .ended: false
                }
            guard isFault else { return use(line(notice, setting: name)) }
            var failed = Occurrence(.warning, "fallback failed", of: subject, line(notice, setting: name))
            failed.detail = .needed
            return failed
        case .player(let event):
            let isLoss = if case .status(let status) = event { status.lossOfSound != nil } else { false }
            return use(line(event, setting: name), isLoss ? .needed : .usual)
        case .queue(let notice):
            let isFault =
                switch notice {
                case .failed, .cannotRemember: true
                case .began, .skipped, .list, .continues, .lostPlace, .cannotSeek, .order: false
                }
            return use(line(notice, setting: name), isFault ? .needed : .usual)
        case .failed(let failure):
            return use(
                "\(failure.naming(name)); Aircheck tries again when somebody wants to listen",
                failure.needsSomebody ? .needed : .usual)
        }
    }

    private static func occurrence(
        _ notice: RecorderNotice, of subject: Occurrence.Subject, in context: Occurrence.Context
    ) -> Occurrence? {
        guard let line = line(notice, setting: context.setting) else { return nil }
        func occurrence(
            _ level: Occurrence.Level, _ name: String, _ file: String? = nil, _ detail: Detail = .needed,
            fault: String? = nil, ends: String? = nil
        ) -> Occurrence {
            let fields = file.map { ["file": $0] } ?? [:]
            var occurrence = Occurrence(level, name, of: subject, with: fields, line, fault: fault, ends: ends)
            occurrence.detail = detail
            return occurrence
        }
        switch notice {
        case .began(let path, _): return occurrence(.info, "file begun", path, .usual)
        case .cut(let path, _): return occurrence(.info, "file begun", path)
        case .finished(let segment): return occurrence(.info, "file finished", segment.path, .usual)
        case .rewritten: return nil
        case .recovered(let file):
            let hasFailed = if case .failed = file.outcome { true } else { false }
            return occurrence(.notice, "file recovered", file.path, hasFailed ? .needed : .usual)
        case .failing(let error):
            return occurrence(.error, "cannot write", fault: writing(subject) + error.message)
        case .resumed: return occurrence(.notice, "writing again", nil, .usual, ends: writing(subject))
        case .lost, .missingBefore: return occurrence(.error, "audio lost")
        case .leftBehind(let path, _): return occurrence(.error, "file left behind", path)
        case .flawed(let error):
            return occurrence(
                .warning, error.action == .patch ? "head flawed" : "sidecar flawed",
                fault: "\(subject.station ?? "") \(error.message)")
        case .noTitles: return occurrence(.warning, "no titles", nil, .usual)
        }
    }

    /// The prefix of the names of a recording's write faults.
    private static func writing(_ subject: Occurrence.Subject) -> String {
        if case .use(let key) = subject { "writing \(key): " } else { "writing: " }
    }

    /// The line that replaces lines suppressed because they came too often.
    package static func line(leftOut count: Int) -> String { "and \(count) more messages like that" }
}
