// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.Layout;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Translations over a mount whose calls fail, whose answers are lost, and which gives wrong bytes. */
@Timeout(300)
@Tag("hunt")
class TranslationFaultsTest {
    private static final FilePath BASE = new FilePath("/registry");
    private static final int ROUNDS = Integer.getInteger("packing.rounds", 12);
    private static final int MOST_TRIES = 2_000;
    private static final double[] RATES = {0.003, 0.01, 0.03};

    @TempDir
    private Path home;

    private static byte[] tar(SplittableRandom random) {
        TestTar tar = new TestTar();
        for (int i = 0; i < 8; i++) {
            byte[] content = new byte[600 + random.nextInt(60_000)];
            random.nextBytes(content);
            tar.file("f" + i, content);
        }
        return tar.end();
    }

    private static Digest push(RegistryClient client, byte[] tar, byte[] layer, String compression) throws Exception {
        byte[] config = "{\"rootfs\":{\"diff_ids\":[\"%s\"]}}"
                .formatted(RegistryClient.digest(tar))
                .getBytes(StandardCharsets.UTF_8);
        client.push("a", config);
        client.push("a", layer);
        byte[] manifest = new String(RegistryClient.manifest(config, layer), StandardCharsets.UTF_8)
                .replace("layer.v1.tar", "layer.v1.tar+" + compression)
                .getBytes(StandardCharsets.UTF_8);
        assertThat(client.tag("a", "v1", manifest).statusCode()).isEqualTo(201);
        return RegistryClient.digest(manifest);
    }

    /** Tries until an image has a verdict, as the sweeps of many hours would; returns the number of tries. */
    private static int translate(FaultyFiles files, double rate, Manifests manifests, Digest image) throws Exception {
        for (int tries = 1; tries < MOST_TRIES; tries++) {
            files.fail(rate);
            try (RegistryUpkeep upkeep = new RegistryUpkeep(files, BASE)) {
                assertThat(upkeep.translate(LayerForm.ZSTD)).isNotNull();
            } catch (IOException e) {
                assertThat(e).as("the walk failed").isInstanceOf(UnavailableException.class);
            } finally {
                files.fail(0);
            }
            if (manifests.isTranslationKnown("a", image, LayerForm.ZSTD)) {
                return tries;
            }
        }
        throw new AssertionError("it never came through");
    }

    @Test
    void whatFailedIsTriedAgainAndNoFailureIsTakenForAVerdict() throws Exception {
        SplittableRandom random = new SplittableRandom(Seed.value());
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = RegistryServer.start(
                        TestRegistries.config(BASE.value(), false),
                        mount.files(),
                        Access.OPEN,
                        new SimpleMeterRegistry())) {
            RegistryClient client = new RegistryClient(server.uri());
            Layout layout = new Layout(BASE);
            Manifests manifests = new Manifests(mount.files(), layout, () -> "unused");
            FaultyFiles faulty = new FaultyFiles(mount.files(), random.split());
            for (int round = 0; round < ROUNDS; round++) {
                byte[] tar = tar(random);
                boolean zstd = random.nextBoolean();
                Digest pushed =
                        push(client, tar, zstd ? Zstd.compress(tar) : TestTar.gzip(tar), zstd ? "zstd" : "gzip");
                int tries = translate(faulty, RATES[round % RATES.length], manifests, pushed);
                StoredManifest translated = manifests
                        .translated("a", pushed, LayerForm.ZSTD)
                        .orElseThrow(() -> new AssertionError(
                                "after %d tries it counts as nothing to translate".formatted(tries)));
                Digest layer = translated.parsed().blobs().get(1);
                byte[] blob = client.pull("a", layer).body();
                assertThat(RegistryClient.digest(blob)).isEqualTo(layer);
                assertThat(new ZstdInputStream(new ByteArrayInputStream(blob)).readAllBytes())
                        .as("round %d, %d tries", round, tries)
                        .isEqualTo(tar);
            }
            GcReport report;
            try (RegistryUpkeep upkeep = new RegistryUpkeep(mount.files(), BASE)) {
                report = upkeep.collect(
                        () -> Long.MAX_VALUE / 2, new GcOptions(Duration.ZERO, false, Optional.of(LayerForm.ZSTD)));
            }
            assertThat(report.retagged()).isEqualTo(1);
            assertThat(mount.files()
                            .list(layout.scratch("-").parent().orElseThrow(), "", 10)
                            .orElse(List.of()))
                    .as("what was on its way when something failed is garbage")
                    .isEmpty();
        }
    }
}
