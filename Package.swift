// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// `make check` treats warnings as errors.
let strictness: [SwiftSetting] = Context.environment["AIRCHECK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// All targets are built with the same settings: Swift 6, explicit existentials, and imports that are internal unless
/// declared `package`.
let settings: [SwiftSetting] =
    strictness + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

/// The targets that are optimized. They handle each byte, frame or sample of a station, or thousands of requests, or
/// tests and benchmarks compute a lot with them. All other code runs a few times a second or at a person's command, and
/// optimizing it would take longer than it saves. docs/building.md has the figures.
let optimized: Set = [
    "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Decoding", "SoundOutput",
    "CurlClient", "HTTPServer", "Stations", "Recorder", "Relay", "Playback", "Analysis",
    "TestTools", "EventLoopTesting", "TestSupport", "FuzzTargets", "aircheck-bench", "DecodingTests", "PlaybackTests",
    "RelayTests",
]

/// The flags of targets that are not optimized. Assertions are left out, as they are in optimized targets. One compiler
/// command emits both the interface and the code of a target: with a command of its own for the interface, it would
/// expand the macros of tests twice.
let unoptimized = ["-Onone", "-assert-config", "Release", "-no-emit-module-separately-wmo"]

/// The settings of a Swift target. `-enable-testing` lets tests use what is internal to a target, in the same build
/// that people run. With a build of their own, tests would compile everything twice. The linker can leave out functions
/// that nothing calls only if each has a section of its own.
func settings(of name: String) -> [SwiftSetting] {
    let common = ["-enable-testing", "-Xfrontend", "-function-sections"]
    return settings
        + [.unsafeFlags(common + (optimized.contains(name) ? [] : unoptimized), .when(configuration: .release))]
}

/// A Swift target and what it may import. The rows are those of docs/architecture.md; a test compares the imports with
/// them.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings(of: name))
}

func program(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings(of: name),
        linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings(of: name))
}

let package = Package(
    name: "aircheck",
    products: [.executable(name: "aircheck", targets: ["Program"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        // Row 0: values, and the system libraries behind typed shims.
        module("Instants", exclude: ["README.md"]),
        module("RadioFormats", exclude: ["README.md"]),
        .target(name: "CLibEvent", linkerSettings: [.linkedLibrary("event_core")]),
        .target(name: "CLibCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CLibCrypt", linkerSettings: [.linkedLibrary("crypt")]),
        .target(name: "CLinux", exclude: ["README.md"]),
        .target(name: "CDemoProgramme", exclude: ["music"]),
        // The libraries of these shims are opened on first use, and not linked.
        .target(name: "CLibMPG123", dependencies: ["CLinux"]),
        .target(name: "CLibOpus", dependencies: ["CLinux"]),
        .target(name: "CLibVorbis", dependencies: ["CLinux"]),
        .target(name: "CLibFLAC", dependencies: ["CLinux"]),
        .target(name: "CLibPulse", dependencies: ["CLinux"]),
        .target(name: "CLibSystemd", dependencies: ["CLinux"]),
        .target(name: "CLibSQLite", dependencies: ["CLinux"]),
        .target(name: "CLibCrypto", dependencies: ["CLinux"]),
        // Header-only libraries.
        .target(name: "CLibTOML"),
        .target(name: "CLibXXHash"),

        // Row 1: decisions, the event loop, and helpers for all threads.
        module("RadioCore", ["Instants", "RadioFormats"], exclude: ["README.md"]),
        module("EventLoop", ["Instants", "CLibEvent", "CLinux"], exclude: ["README.md"]),
        module("Platform", ["Instants", "RadioFormats", "CLinux"], exclude: ["README.md"]),

        // Row 2: each target reaches one part of the outside world.
        module(
            "Storage", ["Instants", "RadioFormats", "RadioCore", "Platform", "CLinux", "CLibXXHash"],
            exclude: ["README.md"]),
        module(
            "WallClock", ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "CLinux"],
            exclude: ["README.md"]),
        module("Decryption", ["CLibCrypto"], exclude: ["README.md"]),
        module("NetworkChanges", ["Instants", "EventLoop", "CLinux"], exclude: ["README.md"]),
        module(
            "Catalog", ["Instants", "RadioFormats", "RadioCore", "Platform", "CLibSQLite"], exclude: ["README.md"]),
        module(
            "Decoding",
            [
                "Instants", "RadioFormats", "RadioCore", "Platform", "CLinux", "CLibMPG123", "CLibOpus", "CLibVorbis",
                "CLibFLAC",
            ], exclude: ["README.md"]),
        module(
            "SoundOutput", ["Instants", "RadioCore", "Platform", "CLinux", "CLibPulse"], exclude: ["README.md"]),

        // Row 3: the network and files as bytes.
        module(
            "CurlClient", ["Instants", "RadioFormats", "EventLoop", "Platform", "CLibCurl"], exclude: ["README.md"]),
        module(
            "HTTPServer",
            ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "CLibCrypt", "CLinux"],
            exclude: ["README.md"]),
        module(
            "MediaSources",
            ["Instants", "EventLoop", "Platform", "RadioFormats", "RadioCore", "CLinux"], exclude: ["README.md"]),

        // Row 4: one station.
        module(
            "Stations",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Decryption", "CurlClient",
                "MediaSources",
            ],
            exclude: ["README.md"]),

        // Row 5: the uses of a station.
        module(
            "Recorder", ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Storage", "Stations"],
            exclude: ["README.md"]),
        module(
            "Relay", ["Instants", "RadioFormats", "RadioCore", "EventLoop", "HTTPServer", "Stations"],
            exclude: ["README.md"]),

        module(
            "Playback",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Decoding", "SoundOutput", "Stations",
            ], exclude: ["README.md"]),
        module(
            "Analysis",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Decoding", "Stations",
            ],
            exclude: ["README.md"]),

        // Row 6: the composition root.
        module(
            "Engine",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "WallClock",
                "NetworkChanges", "CurlClient", "HTTPServer", "MediaSources", "Decoding", "SoundOutput", "Stations",
                "Recorder", "Relay", "Playback", "Analysis", "CDemoProgramme",
            ], exclude: ["README.md"]),

        module(
            "Configuration",
            [
                "Instants", "RadioFormats", "RadioCore", "Platform", "HTTPServer", "Stations", "Relay", "CLibTOML",
            ], exclude: ["README.md"]),

        // Row 7: a running configuration.
        module(
            "Daemon",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Catalog", "CurlClient",
                "HTTPServer", "Stations", "Recorder", "Relay", "Playback", "Engine", "Configuration",
            ], exclude: ["README.md"]),

        module(
            "Queue",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "MediaSources",
                "Stations", "Playback", "Engine",
            ], exclude: ["README.md"]),

        // Row 8: the words that people read.
        module(
            "Words",
            [
                "Instants", "RadioFormats", "RadioCore", "Decoding", "HTTPServer", "Stations", "Storage", "Recorder",
                "Relay", "Catalog", "Playback", "Engine", "Configuration", "Daemon",
            ], exclude: ["README.md"]),

        // Row 9: status, control and logs of a running system.
        module(
            "Control",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Catalog", "WallClock",
                "CurlClient", "HTTPServer", "Stations", "Recorder", "Playback", "Engine", "Configuration",
                "Daemon", "Words", "CLibSystemd",
            ],
            exclude: ["README.md"]),

        // Row 10: the command line.
        module(
            "aircheck",
            [
                "Instants", "RadioFormats", "RadioCore", "Platform", "EventLoop", "WallClock", "Storage", "Stations",
                "Recorder", "Engine", "CurlClient", "HTTPServer", "MediaSources", "Relay", "SoundOutput",
                "Playback",
                "Configuration", "Catalog", "Daemon", "Queue", "Words", "Control",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["README.md"]),

        // Row 11: the program. It contains the Swift runtime, so that it runs on machines without Swift. The package
        // tool's option for this, `--static-swift-stdlib`, would change every command that compiles, and tests cannot
        // be linked with it. The libraries are those that the static Foundation of the argument parser needs. The other
        // flags save 2 MB of each process. `-static-stdlib` exports every symbol of a program; only GnuTLS looks for one
        // (CLibCurl/gnutls.c). gold, the usual linker, cannot pack relocations; packed ones need glibc 2.36.
        program(
            "Program", ["aircheck"], exclude: ["README.md"],
            linkerSettings: [
                .unsafeFlags([
                    "-static-stdlib", "-use-ld=bfd", "-Xlinker", "--no-export-dynamic",
                    "-Xlinker", "--export-dynamic-symbol=_gnutls_global_init_skip", "-Xlinker", "-z", "-Xlinker",
                    "pack-relative-relocs",
                ]),
                .linkedLibrary("_FoundationCollections"), .linkedLibrary("_FoundationCShims"),
                .linkedLibrary("_FoundationICU"),
            ]),

        // Tests and benchmarks only.
        .target(name: "CAllocations"),
        .target(name: "CBenchTools"),
        module("EventLoopTesting", ["Instants", "EventLoop"], exclude: ["README.md"]),
        module(
            "FuzzTargets",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "Storage",
                "CurlClient", "HTTPServer", "Stations", "Recorder",
            ], exclude: ["README.md"]),
        module("TestTools", ["Instants", "Platform"], exclude: ["README.md"]),
        module(
            "TestSupport",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "Storage",
                "CurlClient", "CDemoProgramme", "TestTools",
            ], exclude: ["README.md"]),
        program(
            "aircheck-bench",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "CurlClient", "Stations",
                "CBenchTools", "TestSupport", "TestTools",
            ], path: "Benchmarks"),
        program(
            "aircheck-soak",
            [
                "Instants", "RadioFormats", "RadioCore", "MediaSources", "Storage", "Decoding", "TestSupport",
                "TestTools",
            ], exclude: ["README.md"]),

        // A program that tests run inside a network namespace: stations, and a name server that answers, denies or
        // stays silent.
        program(
            "network-rig",
            [
                "Instants", "RadioCore", "EventLoop", "NetworkChanges", "CurlClient", "Stations", "TestSupport",
                "TestTools",
            ], exclude: ["README.md"]),

        tests("RadioFormatsTests", ["RadioFormats", "Platform", "FuzzTargets", "TestSupport", "TestTools"]),
        tests("RadioCoreTests", ["Instants", "RadioFormats", "RadioCore", "TestSupport", "TestTools"]),
        tests("EventLoopTests", ["Instants", "EventLoop", "EventLoopTesting", "TestTools"]),
        tests("PlatformTests", ["Instants", "Platform", "CLinux", "TestTools"]),
        tests(
            "CurlClientTests",
            ["Instants", "EventLoop", "EventLoopTesting", "Platform", "CurlClient", "TestSupport", "TestTools"]),
        tests(
            "StorageTests",
            ["Instants", "RadioFormats", "RadioCore", "Platform", "Storage", "TestSupport", "TestTools"]),
        tests("WallClockTests", ["Instants", "RadioCore", "EventLoop", "WallClock", "TestSupport", "TestTools"]),
        tests(
            "DecodingTests",
            ["Instants", "RadioFormats", "RadioCore", "Decoding", "TestSupport", "CAllocations", "TestTools"]),
        tests("DecryptionTests", ["Decryption", "TestSupport", "TestTools"]),
        tests("SoundOutputTests", ["Instants", "RadioCore", "Platform", "SoundOutput", "TestSupport", "TestTools"]),
        tests(
            "CatalogTests",
            ["Instants", "RadioFormats", "RadioCore", "Platform", "Catalog", "TestSupport", "TestTools"]),
        tests(
            "ConfigurationTests",
            [
                "Instants", "RadioFormats", "RadioCore", "HTTPServer", "Stations", "Configuration", "TestSupport",
                "TestTools",
            ]),
        tests(
            "DaemonTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "Storage",
                "Catalog", "Decoding", "WallClock", "CurlClient", "HTTPServer", "Stations", "Recorder", "Analysis",
                "Engine", "Configuration", "Daemon", "Words", "TestSupport", "TestTools",
            ]),
        tests(
            "NetworkChangesTests",
            ["Instants", "RadioCore", "EventLoop", "NetworkChanges", "TestSupport", "TestTools"]),
        tests(
            "HTTPServerTests",
            [
                "Instants", "EventLoop", "Platform", "RadioFormats", "RadioCore", "HTTPServer", "TestSupport",
                "TestTools",
            ]),
        tests(
            "RecorderTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "Storage",
                "Stations", "Recorder", "FuzzTargets", "TestSupport", "TestTools",
            ]),
        tests(
            "MediaSourcesTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "MediaSources",
                "TestSupport", "TestTools",
            ]),
        tests(
            "StationsTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "CurlClient", "MediaSources",
                "Stations", "TestSupport", "TestTools",
            ]),
        tests(
            "PlaybackTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "Platform", "Decoding",
                "SoundOutput", "Stations", "Playback", "TestSupport", "CAllocations", "TestTools",
            ]),
        tests(
            "AnalysisTests",
            ["Instants", "RadioFormats", "RadioCore", "Platform", "Decoding", "Analysis", "TestTools"]),
        tests(
            "RelayTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "CurlClient", "HTTPServer", "MediaSources",
                "Stations", "Relay", "TestSupport", "CAllocations", "TestTools",
            ]),
        tests(
            "EngineTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "HTTPServer", "Stations",
                "Recorder", "Relay", "Analysis", "Engine", "TestSupport", "TestTools",
            ]),
        tests(
            "QueueTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Storage", "Stations",
                "Playback", "Engine", "Queue", "TestSupport", "TestTools",
            ]),
        tests(
            "CommandLineTests",
            [
                "Instants", "RadioFormats", "RadioCore", "Storage", "HTTPServer", "MediaSources", "Stations",
                "Recorder", "Relay", "Playback", "Engine", "Configuration", "Control", "Words", "aircheck",
                "TestSupport", "TestTools", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], exclude: ["Golden"]),
        tests(
            "ControlTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "HTTPServer", "Storage",
                "Catalog", "Stations", "Recorder", "Playback", "Engine", "Configuration", "Daemon", "Words",
                "Control", "TestSupport", "TestTools",
            ]),
        tests(
            "TestSupportTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "EventLoopTesting", "CurlClient", "TestSupport",
                "TestTools",
            ]),
        tests("ProjectRulesTests", []),
        // The whole program from outside: its arguments, its files, its exit status.
        tests(
            "EndToEndTests",
            [
                "EventLoop", "Instants", "RadioCore", "Platform", "RadioFormats", "CBenchTools", "TestSupport",
                "TestTools",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Limits the test targets to the ones that a run needs, so that the others are not built.
if let chosen = Context.environment["AIRCHECK_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}
