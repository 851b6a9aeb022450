// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileAttributes;

/** Owner, group and POSIX mode of a directory. */
public record DirectoryAttributes(String owner, String group, int mode) {
    public DirectoryAttributes {
        if ((mode & ~FileAttributes.PERMISSIONS) != 0) {
            throw new IllegalArgumentException("mode %o of a directory".formatted(mode));
        }
    }
}
