// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.Set;

/**
 * A file's attributes besides its content.
 *
 * @param length bytes
 * @param mtimeMillis last modification, milliseconds since the epoch
 * @param owner user name, may be empty, at most {@link #MAX_NAME_BYTES}
 * @param group group name, may be empty, at most {@link #MAX_NAME_BYTES}
 * @param mode POSIX permission bits, 0 to 07777. A special file also has its type, in {@code stat}'s form: a symbolic
 *     link (0120000), fifo (0010000), socket (0140000), character device (0020000) or block device (0060000). Its bytes
 *     are a link's target, or a device's number. The table keeps types, footers do not
 */
public record FileAttributes(long length, long mtimeMillis, String owner, String group, int mode) {
    /** The longest owner or group, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 1024;

    /** The bits of a mode that are permissions. */
    public static final int PERMISSIONS = 07777;
    /** The bits of a mode that are a type. */
    public static final int TYPE = 0170000;

    private static final Set<Integer> TYPES = Set.of(0, 0010000, 0020000, 0060000, 0120000, 0140000);

    public FileAttributes {
        if (length < 0 || (mode & ~(TYPE | PERMISSIONS)) != 0 || !TYPES.contains(mode & TYPE)) {
            throw new IllegalArgumentException("bad attributes: length %d, mode %o".formatted(length, mode));
        }
        checkName(owner);
        checkName(group);
    }

    /** Returns the mode without the type. */
    public int permissions() {
        return mode & PERMISSIONS;
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
