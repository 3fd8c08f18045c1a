// SPDX-License-Identifier: MIT

import Configuration
import Daemon
package import Engine
import Playback
import RadioCore
import RadioFormats
import Recorder
import Relay
import Storage

// Occurrences of uses.
extension Wording {
    /// A notice of a use; nil if it is not worth a line.
    package static func occurrence(
        _ notice: UseNotice, of subject: Occurrence.Subject, in context: Occurrence.Context
    ) -> Occurrence? {
        let name = context.setting
        func use(_ sentence: String?, _ detail: Detail = .usual) -> Occurrence? {
            sentence.map { Occurrence(.debug, "use", detail: detail, of: subject, $0) }
        }
        switch notice {
        case .recorder(let notice): return occurrence(notice, of: subject, in: context)
        case .programme(let notice, let kind): return occurrence(notice, of: subject, as: kind, in: context)
        case .other(let notice): return (notice as? any Worded)?.occurrence(of: subject, in: context)
        case .exec(.output(let file, let text)): return use("the program for \(file) says: \(text)")
        case .exec(.failed(let file, let why)): return use("the program for \(file) failed: \(why)", .needed)
        case .exec(.waiting(let count, let limit)):
            let programs = "\(Measure.count(count, "program")) that \(count == 1 ? "works" : "work")"
            return use("waiting for \(programs) on finished files, \(HumanDuration.print(limit)) at most")
        case .wanted(let isWanted):
            return use(isWanted ? "somebody wants to listen" : "nobody listens any more: disconnecting")
        case .fallback(.began): return use("the station is unavailable, so the fallback begins")
        case .fallback(.ended): return use("the fallback is no longer needed")
        case .fallback(.failed(nil)): return use("the fallback has ended")
        case .fallback(.failed(let failure?)):
            return Occurrence(
                .warning, "fallback failed", detail: .needed, of: subject,
                "the fallback has ended: \(failure.naming(name))")
        case .fallback(.otherKind(let own, let station)):
            return Occurrence(
                .warning, "fallback failed", detail: .needed, of: subject,
                """
                the fallback is \(own.words) and the station \(station.words): players cannot change from one to the \
                other, so they get silence; give a fallback like the station
                """)
        case .player(.status(let status)):
            // Other failures end playback and are reported then.
            let promise = status.state == .opening ? "" : "; playback continues when there is sound again"
            return use(status.lossOfSound.map { "no sound: \($0.naming(name).words)\(promise)" }, .needed)
        case .player(let event): return use(line(event))
        case .queue(.failed(let item, let failure)):
            return use(words(item, in: failure.message) + failure.asEnd.naming(name).words, .needed)
        case .queue(.cannotRemember(let failure)):
            return use("playback positions are not saved: \(failure.naming(name))", .needed)
        case .queue(let notice): return use(line(notice))
        case .failed(let failure):
            return use(
                "\(failure.naming(name)); Aircheck tries again when somebody wants to listen",
                failure.needsSomebody ? .needed : .usual)
        }
    }

    private static func occurrence(
        _ notice: RecorderNotice, of subject: Occurrence.Subject, in context: Occurrence.Context
    ) -> Occurrence? {
        func file(
            _ level: Occurrence.Level, _ name: String, _ path: String, _ sentence: String, _ detail: Detail
        ) -> Occurrence {
            Occurrence(level, name, detail: detail, of: subject, with: ["file": path], sentence)
        }
        let writing = if case .use(let key) = subject { "writing \(key): " } else { "writing: " }
        switch notice {
        case .began(let path, _): return file(.info, "file begun", path, "recording to \(path)", .usual)
        case .cut(let path, let error):
            let sentence = "\(path) ends here; recording continues in another file: \(error.cause)"
            return file(.info, "file begun", path, sentence, .needed)
        case .finished(let segment, _):
            let sentence = "finished \(segment.path) (\(Measure.clock(seconds: segment.seconds)))"
            return file(.info, "file finished", segment.path, sentence, .usual)
        case .healed(let healed):
            let audio = healed.audio
            let missing = healed.rest.map { $0 > 0 ? "; \(Measure.length(.milliseconds($0))) are still missing" : "" }
            let sentence =
                "healed: \(Measure.length(.milliseconds(audio.milliseconds))) that came from \(audio.by) were put into "
                + "\(healed.path)\(missing ?? "; how much is still missing is unknown")"
            return file(.notice, EventName.recordingHealed.words, healed.path, sentence, .usual)
        case .notHealed(let error):
            return Occurrence(
                .warning, "not healed", detail: .needed, of: subject,
                "missing audio was found, but could not be put into its file: \(advice(error, context.setting))",
                fault: "\(subject.station ?? "") \(error.message)")
        case .rewritten, .revised: return nil
        case .recovered(let recovered):
            let hasFailed = if case .failed = recovered.outcome { true } else { false }
            let sentence = line(recovered, context.setting)
            return file(.notice, "file recovered", recovered.path, sentence, hasFailed ? .needed : .usual)
        case .failing(let error):
            return Occurrence(
                .error, "cannot write", detail: .needed, of: subject,
                "\(advice(error, context.setting)); recording continues as soon as writing works again",
                fault: writing + error.message)
        case .resumed:
            return Occurrence(.notice, "writing again", of: subject, "the disk accepts data again", ends: writing)
        case .lost(let gap), .missingBefore(let gap):
            return Occurrence(.error, "audio lost", detail: .needed, of: subject, line(lost: gap))
        case .leftBehind(let path, let error):
            let sentence =
                "\(path) could not be completed: \(advice(error, context.setting)); the next run completes it"
            return file(.error, "file left behind", path, sentence, .needed)
        case .flawed(let error):
            return Occurrence(
                .warning, error.action == .patch ? "head flawed" : "sidecar flawed", detail: .needed, of: subject,
                advice(error, context.setting), fault: "\(subject.station ?? "") \(error.message)")
        case .noTitles:
            return Occurrence(
                .warning, "no titles", of: subject, "the station sends no titles, so everything goes into one file")
        }
    }

    /// The line that replaces lines suppressed because they came too often.
    package static func line(leftOut count: Int) -> String { "and \(count) more messages like that" }
}
