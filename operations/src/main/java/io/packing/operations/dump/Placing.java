// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.blob.FilePath;
import java.io.IOException;

/**
 * The places of a dump's entries in the mount.
 *
 * @param top of the dump
 * @param into what the top becomes
 */
record Placing(FilePath top, FilePath into) {
    FilePath of(FilePath path) throws IOException {
        String below = path.value().substring(top.isRoot() ? 0 : top.value().length());
        FilePath to = below.isEmpty() ? into : new FilePath((into.isRoot() ? "" : into.value()) + below);
        to.checkCreatable();
        return to;
    }
}
