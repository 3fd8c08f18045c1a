// SPDX-License-Identifier: MIT

import EventLoopTesting
import FuzzTargets
import Instants
import Platform
import RadioCore
import Recorder
import TestSupport
import Testing

/// The power fails before each of a recording's system calls in turn. A seed decides which of the unsynced data is
/// lost.
@Suite("Power cuts at every system call")
struct PowerCutTests {
    /// What a power cut before a call left.
    private struct Image: Sendable {
        var call: Int
        var name: String
        var system: MemorySystem
    }

    @Test(
        "A power cut loses five seconds at most, and a file with its final name is complete", arguments: FileSetting.all
    )
    func everyCall(_ setting: FileSetting) throws {
        let memory = MemorySystem(tracksSyncs: true)
        let (images, fed) = try record(setting, on: memory, seed: 15)
        #expect(images.count > 80 && fed.frames.count > 400)
        for image in images {
            try recover(setting, on: system(image.system, setting))
            check(image, fed, setting)
        }
    }

    @Test("A second power cut during the recovery loses no more than the first one", arguments: FileSetting.many)
    func everyCallOfRecovery(_ setting: FileSetting) throws {
        let memory = MemorySystem(tracksSyncs: true)
        let (images, fed) = try record(setting, on: memory, seed: 16)
        for first in images.striding(by: images.count / 5) {
            let watch = Watch(first.system, setting, seed: UInt64(first.call))
            try recover(setting, on: watch.system)
            for second in watch.images {
                let calls = "\(first.name), then \(second.name)"
                let image = Image(call: first.call, name: calls, system: second.system)
                try recover(setting, on: system(image.system, setting))
                check(image, fed, setting)
            }
        }
    }

    // MARK: Recording

    /// A file system that notes what a power cut before each call would leave.
    private final class Watch {
        let system: FaultySystem
        private let noted = Monitor<[Image]>([])
        var images: [Image] { noted.withLock { $0 } }

        init(_ memory: MemorySystem, _ setting: FileSetting, seed: UInt64) {
            system = FaultySystem(simulating: memory)
            let random = Monitor(SplitMix64(seed: seed))
            system.setFault { [noted] name, call in
                let left = random.withLock { memory.afterPowerCut(using: &$0) }
                let (now, then) = (memory.files, left.files)
                for (path, content) in then where path.hasSuffix(setting.fileExtension) {
                    guard content != now[path] else { continue }
                    Issue.record("\(setting), before call \(call), \(name): \(path) is not whole")
                }
                // Most calls write audio, and a sample of those is enough.
                if name != "writev" || call % 4 == 0 {
                    noted.withLock { $0.append(Image(call: call, name: name, system: left)) }
                }
                return setting.errors[name]
            }
        }
    }

    /// The frames of a recording, and for each call how many of them had been fed five seconds before it.
    private struct Fed {
        let frames: [[UInt8]]
        let places: [[UInt8]: Int]
        private let counts: [(call: Int, due: Int)]

        init(_ frames: [[UInt8]], counts: [(call: Int, due: Int)]) {
            self.frames = frames
            self.counts = counts
            // Frame 0 is left out, because a frame whose end is zeroed looks like frame 0.
            places = Dictionary(uniqueKeysWithValues: zip(frames, 0...).dropFirst())
        }

        func due(at call: Int) -> Int { counts.last { $0.call <= call }?.due ?? 0 }
    }

    /// Records two files of seven seconds, the first of which is synced once before it is complete.
    private func record(
        _ setting: FileSetting, on memory: MemorySystem, seed: UInt64
    ) throws -> (images: [Image], fed: Fed) {
        let watch = Watch(memory, setting, seed: seed)
        let rig = try rig(setting, watch.system)
        rig.begin(setting.format)
        var (counts, history): ([(call: Int, due: Int)], [(time: MonotonicInstant, fed: Int)]) = ([], [])
        for _ in 0..<140 {
            let start = rig.reactor.now
            let due = history.last { $0.time <= start - .seconds(5) }?.fed ?? 0
            counts.append((rig.system.log.count + 1, due))
            rig.play(.milliseconds(100))
            history.append((rig.reactor.now, rig.fed))
        }
        rig.settleAirTime()
        _ = rig.stop()
        return (watch.images, Fed(rig.fedFrames, counts: counts))
    }

    private func rig(_ setting: FileSetting, _ system: FaultySystem) throws -> RecorderRig {
        let name = try NameTemplate(parsing: "\(setting.prefix)\(NameTemplate.standard.text)")
        return try RecorderRig(system: system) {
            $0.policy = .period(.seconds(7))
            $0.name = name
            $0.isPure = setting.isPure
            $0.writesSidecars = setting.writesSidecars
        }
    }

    private func system(_ memory: MemorySystem, _ setting: FileSetting) -> FaultySystem {
        let system = FaultySystem(simulating: memory)
        system.setErrors(setting.errors)
        return system
    }

    /// Starts again, which completes the files that were left.
    private func recover(_ setting: FileSetting, on system: FaultySystem) throws {
        let rig = try rig(setting, system)
        rig.pass(.seconds(1))
        _ = rig.stop()
    }

    // MARK: The files after it

    private func check(_ image: Image, _ fed: Fed, _ setting: FileSetting) {
        let what = "\(setting.testDescription), before call \(image.call): \(image.name)"
        var files = image.system.files
        // A part of which no frame can be read, for example because its head is lost, stays as it is.
        for path in files.keys where path.hasSuffix(setting.fileExtension + ".part") {
            #expect(setting.frames(of: files[path] ?? []).isEmpty, "\(what): \(path)")
            files[path] = nil
            files[path.dropLast(setting.fileExtension.count + 5) + ".json"] = nil
        }
        let audio = files.keys.filter { $0.hasSuffix(setting.fileExtension) }.sorted()
        let sidecars = files.keys.filter { $0.hasSuffix(".json") }
        #expect(files.count == audio.count + sidecars.count, "\(what): \(files.keys.sorted())")
        #expect(sidecars.count == (setting.writesSidecars ? audio.count : 0), "\(what): \(files.keys.sorted())")
        for path in sidecars {
            let sidecar = files[path].flatMap(Sidecar.init(parsing:))
            #expect(sidecar.map { $0.state != .growing } == true, "\(what): \(path)")
            #expect(audio.contains(path.dropLast(5) + setting.fileExtension), "\(what): \(path)")
        }
        let found = audio.flatMap { setting.frames(of: files[$0] ?? []) }
        let due = fed.due(at: image.call)
        #expect(FrameList.begins(found, with: due, of: fed.frames), "\(what): \(found.count) of \(due)")
        // A frame after the synced ones may be damaged, if one of its pages is missing.
        let places = FrameList.places(of: found, in: fed.places)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(what): out of order, or twice")
    }
}

extension Array {
    fileprivate func striding(by step: Int) -> [Element] {
        stride(from: 0, to: count, by: Swift.max(1, step)).map { self[$0] }
    }
}
