// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.peers;

import io.packing.lab.compare.AnsweredRequests;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A file system that is measured.
 *
 * @param directory where it is mounted
 * @param requests counts what it has asked the store for
 * @param settle returns when all files are in the store
 */
record MeasuredMount(String name, Path directory, Counted requests, Settled settle) {
    /** A count of requests so far. */
    interface Counted {
        AnsweredRequests now() throws IOException, InterruptedException;
    }

    /** A wait for files on their way to the store. */
    interface Settled {
        void await() throws IOException, InterruptedException;
    }

    /** Returns the disk of this machine, which has no store. */
    static MeasuredMount disk(Path directory) {
        return new MeasuredMount("disk", directory, () -> new AnsweredRequests(0, 0, 0, 0, 0, 0), () -> {});
    }
}
