// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.time.Instant;
import java.util.Map;

/**
 * The fields of an entry that is written.
 *
 * @param type as in {@link TarEntry#type}
 * @param name bytes of the path, with a slash at the end of a directory
 * @param link bytes of the target of a link; none for other entries
 * @param mode permission bits
 * @param size bytes that follow
 * @param attributes extended attributes by name
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares entries.
public record TarFields(
        char type,
        byte[] name,
        byte[] link,
        int mode,
        long user,
        long group,
        Instant modified,
        long size,
        int major,
        int minor,
        Map<String, byte[]> attributes) {
    private static final byte[] NONE = {};

    public TarFields {
        if (name.length == 0 || size < 0 || user < 0 || group < 0 || major < 0 || minor < 0) {
            throw new IllegalArgumentException("a name of %d bytes, %d bytes, owners %d:%d, device %d:%d"
                    .formatted(name.length, size, user, group, major, minor));
        }
        name = name.clone();
        link = link.clone();
        attributes = Map.copyOf(attributes);
    }

    /** Returns an entry of root without bytes, as whiteouts and hard links are. */
    public static TarFields plain(char type, byte[] name, byte[] link) {
        return new TarFields(type, name, link, 0644, 0, 0, Instant.EPOCH, 0, 0, 0, Map.of());
    }

    /** Returns a directory, file or pipe of root without bytes. */
    public static TarFields plain(char type, byte[] name) {
        return plain(type, name, NONE);
    }

    @Override
    public byte[] name() {
        return name.clone();
    }

    @Override
    public byte[] link() {
        return link.clone();
    }
}
