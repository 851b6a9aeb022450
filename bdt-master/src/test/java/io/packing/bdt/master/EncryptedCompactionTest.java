// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.cloud.MountKeys;
import io.packing.blob.BlobKey;
import io.packing.blob.Codec;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sparse blobs of several keys, versions and codecs, or not encrypted, become one that is encrypted by the newest version. */
class EncryptedCompactionTest extends CompactionFixture {
    private Keystore keystore = Keystore.NONE;

    @BeforeEach
    void makeKeys() throws IOException {
        keystore = versions(0);
    }

    private Keystore versions(int... versions) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int version : versions) {
            lines.append("small@%d %s\n"
                    .formatted(version, "%02x".formatted(version + 3).repeat(32)));
        }
        Path file = Files.writeString(work.resolve("keys"), lines);
        return Keystores.open(file.toUri(), Optional.empty());
    }

    private Optional<BlobKey> key() throws IOException {
        return Optional.of(BlobKey.begin(new DataKeys(keystore, "small", now::get)));
    }

    @Test
    void filesOfAllKindsOfBlobsReadAsTheyWereAndAreEncryptedByTheNewestVersion() throws IOException {
        blob("a", Codec.NONE, key());
        blob("b", Codec.DEFLATE, key());
        blob("c", Codec.NONE, Optional.empty());
        keystore = versions(0, 1);
        blob("d", Codec.ZSTD, key());
        MountKeys keys = new MountKeys(keystore, now::get);
        keys.use("small");
        compact(keys);
        assertThat(codecs("/a")).containsOnly(Codec.AES_NONE);
        assertThat(codecs("/b")).containsOnly(Codec.AES_DEFLATE);
        assertThat(codecs("/c")).as("encrypted now").containsOnly(Codec.AES_NONE);
        assertThat(codecs("/d")).containsOnly(Codec.AES_ZSTD);
        everyFileReadsAsItWas(versions(1));
    }

    private void blob(String directory, Codec codec, Optional<BlobKey> key) throws IOException {
        blob(directory, bytes -> ExtentCodec.encode(codec, bytes), key);
    }

    @Override
    byte[] content(FilePath path) {
        return ("all of %s ".formatted(path.value()) + "alike ".repeat(200)).getBytes(StandardCharsets.US_ASCII);
    }
}
