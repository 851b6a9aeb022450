// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A benchmark of encryption at rest: the ingest of small files into a plain and an encrypted mount, which take turns as
 * {@link IngestPair} says. Files are encrypted on their way to the store.
 */
public final class EncryptedIngest {
    private EncryptedIngest() {}

    public static void main(String[] args) throws Exception {
        PairOptions settings = new PairOptions(args);
        Path home = settings.home("encrypted-ingest");
        Path file = Files.writeString(home.resolve("keys"), "bench@0 " + "5c".repeat(32) + "\n");
        List<String> keys = List.of("packing.encryption.key=bench", "packing.encryption.keystore=" + file.toUri());
        try (IngestCluster plain = cluster(home.resolve("plain"), settings.options(), List.of());
                IngestCluster encrypted = cluster(home.resolve("encrypted"), settings.options(), keys)) {
            settings.pair("plain", "encrypted")
                    .run(
                            new IngestPair.Side(plain, plain.client(settings.options())),
                            new IngestPair.Side(encrypted, encrypted.client(with(settings.options(), keys))));
        } finally {
            IngestTurns.delete(home);
        }
    }

    /** Returns all options of both. */
    static List<String> with(List<String> options, List<String> more) {
        return Stream.concat(options.stream(), more.stream()).toList();
    }

    /** @param keys options for them; empty for a plain mount */
    private static IngestCluster cluster(Path home, List<String> options, List<String> keys) throws IOException {
        List<String> ofMaster = keys.stream()
                .filter(option -> !option.startsWith("packing.encryption.key="))
                .map(option -> option.replaceFirst("^packing\\.", "bdt."))
                .toList();
        return new IngestCluster(home, ofMaster, with(options, keys));
    }
}
