// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Path;

/** The two ways to serve a mount. Both check the options and that the master and the store can be reached. */
interface Engines {
    /**
     * Starts a packing worker in this process.
     *
     * @param worker its id, stable over restarts
     * @param host under which other nodes reach this one
     * @param buffer its directory, held by this process
     */
    PackingFileSystem embedded(UfsOptions settings, String worker, String host, Path buffer) throws IOException;

    /** Reaches the mount's namespace, and its running workers, those of a host first. */
    PackingFileSystem remote(UfsOptions settings, String host) throws IOException;
}
