// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** A BDT master and a worker of this JVM with one mount over a directory, and the configuration that reaches it. */
public final class LocalMount implements AutoCloseable {
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^bdt_requests_total\\{.*?method=\"(\\w+)\".*?\\} (\\S+)$");

    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem mount;
    private final Map<String, String> options;

    private LocalMount(BdtMaster master, PackingWorker worker, PackingFileSystem mount, Map<String, String> options) {
        this.master = master;
        this.worker = worker;
        this.mount = mount;
        this.options = options;
    }

    /** Starts all three, below a directory; a segment is sealed at this age, and not because a test pauses. */
    public static LocalMount start(Path home, String sealAfter) throws IOException {
        return start(home, sealAfter, Map.of(), Map.of());
    }

    /** Starts a mount with more options of the master and of the worker, which the configuration does not get. */
    public static LocalMount start(
            Path home, String sealAfter, Map<String, String> moreOfMaster, Map<String, String> moreOfWorker)
            throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        Map<String, String> options = Map.of(
                "packing.store", store.toUri().toString(), "packing.seal.after", sealAfter, "packing.seal.quiet", "0s");
        Map<String, String> ofMaster = new HashMap<>(Map.of("bdt.port", "0", "bdt.stores", "file://" + store));
        ofMaster.putAll(moreOfMaster);
        ofMaster.put("bdt.data.dir", home.resolve("master").toString());
        ofMaster.put("bdt.metrics.port", "0");
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(ofMaster)).serve();
        try {
            Map<String, String> ofWorker = new HashMap<>(options);
            ofWorker.putAll(moreOfWorker);
            MountOptions mount = MountOptions.from(ofWorker);
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0, mount.security()),
                    master,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            return new LocalMount(master, worker, worker.open(mount), options);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns the mount as its worker has it. */
    public PackingFileSystem mount() {
        return mount;
    }

    public URI uri() {
        return URI.create("packing://127.0.0.1:" + master.port() + "/");
    }

    /** Returns the number of calls of the master until now, by method. */
    Map<String, Long> requests() throws IOException {
        Map<String, Long> requests = new TreeMap<>();
        URI metrics = URI.create("http://127.0.0.1:" + master.metricsPort() + "/metrics");
        try (InputStream in = metrics.toURL().openStream()) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (MatchResult line : REQUESTS.matcher(all).results().toList()) {
                requests.merge(line.group(1), Math.round(Double.parseDouble(line.group(2))), Long::sum);
            }
        }
        return requests;
    }

    /** Sets the properties of core-site.xml by which clients reach the mount. */
    public Configuration configure(Configuration configuration) {
        options.forEach(configuration::set);
        configuration.set("fs.packing.impl", PackingHadoopFileSystem.class.getName());
        return configuration;
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker) {
            mount.close();
        }
    }
}
