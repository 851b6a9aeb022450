package io.packing.hbase;

import java.nio.file.Path;
import java.time.Duration;

/**
 * From what and where servers are started.
 *
 * @param lib the folder with Hadoop's, ZooKeeper's and HBase's jars ({@code lab/hbase-runtime/target/hbase-lib})
 * @param home where data, configurations and logs go; created if absent, never deleted
 * @param startTimeout how long one server may take until it is ready
 */
public record Setup(Path lib, Path home, Duration startTimeout) {
    public Setup {
        if (startTimeout.isNegative() || startTimeout.isZero()) {
            throw new IllegalArgumentException("start timeout of " + startTimeout);
        }
        lib = lib.toAbsolutePath();
        home = home.toAbsolutePath();
    }

    /** With two minutes for every server. */
    public Setup(Path lib, Path home) {
        this(lib, home, Duration.ofMinutes(2));
    }

    public Path logs() {
        return home.resolve("logs");
    }
}
