// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FilePath;
import java.util.regex.Pattern;

/** A path of the mount, from a command's arguments. */
final class MountPath {
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    private MountPath() {}

    /** Returns whether a text is the address of something. */
    static boolean isAddress(String text) {
        return ADDRESS.matcher(text).matches();
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is the address of something, which may be in another mount
     */
    static FilePath of(String text) {
        if (isAddress(text)) {
            throw new IllegalArgumentException(
                    ("%s is an address: give a path, such as /a, of the mount. Mounts share no bytes: packing copy copies files from"
                                    + " one to another")
                            .formatted(text));
        }
        return FilePath.normalise(text);
    }
}
