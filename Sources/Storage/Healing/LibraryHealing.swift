// SPDX-License-Identifier: MIT

package import Instants
import Platform
import RadioCore

/// Heals the files of a recordings folder with what other recordings of the same stations have. Its calls block.
package struct LibraryHealing {
    /// What became of a finding.
    package enum Outcome: Hashable, Sendable {
        /// Nothing was to be changed.
        case found
        case healed
        case failed(RecordingHealer.Problem)
    }

    private let library: Library
    private let healer: RecordingHealer
    private var search: HealingSearch
    /// The files with gaps, and the IDs of their recordings.
    private var files: [(path: [String], recording: String?)] = []
    /// The files whose healing was interrupted, and has been settled, or has not.
    package private(set) var settled: [[String]] = []
    package private(set) var unsettled: [[String]] = []
    private let changesNothing: Bool
    /// The files that were read, and are what their sidecars say.
    private var intact: Set<[String]> = []

    /// The most times that a file is healed: each time, the rest of a gap may be in yet another recording.
    private static let most = 8

    /// `path` is the recordings folder. Throws if it cannot be read. `changesNothing`: only looks what could be healed.
    /// If it is false, and the healing of a file was interrupted, the folder is repaired first, because the sidecar of
    /// such a file may be wrong about its frames.
    package init(
        path: String, changesNothing: Bool, system: any FileSystemCalls = LinuxFileSystem()
    ) throws(StorageError) {
        self.changesNothing = changesNothing
        library = Library(path: path, depth: NameTemplate.maxComponents, system: system)
        healer = RecordingHealer(path: path, system: system)
        search = HealingSearch(library)
        var interrupted: [[String]] = []
        for segment in try library.walk() {
            if segment.sidecar?.healing == nil { add(segment) } else { interrupted.append(segment.path) }
        }
        if !changesNothing, !interrupted.isEmpty { try FolderRepair(folder: path, system: system).run { _ in } }
        for segment in interrupted.compactMap(library.segment(at:)) {
            guard segment.sidecar?.healing == nil else {
                unsettled.append(segment.path)
                continue
            }
            settled.append(segment.path)
            add(segment)
        }
    }

    private mutating func add(_ segment: LibrarySegment) {
        search.put(segment)
        if segment.sidecar?.gaps.isEmpty == false { files.append((segment.path, segment.sidecar?.recording)) }
    }

    /// Heals the files of the recordings with these IDs, or of all.
    package mutating func run(
        only ids: Set<String>, now: () -> WallInstant, report: (HealingSearch.Finding, Outcome) -> Void
    ) {
        for file in files where ids.isEmpty || file.recording.map(ids.contains) == true {
            guard var present = library.segment(at: file.path) else { continue }
            for _ in 0..<Self.most {
                guard heal(&present, findings(for: present, report), now, report) else { break }
            }
        }
    }

    /// The audio for the gaps of a file. Files that somebody has changed since they were recorded, or that cannot be
    /// read, prove nothing: they are reported, and no longer looked at.
    private mutating func findings(
        for segment: LibrarySegment, _ report: (HealingSearch.Finding, Outcome) -> Void
    ) -> [HealingSearch.Finding] {
        while true {
            let findings = search.findings(for: segment)
            var isProven = true
            for finding in findings {
                for other in finding.others {
                    guard let problem = problem(of: other) else { continue }
                    isProven = false
                    search.remove(other)
                    report(finding, .failed(problem))
                    break
                }
            }
            if isProven { return findings }
        }
    }

    /// Why the frames of a file prove nothing; nil if they are those that were recorded. Reads the whole file, but only
    /// once.
    private mutating func problem(of segment: LibrarySegment) -> RecordingHealer.Problem? {
        guard !intact.contains(segment.path) else { return nil }
        do throws(StorageError) {
            guard let check = try library.check(segment), let sidecar = segment.sidecar,
                check.checksum == sidecar.checksum, check.frames == sidecar.frames
            else { return .otherChanged(segment.path) }
        } catch {
            return error.code == .missing ? .otherChanged(segment.path) : .storage(error)
        }
        intact.insert(segment.path)
        return nil
    }

    /// Puts the audio of the findings into a file, from the last gap to the first. Returns whether there may be more.
    private mutating func heal(
        _ segment: inout LibrarySegment, _ findings: [HealingSearch.Finding], _ now: () -> WallInstant,
        _ report: (HealingSearch.Finding, Outcome) -> Void
    ) -> Bool {
        var isHealed = false
        for finding in findings {
            do throws(RecordingHealer.Problem) {
                guard let frames = try? search.frames(of: finding) else { continue }
                segment = try healer.heal(
                    segment, before: finding.gap.position, with: changesNothing ? nil : frames, now: now())
                guard !changesNothing else {
                    report(finding, .found)
                    continue
                }
                search.put(segment)
                isHealed = true
                report(finding, .healed)
            } catch {
                report(finding, .failed(error))
                return false
            }
        }
        return isHealed
    }
}
