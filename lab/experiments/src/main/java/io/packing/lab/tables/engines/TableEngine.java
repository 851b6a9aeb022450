// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import java.util.Locale;

/** An engine that is tried on tables of a mount. */
public enum TableEngine {
    /** Trino's server, with a table of Iceberg behind the S3 gateway. */
    TRINO,
    /** A cluster of Flink that has its high availability by ZooKeeper, whose job managers are killed. */
    FLINK,
    /** Spark with Hudi, with tables of both types behind {@code viewfs} and behind the S3 gateway. */
    HUDI;

    /** Returns the key of its figures. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
