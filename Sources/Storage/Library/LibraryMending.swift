// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import RadioCore
import RadioFormats

/// Gives audio that has lost its sidecar a sidecar again.
///
/// Somebody may have renamed or moved the audio alone: then a sidecar without audio has the audio's checksum. Or the
/// sidecar is gone or damaged: then it is made again from the audio and from what the catalog remembers of it or, if
/// the catalog knows nothing, from the tags that Aircheck wrote. Audio of other programs is left alone, and no audio is
/// ever changed.
///
/// Pass all segments of a walk to ``note(_:)``, then call ``mend(_:mayBeKnown:restore:)`` with each segment that
/// ``takeUnclear()`` returns. The calls block.
package struct LibraryMending {
    /// Audio without a sidecar that can be read. Some of it may belong to other programs.
    private var unclear: [LibrarySegment] = []
    private let library: Library
    private let zone: any TimeZoneRules
    /// The sidecars of finished files whose audio is gone, by checksum.
    private var alone: [UInt64: LibrarySegment] = [:]

    /// How many files of each kind are remembered.
    private static let most = 10_000

    /// A segment that has a sidecar again.
    package struct Mended: Hashable, Sendable {
        package var segment: LibrarySegment
        /// The former path of the audio, without extension, if the audio was renamed; nil if the sidecar was remade.
        package var formerPath: String?
    }

    /// `zone`: where the times in tags were local times.
    package init(_ library: Library, zone: any TimeZoneRules) {
        self.library = library
        self.zone = zone
    }

    package mutating func note(_ segment: LibrarySegment) {
        if segment.audio == nil {
            guard let sidecar = segment.sidecar, sidecar.state != .growing, let checksum = sidecar.checksum,
                alone.count < Self.most
            else { return }
            alone[checksum] = segment
        } else if !segment.isGrowing, segment.mayBeMended, unclear.count < Self.most {
            unclear.append(segment)
        }
    }

    /// The next segment to be mended; nil if there is none left.
    package mutating func takeUnclear() -> LibrarySegment? { unclear.popLast() }

    /// Finds or makes the sidecar of a segment, and writes it beside the audio. Returns nil if the audio is not certain
    /// to be ours. `mayBeKnown`: whether the catalog remembers a segment that may have this audio. `restore` adds what
    /// it remembers to the description of the audio, or returns nil if it remembers no such audio.
    package mutating func mend(
        _ segment: LibrarySegment, mayBeKnown: Bool, restore: (Sidecar) -> Sidecar?
    ) throws(StorageError) -> Mended? {
        let tags = RecordedTags(of: segment, in: library)
        // Reading takes long, so audio is read only if a sidecar for it is likely to be found or made.
        guard let audio = segment.audio, mayBeKnown || tags != nil || alone.values.contains(where: audio.mayBe)
        else { return nil }
        guard let scan = try library.scan(segment), let found = scan.sidecar(state: .complete) else { return nil }
        if let lost = alone[scan.checksum.value], let sidecar = lost.sidecar, sidecar.frames == found.frames,
            sidecar.format.codec == found.format.codec
        {
            alone[scan.checksum.value] = nil
            let mended = try write(sidecar, beside: segment)
            try remove(lost, sidecar)
            return Mended(segment: mended, formerPath: (lost.folders + [lost.base]).joined(separator: "/"))
        }
        if let sidecar = restore(found) {
            return Mended(segment: try write(sidecar, beside: segment))
        }
        guard let tags else { return nil }
        var sidecar = found
        sidecar.station = tags.station
        sidecar.at = tags.time(in: zone)
        // The same audio always gets the same ID.
        sidecar.recording = scan.checksum.value.sixteenDigits
        return Mended(segment: try write(sidecar, beside: segment))
    }

    private func write(_ sidecar: Sidecar, beside segment: LibrarySegment) throws(StorageError) -> LibrarySegment {
        try library.withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            try bundle.replace(.sidecar, sidecar.encoded, isComplete: true)
        }
        var mended = segment
        mended.description = .sidecar(sidecar)
        return mended
    }

    /// Removes the former companions of audio that has a sidecar again.
    private func remove(_ segment: LibrarySegment, _ sidecar: Sidecar) throws(StorageError) {
        try library.withBundle(of: segment, sidecar) { bundle throws(StorageError) in
            bundle.adopt()
            do throws(SystemError) {
                try bundle.removeCompanions()
            } catch {
                throw StorageError(error, .writeSidecar, bundle.path(of: .sidecar))
            }
        }
    }
}

extension LibrarySegment {
    /// Whether the segment has no sidecar, or a broken one. A sidecar of a newer version is not broken.
    fileprivate var mayBeMended: Bool {
        switch description {
        case .missing, .damaged(.content(.notJSON)), .damaged(.content(.incomplete)): true
        case .sidecar, .damaged: false
        }
    }
}

extension LibrarySegment.Audio {
    /// Whether the audio of a sidecar may be this file.
    fileprivate func mayBe(audioOf segment: LibrarySegment) -> Bool {
        guard let sidecar = segment.sidecar else { return false }
        return sidecar.format.fileType.fileExtension == fileExtension && sidecar.bytes <= bytes
    }
}
