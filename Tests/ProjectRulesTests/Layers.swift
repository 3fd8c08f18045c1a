// SPDX-License-Identifier: MIT

/// Which target may import which: the rows of docs/architecture.md.
enum Layers {
    /// The row of each target. Targets without a row are for tests and benchmarks only, and may import everything.
    static let rows: [String: Int?] = [
        "Instants": 0, "RadioFormats": 0, "CLibEvent": 0, "CLibCurl": 0, "CLibCrypt": 0, "CLinux": 0,
        "CDemoProgramme": 0, "CLibMPG123": 0, "CLibOpus": 0, "CLibVorbis": 0, "CLibFLAC": 0, "CLibPulse": 0,
        "CLibSystemd": 0, "CLibSQLite": 0, "CLibCrypto": 0, "CLibTOML": 0, "CLibXXHash": 0,
        "RadioCore": 1, "EventLoop": 1, "Platform": 1,
        "Storage": 2, "Catalog": 2, "WallClock": 2, "NetworkChanges": 2, "Decoding": 2, "SoundOutput": 2,
        "Decryption": 2,
        "CurlClient": 3, "HTTPServer": 3, "MediaSources": 3,
        "Stations": 4,
        "Recorder": 5, "Relay": 5, "Playback": 5, "Analysis": 5,
        "Engine": 6, "Configuration": 6,
        "Daemon": 7, "Queue": 7,
        "Words": 8,
        "Control": 9,
        "aircheck": 10,
        "Program": 11,
        "TestTools": nil, "EventLoopTesting": nil, "TestSupport": nil, "CAllocations": nil, "CBenchTools": nil,
        "FuzzTargets": nil, "aircheck-bench": nil, "aircheck-soak": nil, "network-rig": nil,
    ]

    /// Targets of pure computation: they use the standard library and each other.
    static let pure: Set<String> = ["Instants", "RadioFormats", "RadioCore"]

    /// Targets whose code runs on the loop's thread, synchronously, from a callback to its end.
    static let confined: Set<String> = [
        "RadioFormats", "RadioCore", "Storage", "WallClock", "NetworkChanges", "CurlClient", "HTTPServer",
        "MediaSources", "Decoding", "SoundOutput", "Decryption", "Stations", "Recorder", "Relay", "Playback",
        "Analysis",
        "Control",
    ]

    /// The modules from outside this project that a target may import.
    static func system(for target: String) -> Set<String> {
        if pure.contains(target) { return [] }
        switch target {
        case "TestTools", "TestSupport", "aircheck-bench", "aircheck-soak": return ["Glibc", "Foundation"]
        case "aircheck": return ["Glibc", "Synchronization", "ArgumentParser", "Logging"]
        case "Control": return ["Glibc", "Synchronization", "Logging"]
        default: return ["Glibc", "Synchronization"]
        }
    }

    /// Whether an import goes down, and not to a target for tests only. A shim may import CLinux although both are in
    /// the same row, because shims open their libraries when these are first needed.
    static func allows(_ target: String, toImport imported: String) -> Bool {
        if target.hasPrefix("CLib") { return imported == "CLinux" }
        guard let above = rows[target], let below = rows[imported] else { return false }
        guard let above else { return true }
        guard let below else { return false }
        return below < above
    }
}
