// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

extension RecordingExporter {
    /// Writes the packets of Ogg files to a descriptor, as one logical stream. Sidecars have no header packets, so a
    /// file must be read to find out whether a decoder can continue with it.
    func exportPackets(
        _ plan: ExportPlan, to descriptor: CInt, title: String?
    ) throws(Fault) -> Exported {
        let number = plan.parts.first?.segment.sidecar?.number ?? 1
        // The recorder numbers the streams in its files in the same way.
        var excerpt = OggExcerpt(serial: UInt32(truncatingIfNeeded: number), title: title)
        var output: [UInt8] = []
        for part in plan.parts { try copy(part, through: &excerpt, &output, to: descriptor) }
        excerpt.finish(into: &output)
        try write(output, to: descriptor)
        let totals = excerpt.totals
        return Exported(frames: totals.frames, bytes: totals.bytes, samples: totals.samples, missing: totals.missing)
    }

    private func copy(
        _ part: ExportPlan.Part, through excerpt: inout OggExcerpt, _ output: inout [UInt8], to descriptor: CInt
    ) throws(Fault) {
        guard let name = part.segment.fileName else { return }
        excerpt.begin(part.selection)
        try read(name, in: part.segment.folders) { bytes throws(Fault) in
            let wantsMore = try Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in
                try excerpt.append(bytes, into: &output)
            }
            try write(output, to: descriptor)
            output.removeAll(keepingCapacity: true)
            return wantsMore
        }
        try Self.fitting(part) { () throws(OggExcerpt.OtherHeaders) in try excerpt.endFile(into: &output) }
    }
}
