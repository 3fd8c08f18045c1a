// SPDX-License-Identifier: MIT

/// How a ``PulseOutput`` reaches its server, and what it is called there.
package struct PulseSettings: Sendable {
    /// The server's address as libpulse writes it, "unix:/run/…" say; nil for the one that libpulse finds.
    package var server: String?
    /// The sink to play on; nil for the server's default.
    package var device: String?
    package var applicationName = "Aircheck"
    package var applicationIcon = "audio-x-generic"
    /// What mixers show until ``SoundOutput/setTitle(_:)``.
    package var title = "Radio"
    /// The volume to begin with; nil for what the server remembers.
    package var volume: Double?
    /// How much audio the server is asked to hold.
    package var buffer: Duration = .seconds(1)
    /// How much of that has to be played before the server asks for more. It gives the device up to what is left of
    /// ``buffer`` without twice this: whoever writes less ahead is told of underruns that nobody hears.
    package var request: Duration = .milliseconds(250)
    /// How much audio has to be there before the server begins, and goes on after an underrun.
    package var start: Duration = .milliseconds(50)
    /// Whether ``SoundOutput/setRate(_:)`` works. The server resamples then, also where the rates are the same.
    package var hasVariableRate = true

    package init() {}
}
