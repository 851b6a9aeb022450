// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import java.util.Locale;

/** A file or directory, as printed. */
record FileEntry(
        String path,
        String state,
        String version,
        long length,
        long mtimeMillis,
        String owner,
        String group,
        String mode) {
    static FileEntry of(FileStatus status) {
        FileAttributes a = status.attributes();
        return new FileEntry(
                status.path().value(),
                status.state().name().toLowerCase(Locale.ROOT),
                status.version().toString(),
                a.length(),
                a.mtimeMillis(),
                a.owner(),
                a.group(),
                Integer.toOctalString(a.mode()));
    }

    String line() {
        return "%s %-9s %-8s %-8s %12d  %s".formatted(mode, state, owner, group, length, path);
    }
}
