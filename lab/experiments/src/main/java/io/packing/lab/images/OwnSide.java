// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.blob.FilePath;
import io.packing.registry.RegistryUpkeep;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.MountFiles;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.s3server.S3ServerMetrics;
import io.packing.worker.api.MountOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Our registry over a mount, all of it in processes of its own. */
final class OwnSide implements RegistrySide {
    private static final Duration LONGEST_SPLIT = Duration.ofMinutes(30);
    /** Among flags: a directory of the process's own. */
    static final String CACHE = "{cache}";

    /** A flag with which originals are dropped once they are translated. */
    static final String TRANSLATE = "--translate";

    /** Blobs that wait to be split. */
    private static final String WAITING = "packing_registry_waiting ";

    private final Workspace workspace;
    private final EngineRig rig;
    private int started;

    private OwnSide(Workspace workspace, EngineRig rig) {
        this.workspace = workspace;
        this.rig = rig;
    }

    static OwnSide open(String name, Map<String, String> mountOptions) throws IOException, InterruptedException {
        Workspace workspace = Workspace.create(name);
        try {
            return new OwnSide(workspace, EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions));
        } catch (IOException | InterruptedException | RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    @Override
    public Running start(List<String> flags) throws IOException, InterruptedException {
        started++;
        List<String> words = new ArrayList<>(flags);
        words.replaceAll(word -> word.replace(CACHE, cache(started).toString()));
        EngineRig.Registry registry = rig.startRegistry(workspace, "registry-" + started, words);
        return new Running() {
            @Override
            public URI uri() {
                return registry.uri();
            }

            @Override
            public void settle() throws IOException, InterruptedException {
                awaitSplit(registry);
                int translate = flags.indexOf(TRANSLATE);
                if (translate >= 0) {
                    dropOriginals(LayerForm.of(flags.get(translate + 1)));
                }
            }

            @Override
            public void close() {
                registry.process().close();
            }
        };
    }

    /** Waits until a registry has split what was pushed to it. */
    static void awaitSplit(EngineRig.Registry registry) throws IOException, InterruptedException {
        registry.process().await("has not split its layers", LONGEST_SPLIT, () -> metric(registry, WAITING) == 0);
    }

    private void dropOriginals(Optional<LayerForm> form) throws IOException {
        try (EngineRig.Client client = rig.client();
                RegistryUpkeep upkeep = new RegistryUpkeep(
                        new MountFiles(client.mount(), MountOptions.from(rig.mountOptions())),
                        new FilePath(EngineRig.REGISTRY))) {
            GcReport unused = upkeep.collect(Clock.systemUTC()::millis, new GcOptions(Duration.ZERO, false, form));
        }
    }

    private Path cache(int number) {
        return workspace.directory().resolve("layers-" + number);
    }

    /**
     * A metric of a registry; 0 also when there is none.
     *
     * @param start of its lines
     */
    static double metric(EngineRig.Registry registry, String start) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) registry.metrics().toURL().openConnection();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> line.startsWith(start))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client()) {
            client.mount().flush();
            client.mount().bdt().checkpoint();
        }
    }

    @Override
    public long storedBytes() throws IOException {
        try (EngineRig.Client client = rig.client()) {
            return client.mount().bdt().statistics().packedBytes();
        }
    }

    @Override
    public S3ServerMetrics.Counts requests() throws IOException, InterruptedException {
        return rig.s3().metrics().prefix(EngineRig.PACKED);
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
