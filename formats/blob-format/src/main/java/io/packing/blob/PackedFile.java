// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.List;

/**
 * One file's entry in a footer: a version of a path, with its extents in this blob. A file of several blobs has an
 * entry in each; its attributes, length included, are those of the whole file. A file of length zero has no extent.
 *
 * @param version identity of the content
 * @param path of the file at its claim
 * @param attributes of the whole file
 * @param extents in this blob, by ascending file offset, not overlapping, within the file's length
 */
public record PackedFile(FileVersion version, FilePath path, FileAttributes attributes, List<Extent> extents) {
    public PackedFile {
        extents = List.copyOf(extents);
        long end = 0;
        for (Extent extent : extents) {
            if (extent.fileOffset() < end) {
                throw new IllegalArgumentException(
                        "%s: extents overlap or are out of order at %d".formatted(path, end));
            }
            end = extent.fileEnd();
        }
        if (end > attributes.length()) {
            throw new IllegalArgumentException(
                    "%s: extents end at %d, past the length %d".formatted(path, end, attributes.length()));
        }
    }
}
