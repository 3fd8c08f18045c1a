// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import Instants
import Platform
import Playback
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import Words

/// Runs a session to its end: the engine on the loop's thread, the terminal on the main thread.
struct SessionRun {
    let session: Session
    let wantsJSON: Bool
    /// Lines printed before the session starts.
    private let intro: [String]
    /// A line printed before ``intro``, only at full detail.
    private let remark: String?
    private var console: Console
    private var outcomes: [UseID: any UseOutcome] = [:]
    /// The failures reported for each programme since it last worked. Prevents repetitions while several mirrors fail
    /// in turn.
    private var said: [ProgrammeID: Set<Failure>] = [:]
    /// The last sound failure reported.
    private var saidOfSound: Failure?
    private var sound = SoundWatch()
    /// The failure of the last queue item that failed.
    private var saidOfItem: Failure?
    /// Limits lines about lost audio, which a station can cause without bound.
    private var lossLimits: [ProgrammeID: LineLimit] = [:]
    /// Limits lines about buffering.
    private var waitLimit = LineLimit()
    /// The addresses being listened on; empty until listening has succeeded.
    private var addresses: [SocketAddress] = []
    /// The player's latest progress.
    private var progress: PlayProgress?
    /// Whether the player is shown on the desktop.
    private var showsDesktop = false
    /// Whether the desktop stopped the player, and nothing has resumed it since.
    private var isStopped = false

    init(_ session: Session, wantsJSON: Bool, detail: Detail, remark: String? = nil, intro: [String] = []) {
        (self.session, self.wantsJSON, self.remark, self.intro) = (session, wantsJSON, remark, intro)
        console = Console(detail)
    }

    /// Blocks until the session has ended. Throws the exit status of a failure.
    mutating func run() throws {
        if let remark { console.say(remark, .full) }
        for line in intro { console.say(line, .usual) }
        let messages = MessageQueue<ConsoleEvent>()
        // The keyboard thread must be created before the loop's thread, which inherits the mask of signals that the
        // keyboard thread handles.
        let keys = player == nil ? nil : KeyThread { messages.post(.key($0)) }
        defer { keys?.close() }
        let runner = try EngineRunner(messages)
        defer { runner.close() }
        showsDesktop = player != nil && DesktopControls.isPossible
        runner.begin(session.commands, tellsSnapshots: console.hasLiveLine || showsDesktop || keys != nil)
        while !isOver { hear(runner.next(), runner) }
        console.clear()
        if wantsJSON { Console.put(json: report) }
        try ExitStatus.check(failure)
    }

    /// The part that is played aloud; nil if there is none.
    private var player: Session.Part? { session.parts.first(where: \.isHeard) }

    private var isOver: Bool {
        session.parts.allSatisfy { $0.uses.allSatisfy { outcomes[$0] != nil } }
    }

    /// The command's failure: the failure of the first failed recording or, if no recording failed, of the first failed
    /// mount. A player's failure counts only if its programme is neither recorded nor served.
    private var failure: Failure? {
        let players = session.parts.filter { $0.recording == nil && $0.mount == nil }.map(\.playerID)
        let ids = session.parts.map(\.recordingID) + session.parts.map(\.mountID) + players
        return ids.lazy.compactMap { [outcomes] in outcomes[$0]?.failure }.first
    }
}

// MARK: - Events

extension SessionRun {
    private mutating func hear(_ event: ConsoleEvent, _ runner: EngineRunner) {
        switch event {
        case .engine(let event):
            hear(event)
            if showsDesktop, case .snapshot(let snapshot) = event { show(snapshot, on: runner) }
        case .key(let action): carryOut(action, runner)
        case .desktop(let request):
            if PlayerControls.isStop(request) { isStopped = true }
            carryOut(PlayerControls.action(request), runner)
        }
    }

    private mutating func carryOut(_ action: PlayerControls.Action, _ runner: EngineRunner) {
        switch action {
        case .ask(let request):
            isStopped = PlayerControls.isStopped(by: request, before: isStopped)
            if let player { runner.perform(.ask(player.playerID, request)) }
        case .quit: runner.perform(.endAll)
        case .help: console.say(PlayKey.help(PlayKey.NowPlaying(progress)))
        case .redraw: console.redraw()
        case .nothing: break
        }
    }

    private func show(_ snapshot: EngineSnapshot, on runner: EngineRunner) {
        guard let part = player, let progress = snapshot.uses[part.playerID] as? PlayProgress else { return }
        let station = progress.queue?.station ?? snapshot.programmes[part.programmeID]?.station
        runner.show(PlayerControls.state(progress, station, isStopped: isStopped, at: .read()))
    }

    private mutating func hear(_ event: EngineEvent) {
        switch event {
        case .listening(let addresses, failed: _):
            self.addresses = addresses
            // If listening has failed, the mounts report why.
            if !addresses.isEmpty { sayAddresses() }
        case .service(let notice): say(Wording.occurrence(notice) { "start with --host-name \($0)" }, of: nil)
        case .programme(let id, let notice):
            if case .live(again: false) = notice { SharedHeap.giveBack() }
            say(notice, of: id)
        case .use(let id, let notice): if let part = part(id) { say(notice, of: part) }
        case .ended(let id, let outcome):
            outcomes[id] = outcome
            if let part = part(id) { say(outcome, of: part) }
        case .snapshot(let snapshot):
            progress = player.flatMap { snapshot.uses[$0.playerID] as? PlayProgress }
            show(snapshot)
        case .recovered, .finished, .recoveryEnded, .refused, .idle: break
        }
    }

    private func part(_ id: UseID) -> Session.Part? {
        session.parts.first { $0.uses.contains(id) }
    }

    private mutating func say(_ line: String?, of part: Session.Part?, _ detail: Detail) {
        guard let line else { return }
        let name = session.parts.count > 1 ? part?.name : nil
        console.say(ConsoleText.prefixed(line, with: name), detail)
    }

    private mutating func say(_ occurrence: Occurrence?, of part: Session.Part?) {
        if let occurrence { say(occurrence.sentence, of: part, occurrence.detail) }
    }

    /// Reports lost audio, subject to the limit for the programme.
    private mutating func sayLoss(_ occurrence: Occurrence?, of part: Session.Part) {
        guard let occurrence, occurrence.detail <= console.detail else { return }
        guard lossLimits[part.programmeID, default: LineLimit()].admits(at: .read()) else { return }
        sayLeftOut(of: part)
        say(occurrence, of: part)
    }

    /// Reports how many lines about lost audio were suppressed.
    private mutating func sayLeftOut(of part: Session.Part) {
        let count = lossLimits[part.programmeID]?.takeLeftOut() ?? 0
        if count > 0 { say(Wording.line(leftOut: count), of: part, .needed) }
    }

    private mutating func say(_ notice: StationNotice, of id: ProgrammeID, _ kind: SourceKind = .live) {
        let occurrence = Wording.occurrence(notice, of: .program, as: kind, in: .terminal)
        guard let part = session.parts.first(where: { $0.programmeID == id }) else {
            // The mount reports how the fallback fares, but not which of the fallback's files are skipped.
            if case .skipped = notice { say(occurrence, of: nil) }
            return
        }
        switch notice {
        case .failed(let failure, _):
            guard let occurrence, occurrence.detail <= console.detail else { return }
            guard said[id]?.contains(failure) != true || console.detail == .full else { return }
            note(failure, of: id)
        // The programme works again: the same failure is reported again if it recurs.
        case .live, .spliced: said[id] = nil
        case .gap:
            said[id] = nil
            return sayLoss(occurrence, of: part)
        case .stretch: return sayLoss(occurrence, of: part)
        default: break
        }
        say(occurrence, of: part)
    }

    private mutating func note(_ failure: Failure, of id: ProgrammeID) {
        // Bounds the memory: a server can cause any number of different failures.
        if said[id, default: []].count >= Self.mostSaid { said[id] = nil }
        said[id, default: []].insert(failure)
    }

    private static let mostSaid = 32

    private mutating func say(_ notice: UseNotice, of part: Session.Part) {
        if case .programme(let notice, let kind) = notice { return say(notice, of: part.programmeID, kind) }
        let occurrence = Wording.occurrence(notice, of: .program, in: .terminal)
        switch notice {
        case .recorder(.failing(let error)): note(error.failure, of: part.programmeID)
        case .recorder(.lost): return sayLoss(occurrence, of: part)
        case .player(PlayerEvent.status(let status)):
            saidOfSound = status.lossOfSound ?? saidOfSound
            switch sound.note(status) {
            case .lost: break
            case .back: return say(Wording.isSoundBack, of: part, .usual)
            case nil: return
            }
        case .player(.begins(let start, let time)):
            return say("begins at \(console.clock(start)), in \(Measure.span(time))", of: part, .usual)
        case .player(.buffering):
            // On a terminal, the live line shows the buffering while it lasts.
            guard !console.hasLiveLine, console.detail >= .usual, waitLimit.admits(at: .read()) else { return }
        case .player(.remaining):
            // Without another use, the session ends with the player.
            guard part.uses.count > 1 else { return }
        case .queue(.failed(_, let failure)): saidOfItem = failure
        default: break
        }
        say(occurrence, of: part)
    }

    private mutating func say(_ outcome: any UseOutcome, of part: Session.Part) {
        switch outcome {
        case let outcome as RecordingOutcome:
            console.clear()
            sayLeftOut(of: part)
            // If nothing was recorded because of a failure, report only the failure.
            if outcome.report.frames > 0 || outcome.failure == nil {
                for line in Wording.summary(outcome.report) { say(line, of: part, .usual) }
            }
            say(Wording.line(outcome.damage), of: part, .usual)
            say(Wording.line(wrongChecksums: outcome.wrongChecksums), of: part, .usual)
            say(outcome.drift.map { Wording.line(drift: $0) }, of: part, .usual)
            if let failure = outcome.failure, !isSaid(failure, of: part.mountID) {
                let isKnown = said[part.programmeID]?.contains(failure) == true
                say(isKnown ? "gave up: \(failure.message)" : "error: \(failure.naming(\.option))", of: part, .needed)
                let continues = part.mount != nil && outcomes[part.mountID] == nil && failure.failureClass == .storage
                if continues { say("relaying continues; Ctrl-C ends it", of: part, .needed) }
            }
        case let outcome as MountOutcome:
            console.clear()
            sayLeftOut(of: part)
            if let failure = outcome.failure, !isSaid(failure, of: part.recordingID) {
                say("error: \(failure.naming(\.option))", of: part, .needed)
            }
            if outcome.isOwnFailure, part.recording != nil, outcomes[part.recordingID] == nil {
                return say("the recording continues, without players; Ctrl-C ends it", of: part, .needed)
            }
            if let mount = outcome.mount { say(Wording.summary(mount, outcome.elapsed), of: part, .usual) }
        case let outcome as PlayOutcome: say(outcome, of: part)
        default:
            if let failure = outcome.failure { say("error: \(failure.naming(\.option))", of: part, .needed) }
        }
    }

    private mutating func say(_ outcome: PlayOutcome, of part: Session.Part) {
        console.clear()
        // A player that only measures the level gets no summary, and its failure is not an error.
        guard part.player == nil || part.isHeard else {
            return say(outcome.failure.map { "no level: \($0.naming(\.option).words)" }, of: part, .usual)
        }
        let others = part.uses.filter { $0 != part.playerID }
        guard let failure = outcome.failure else {
            if others.isEmpty { say(Wording.summary(outcome.player), of: part, .usual) }
            return
        }
        guard !others.contains(where: { isSaid(failure, of: $0) }) else { return }
        guard others.isEmpty || failure != saidOfSound else { return }
        if others.isEmpty, failure == saidOfItem { return say("nothing could be played", of: part, .needed) }
        let continues = others.contains { outcomes[$0] == nil } && failure.failureClass == .sound
        if others.isEmpty, said[part.programmeID]?.contains(failure) == true || failure == saidOfSound {
            return say("gave up: \(failure.message)", of: part, .needed)
        }
        say((continues ? "no sound: " : "error: ") + failure.naming(\.option).words, of: part, .needed)
    }

    /// Whether another use of the same programme has already ended with this failure. Remedies are not compared,
    /// because they may be worded differently.
    private func isSaid(_ failure: Failure, of id: UseID) -> Bool {
        guard let other = outcomes[id]?.failure else { return false }
        return (failure.failureClass, failure.message) == (other.failureClass, other.message)
    }

    private mutating func sayAddresses() {
        guard console.detail > .needed else { return }
        console.say("listen at:")
        for part in session.parts {
            guard let mount = part.mount else { continue }
            let name = session.parts.count > 1 ? part.name.map { " (\($0))" } ?? "" : ""
            for url in Wording.urls(addresses, mount.path) { console.say("  \(url)\(name)") }
        }
        console.say("for programs that want a playlist, add .m3u or .pls to the address")
        guard addresses.allSatisfy(\.isLoopback), let port = addresses.map(\.port).first(where: { $0 != 0 }) else {
            return
        }
        console.say("only this machine can listen; for phones and radios in your network: --listen :\(port)")
    }

    private mutating func show(_ snapshot: EngineSnapshot) {
        let width = console.width
        guard let part = session.parts.first, session.parts.count == 1 else {
            let total = session.parts.first?.recording?.duration
            return console.show(LiveLine.render(snapshot, of: total, width: width))
        }
        guard let programme = snapshot.programmes[part.programmeID] else { return }
        let mount = snapshot.uses[part.mountID] as? MountProgress
        let playing = snapshot.uses[part.playerID] as? PlayProgress
        let player = playing?.player
        if let recording = snapshot.uses[part.recordingID] as? RecordingSnapshot {
            var progress = RecordProgress(recording, programme, listeners: mount?.listeners)
            progress.total = part.recording?.duration
            progress.hear(player, isHeard: part.isHeard)
            console.show(LiveLine.render(progress, width: width))
        } else if let mount {
            console.show(LiveLine.render(mount, player: player, reconnects: programme.reconnects, width: width))
        } else if let player, let queue = playing?.queue {
            console.show(LiveLine.render(player, queue, width: width))
        } else if let player {
            console.show(LiveLine.render(player, programme, width: width))
        }
    }
}

// MARK: - The report

extension SessionRun {
    private var report: JSONValue {
        if session.parts.count == 1, let part = session.parts.first { return .object(object(part)) }
        return StationsReport.object(session.parts.map { ($0.name ?? "", object($0)) }, failure)
    }

    /// The report of the recording, else of the mount, else of the player. It contains the reports of the other uses.
    private func object(_ part: Session.Part) -> JSONObject {
        var mount: JSONObject?
        if let spec = part.mount, let outcome = outcomes[part.mountID] as? MountOutcome {
            mount = RelayReport.object(outcome, urls: Wording.urls(addresses, spec.path))
        }
        let player = (outcomes[part.playerID] as? PlayOutcome).map(PlayReport.object)
        var object: JSONObject
        if let outcome = outcomes[part.recordingID] as? RecordingOutcome {
            object = ReportJSON.object(outcome)
            object.append("relay", mount.ifKnown)
        } else if let mount {
            object = mount
        } else {
            return player ?? JSONObject()
        }
        object.append("player", player.ifKnown)
        return object
    }
}
