// SPDX-License-Identifier: MIT

/// Keys of `[[station]]`.
enum StationKey {
    static let id = ConfigurationKey.required(
        "id", .text, "\"example\"", "A short name for addresses: a to z, 0 to 9, - _ and dots.")
    static let name = ConfigurationKey.optional(
        "name", .text, "\"Radio Example\"", "The name for people, files and tags; without it, the station's own.")
    static let url = ConfigurationKey.required(
        "url", .texts, "\"https://radio.example/stream\"", "The station's address, and those of its mirrors.")
    static let anyEntry = ConfigurationKey.standard(
        "any-entry", .flag, "false", "Whether any entry of a list may stand in, also another station.")
    static let variant = ConfigurationKey.standard(
        "variant", .text, "\"best\"", "Of a station in HLS: \"best\", \"smallest\" or a bit rate such as \"96k\".")
    static let heal = ConfigurationKey.optional(
        "heal", .texts, "[\"https://radio.example/long.m3u8\"]",
        "Longer HLS lists of the same programme, or another Aircheck's relay of it, from which gaps are filled.")
    static let record = ConfigurationKey.standard(
        "record", .text, "\"shows\"", "\"always\", \"shows\" or \"never\".")
    static let titleOffset = ConfigurationKey.optional(
        "title-offset", .text, "\"-2s\"", "By how much titles begin later than the station says.")
    static let pure = ConfigurationKey.standard(
        "pure", .flag, "false", "Whether files hold the station's frames alone, without tags.")
    static let userAgent = ConfigurationKey.optional(
        "user-agent", .text, "\"Mozilla/5.0\"", "The program's name that is sent to the station.")
    static let headers = ConfigurationKey.optional(
        "headers", .fields, "{ Referer = \"https://radio.example/\" }", "Additional headers of the request.")
    static let charset = ConfigurationKey.optional(
        "charset", .text, "\"iso-8859-2\"", "The character encoding of titles that are not UTF-8.")
    static let caFile = ConfigurationKey.optional(
        "ca-file", .text, "\"radio-example.pem\"", "Certificates to trust instead of the system's.")
    static let proxy = ConfigurationKey.optional(
        "proxy", .text, "\"http://proxy.example:3128\"",
        "The proxy to connect through; proxies of the environment are ignored.")
    static let username = ConfigurationKey.optional(
        "username", .text, "\"listener\"", "The user name for the station.")
    static let passwordFile = ConfigurationKey.optional(
        "password-file", .text, "\"radio-example.password\"", "A file with the password, which only you can read.")
    static let passwordCredential = ConfigurationKey.optional(
        "password-credential", .text, "\"radio-jazz\"", "The name of a systemd credential with the password.")

    static let all =
        [id, name, url, anyEntry, variant, heal, record, FilesKey.segment, FilesKey.template, titleOffset, pure]
        + StationOptionValues.all.map(\.key) + KeepKey.all + RelayKey.all
        + [userAgent, headers, charset, caFile, proxy, username, passwordFile, passwordCredential]
}

/// The keys for how files are split and named, in `[[station]]` and `[[station.show]]`.
enum FilesKey {
    static let segment = ConfigurationKey.standard(
        "segment", .text, "\"1h\"", "When a new file begins: a time such as 1h, \"title\" or \"none\".")
    static let template = ConfigurationKey.optional(
        "template", .text, "\"{station}/%Y-%m-%d %H-%M\"", "The names of files, without their ending.")

    /// By default a show is one file, whatever the station's ``segment`` is.
    static let showSegment = ConfigurationKey.standard(
        "segment", .text, "\"none\"", "When a new file begins: a time such as 1h, \"title\" or \"none\".")
}

/// The keys of `[[station]]` about listeners.
enum RelayKey {
    static let relay = ConfigurationKey.standard("relay", .flag, "true", "Whether players can listen through Aircheck.")
    static let onDemand = ConfigurationKey.standard(
        "on-demand", .flag, "false", "Whether to connect to the station only while somebody listens.")
    static let burst = ConfigurationKey.standard(
        "burst", .duration, "\"4s\"", "How much audio a player gets at once, so that it starts right away.")
    static let rewind = ConfigurationKey.optional(
        "rewind", .duration, "\"10m\"",
        "How much past audio is kept in memory for clients that ask for it (?from=-5m).")
    static let keepListeners = ConfigurationKey.standard(
        "keep-listeners", .duration, "\"10m\"", "How long players are kept while the station is unavailable.")
    static let filler = ConfigurationKey.standard(
        "filler", .flag, "true", "Whether players hear silence, or the fallback, while the station is unavailable.")
    static let fallback = ConfigurationKey.optional(
        "fallback", .text, "\"fallback.mp3\"", "An address, file or folder to hear instead of silence.")
    static let mostListeners = ConfigurationKey.optional(
        "max-listeners", .anyCount, "100", "Maximum number of listeners at one time.")

    static let all = [relay, onDemand, burst, rewind, keepListeners, filler, fallback, mostListeners]
}

/// Keys of `[[station.show]]`.
enum ShowKey {
    static let id = ConfigurationKey.required(
        "id", .text, "\"morning\"", "A short name, unique for the station: a to z, 0 to 9, - _ and dots.")
    static let name = ConfigurationKey.optional(
        "name", .text, "\"The Morning Show\"", "The name for people, files and tags; without it, the id.")
    static let days = ConfigurationKey.required("days", .texts, "\"mon-fri\"", "The days on which it is on.")
    static let start = ConfigurationKey.required(
        "start", .times, "\"07:00\"", "When it begins; a list if it is on several times a day.")
    static let length = ConfigurationKey.optional("length", .duration, "\"2h\"", "How long it is.")
    static let end = ConfigurationKey.optional("end", .time, "\"09:00\"", "When it ends, instead of a length.")
    static let zone = ConfigurationKey.optional(
        "zone", .text, "\"Europe/Paris\"", "The time zone of its times; without it, that of the whole file.")
    static let early = ConfigurationKey.optional(
        "early", .duration, "\"2m\"", "How much earlier the recording begins.")
    static let late = ConfigurationKey.optional("late", .duration, "\"5m\"", "How much later the recording ends.")
    static let from = ConfigurationKey.optional("from", .date, "2026-09-01", "The first day on which it may be on.")
    static let until = ConfigurationKey.optional("until", .date, "2027-06-30", "The last day on which it may be on.")
    static let skip = ConfigurationKey.optional(
        "skip", .dates, "[2026-12-24, 2026-12-31]", "Days on which it is not on.")
    static let priority = ConfigurationKey.standard(
        "priority", .count(-1000...1000), "0", "If not all shows can be recorded, the highest numbers win.")

    static let all =
        [id, name, days, start, length, end, zone, early, late, from, until, skip, priority]
        + [FilesKey.showSegment, FilesKey.template] + KeepKey.all
}

/// Keys of `[[station.show.change]]`.
enum ChangeKey {
    static let date = ConfigurationKey.required("date", .date, "2026-12-24", "The date that differs from the others.")
    static let start = ConfigurationKey.optional(
        "start", .time, "\"09:30\"",
        "The only time at which the show begins on this date, even if it is not on otherwise.")
    static let skip = ConfigurationKey.optional("skip", .flag, "true", "Whether the show is not on at this date.")

    static let all = [date, start, skip]
}
