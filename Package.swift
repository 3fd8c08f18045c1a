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

/// A Swift target and what it may import. The rows are those of docs/architecture.md; a test compares the imports with
/// them.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The test targets that are optimized, because they compute a lot or count allocations. Optimizing the other targets
/// would take longer than it saves.
let optimizedTests = ["RadioFormatsTests", "DecodingTests", "PlaybackTests", "RelayTests"]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    let isOptimized = optimizedTests.contains(name)
    return .testTarget(
        name: name, dependencies: dependencies, exclude: exclude,
        swiftSettings: settings + (isOptimized ? [] : [.unsafeFlags(["-Onone"])]))
}

let package = Package(
    name: "aircheck",
    products: [],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
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
        .target(name: "CLibExpat", dependencies: ["CLinux"]),
        .target(name: "CLibSystemd", dependencies: ["CLinux"]),
        .target(name: "CLibSQLite", dependencies: ["CLinux"]),
        // Header-only libraries.
        .target(name: "CLibTOML"),
        .target(name: "CLibXXHash"),

        // Row 1: decisions, the event loop, and helpers for all threads.
        module("RadioCore", ["Instants", "RadioFormats"]),
        module("EventLoop", ["Instants", "CLibEvent", "CLinux"], exclude: ["README.md"]),
        module("Platform", ["Instants", "CLinux"], exclude: ["README.md"]),

        // Row 2: each target reaches one part of the outside world.
        module(
            "Storage", ["Instants", "RadioFormats", "RadioCore", "Platform", "CLinux", "CLibXXHash"],
            exclude: ["README.md"]),
        module(
            "WallClock", ["Instants", "RadioCore", "EventLoop", "Platform", "CLinux"], exclude: ["README.md"]),
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
        module("CurlClient", ["Instants", "RadioFormats", "EventLoop", "CLibCurl"], exclude: ["README.md"]),
        module(
            "HTTPServer",
            ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "CLibCrypt", "CLinux"],
            exclude: ["README.md"]),
        module(
            "MediaSources",
            ["Instants", "EventLoop", "Platform", "RadioFormats", "RadioCore", "Storage", "CLinux", "CLibExpat"],
            exclude: ["README.md"]),

        // Row 4: one station.
        module(
            "Stations", ["Instants", "RadioFormats", "RadioCore", "EventLoop", "CurlClient", "MediaSources"],
            exclude: ["README.md"]),

        // Row 5: the uses of a station.
        module(
            "Recorder", ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Storage", "WallClock", "Stations"],
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
            "Analysis", ["Instants", "RadioFormats", "RadioCore", "Decoding", "Stations"], exclude: ["README.md"]),

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
                "Instants", "RadioFormats", "RadioCore", "Platform", "Storage", "WallClock", "CurlClient",
                "HTTPServer", "MediaSources", "Stations", "Recorder", "Relay", "CLibTOML",
            ], exclude: ["README.md"]),

        // Row 7: a running configuration.
        module(
            "Daemon",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Catalog", "WallClock",
                "CurlClient", "HTTPServer", "MediaSources", "SoundOutput", "Stations", "Recorder", "Relay", "Playback",
                "Engine", "Configuration", "CLibSystemd",
            ], exclude: ["README.md"]),

        // Row 8: the words that people read.
        module(
            "Words",
            [
                "Instants", "RadioFormats", "RadioCore", "HTTPServer", "Stations", "Storage", "Recorder", "Relay",
                "Catalog", "SoundOutput", "Playback", "Engine", "Configuration", "Daemon",
            ], exclude: ["README.md"]),

        // Row 9: status, control and logs of a running system.
        module(
            "Control",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Catalog", "WallClock",
                "CurlClient", "HTTPServer", "Stations", "Recorder", "Relay", "Playback", "Engine", "Configuration",
                "Daemon", "Words", "CLibSystemd", .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"]),

        // Row 10: the command line.
        .executableTarget(
            name: "aircheck",
            dependencies: [
                "Instants", "RadioFormats", "RadioCore", "Platform", "EventLoop", "WallClock", "Storage", "Stations",
                "Recorder", "Engine", "CurlClient", "HTTPServer", "MediaSources", "Relay", "SoundOutput", "Playback",
                "Configuration", "Daemon", "Words", "Control",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"], swiftSettings: settings),

        // Tests and benchmarks only.
        .target(name: "CAllocations"),
        .target(name: "CBenchTools"),
        module(
            "FuzzTargets",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "CurlClient", "HTTPServer",
                "Stations", "Recorder",
            ]),
        module(
            "TestSupport",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "CurlClient",
                "CDemoProgramme",
            ], exclude: ["README.md"]),
        .executableTarget(
            name: "aircheck-bench",
            dependencies: [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "CurlClient", "Stations",
                "CBenchTools", "TestSupport",
            ],
            path: "Benchmarks", swiftSettings: settings),
        .executableTarget(
            name: "aircheck-soak",
            dependencies: [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "MediaSources", "Decoding", "TestSupport",
            ],
            exclude: ["README.md"], swiftSettings: settings),

        // A program that tests run inside a network namespace: stations, and a name server that answers, denies or
        // stays silent.
        .executableTarget(
            name: "network-rig",
            dependencies: [
                "Instants", "RadioCore", "EventLoop", "NetworkChanges", "CurlClient", "Stations", "TestSupport",
            ],
            exclude: ["README.md"], swiftSettings: settings),

        tests("RadioFormatsTests", ["RadioFormats", "FuzzTargets", "TestSupport"]),
        tests("RadioCoreTests", ["Instants", "RadioFormats", "RadioCore", "TestSupport"]),
        tests("EventLoopTests", ["Instants", "EventLoop", "TestSupport"]),
        tests("PlatformTests", ["Instants", "Platform", "CLinux", "TestSupport"]),
        tests("CurlClientTests", ["Instants", "EventLoop", "CurlClient", "TestSupport"]),
        tests("StorageTests", ["Instants", "RadioFormats", "RadioCore", "Platform", "Storage", "TestSupport"]),
        tests("WallClockTests", ["Instants", "RadioCore", "EventLoop", "WallClock", "TestSupport"]),
        tests(
            "DecodingTests",
            ["Instants", "RadioFormats", "RadioCore", "Platform", "Decoding", "TestSupport", "CAllocations"]),
        tests("SoundOutputTests", ["Instants", "RadioCore", "Platform", "SoundOutput", "TestSupport"]),
        tests(
            "CatalogTests",
            ["Instants", "RadioFormats", "RadioCore", "Platform", "Storage", "Catalog", "TestSupport"]),
        tests(
            "ConfigurationTests",
            [
                "Instants", "RadioFormats", "RadioCore", "HTTPServer", "Stations", "Relay", "Configuration",
                "TestSupport",
            ]),
        tests(
            "DaemonTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Catalog", "WallClock",
                "CurlClient", "HTTPServer", "Stations", "Recorder", "Relay", "Engine", "Configuration", "Daemon",
                "TestSupport",
            ]),
        tests("NetworkChangesTests", ["Instants", "RadioCore", "EventLoop", "NetworkChanges", "TestSupport"]),
        tests(
            "HTTPServerTests",
            ["Instants", "EventLoop", "Platform", "RadioFormats", "RadioCore", "HTTPServer", "TestSupport"]),
        tests(
            "RecorderTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "Stations", "Recorder",
                "FuzzTargets", "TestSupport",
            ]),
        tests(
            "MediaSourcesTests",
            ["Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "MediaSources", "TestSupport"]),
        tests(
            "StationsTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "CurlClient", "MediaSources", "Stations",
                "TestSupport",
            ]),
        tests(
            "PlaybackTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Decoding", "SoundOutput", "Stations",
                "Playback", "TestSupport", "CAllocations",
            ]),
        tests(
            "AnalysisTests",
            ["Instants", "RadioFormats", "RadioCore", "Stations", "Analysis"]),
        tests(
            "RelayTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "CurlClient", "HTTPServer", "MediaSources",
                "Stations", "Relay", "TestSupport", "CAllocations",
            ]),
        tests(
            "EngineTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "Storage", "HTTPServer", "Stations",
                "Recorder", "Relay", "Playback", "Engine", "TestSupport",
            ]),
        tests(
            "CommandLineTests",
            [
                "Instants", "RadioFormats", "RadioCore", "Storage", "HTTPServer", "MediaSources", "Stations",
                "Recorder", "Relay", "Playback", "Engine", "Configuration", "Control", "Words", "aircheck",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], exclude: ["Golden"]),
        tests(
            "ControlTests",
            [
                "Instants", "RadioFormats", "RadioCore", "EventLoop", "Platform", "HTTPServer", "Storage", "Catalog",
                "Stations", "Recorder", "Relay", "Playback", "Engine", "Configuration", "Daemon", "Words", "Control",
                "TestSupport", .product(name: "Logging", package: "swift-log"),
            ]),
        tests("TestSupportTests", ["Instants", "RadioCore", "EventLoop", "CurlClient", "TestSupport"]),
        tests("ProjectRulesTests", []),
        // The whole program from outside: its arguments, its files, its exit status.
        tests(
            "EndToEndTests",
            [
                "EventLoop", "Instants", "RadioCore", "Platform", "RadioFormats", "CBenchTools", "TestSupport",
                "aircheck", "network-rig",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Limits the test targets to the ones that a run needs, so that the others are not built.
if let chosen = Context.environment["AIRCHECK_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}
