// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobVerifier;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.encryption.Keystores;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A mount encrypted with the key {@code small} of a key file, and the objects in its store. */
final class EncryptedRig implements AutoCloseable {
    private final Path temp;
    final Path keys;
    final MountRig rig;

    EncryptedRig(Path temp, String... more) throws IOException {
        this.temp = temp;
        this.keys = temp.resolve("keys");
        versions(0);
        List<String> options = new ArrayList<>(Arrays.asList(more));
        options.addAll(List.of("packing.encryption.key", "small"));
        options.addAll(List.of("packing.encryption.keystore", keys.toUri().toString()));
        this.rig = new MountRig(temp, Clock.systemUTC(), options.toArray(String[]::new));
    }

    /** Writes these versions of the key to the file. */
    void versions(int... versions) throws IOException {
        StringBuilder lines = new StringBuilder("# keys\n");
        for (int version : versions) {
            lines.append("small@%d %s\n"
                    .formatted(version, "%02x".formatted(version + 1).repeat(32)));
        }
        Files.writeString(keys, lines);
    }

    PackingFileSystem mount() {
        return rig.mounts.get(0);
    }

    void write(String path, byte[] bytes) throws IOException {
        MountRig.write(mount(), path, bytes, MountRig.OVERWRITE);
    }

    static String text(int seed, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("{\"secret\":\"%x\",\"number\":%d}\n".formatted(seed * 31 + text.length(), seed));
        }
        return text.toString();
    }

    /** Returns the codecs of a file's extents. */
    Set<Codec> codecs(String path) throws IOException {
        Set<Codec> codecs = EnumSet.noneOf(Codec.class);
        Placement placement =
                mount().bdt().locate(new FilePath(path)).orElseThrow().placement();
        for (BlobExtent extent : ((Placement.Packed) placement).extents()) {
            codecs.add(extent.extent().codec());
        }
        return codecs;
    }

    /** Returns every object of the store. */
    List<Path> objects() throws IOException {
        try (Stream<Path> walk = Files.walk(temp.resolve("store"))) {
            return walk.filter(Files::isRegularFile).toList();
        }
    }

    List<Path> blobs() throws IOException {
        return objects().stream()
                .filter(each -> each.toString().contains("/blobs/"))
                .toList();
    }

    /** Checks that each blob is sound and encrypted, and that no object has one of these words. */
    void assertNothingInPlain(String... words) throws IOException {
        assertThat(blobs()).isNotEmpty();
        for (Path blob : blobs()) {
            assertThat(Files.readAllBytes(blob)[8]).as("version of %s", blob).isEqualTo((byte) 3);
            try (FileChannel channel = FileChannel.open(blob)) {
                FileRangeSource source = new FileRangeSource(blob.toString(), channel);
                assertThat(BlobVerifier.verify(source, Keystores.open(keys.toUri(), Optional.empty()))
                                .files())
                        .isPositive();
            }
        }
        for (Path object : objects()) {
            String all = new String(Files.readAllBytes(object), StandardCharsets.ISO_8859_1);
            assertThat(all).as("%s", object).doesNotContain(words);
        }
    }

    @Override
    public void close() throws IOException {
        rig.close();
    }
}
