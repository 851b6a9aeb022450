// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.packing.bdt.FoundEntry;
import io.packing.transport.MessageLimits;
import java.util.Map;

/** The largest messages of the peer protocol to a worker; docs/bdt-protocol.md has the table. */
final class PeerLimits {
    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;

    static final MessageLimits LIMITS = new MessageLimits(
            Map.of("Write", 8 * MB, "WriteLarge", 2 * MB, "ReadBatch", MB),
            64 * KB,
            Map.of(
                    "packing.worker.v1.WriteBatch.files",
                    1_024,
                    "packing.worker.v1.ReadBatchRequest.paths",
                    FoundEntry.MOST_PATHS),
            1_000);

    private PeerLimits() {}
}
