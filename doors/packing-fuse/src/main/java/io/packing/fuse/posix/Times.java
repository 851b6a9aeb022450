// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import io.packing.blob.FileAttributes;

/** The replacement of the time of attributes. */
public final class Times {
    private Times() {}

    public static FileAttributes withMtime(FileAttributes old, long mtimeMillis) {
        return new FileAttributes(old.length(), mtimeMillis, old.owner(), old.group(), old.mode());
    }
}
