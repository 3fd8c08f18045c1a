// SPDX-License-Identifier: MIT

/// What content types and file extensions suggest about a response.
enum ContentHint {
    /// The guess that a content type implies; nil if the type is unknown or says nothing (`application/octet-stream`).
    static func ofContentType(_ value: String) -> ContentGuess? {
        let type = value.prefix { $0 != ";" && $0 != "," }.lowercased().filter { !$0.isWhitespace }
        return switch type {
        case "audio/mpeg", "audio/mp3", "audio/mpg", "audio/x-mpeg", "audio/x-mp3", "audio/mpeg3", "audio/mpa":
            .audio(.mpeg)
        case "audio/aac", "audio/aacp", "audio/x-aac", "audio/x-aacp", "audio/x-hx-aac-adts", "audio/vnd.dlna.adts":
            .audio(.adts)
        case "application/ogg", "application/x-ogg", "audio/ogg", "audio/x-ogg", "audio/vorbis", "audio/opus":
            .audio(.ogg)
        case "audio/flac", "audio/x-flac": .audio(.flac)
        case "audio/x-scpls", "audio/scpls", "application/pls+xml", "application/pls": .playlist(.pls)
        case "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/mpegurl": .playlist(.m3u)
        case "audio/x-pn-realaudio", "audio/vnd.rn-realaudio", "application/vnd.rn-realmedia": .playlist(.m3u)
        case "application/smil", "application/smil+xml", "application/vnd.ms-wpl", "text/x-opml", "text/opml":
            .playlist(.markup)
        case "application/xspf+xml", "application/x-xspf+xml": .playlist(.xspf)
        // The first of these types stands for ASX playlists, and also for Windows Media itself, which is recognized by
        // its first bytes.
        case "video/x-ms-asf", "video/x-ms-asx", "audio/x-ms-asx", "application/x-ms-asx", "audio/x-ms-wax",
            "video/x-ms-wvx", "video/x-ms-wmx":
            .playlist(.asx)
        case "application/vnd.apple.mpegurl", "audio/vnd.apple.mpegurl": .hls
        case "text/html", "application/xhtml+xml": .html
        case "application/json", "text/json": .json
        case "text/xml", "application/xml": .xml
        case "audio/x-ms-wma", "video/x-ms-wm", "application/x-mms-framed": .unsupported(windows)
        case "audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wav", "audio/vnd.wave": .wrapped(.pcm)
        case "audio/aiff", "audio/x-aiff", "audio/aifc", "audio/x-aifc": .wrapped(.pcm)
        case "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/x-mp4", "video/mp4": .wrapped(.mp4)
        case "audio/caf", "audio/x-caf": .unsupported(caf)
        case "audio/ac3", "audio/eac3": .unsupported("AC-3")
        case "audio/3gpp", "video/3gpp", "audio/3gpp2", "video/3gpp2", "audio/3gp", "video/3gp": .unsupported("3GP")
        case "audio/basic": .unsupported(au)
        case "audio/mp4a-latm": .unsupported(latm)
        case "video/mp2t": .wrapped(.transportStream)
        default: nil
        }
    }

    /// The guess that an extension implies; nil if the extension says nothing. `m3u8` may be HLS: the bytes decide.
    static func ofExtension(_ name: String) -> ContentGuess? {
        switch name {
        case "mp3", "mp2", "mp1", "mpga": .audio(.mpeg)
        case "aac", "aacp", "adts": .audio(.adts)
        case "ogg", "oga", "opus": .audio(.ogg)
        case "flac": .audio(.flac)
        case "pls": .playlist(.pls)
        case "m3u", "m3u8", "ram": .playlist(.m3u)
        case "smil", "smi", "wpl", "opml", "qtl": .playlist(.markup)
        case "xspf": .playlist(.xspf)
        case "asx", "wax", "wvx", "wmx": .playlist(.asx)
        case "wma", "asf": .unsupported(windows)
        case "wav": .wrapped(.pcm)
        case "aif", "aiff", "aifc": .wrapped(.pcm)
        case "mp4", "m4a", "m4b": .wrapped(.mp4)
        case "caf": .unsupported(caf)
        case "ac3": .unsupported("AC-3")
        case "au", "snd": .unsupported(au)
        case "ts": .wrapped(.transportStream)
        default: nil
        }
    }

    static let adif = "AAC in ADIF"
    static let au = "AU"
    static let caf = "Core Audio Format"
    static let feed = "a podcast feed"
    static let gzip = "compressed data (gzip)"
    static let latm = "AAC in LATM"
    static let matroska = "Matroska or WebM"
    static let picture = "a picture"
    static let windows = "Windows Media"
}
