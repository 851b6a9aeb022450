package io.packing.blob;

/**
 * What is known of a file besides its content.
 *
 * @param length bytes
 * @param mtimeMillis last modification, milliseconds since the epoch
 * @param owner user name, may be empty, at most {@link #MAX_NAME_BYTES}
 * @param group group name, may be empty, at most {@link #MAX_NAME_BYTES}
 * @param mode POSIX permission bits, 0 to 07777
 */
public record FileAttributes(long length, long mtimeMillis, String owner, String group, int mode) {
    /** The longest owner or group, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 1024;

    public FileAttributes {
        if (length < 0 || mode < 0 || mode > 07777) {
            throw new IllegalArgumentException("bad attributes: length %d, mode %o".formatted(length, mode));
        }
        checkName(owner);
        checkName(group);
    }

    private static void checkName(String name) {
        int bytes = name.length();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < name.length() && Character.isLowSurrogate(name.charAt(i + 1))) {
                i++;
                bytes += 2;
            } else if (Character.isSurrogate(c)) {
                throw new IllegalArgumentException("owner or group '%s' has an unpaired surrogate".formatted(name));
            } else if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
            }
        }
        if (bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "owner or group of %d bytes is longer than %d: '%.80s...'".formatted(bytes, MAX_NAME_BYTES, name));
        }
    }
}
