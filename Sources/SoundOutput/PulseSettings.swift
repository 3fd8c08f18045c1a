// SPDX-License-Identifier: MIT

/// How a ``PulseOutput`` connects to its server, and under which name.
package struct PulseSettings: Sendable {
    /// The server's address in libpulse's syntax, such as "unix:/run/…"; nil for the server that libpulse finds.
    package var server: String?
    /// The sink to play on; nil for the server's default.
    package var device: String?
    package var applicationName = "Aircheck"
    package var applicationIcon = "audio-x-generic"
    /// What mixers show until ``SoundOutput/setTitle(_:)``.
    package var title = "Radio"
    /// The initial volume; nil for the volume that the server remembers.
    package var volume: Double?
    /// How much audio the server is asked to hold.
    package var buffer: Duration = .seconds(1)
    /// How much of ``buffer`` has to be played before the server asks for more. The server gives the device at most
    /// ``buffer`` minus twice this duration. A writer that keeps less audio ahead than this difference gets underruns
    /// that nobody hears.
    package var request: Duration = .milliseconds(250)
    /// How much audio the server needs to start, and to resume after an underrun.
    package var start: Duration = .milliseconds(50)

    package init() {}
}
