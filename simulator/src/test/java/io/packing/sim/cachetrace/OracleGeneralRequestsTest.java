// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OracleGeneralRequestsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void readsTheBytesAsTheFormatSays() throws IOException {
        // 1 s, object 0x0807060504030201, 4096 bytes, next request 7; then an unsigned time and size.
        byte[] bytes = {
            1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 16, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, //
            -1, -1, -1, -1, 9, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
        };
        try (OracleGeneralRequests requests = OracleGeneralRequests.open(write(bytes))) {
            assertThat(requests.advance()).isTrue();
            assertThat(requests.object()).isEqualTo(0x0807060504030201L);
            assertThat(requests.bytes()).isEqualTo(4096);
            assertThat(requests.advance()).isTrue();
            assertThat(requests.object()).isEqualTo(9);
            assertThat(requests.bytes()).isEqualTo(0xffff_ffffL);
            assertThat(requests.advance()).isFalse();
            assertThat(requests.damage()).isEqualTo(TraceDefects.NONE);
        }
    }

    @Test
    void readsTheSamePlainAndCompressed() throws IOException {
        byte[] plain = records(10_000);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(plain);
        }
        List<Long> expected = objects(plain);
        assertThat(expected).hasSize(10_000);
        assertThat(objects(Zstd.compress(plain))).isEqualTo(expected);
        assertThat(objects(gzip.toByteArray())).isEqualTo(expected);
    }

    @Test
    void aTornTailIsReportedAndWhatStandsBeforeItIsRead() throws IOException {
        byte[] plain = records(5000);
        try (OracleGeneralRequests requests = OracleGeneralRequests.open(write(Arrays.copyOf(plain, 4999 * 24 + 23)))) {
            assertThat(drain(requests)).hasSize(4999);
            assertThat(requests.damage().torn()).isTrue();
        }
        byte[] zstd = Zstd.compress(records(50_000));
        try (OracleGeneralRequests requests = OracleGeneralRequests.open(write(Arrays.copyOf(zstd, zstd.length - 5)))) {
            assertThat(drain(requests)).hasSizeBetween(10_000, 49_999);
            assertThat(requests.damage().torn()).isTrue();
        }
    }

    @Test
    void requestsOfNoBytesAndTimesThatGoBackAreCounted() throws IOException {
        byte[] bytes = new byte[3 * 24];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        record(buffer, 10, 1, 100, -1);
        record(buffer, 9, 2, 0, -1);
        record(buffer, 12, 3, 100, Long.MAX_VALUE);
        try (OracleGeneralRequests requests = OracleGeneralRequests.open(write(bytes))) {
            assertThat(drain(requests)).containsExactly(1L, 3L);
            assertThat(requests.damage()).isEqualTo(new TraceDefects(false, 0, 1, 1));
        }
    }

    @Test
    void aFileOfSomethingElseIsRefusedByItsName() throws IOException {
        byte[] noise = new byte[4800];
        Seed.random().nextBytes(noise);
        noise[0] = 0;
        assertRefused(noise, "trace.bin", "not oracleGeneral", "next request that cannot be");
        assertRefused("time,obj_id\n".repeat(400).getBytes(StandardCharsets.US_ASCII), "not oracleGeneral");
        assertRefused(new byte[0], "it has no record of 24 bytes");
        assertRefused(new byte[23], "it has no record of 24 bytes");
        byte[] zstd = Zstd.compress(records(1000));
        // The headers of frame and block are damaged: the bytes of records carry no checksum.
        Arrays.fill(zstd, 5, 16, (byte) 0xff);
        Path damaged = write(zstd);
        assertThatThrownBy(() -> {
                    try (OracleGeneralRequests requests = OracleGeneralRequests.open(damaged)) {
                        drain(requests);
                    }
                })
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageContaining("trace.bin");
        assertThatThrownBy(() -> OracleGeneralRequests.open(directory.resolve("gone")))
                .hasMessageContaining("gone: no such file");
    }

    private void assertRefused(byte[] bytes, String... words) throws IOException {
        Path file = write(bytes);
        AbstractThrowableAssert<? extends AbstractThrowableAssert<?, ?>, ?> refused =
                assertThatThrownBy(() -> OracleGeneralRequests.open(file));
        refused.isInstanceOf(MalformedTraceException.class);
        for (String word : words) {
            refused.hasMessageContaining(word);
        }
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("trace.bin"), bytes);
    }

    private List<Long> objects(byte[] bytes) throws IOException {
        try (OracleGeneralRequests requests = OracleGeneralRequests.open(write(bytes))) {
            return drain(requests);
        }
    }

    private static List<Long> drain(CacheRequests requests) throws IOException {
        List<Long> objects = new ArrayList<>();
        while (requests.advance()) {
            objects.add(requests.object());
        }
        return objects;
    }

    static byte[] records(int count) {
        Random random = Seed.random();
        byte[] bytes = new byte[count * 24];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            record(buffer, i / 10, random.nextLong(), 1 + random.nextInt(100_000), i + 1 + random.nextInt(1000));
        }
        return bytes;
    }

    private static void record(ByteBuffer to, int seconds, long object, int bytes, long next) {
        to.putInt(seconds).putLong(object).putInt(bytes).putLong(next);
    }
}
