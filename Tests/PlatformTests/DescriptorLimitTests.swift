// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing

@Suite struct DescriptorLimitTests {
    @Test("The descriptor limit is raised to the hard limit") func raising() async {
        // The test runs in its own process, because the limit is process-wide.
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
            var limits = rlimit(rlim_cur: 100, rlim_max: 200)
            setrlimit(resource, &limits)
            #expect(DescriptorLimit.current == 100)
            DescriptorLimit.raise()
            #expect(DescriptorLimit.current == 200)
        }
    }
}
