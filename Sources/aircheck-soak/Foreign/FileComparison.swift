// SPDX-License-Identifier: MIT

/// ffprobe's list of a file, what Aircheck plays of it, and the differences.
struct FileComparison {
    /// A difference; the numbers are indices into `listed.units` and `played.units`.
    enum Difference {
        /// Neither finds audio, or Aircheck refuses the audio that there is.
        case noAudio
        case onlyListed(Int)
        case onlyPlayed(Int)
        /// The bytes are equal, but the durations differ.
        case length(listed: Int, played: Int)
    }

    let file: ForeignFile
    let listed: ListedFile
    let played: PlayedFile
    /// The properties of a Vorbis file; nil for other files.
    let vorbis: VorbisFile?
    private(set) var differences: [Difference] = []

    init(_ file: ForeignFile, _ listing: Listing) throws {
        self.file = file
        listed = try ListedFile(listing)
        played = try PlayedFile(file.name, file.bytes)
        vorbis = VorbisFile(file.bytes, played: played.units)
        if played.units.isEmpty {
            differences = [.noAudio]
            return
        }
        // Both lists are in file order, so their difference is a single walk.
        let steps = played.units.map(key).difference(from: listed.units.map(key))
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for step in steps {
            switch step {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): inserted.insert(place)
            }
        }
        differences = removed.sorted().map { .onlyListed($0) } + inserted.sorted().map { .onlyPlayed($0) }
        let same = zip(
            listed.units.indices.filter { !removed.contains($0) },
            played.units.indices.filter { !inserted.contains($0) })
        // ffprobe reports no duration for a packet that plays nothing.
        for (one, other) in same where listed.units[one].samples ?? 0 != played.units[other].samples ?? 0 {
            differences.append(.length(listed: one, played: other))
        }
    }

    var isOgg: Bool { listed.container == "ogg" }

    /// The properties that must be equal: offset and bytes. Packets are in pages, so only their bytes are compared.
    private func key(_ unit: AudioUnit) -> [Int] {
        isOgg ? [unit.size, Int(unit.checksum)] : [unit.offset, unit.size, Int(unit.checksum)]
    }
}

extension FileComparison.Difference {
    /// A description with both sides, for investigation.
    func words(in comparison: FileComparison) -> String {
        let (listed, played) = (comparison.listed, comparison.played)
        switch self {
        case .noAudio:
            return "ffprobe lists \(listed.units.count) of \(listed.codec), none is played: \(played.refusal ?? "")"
        case .onlyListed(let place): return "only ffprobe lists \(listed.units[place])"
        case .onlyPlayed(let place): return "only played is \(played.units[place])"
        case .length(let one, let other):
            return
                "packet \(one) plays \(listed.units[one].samples ?? 0) by ffprobe, \(played.units[other].samples ?? 0) here"
        }
    }
}
