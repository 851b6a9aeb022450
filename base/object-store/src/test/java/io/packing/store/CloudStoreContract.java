// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The contract of stores in other clouds than S3's, with the number of their requests. */
public abstract class CloudStoreContract extends ObjectStoreContract {
    /** Returns the options of a store that is empty. */
    protected abstract StoreOptions options(Map<String, String> more) throws IOException;

    /** Returns the most objects that one request deletes. */
    protected abstract int mostInADelete();

    @Override
    protected final ObjectStore open() throws IOException {
        return ObjectStores.open(options(Map.of()));
    }

    @Test
    void aFileInPartsIsOnlyPutWholeWithItsChecksumAndOnce() throws IOException {
        byte[] content = new byte[12_000_001];
        random().nextBytes(content);
        Path file = Files.write(temporary.resolve("file"), content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        int right = (int) crc.getValue();
        RequestMeter meter = new RequestMeter();
        try (ObjectStore store = ObjectStores.open(options(Map.of("packing.s3.put.single.max", "5MB")), meter)) {
            assertThatIOException()
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right + 1), PutCondition.IF_ABSENT));
            assertThat(store.head("k")).isEmpty();
            long before = meter.snapshot().put();
            store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT);
            assertThat(meter.snapshot().put() - before)
                    .as("three parts, and their beginning or their end")
                    .isEqualTo(4);
            assertThat(store.get("k", 0, content.length)).isEqualTo(ByteBuffer.wrap(content));
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT));
        }
    }

    @Test
    void manyObjectsAreDeletedByFewRequests() throws IOException {
        int count = mostInADelete() + 44;
        RequestMeter meter = new RequestMeter();
        try (ObjectStore store = ObjectStores.open(options(Map.of()), meter)) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                keys.add("many/%03d".formatted(i));
                store.put(keys.get(i), bytes("x"), PutCondition.NONE);
            }
            assertThat(keysOf(store.list("many/", "many/099", 20))).isEqualTo(keys.subList(100, 120));
            keys.add("many/never");
            store.delete(keys);
            assertThat(store.list("", "", 10)).isEmpty();
            assertThat(meter.snapshot().delete()).isEqualTo(2);
            assertThat(meter.snapshot().put()).isEqualTo(count);
        }
    }

    @Test
    void optionsOfS3AloneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectStores.open(options(Map.of("packing.s3.sse.mode", "AES256"))))
                .withMessageContaining("options of S3 only");
    }
}
