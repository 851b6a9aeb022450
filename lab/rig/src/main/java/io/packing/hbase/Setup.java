// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The jars and the folder of the servers.
 *
 * @param lib the folder with Hadoop's, ZooKeeper's and HBase's jars ({@code lab/hbase-runtime/target/hbase-lib})
 * @param home folder of data, configurations and logs; created if absent, never deleted
 * @param startTimeout the most time that one server may take until it is ready
 */
public record Setup(Path lib, Path home, Duration startTimeout) {
    public Setup {
        if (startTimeout.isNegative() || startTimeout.isZero()) {
            throw new IllegalArgumentException("start timeout of " + startTimeout);
        }
        lib = lib.toAbsolutePath();
        home = home.toAbsolutePath();
    }

    /** Creates a setup with two minutes for every server. */
    public Setup(Path lib, Path home) {
        this(lib, home, Duration.ofMinutes(2));
    }

    public Path logs() {
        return home.resolve("logs");
    }
}
