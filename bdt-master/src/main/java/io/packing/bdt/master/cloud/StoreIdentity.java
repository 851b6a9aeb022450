// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.blob.SoundRead;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The name of a backing store that no other has: an object that is written when its first table is born, and never again.
 *
 * <pre>
 * packing store 1
 * identity UUID
 * instance UUID        of the master's data directory that wrote it
 * crc32c HEX           of the lines above
 * </pre>
 */
public record StoreIdentity(String id, String instance) {
    public static final String KEY = MasterObject.FOLDER + "identity";
    private static final int MOST_BYTES = 4 << 10;
    private static final Pattern TEXT = Pattern.compile(
            "(packing store 1\nidentity ([0-9a-f-]{36})\ninstance ([0-9a-f-]{36})\n)crc32c ([0-9a-f]{8})\n");

    /** Empty when the store has none: it is empty, or as an older version left it. */
    public static Optional<StoreIdentity> find(ObjectStore objects) throws IOException {
        ByteBuffer text;
        try {
            text = objects.getTail(KEY, MOST_BYTES);
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
        int length = text.remaining();
        for (int tries = 1; ; tries++) {
            Optional<StoreIdentity> sound = decode(text);
            if (sound.isPresent()) {
                return sound;
            }
            if (tries == SoundRead.TRIES) {
                throw new IOException("%s: object %s is damaged; restore it from the store's versions or a copy"
                        .formatted(objects.location(), KEY));
            }
            text = objects.getAgain(KEY, 0, length);
        }
    }

    private static Optional<StoreIdentity> decode(ByteBuffer bytes) {
        Matcher parts = TEXT.matcher(StandardCharsets.UTF_8.decode(bytes));
        return parts.matches() && parts.group(4).equals(checksum(parts.group(1)))
                ? Optional.of(new StoreIdentity(parts.group(2), parts.group(3)))
                : Optional.empty();
    }

    private static String checksum(String lines) {
        CRC32C crc = new CRC32C();
        crc.update(lines.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }

    /** The store's own, or a new one. */
    static StoreIdentity findOrMake(ObjectStore objects, String instance) throws IOException {
        Optional<StoreIdentity> known = find(objects);
        if (known.isPresent()) {
            return known.get();
        }
        StoreIdentity fresh = new StoreIdentity(UUID.randomUUID().toString(), instance);
        try {
            objects.put(KEY, ByteBuffer.wrap(fresh.encode()), PutCondition.IF_ABSENT);
            return fresh;
        } catch (PreconditionFailedException e) {
            return find(objects).orElseThrow(() -> e);
        }
    }

    /**
     * Gives this identity to a store that a mount goes to.
     *
     * @return whether the store obeys conditions of PUTs; one that does not is left without an identity
     * @throws IllegalArgumentException when the store has another identity
     */
    public boolean giveTo(ObjectStore target) throws IOException {
        try {
            target.put(KEY, ByteBuffer.wrap(encode()), PutCondition.IF_ABSENT);
        } catch (PreconditionFailedException e) {
            if (!find(target).equals(Optional.of(this))) {
                throw new IllegalArgumentException("%s is the store of another mount".formatted(target.location()), e);
            }
        }
        if (!isKept(target)) {
            target.delete(List.of(KEY));
            return false;
        }
        return true;
    }

    /**
     * Returns whether the store refuses to write this identity, which it has, a second time under the condition that there is none. A
     * store that ignores the condition has equal bytes afterwards.
     */
    boolean isKept(ObjectStore objects) throws IOException {
        try {
            objects.put(KEY, ByteBuffer.wrap(encode()), PutCondition.IF_ABSENT);
            return false;
        } catch (PreconditionFailedException e) {
            return true;
        }
    }

    private byte[] encode() {
        String lines = "packing store 1\nidentity %s\ninstance %s\n".formatted(id, instance);
        return "%scrc32c %s\n".formatted(lines, checksum(lines)).getBytes(StandardCharsets.UTF_8);
    }
}
