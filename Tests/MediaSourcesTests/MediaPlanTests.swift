// SPDX-License-Identifier: MIT

import MediaSources
import RadioCore
import TestTools
import Testing

/// The sources to play, as users write them.
struct MediaPlanTests {
    private func fault(
        _ sources: [String], shuffle: Bool = false, once: Bool = false, as field: SettingField = .source
    ) -> SettingFault? {
        do throws(SettingFault) {
            _ = try MediaPlan(parsing: sources, shuffle: shuffle, once: once, as: field)
            return nil
        } catch {
            return error
        }
    }

    @Test("Files are repeated and shuffled as the options say") func files() throws {
        let folder = try TemporaryFolder()
        #expect(try MediaPlan(parsing: [folder.path]) == MediaPlan(.paths([folder.path])))
        let shuffled = try MediaPlan(parsing: [folder.path], shuffle: true, once: true, seed: 7)
        #expect(shuffled == MediaPlan(.paths([folder.path]), shuffleSeed: 7, repeats: false))
        #expect(fault([folder.path, folder.file("missing")])?.description.contains("missing") == true)
        #expect(fault([folder.file("missing")], as: .fallback)?.field == .fallback)
    }

    @Test("Standard input is played once, in order, and as the only source") func standardInput() throws {
        #expect(try MediaPlan(parsing: ["-"]) == MediaPlan(.standardInput, repeats: false))
        #expect(fault(["-", "-"])?.field == .source)
        #expect(fault(["-"], shuffle: true)?.field == .shuffle)
        #expect(fault(["-"], once: true)?.field == .once)
    }
}
