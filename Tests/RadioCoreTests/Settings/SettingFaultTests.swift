// SPDX-License-Identifier: MIT

import RadioCore
import Testing

struct SettingFaultTests {
    @Test("A fault names settings in the words of the program that shows it") func settingNames() {
        let fault = SettingFault(.linger, "only with \(.onDemand), not \("alone")", remedy: "set \(.onDemand)")
        #expect(fault.description == "linger: only with on_demand, not alone; set on_demand")
        let words = fault.words { $0 == .onDemand ? "--on-demand" : "?" }
        #expect(words == "only with --on-demand, not alone; set --on-demand")
        #expect(SettingFault(.output, "it is empty").words(\.rawValue) == "it is empty")
    }

    @Test("A parser's own message becomes the fault of its setting") func parserFault() throws {
        #expect(try SettingField.segment.read("title") { try SegmentPolicy(parsing: $0) } == .title)
        let fault = #expect(throws: SettingFault.self) {
            try SettingField.segment.read("90") { try SegmentPolicy(parsing: $0) }
        }
        #expect(fault?.field == .segment && fault?.description.contains("90m") == true)
    }

    @Test("Each setting has a key of lower-case letters and underscores") func keys() {
        for field in SettingField.allCases {
            #expect(field.rawValue.allSatisfy { $0.isLowercase || $0 == "_" }, "\(field)")
        }
    }
}
