// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A running YARN for MapReduce jobs on an HDFS: a ResourceManager, a NodeManager and a history server. Confined to one
 * thread.
 *
 * <p>These listen on 127.0.0.1. The shuffle and each job's own master listen on every address, without an option
 * against it. So this cluster needs a machine without other users.
 */
public final class YarnCluster implements AutoCloseable {
    private static final int SERVER_MEGABYTES = 192;
    private static final int CONTAINER_MEGABYTES = 512;
    private static final String CONTAINER_HEAP = "-Xmx256m";
    private static final int NODE_MEGABYTES = 2_048;

    /** A service with its own port, so that other processes find it. */
    private enum Service {
        NODES("yarn.resourcemanager.resource-tracker.address"),
        SCHEDULER("yarn.resourcemanager.scheduler.address"),
        CLIENTS("yarn.resourcemanager.address"),
        ADMIN("yarn.resourcemanager.admin.address"),
        WEB("yarn.resourcemanager.webapp.address"),
        HISTORY("mapreduce.jobhistory.address"),
        HISTORY_ADMIN("mapreduce.jobhistory.admin.address"),
        HISTORY_WEB("mapreduce.jobhistory.webapp.address");

        private final String key;

        Service(String key) {
            this.key = key;
        }
    }

    private final HdfsCluster hdfs;
    private final Fleet fleet;
    private final Map<Service, Integer> ports = new EnumMap<>(Service.class);

    private YarnCluster(HdfsCluster hdfs) throws IOException {
        this.hdfs = hdfs;
        this.fleet = new Fleet(hdfs.setup());
        Iterator<Integer> free = Ports.free(Service.values().length).iterator();
        for (Service service : Service.values()) {
            ports.put(service, free.next());
        }
    }

    /** Starts the servers and returns when the NodeManager accepts containers. */
    public static YarnCluster start(HdfsCluster hdfs) throws IOException, InterruptedException {
        YarnCluster cluster = new YarnCluster(hdfs);
        try {
            cluster.startServers();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startServers() throws IOException, InterruptedException {
        Duration timeout = hdfs.setup().startTimeout();
        JavaProcess manager =
                server("resourcemanager", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
        server("nodemanager", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
        JavaProcess history = server("jobhistory", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer");
        manager.awaitPort(port(Service.WEB), timeout);
        manager.await("has no NodeManager", timeout, () -> metric("activeNodes") > 0);
        history.awaitPort(port(Service.HISTORY), timeout);
    }

    private JavaProcess server(String name, String main) throws IOException {
        return fleet.start(new Child(name, main, SERVER_MEGABYTES, settings(Optional.empty()), List.of()));
    }

    /**
     * Returns the configuration of the servers and of the jobs.
     *
     * @param tracing of the jobs
     */
    Map<String, String> settings(Optional<Tracing> tracing) {
        Map<String, String> settings = hdfs.clientSettings();
        settings.put("mapreduce.framework.name", "yarn");
        settings.put("yarn.resourcemanager.hostname", HdfsCluster.HOST);
        // This scheduler alone needs no list of queues.
        settings.put(
                "yarn.resourcemanager.scheduler.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
        for (Service service : Service.values()) {
            settings.put(service.key, at(service));
        }
        settings.put("yarn.app.mapreduce.am.staging-dir", "/yarn/staging");
        settings.putAll(node());
        settings.putAll(containers(tracing));
        return settings;
    }

    private Map<String, String> node() {
        Map<String, String> settings = new LinkedHashMap<>();
        Path home = hdfs.setup().home().resolve("yarn");
        settings.put("yarn.nodemanager.hostname", HdfsCluster.HOST);
        settings.put("yarn.nodemanager.address", HdfsCluster.HOST + ":0");
        settings.put("yarn.nodemanager.localizer.address", HdfsCluster.HOST + ":0");
        settings.put("yarn.nodemanager.webapp.address", HdfsCluster.HOST + ":0");
        settings.put("yarn.nodemanager.local-dirs", home.resolve("local").toString());
        settings.put("yarn.nodemanager.log-dirs", home.resolve("logs").toString());
        settings.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        settings.put("mapreduce.shuffle.port", "0");
        settings.put("yarn.nodemanager.resource.memory-mb", Integer.toString(NODE_MEGABYTES));
        settings.put("yarn.nodemanager.resource.cpu-vcores", "4");
        settings.put("yarn.nodemanager.vmem-check-enabled", "false");
        settings.put("yarn.nodemanager.disk-health-checker.enable", "false");
        settings.put("yarn.nodemanager.admin-env", "JAVA_HOME=" + System.getProperty("java.home"));
        return settings;
    }

    private Map<String, String> containers(Optional<Tracing> tracing) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("yarn.scheduler.minimum-allocation-mb", "256");
        for (String role : List.of("mapreduce.map", "mapreduce.reduce")) {
            settings.put(role + ".memory.mb", Integer.toString(CONTAINER_MEGABYTES));
            settings.put(role + ".java.opts", CONTAINER_HEAP);
        }
        settings.put("yarn.app.mapreduce.am.resource.mb", Integer.toString(CONTAINER_MEGABYTES));
        settings.put(
                "yarn.app.mapreduce.am.command-opts", CONTAINER_HEAP + " --add-opens=java.base/java.lang=ALL-UNNAMED");
        settings.put("mapreduce.task.io.sort.mb", "32");
        StringBuilder path = new StringBuilder(hdfs.setup().lib() + "/*");
        tracing.ifPresent(t -> t.classPath().forEach(entry -> path.append(',').append(entry)));
        settings.put("mapreduce.application.classpath", path.toString());
        settings.put("yarn.application.classpath", "");
        return settings;
    }

    private int port(Service service) {
        return Objects.requireNonNull(ports.get(service));
    }

    private String at(Service service) {
        return HdfsCluster.HOST + ":" + port(service);
    }

    private int metric(String name) throws IOException, InterruptedException {
        URI metrics = URI.create("http://%s/ws/v1/cluster/metrics".formatted(at(Service.WEB)));
        HttpRequest request = HttpRequest.newBuilder(metrics)
                .timeout(hdfs.setup().startTimeout())
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper()
                .readTree(answer.body())
                .at("/clusterMetrics/" + name)
                .asInt();
    }

    /** Waits until no container is left: a job's master cleans up after its client has ended. */
    public void awaitIdle() throws IOException, InterruptedException {
        JavaProcess manager = fleet.processes().get(0);
        manager.await("still has containers", hdfs.setup().startTimeout(), () -> metric("containersAllocated") == 0);
    }

    /** Writes a folder of configuration for clients: {@code yarn-site.xml} and others. */
    public Path clientConfiguration() throws IOException {
        Path folder = hdfs.setup().home().resolve("conf").resolve("yarn-client");
        Site.write(folder, settings(Optional.empty()));
        return folder;
    }

    @Override
    public void close() {
        fleet.close();
    }
}
