// SPDX-License-Identifier: MIT

package import Instants

/// Answers method calls: a pure function of the call and the state. Callers are untrusted.
package struct MPRISService {
    package struct Answer: Hashable {
        package var values: [BusValue] = []
        package var request: MPRISRequest?

        static func nothing(but request: MPRISRequest?) -> Answer { Answer(request: request) }
    }

    private let state: MPRISState
    private let track: Int
    private let now: MonotonicInstant

    package init(_ state: MPRISState, track: Int, now: MonotonicInstant) {
        self.state = state
        self.track = track
        self.now = now
    }

    package func answer(_ call: BusCall) throws(BusRefusal) -> Answer {
        let interface = call.interface ?? Self.interface(of: call.member)
        guard let types = Self.methods[interface] else {
            throw BusRefusal(.unknownInterface, "there is no interface \(interface)")
        }
        guard let type = types[call.member] else {
            throw BusRefusal(.unknownMethod, "\(interface) has no method \(call.member)")
        }
        guard call.signature == type, let arguments = call.arguments else {
            throw BusRefusal(.invalidArguments, "\(call.member) takes '\(type)', short texts and plain values")
        }
        switch interface {
        case MPRISNames.introspectable: return Answer(values: [.string(MPRISIntrospection.text)])
        case MPRISNames.properties: return try properties(call.member, arguments)
        case MPRISNames.root: return call.member == "Quit" ? .nothing(but: .quit) : Answer()
        default: return try player(call.member, arguments)
        }
    }

    /// The signature of each method's arguments, by interface and method.
    private static let methods: [String: [String: String]] = [
        MPRISNames.introspectable: ["Introspect": ""],
        MPRISNames.properties: ["Get": "ss", "GetAll": "s", "Set": "ssv"],
        MPRISNames.root: ["Raise": "", "Quit": ""],
        MPRISNames.player: [
            "Next": "", "Previous": "", "Pause": "", "PlayPause": "", "Stop": "", "Play": "", "Seek": "x",
            "SetPosition": "ox", "OpenUri": "s",
        ],
    ]

    private static func interface(of member: String) -> String {
        methods.first { $0.value[member] != nil }?.key ?? MPRISNames.player
    }

    // MARK: The player

    /// Calls a method of the player interface. If the action is unavailable, the call has no effect, as MPRIS requires.
    private func player(_ member: String, _ arguments: [BusValue]) throws(BusRefusal) -> Answer {
        switch member {
        case "Next": return .nothing(but: state.canGoNext ? .next : nil)
        case "Previous": return .nothing(but: state.canGoPrevious ? .previous : nil)
        case "Pause": return .nothing(but: state.canPause ? .pause : nil)
        case "Play": return .nothing(but: state.canPlay ? .play : nil)
        case "Stop": return .nothing(but: .stop)
        case "PlayPause":
            guard state.canPause else { throw BusRefusal(.notSupported, "this cannot be paused") }
            return .nothing(but: .playPause)
        case "Seek":
            guard state.canSeek, case .integer(let offset)? = arguments.first else { return Answer() }
            return .nothing(but: .seek(by: Self.duration(offset)))
        case "SetPosition": return .nothing(but: setPosition(arguments))
        default: throw BusRefusal(.notSupported, "OpenUri is not supported")
        }
    }

    /// The request to move to a position; nil if the track is no longer current, or is shorter than the requested
    /// position.
    private func setPosition(_ arguments: [BusValue]) -> MPRISRequest? {
        guard state.canSeek, case .objectPath(MPRISNames.track(track))? = arguments.first,
            case .integer(let offset)? = arguments.last, offset >= 0
        else { return nil }
        let position = Self.duration(offset)
        if let length = state.length, position > length { return nil }
        return .setPosition(position)
    }

    /// The duration, clamped to about 30 years in either direction.
    private static func duration(_ microseconds: Int64) -> Duration {
        .microseconds(min(max(microseconds, -1_000_000_000_000_000), 1_000_000_000_000_000))
    }

    // MARK: Properties

    private func properties(_ member: String, _ arguments: [BusValue]) throws(BusRefusal) -> Answer {
        guard case .string(let interface)? = arguments.first else {
            throw BusRefusal(.invalidArguments, "an interface is needed")
        }
        let all = try properties(of: interface)
        guard member != "GetAll" else { return Answer(values: [.dictionary(all)]) }
        guard arguments.count > 1, case .string(let name) = arguments[1],
            let property = all.first(where: { $0.name == name })
        else { throw BusRefusal(.unknownProperty, "\(interface) has no such property") }
        guard member == "Set" else { return Answer(values: [.variant(property.value)]) }
        guard arguments.count == 3 else { throw BusRefusal(.invalidArguments, "a value is needed") }
        return .nothing(but: try set(name, arguments[2]))
    }

    private func properties(of interface: String) throws(BusRefusal) -> [BusEntry] {
        switch interface {
        case MPRISNames.root: return MPRISProperties.root
        case MPRISNames.player:
            return MPRISProperties.player(state, track: track) + [MPRISProperties.position(state, at: now)]
        case MPRISNames.properties, MPRISNames.introspectable: return []
        default: throw BusRefusal(.unknownInterface, "there is no interface \(interface)")
        }
    }

    private func set(_ name: String, _ value: BusValue) throws(BusRefusal) -> MPRISRequest? {
        switch (name, value) {
        case ("Volume", .real(let volume)) where !volume.isNaN: return .setVolume(min(max(volume, 0), 1))
        case ("Shuffle", .boolean(let isShuffled)): return .setShuffle(isShuffled)
        // MPRIS: setting the rate to 0 means pause.
        case ("Rate", .real(0)): return state.canPause ? .pause : nil
        case ("Rate", .real(1)): return nil
        case ("LoopStatus", .string(let text)):
            if let loop = MPRISState.Loop(rawValue: text) { return .setLoop(loop) }
        case ("Volume", _), ("Shuffle", _), ("Rate", _), ("LoopStatus", _): break
        default: throw BusRefusal(.propertyReadOnly, "\(name) cannot be set")
        }
        throw BusRefusal(.invalidArguments, "\(name) takes no such value")
    }
}
