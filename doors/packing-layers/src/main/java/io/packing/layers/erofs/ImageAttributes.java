// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FileAttributes;
import java.time.Instant;
import java.util.Map;

/**
 * The attributes of a file or directory in an image.
 *
 * @param permissions POSIX permission bits, 0 to 07777
 * @param extended the extended attributes by their full names, such as {@code user.mime_type}; none of overlayfs's own
 */
public record ImageAttributes(
        int permissions, long uid, long gid, Instant modified, Map<String, ExtendedValue> extended) {
    private static final long MOST_ID = 0xFFFF_FFFEL;

    public ImageAttributes {
        if ((permissions & ~FileAttributes.PERMISSIONS) != 0 || isNoId(uid) || isNoId(gid)) {
            throw new IllegalArgumentException("bad attributes: mode %o, owner %d:%d".formatted(permissions, uid, gid));
        }
        extended = Map.copyOf(extended);
        for (String name : extended.keySet()) {
            // Such an attribute would lead a file to the bytes of another one.
            if (name.startsWith(OverlayAttributes.PREFIX)) {
                throw new IllegalArgumentException("the attribute '%s' is overlayfs's own".formatted(name));
            }
        }
    }

    private static boolean isNoId(long id) {
        return id < 0 || id > MOST_ID;
    }
}
