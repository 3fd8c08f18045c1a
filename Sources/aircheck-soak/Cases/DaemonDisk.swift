// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks three daemons with disks in trouble: one disk is full for a while, one is full until retention has made room,
/// and one does not answer for ten seconds. Listeners and the loop are not affected, and nothing is lost, because the
/// queue holds all data.
struct DaemonDisk: SoakCase {
    let name = "daemon-disk"
    let hazard = "D3, D5"

    private static let trouble = 10
    /// The start of 2026.
    private static let newYear = WallInstant(nanoseconds: 1_767_225_600_000_000_000)

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(180))], MPEGShape(128), seed: plan.seed)
        let full = "\(try fullDisk(programme)); \(try tidiedDisk(programme))"
        guard geteuid() == 0 else { return "\(full); SKIPPED: a frozen disk, which only root can make" }
        return "\(full); \(try frozenDisk(programme))"
    }

    /// Runs a daemon on a file system of 1 MiB, which is mounted in a mount namespace of its own. A filler file takes
    /// up the space for a while.
    private func fullDisk(_ programme: Broadcast) throws -> String {
        let run = try DaemonRun(
            programme, storage: "free-space = \"0MB\"",
            prepare: ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c"]
                + ["mkdir recordings && mount -t tmpfs -o size=1m none recordings && exec \"$@\"", "sh"])
        // The path of the file in the daemon's mount namespace.
        let filler = "/proc/\(run.daemon.pid)/root\(run.folder.file("recordings/filler"))"
        let audience = try Audience(1, port: run.port, path: "/a")
        try MountedDisk.fill(filler)
        guard waitUntil(.seconds(30), { run.daemon.errorSoFar.contains("recording continues as soon as") }) else {
            throw Harm("the full disk is not reported:\n\(run.daemon.errorSoFar)")
        }
        try run.pause(Self.trouble)
        unlink(filler)
        let began = ContinuousClock.now
        guard waitUntil(.seconds(30), { run.daemon.errorSoFar.contains("the disk accepts data again") }) else {
            throw Harm("recording does not continue:\n\(run.daemon.errorSoFar)")
        }
        let back = (ContinuousClock.now - began).inSeconds
        try Harm.unless(back <= 5, "recording resumed \(back) s after there was space")
        try run.expectPunctualLoop()
        try run.pause(3)
        let heard = FrameChecker(programme).check(cutOff: try audience.leave()[0].body)
        try Harm.unless(heard.isExact && heard.places.count > 10 * 38, "the listener received \(heard)")
        // The files vanish with the process, so they are read while it runs.
        let log = run.daemon.errorSoFar
        try run.ask(["status"])
        let audio = "/proc/\(run.daemon.pid)/root\(run.folder.file("recordings"))"
        // Foundation would resolve the path outside the namespace.
        let recorded = try ["a.mp3", "a (2).mp3.part"].flatMap { try bytes(ofKernelFile: "\(audio)/\($0)") }
        let frames = FrameChecker(programme).check(cutOff: recorded)
        try Harm.unless(frames.isExact && frames.places.count > 13 * 38, "the recording has \(frames):\n\(log)")
        let events = log.split(separator: "\n").count { $0.contains("recording continues as soon as") }
        try Harm.unless(events == 1, "the full disk is reported \(events) times:\n\(log)")
        try run.end()
        return "a full disk: reported once, recording resumed after \((back * 100).rounded() / 100) s, nothing lost"
    }

    /// Runs a daemon on a file system of 8 MiB with old recordings. A filler file takes up the space, so retention must
    /// delete the oldest recordings, but no protected recording.
    private func tidiedDisk(_ programme: Broadcast) throws -> String {
        let seeds = try TemporaryFolder("aircheck-soak")
        for (age, name) in ["newest", "third", "second", "kept", "oldest"].enumerated() {
            let at = CivilTime(Self.newYear - .seconds(86_400 * age), utcOffset: 0)
            let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
            var sidecar = Sidecar(
                format: format, at: at, frames: 100, bytes: 600_000, samples: 115_200, state: .complete)
            (sidecar.recording, sidecar.stationID, sidecar.isProtected) = (name, "a", name == "kept")
            try seeds.write("\(name).mp3", [UInt8](repeating: 1, count: 600_000))
            try seeds.write("\(name).json", sidecar.encoded)
        }
        let copy = "cp '\(seeds.path)'/* recordings"
        let run = try DaemonRun(
            programme, storage: "free-space = \"1500KB\"",
            prepare: ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c"]
                + ["mkdir recordings && mount -t tmpfs -o size=8m none recordings && \(copy) && exec \"$@\"", "sh"])
        let disk = "/proc/\(run.daemon.pid)/root\(run.folder.file("recordings"))"
        try MountedDisk.fill("\(disk)/filler")
        // Retention has just run, so half a minute passes until it runs again.
        guard waitUntil(.seconds(60), { run.daemon.errorSoFar.contains("the disk accepts data again") }) else {
            throw Harm("nothing is deleted to make room:\n\(run.daemon.errorSoFar)")
        }
        try run.expectPunctualLoop()
        try run.pause(3)
        let left = ["oldest", "kept", "second", "third", "newest"].filter { access("\(disk)/\($0).mp3", F_OK) == 0 }
        try Harm.unless(left == ["kept", "newest"], "\(left) are left:\n\(run.daemon.errorSoFar)")
        let recorded = try ["a.mp3", "a (2).mp3.part"].flatMap { try bytes(ofKernelFile: "\(disk)/\($0)") }
        let frames = FrameChecker(programme).check(cutOff: recorded)
        try Harm.unless(frames.isExact && frames.places.count > 30 * 38, "the recording has \(frames)")
        try run.end()
        return "retention makes room by itself, nothing lost"
    }

    /// Runs a daemon on a file system on a loop device. The file system is frozen for a while, so that each write and
    /// each sync blocks.
    private func frozenDisk(_ programme: Broadcast) throws -> String {
        let disk = try MountedDisk()
        let run = try DaemonRun(
            programme, storage: "recordings = \"\(disk.path)/recordings\"\nstate = \"\(disk.path)/state\"")
        let audience = try Audience(1, port: run.port, path: "/a")
        try run.pause(2)
        try disk.freeze(true)
        try run.pause(Self.trouble - 1)
        // The lag is the longest delay of the last seconds, so it is read while the disk is still frozen.
        let lag = try run.expectPunctualLoop()
        try run.ask(["status"])
        try run.pause(1)
        try disk.freeze(false)
        try run.pause(3)
        let heard = FrameChecker(programme).check(cutOff: try audience.leave()[0].body)
        try run.end()
        let frames = FrameChecker(programme).check([try bytes(ofFile: "\(disk.path)/recordings/a.mp3")])
        try Harm.unless(heard.isExact && heard.places.count > 12 * 38, "the listener received \(heard)")
        try Harm.unless(frames.isExact && frames.places.count > 12 * 38, "the recording has \(frames)")
        return "a disk that hangs for \(Self.trouble) s: nothing lost, the loop \((lag * 10).rounded() / 10) ms late"
    }
}
