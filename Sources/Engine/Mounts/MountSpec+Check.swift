// SPDX-License-Identifier: MIT

package import HTTPServer
import MediaSources
package import RadioCore
import RadioFormats
import Relay
import Stations

extension MountSpec {
    /// Throws if the settings conflict, for a mount of this programme served at these addresses.
    package func check(
        _ programme: ProgrammeSpec, orElse fallback: ProgrammeSpec?, at addresses: [SocketAddress]
    ) throws(SettingFault) {
        try settings.check()
        if settings.isOnDemand, case .media(let plan, _) = programme, !plan.repeats {
            throw SettingFault(
                .onDemand, "cannot be combined with \(.once) or standard input, which are played only once")
        }
        guard linger == nil || settings.isOnDemand else {
            throw SettingFault(.linger, "requires \(.onDemand)")
        }
        guard fallback == nil || settings.hasFiller else {
            throw SettingFault(.fallback, "cannot be combined with \(.filler)")
        }
        try Self.refuseOwn(programme, .source, addresses)
        if let fallback { try Self.refuseOwn(fallback, .fallback, addresses) }
    }

    /// Throws if the programme is this relay itself, which would receive only its own output.
    private static func refuseOwn(
        _ programme: ProgrammeSpec, _ field: SettingField, _ addresses: [SocketAddress]
    ) throws(SettingFault) {
        guard case .station(let station) = programme else { return }
        for url in station.urls {
            guard let address = SocketAddress(ofURL: url), addresses.contains(where: address.isAnswered) else {
                continue
            }
            throw SettingFault(
                field, "'\(AddressText(url).redacted)' is the address of this relay itself",
                remedy: "give the station's own address, or another port with \(.listen)")
        }
    }
}
