// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.blob.FilePath;

/**
 * The first line of a dump.
 *
 * @param top what was dumped, with all below it
 * @param store where the blobs are that it names, as the mount's option says
 * @param made when
 */
public record DumpHeader(FilePath top, String store, String made) {
    static final int VERSION = 1;
}
