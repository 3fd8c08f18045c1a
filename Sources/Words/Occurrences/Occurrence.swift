// SPDX-License-Identifier: MIT

package import Configuration
package import Daemon
package import Instants
package import RadioCore

/// Something that has happened, in words. It is made once; the log, hooks, metrics, the terminal and pages each take
/// from it what concerns them.
package struct Occurrence: Sendable, Hashable {
    package typealias Level = LogSettings.Level

    /// What an occurrence is about.
    package enum Subject: Sendable, Hashable {
        /// The program itself, or a station that the terminal names.
        case program
        /// The station with this ID.
        case station(String)
        case use(UseKey)
    }

    /// The name by which programs know it, constant for each kind of occurrence. It is the message of the log.
    package var name: String
    /// Its weight in the log; nil if another occurrence tells people of the same.
    package var level: Level?
    /// Its weight for somebody who watches the terminal.
    package var detail: Detail
    package var subject: Subject
    /// The facts for programs that read the log, by their names.
    package var fields: [String: String]
    /// What has happened. One line.
    package var sentence: String
    /// Identifies a fault that may recur, so that recurrences are counted instead of logged; nil for other occurrences.
    package var fault: String?
    /// The prefix of the names of faults that have ended; nil for other occurrences.
    package var ends: String?
    /// What hooks are sent; nil if this is not one of their events.
    package var told: HookEvent?

    /// The subject's station precedes the sentence, and the subject's fields are added to the fields.
    init(
        _ level: Level?, _ name: String, detail: Detail = .usual, of subject: Subject = .program,
        with fields: [String: String] = [:], _ sentence: String, fault: String? = nil, ends: String? = nil,
        told: HookEvent? = nil
    ) {
        (self.level, self.name, self.detail, self.subject) = (level, name, detail, subject)
        self.fields = subject.fields.merging(fields) { $1 }
        self.sentence = (subject.station.map { "[\($0)] " } ?? "") + sentence
        (self.fault, self.ends, self.told) = (fault, ends, told)
    }

    /// An occurrence of which hooks are notified. It has the name of the event, unless several occurrences are that
    /// event, or programs that read the log know it by another name. `facts` adds what hooks are sent besides the names
    /// of the event and of its subject.
    init(
        _ level: Level?, _ event: EventName, as name: String? = nil, of subject: Subject = .program,
        with fields: [String: String] = [:], _ sentence: String, in context: Context,
        _ facts: (inout HookEvent) -> Void = { _ in }
    ) {
        self.init(level, name ?? event.words, of: subject, with: fields, sentence)
        told = context.event(event, of: subject, facts)
    }

    /// An occurrence that is a failure, which may recur.
    init(_ level: Level, _ name: String, of subject: Subject = .program, _ failure: Failure) {
        self.init(level, name, of: subject, with: ["class": failure.failureClass.rawValue], "\(failure)")
        fault = "\(subject.station.map { "[\($0)] " } ?? "")\(name) \(failure.message)"
    }
}

extension Occurrence.Subject {
    package var station: String? {
        switch self {
        case .program: nil
        case .station(let id): id
        case .use(let key): key.station
        }
    }

    fileprivate var fields: [String: String] {
        var fields = station.map { ["station": $0] } ?? [:]
        if case .use(let key) = self, let broadcast = key.broadcast {
            (fields["show"], fields["date"]) = (broadcast.show, "\(broadcast.date)")
            // In the JSON of the log, `time` is the time of the line.
            fields["show_time"] = broadcast.time.map { "\($0)" }
        }
        return fields
    }
}

extension Occurrence {
    /// What is known when something happens, besides the event itself.
    package struct Context {
        package var now: WallInstant
        /// The zone in which people read times.
        package var zone: any TimeZoneRules = FixedZone.utc
        /// Supplies the names of stations and shows.
        package var configuration = Configuration()
        /// The files that recordings of a station write at the moment.
        package var underWay: (_ station: String) -> [FileUnderWay] = { _ in [] }
        /// What the user calls settings.
        package var setting: SettingName = { _ in nil }

        package init(now: WallInstant) {
            self.now = now
        }
    }
}
