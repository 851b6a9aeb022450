package io.packing.posix;

import io.packing.blob.FileAttributes;

/** The replacement of the time of attributes. */
final class Times {
    private Times() {}

    static FileAttributes withMtime(FileAttributes old, long mtimeMillis) {
        return new FileAttributes(old.length(), mtimeMillis, old.owner(), old.group(), old.mode());
    }
}
