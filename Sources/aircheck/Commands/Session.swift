// SPDX-License-Identifier: MIT

import Engine

/// What a command wants from the engine: programmes and the uses of each.
struct Session {
    /// One programme and its uses.
    struct Part {
        /// The user's name for the programme; nil for a single, unnamed programme.
        var name: String?
        var programme: ProgrammeSpec
        var recording: RecordingSpec?
        var mount: MountSpec?
        var player: (any UseSpec)?

        /// Whether the programme is played aloud, not only measured.
        var isHeard: Bool { player.map { ($0 as? PlaySpec)?.isHeard ?? true } ?? false }

        var programmeID: ProgrammeID { ProgrammeID("station \(name ?? "")") }
        var recordingID: UseID { UseID("recording \(name ?? "")") }
        var mountID: UseID { UseID("mount \(name ?? "")") }
        var playerID: UseID { UseID("player \(name ?? "")") }

        /// The IDs of the part's uses: recording, mount, player.
        var uses: [UseID] {
            (recording == nil ? [] : [recordingID]) + (mount == nil ? [] : [mountID])
                + (player == nil ? [] : [playerID])
        }
    }

    var parts: [Part]
    /// The addresses at which mounts are served; nil without mounts.
    var service: ServiceSpec?
    /// The programme that listeners of any mount hear while its own programme is unavailable.
    var fallback: ProgrammeSpec?

    static let fallbackID = ProgrammeID("fallback")

    var commands: [EngineCommand] {
        var commands: [EngineCommand] = []
        if let fallback { commands.append(.add(Self.fallbackID, fallback)) }
        if let service { commands.append(.serve(service)) }
        for part in parts {
            commands.append(.add(part.programmeID, part.programme))
            if let recording = part.recording {
                commands.append(.begin(part.recordingID, recording, of: part.programmeID))
            }
            if let player = part.player { commands.append(.begin(part.playerID, player, of: part.programmeID)) }
            if var mount = part.mount {
                if fallback != nil { mount.fallback = Self.fallbackID }
                commands.append(.begin(part.mountID, mount, of: part.programmeID))
            }
        }
        return commands
    }
}
