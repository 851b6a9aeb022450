// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.objects;

import java.time.Duration;

/** The time that the processors gave to the processes that this one has started, and to their own children. */
final class ServerTimes {
    private ServerTimes() {}

    /** Returns the time so far. A process that has ended counts no more. */
    static Duration now() {
        return ProcessHandle.current()
                .descendants()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
