// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// A thousand hostile sidecars and a catalog with false claims. The sidecars are read from the folder into the catalog;
/// then retention plans, and deletes.
struct HostileRetentionTests {
    private static let now = WallInstant(nanoseconds: 1_795_608_000_000_000_000)
    private static let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
    private static let folders = ["", "a/", "a/b/"]
    private static let leadingOut = [
        "../outside/treasure.mp3", "/etc/passwd", "link/treasure.mp3", "../../outside/treasure.mp3", "..", "",
    ]
    private let folder: TemporaryFolder
    private let store: CatalogStore

    init() throws {
        folder = try TemporaryFolder()
        for name in ["recordings/a/b", "outside/deep", "state"] { try folder.make(name) }
        store = try CatalogStore(folder: folder.file("state"))
    }

    @Test("Nothing outside the folder changes and nothing protected is deleted, whatever sidecars claim")
    func falseClaims() throws {
        var random = SplitMix64(seed: 1_000)
        for name in ["outside/treasure", "outside/deep/treasure", "treasure"] {
            try folder.write("\(name).mp3", "treasure")
            try folder.write("\(name).json", Self.sidecar("r1", daysAgo: 500).encoded)
        }
        symlink("../outside", folder.file("recordings/link"))
        symlink(folder.file("outside"), folder.file("recordings/a/link"))
        for number in 0..<1_000 { try put(number, &random) }
        let (before, protected) = (try outside(), try self.protected())
        #expect(before.count > 6 && protected.count > 100)

        try rescan()
        try lie(&random)
        var (deleted, refused) = (0, 0)
        while true {
            let outcome = try run()
            let successes = outcome.deletions.count { $0.refusal == nil }
            (deleted, refused) = (deleted + successes, refused + outcome.deletions.count - successes)
            guard outcome.isUnfinished else { break }
        }
        #expect(deleted > 50 && refused > 50, "\(deleted) were deleted, \(refused) refused")
        #expect(try outside() == before)
        for (name, bytes) in protected { #expect(try folder.read(name) == bytes, "\(name)") }
    }

    private static func sidecar(_ recording: String?, daysAgo age: Int) -> Sidecar {
        let at = CivilTime(now - .seconds(Int64(age) * 86_400), utcOffset: 0)
        var sidecar = Sidecar(.complete, at: at, frames: 1, bytes: 5, format: format)
        sidecar.recording = recording
        sidecar.stationID = "fip"
        return sidecar
    }

    /// Puts a file and its sidecar into the folder. Something may be wrong with them.
    private func put(_ number: Int, _ random: inout SplitMix64) throws {
        let ids = ["r\(Int.random(in: 0..<600, using: &random))", "r\(number)", "../outside/treasure", "", nil]
        // Most sidecars have a usual ID.
        let id = ids[[0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4].randomElement(using: &random) ?? 0]
        var sidecar = Self.sidecar(id, daysAgo: Int.random(in: -10...2_000, using: &random))
        sidecar.isProtected = Int.random(in: 0..<8, using: &random) == 0
        sidecar.previous = Self.leadingOut.randomElement(using: &random)
        sidecar.next = Self.leadingOut.randomElement(using: &random)
        // The last size is impossible, so a sidecar with it cannot be read.
        let sizes: [Int64] = [0, 1, 5, 0, 1, 5, 0, 1, 1 << 47, .max]
        sidecar.bytes = sizes.randomElement(using: &random) ?? 0
        sidecar.frames = sizes.randomElement(using: &random) ?? 0

        let base = "recordings/\(Self.folders.randomElement(using: &random) ?? "")n\(number)"
        let audio = folder.file(base + ".mp3")
        var text = sidecar.encoded
        try folder.write(base + ".mp3", "audio")
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            unlink(audio)
            symlink(folder.file("outside/treasure.mp3"), audio)
        case 1:
            unlink(audio)
            mkdir(audio, 0o755)
        case 2: unlink(audio)
        case 3: try folder.write(base + ".mp3.part", "more")
        case 4:
            symlink(folder.file("outside/treasure.json"), folder.file(base + ".json"))
            return
        case 5: text.removeLast(Int.random(in: 1..<text.count, using: &random))
        case 6: text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        default: break
        }
        try folder.write(base + ".json", text)
    }

    /// Reads the folder into the catalog, as a rebuild does.
    private func rescan() throws {
        try store.beginRebuilding()
        let library = Library(path: folder.file("recordings"), depth: NameTemplate.maxComponents)
        var place: LibraryPlace?
        repeat {
            let page = try library.page(after: place, atMost: 300)
            try store.put(page.segments)
            place = page.next
        } while place != nil
        try store.finishRebuilding()
    }

    /// Claims in the catalog that recordings have files outside the folder, and that protected recordings may be
    /// deleted.
    private func lie(_ random: inout SplitMix64) throws {
        func claim(_ folders: [String], _ base: String, _ sidecar: Sidecar) throws {
            let audio = LibrarySegment.Audio(fileExtension: "mp3", bytes: 8, isPart: false)
            try store.put([
                LibrarySegment(folders: folders, base: base, audio: audio, description: .sidecar(sidecar))
            ])
        }
        let out = [
            [".."], ["..", "outside"], ["link"], ["a", "link"], ["a", "..", "..", "outside"], [folder.file("outside")],
            ["link", "deep"], ["", "..", "outside"], [],
        ]
        for (number, folders) in out.enumerated() {
            for base in ["treasure", "../treasure", "../outside/treasure", folder.file("outside/treasure"), ".."] {
                // The sidecars at these places really name this recording.
                try claim(folders, base, Self.sidecar("r1", daysAgo: 300))
                try claim(folders, base + "\(number)", Self.sidecar("out \(number)", daysAgo: 300))
            }
        }
        for name in try protected().keys.sorted() where name.hasSuffix(".json") && Bool.random(using: &random) {
            let parts = name.dropLast(5).split(separator: "/").dropFirst().map(String.init)
            guard var sidecar = Sidecar(parsing: try folder.read(name)) else { continue }
            sidecar.isProtected = false
            try claim(parts.dropLast(), parts.last ?? "", sidecar)
        }
    }

    private func run() throws -> RetentionOutcome {
        try RetentionRun(keepingLastIn: folder, now: Self.now).perform(store)
    }

    /// The contents of everything outside the folders `recordings` and `state`, by name; empty for folders.
    private func outside() throws -> [String: [UInt8]] {
        let names = try folder.contents().filter { !$0.hasPrefix("recordings/") && !$0.hasPrefix("state/") }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? folder.read($0)) ?? []) })
    }

    /// The protected sidecars and their audio.
    private func protected() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try folder.contents() where name.hasPrefix("recordings/") && name.hasSuffix(".json") {
            let text = try folder.read(name)
            guard Sidecar(parsing: text)?.isProtected == true else { continue }
            files[name] = text
            let audio = String(name.dropLast(4)) + "mp3"
            if let bytes = try? folder.read(audio) { files[audio] = bytes }
        }
        return files
    }
}

extension RetentionRun {
    /// A run that keeps the last recording of the station or show, with the folders `recordings` and `state`.
    init(keepingLastIn folder: TemporaryFolder, now: WallInstant) {
        let ledger = StateLedger(folder: folder.file("state"), name: StateLedger.deletions)
        self.init(
            removal: RecordingRemoval(folder: folder.file("recordings"), ledger: ledger), state: folder.file("state"),
            rules: RetentionRules(stations: ["fip": .init(own: RetentionRule(last: 1))]), isAgreed: true, now: now,
            zone: FixedZone.utc, isDryRun: false)
    }
}
