// SPDX-License-Identifier: MIT

import Foundation
import FuzzTargets
import Testing

/// Runs the inputs that fuzzing starts from, with every input that ever revealed a fault, in each ordinary test run.
struct SeedTests {
    @Test("B9: Every seed is harmless to its fuzz target", arguments: FuzzTarget.allCases)
    func everySeedIsHarmless(_ target: FuzzTarget) throws {
        let seeds = try Self.seeds(target)
        #expect(seeds.count >= 3)
        for (name, bytes) in seeds {
            let complaint = target.complaint(about: bytes)
            #expect(complaint == nil, "\(target)/\(name)")
        }
    }

    @Test("B9: Random mutations of the seeds are harmless to their fuzz target", arguments: FuzzTarget.allCases)
    func randomInputsAreHarmless(_ target: FuzzTarget) throws {
        let seeds = try Self.seeds(target).map(\.bytes)
        var generator = SplitMix64(seed: 2026)
        // The whole path gets fewer rounds, because it takes longer per input than any parser.
        for round in 0..<(target == .path ? 30 : 300) {
            var bytes = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                Self.mutate(&bytes, with: seeds, &generator)
            }
            let complaint = target.complaint(about: bytes)
            #expect(complaint == nil, "\(target), round \(round)")
        }
    }

    private static func mutate(_ bytes: inout [UInt8], with seeds: [[UInt8]], _ generator: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...40, using: &generator))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where place < bytes.count: bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: generator.bytes(Int.random(in: 1...20, using: &generator)), at: place)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.insert(contentsOf: seeds.randomElement(using: &generator)?.suffix(600) ?? [], at: place)
        }
    }

    /// The files of `Tests/Seeds/<target>`, in the order of their names.
    private static func seeds(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Seeds/\(target.rawValue)").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }
}
