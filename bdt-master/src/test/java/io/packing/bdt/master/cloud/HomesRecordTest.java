// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.MountHomes;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of the object in which a mount's stores say where it is. */
class HomesRecordTest {
    private static final Map<String, String> A = Map.of("packing.store", "s3://a/p");
    private static final Map<String, String> B =
            Map.of("packing.store", "s3://b/x y", "packing.s3.endpoint", "https://b:9000/?a=1&b=%");

    private static HomesRecord evacuating() {
        return HomesRecord.first("s3://a/p", A, "s3://a/p").toward(B, "s3://b/x y@https://b:9000", 0xabcL, 17, 50);
    }

    @Test
    void aRecordIsReadAsItWasWritten() throws IOException {
        InMemoryObjectStore store = new InMemoryObjectStore();
        assertThat(HomesRecord.find(store)).isEmpty();
        for (HomesRecord record :
                List.of(evacuating(), evacuating().arrived(), evacuating().stayed())) {
            record.write(store);
            assertThat(HomesRecord.find(store)).contains(record);
        }
    }

    /** A released form never changes. */
    @Test
    void theTextIsThis() {
        assertThat(new String(evacuating().encode(), StandardCharsets.UTF_8)).isEqualTo("""
                        packing homes 1
                        called s3%3A%2F%2Fa%2Fp
                        number 1
                        since 17
                        token 0000000000000abc
                        rate 50
                        place packing.s3.endpoint=https%3A%2F%2Fb%3A9000%2F%3Fa%3D1%26b%3D%25&packing.store=s3%3A%2F%2Fb%2Fx+y
                        place packing.store=s3%3A%2F%2Fa%2Fp
                        alias s3%3A%2F%2Fa%2Fp
                        alias s3%3A%2F%2Fb%2Fx+y%40https%3A%2F%2Fb%3A9000
                        """ + crcLine());
    }

    private static String crcLine() {
        String text = new String(evacuating().encode(), StandardCharsets.UTF_8);
        return text.substring(text.indexOf("crc32c "));
    }

    @Test
    void everyFlippedBitIsRejected() {
        byte[] bytes = evacuating().encode();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(HomesRecord.decode(ByteBuffer.wrap(damaged)))
                    .as("bit %d", bit)
                    .isEmpty();
        }
    }

    @Test
    void aDamagedRecordIsAnErrorAndNoAbsentOne() throws IOException {
        InMemoryObjectStore store = new InMemoryObjectStore();
        store.put(HomesRecord.KEY, ByteBuffer.wrap(new byte[] {1, 2, 3}), PutCondition.NONE);
        assertThatThrownBy(() -> HomesRecord.find(store)).hasMessageContaining("is damaged; restore it");
    }

    @Test
    void eachChangeHasALargerNumberAndTheMountKeepsItsName() {
        HomesRecord first = HomesRecord.first("s3://a/p", A, "s3://a/p");
        assertThat(first.told()).isEqualTo(MountHomes.NONE);
        HomesRecord there = evacuating().arrived();
        HomesRecord back = there.toward(A, "s3://a/p", 5, 20, 0).arrived();
        assertThat(List.of(first.number(), evacuating().number(), there.number(), back.number()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(back.called()).isEqualTo("s3://a/p");
        assertThat(back.places()).containsExactly(A);
        assertThat(back.former()).contains(B);
        assertThat(back.aliases()).hasSize(2);
    }
}
