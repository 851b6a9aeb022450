package io.packing.bdt.master;

import io.packing.store.ObjectStore;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a backing store that no other has: an object that is written when its first table is born, and never again.
 *
 * <pre>
 * packing store 1
 * identity UUID
 * instance UUID        of the master's data directory that wrote it
 * check CRC32C         as in {@link CheckedText}
 * </pre>
 */
record StoreIdentity(String id, String instance) {
    static final String KEY = MasterObject.FOLDER + "identity";
    private static final Pattern TEXT =
            Pattern.compile("packing store 1\nidentity ([0-9a-f-]{36})\ninstance ([0-9a-f-]{36})\n");

    /** Empty when the store has none: it is empty, or as an older version left it. */
    static Optional<StoreIdentity> find(ObjectStore objects) throws IOException {
        Optional<CheckedText> found = CheckedText.read(objects, KEY);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Matcher parts = TEXT.matcher(found.get().text());
        if (!found.get().intact() || !parts.matches()) {
            throw new IOException("%s: object %s is damaged; restore it from the store's versions or a copy"
                    .formatted(objects.location(), KEY));
        }
        return Optional.of(new StoreIdentity(parts.group(1), parts.group(2)));
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

    private byte[] encode() {
        return CheckedText.encode("packing store 1\nidentity %s\ninstance %s\n".formatted(id, instance));
    }
}
