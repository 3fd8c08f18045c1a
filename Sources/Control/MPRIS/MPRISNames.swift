// SPDX-License-Identifier: MIT

/// D-Bus names from the Media Player Remote Interfacing Specification 2.2.
enum MPRISNames {
    static let object = "/org/mpris/MediaPlayer2"
    static let service = "org.mpris.MediaPlayer2.aircheck"
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"

    /// The service name for a process that finds ``service`` taken.
    static func service(ofProcess id: Int32) -> String { "\(service).instance\(id)" }

    /// The object path of the track with a number; the number 0 stands for no track.
    static func track(_ number: Int) -> String {
        number == 0 ? "/org/mpris/MediaPlayer2/TrackList/NoTrack" : "/org/aircheck/track/\(number)"
    }
}
