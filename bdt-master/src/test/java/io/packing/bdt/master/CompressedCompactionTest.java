// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.cloud.MountKeys;
import io.packing.blob.Codec;
import io.packing.blob.Dictionary;
import io.packing.blob.FilePath;
import io.packing.blob.ZstdEncoder;
import io.packing.encryption.Keystore;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Blobs with dictionaries of their own, or without, become one whose files read as they were. */
class CompressedCompactionTest extends CompactionFixture {
    private final Random random = Seed.random();

    @Test
    void filesOfSeveralDictionariesReadAsTheyWereAfterCompaction() throws IOException {
        blob("a", Optional.of(dictionary("packed")));
        blob("b", Optional.of(dictionary("created")));
        blob("c", Optional.empty());
        compact(MountKeys.none());
        assertThat(codecs("/a")).containsOnly(Codec.ZSTD_DICTIONARY);
        assertThat(codecs("/b")).as("compressed anew").containsOnly(Codec.ZSTD_DICTIONARY);
        assertThat(codecs("/c")).containsOnly(Codec.ZSTD);
        everyFileReadsAsItWas(Keystore.NONE);
        loseMaster();
        everyFileReadsAsItWas(Keystore.NONE);
    }

    @Test
    void whatNeedsADictionaryIsCompressedWithoutWhenTheFirstBlobHasNone() throws IOException {
        blob("a", Optional.empty());
        blob("b", Optional.of(dictionary("created")));
        compact(MountKeys.none());
        assertThat(codecs("/b")).containsOnly(Codec.ZSTD);
        everyFileReadsAsItWas(Keystore.NONE);
    }

    private void blob(String directory, Optional<Dictionary> dictionary) throws IOException {
        try (ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            blob(directory, encoder, Optional.empty());
        }
    }

    @Override
    byte[] content(FilePath path) {
        return text("created");
    }

    private Dictionary dictionary(String event) {
        List<byte[]> samples = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            samples.add(text(event));
        }
        return Dictionary.train(samples, 2_000).orElseThrow();
    }

    private byte[] text(String event) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            text.append("{\"user\":\"%x\",\"event\":\"%s\",\"worker\":\"worker-%d\"}\n"
                    .formatted(random.nextInt(), event, random.nextInt(9)));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
