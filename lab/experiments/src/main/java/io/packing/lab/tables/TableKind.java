// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** A table format, with the way in which it commits. */
enum TableKind {
    /** Iceberg's Hadoop tables, by rename. */
    ICEBERG,
    /** Two of Iceberg's Hadoop tables, by one vector. */
    ICEBERG_PAIR,
    /** Delta Lake as it ships: its log store for unknown schemes renames a draft. */
    DELTA,
    /** Delta Lake with this project's log store, which makes the file of a version itself. */
    DELTA_LOG_STORE;

    /** Returns the key of its figures. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Opens a table.
     *
     * @param configuration of a client of the mount
     * @param location a URI
     */
    RowTable open(Configuration configuration, String location) {
        Configuration own = new Configuration(configuration);
        return switch (this) {
            case ICEBERG -> new IcebergRowTable(own, location);
            case ICEBERG_PAIR -> new IcebergPairTable(own, location);
            case DELTA -> {
                own.set("fs.AbstractFileSystem.packing.impl", "io.packing.hadoop.PackingAbstractFileSystem");
                yield new DeltaRowTable(own, location);
            }
            case DELTA_LOG_STORE -> {
                own.set("io.delta.kernel.logStore.packing.impl", "io.packing.hadoop.PackingLogStore");
                yield new DeltaRowTable(own, location);
            }
        };
    }
}
