// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Relay

/// Everything about serving a programme; shared by `relay` and `record --relay`.
struct ServingOptions: ParsableArguments {
    @OptionGroup(title: "Relay") var relay: RelayOptions
    @OptionGroup(title: "Access") var access: AccessOptions
    @OptionGroup(title: "Description") var description: DescriptionOptions

    /// The first of these options that was given; nil if none was.
    var given: String? { relay.given ?? access.given ?? description.given }

    /// How and where to serve a programme; `name` is the programme's name for players.
    func specs(name: String?) throws(SettingFault) -> (mount: MountSpec, service: ServiceSpec) {
        var mount = try relay.spec()
        mount.settings.fields.name = name
        description.apply(to: &mount)
        var service = ServiceSpec(addresses: try relay.addresses(), server: "Aircheck \(Version.string)")
        try access.apply(to: &mount, &service)
        return (mount, service)
    }

    /// The programme served while the station is unavailable; nil for silence.
    func fallback(_ station: StationOptions, ahead: Duration) throws(SettingFault) -> ProgrammeSpec? {
        guard let source = relay.fallback.map(SourceText.completed) else { return nil }
        return try ProgrammeSpec(parsingFallback: source, ahead: ahead) { urls throws(SettingFault) in
            try station.settings(urls, giveUp: nil)
        }
    }
}
