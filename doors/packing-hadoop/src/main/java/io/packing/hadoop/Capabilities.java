// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.util.Set;
import org.apache.hadoop.fs.CommonPathCapabilities;

/** Names of a mount's capabilities, by which programs ask before they rely on one. */
final class Capabilities {
    /** Each of any path. */
    static final Set<String> OF_PATHS = Set.of(
            CommonPathCapabilities.FS_APPEND,
            CommonPathCapabilities.FS_CONCAT,
            CommonPathCapabilities.FS_TRUNCATE,
            CommonPathCapabilities.LEASE_RECOVERABLE,
            CommonPathCapabilities.FS_SNAPSHOTS,
            CommonPathCapabilities.ETAGS_AVAILABLE,
            CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
            CommonPathCapabilities.FS_PERMISSIONS);

    private Capabilities() {}
}
