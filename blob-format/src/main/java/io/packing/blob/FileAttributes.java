package io.packing.blob;

/**
 * What is known of a file besides its content.
 *
 * @param length bytes
 * @param mtimeMillis last modification, milliseconds since the epoch
 * @param owner user name, may be empty
 * @param group group name, may be empty
 * @param mode POSIX permission bits, 0 to 07777
 */
public record FileAttributes(long length, long mtimeMillis, String owner, String group, int mode) {
    public FileAttributes {
        if (length < 0 || mode < 0 || mode > 07777) {
            throw new IllegalArgumentException("bad attributes: length %d, mode %o".formatted(length, mode));
        }
    }
}
