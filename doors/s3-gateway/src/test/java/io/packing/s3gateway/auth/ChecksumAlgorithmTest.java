// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChecksumAlgorithmTest {
    /** The check values of the catalogue of CRC algorithms, and those of NIST. */
    private static final Map<ChecksumAlgorithm, String> CHECKS = Map.of(
            ChecksumAlgorithm.CRC32, "cbf43926",
            ChecksumAlgorithm.CRC32C, "e3069283",
            ChecksumAlgorithm.CRC64NVME, "ae8b14860a799888",
            ChecksumAlgorithm.SHA1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
            ChecksumAlgorithm.SHA256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225");

    private static String sum(ChecksumAlgorithm algorithm, byte[] bytes, int from, int count) {
        ChecksumAlgorithm.Sum sum = algorithm.begin();
        sum.update(bytes, from, count);
        return Base64.getEncoder().encodeToString(sum.value());
    }

    @Test
    void checksumsHaveTheirPublishedValues() {
        byte[] bytes = "123456789".getBytes(StandardCharsets.US_ASCII);
        CHECKS.forEach((algorithm, value) -> {
            ChecksumAlgorithm.Sum sum = algorithm.begin();
            sum.update(bytes, 0, bytes.length);
            assertThat(HexFormat.of().formatHex(sum.value()))
                    .as(algorithm.name())
                    .isEqualTo(value);
        });
    }

    @Test
    void theChecksumOfPartsIsThatOfTheirBytes() {
        Random random = Seed.random();
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            if (!PartSums.isLinear(algorithm)) {
                continue;
            }
            for (int round = 0; round < 20; round++) {
                byte[] bytes = new byte[random.nextInt(5_000) + 1];
                random.nextBytes(bytes);
                PartSums parts = new PartSums(algorithm);
                for (int at = 0; at < bytes.length; ) {
                    int count = Math.min(bytes.length - at, random.nextInt(1_000) + 1);
                    parts.add(sum(algorithm, bytes, at, count), count);
                    at += count;
                }
                assertThat(parts.fullObject()).as(algorithm.name()).isEqualTo(sum(algorithm, bytes, 0, bytes.length));
            }
        }
    }

    @Test
    void bytesOneByOneHaveTheSumOfAllAtOnce() {
        byte[] bytes = new byte[100];
        Seed.random().nextBytes(bytes);
        Crc64Nvme single = new Crc64Nvme();
        Crc64Nvme whole = new Crc64Nvme();
        for (byte each : bytes) {
            single.update(each & 0xff);
        }
        whole.update(bytes, 0, bytes.length);
        assertThat(single.getValue()).isEqualTo(whole.getValue());
    }
}
