// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster of Flink: ZooKeeper, a job manager that can be killed, and a task manager, each a process. Checkpoints and what high availability stores are
 * on the mount.
 */
final class FlinkCluster {
    private static final Duration START = Duration.ofMinutes(3);
    private static final int HEAP_MB = 512;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EngineGround ground;
    private final Path settings;
    private final int rest;
    private final HttpClient client = HttpClient.newHttpClient();
    private JavaProcess jobManager;

    private FlinkCluster(EngineGround ground, Path settings, int rest) throws IOException {
        this.ground = ground;
        this.settings = settings;
        this.rest = rest;
        jobManager = startJobManager();
    }

    /** Starts all of it. */
    static FlinkCluster start(EngineGround ground) throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(4);
        Path home = Files.createDirectories(ground.home().resolve("flink"));
        Path keeper = Files.writeString(home.resolve("zoo.cfg"), """
                tickTime=500
                initLimit=10
                syncLimit=5
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                admin.enableServer=false
                """.formatted(
                        Files.createDirectories(home.resolve("zookeeper")), ports.get(0)));
        ground.start(command(ground, "zookeeper", "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer")
                        .apply(List.of("--zkConfigFile", keeper.toString(), "--peerId", "1")))
                .awaitPort(ports.get(0), START);
        Path unused = Files.writeString(home.resolve("config.yaml"), settings(ground, ports));
        FlinkCluster cluster = new FlinkCluster(ground, home, ports.get(1));
        ground.start(command(ground, "taskmanager", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner")
                        .apply(List.of("--configDir", home.toString())))
                .await("is no part of the cluster", START, cluster::hasSlots);
        return cluster;
    }

    private static String settings(EngineGround ground, List<Integer> ports) {
        StringBuilder settings = new StringBuilder("""
                rest.port: %d
                rest.address: 127.0.0.1
                rest.bind-address: 127.0.0.1
                jobmanager.rpc.address: 127.0.0.1
                jobmanager.bind-host: 127.0.0.1
                taskmanager.host: 127.0.0.1
                taskmanager.bind-host: 127.0.0.1
                high-availability.type: zookeeper
                high-availability.zookeeper.quorum: 127.0.0.1:%d
                high-availability.zookeeper.client.session-timeout: 5s
                high-availability.jobmanager.port: "%d"
                high-availability.storageDir: %sflink/ha
                execution.checkpointing.dir: %sflink/checkpoints
                taskmanager.numberOfTaskSlots: 2
                taskmanager.cpu.cores: 2
                taskmanager.memory.framework.heap.size: 128mb
                taskmanager.memory.framework.off-heap.size: 64mb
                taskmanager.memory.task.heap.size: 256mb
                taskmanager.memory.task.off-heap.size: 0mb
                taskmanager.memory.managed.size: 32mb
                taskmanager.memory.network.min: 32mb
                taskmanager.memory.network.max: 32mb
                taskmanager.memory.jvm-metaspace.size: 128mb
                taskmanager.memory.jvm-overhead.min: 64mb
                taskmanager.memory.jvm-overhead.max: 64mb
                """.formatted(
                        ports.get(1),
                        ports.get(0),
                        ports.get(2),
                        ground.rig().root(),
                        ground.rig().root()));
        ground.rig()
                .mountOptions()
                .forEach((key, value) -> settings.append("flink.hadoop.%s: %s%n".formatted(key, value)));
        return settings.toString();
    }

    /** A command that lacks its arguments. */
    private interface Unfinished {
        JavaCommand apply(List<String> arguments);
    }

    private static Unfinished command(EngineGround ground, String name, String main) throws IOException {
        List<String> classPath =
                List.of(ground.jars().all("flink"), ground.door().toString(), EngineGround.ownClasses());
        return arguments -> new JavaCommand(name, main, classPath, HEAP_MB, Map.of(), arguments)
                .withJvmOptions(List.of(
                        "-Xss1m",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED"))
                .brief();
    }

    private JavaProcess startJobManager() throws IOException {
        return ground.start(
                command(ground, "jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint")
                        .apply(List.of("--configDir", settings.toString())));
    }

    /** Kills the job manager, and starts another one, which takes the job over when the session of the dead one has ended. */
    void replaceJobManager() throws IOException, InterruptedException {
        jobManager.kill();
        jobManager = startJobManager();
    }

    /** Submits the job that writes rows; returns its id. */
    String submit(String directory, long rows, int perSecond) throws IOException, InterruptedException {
        List<String> printed = new ArrayList<>();
        JavaProcess.run(
                command(ground, "submit", FlinkRowsJob.class.getName())
                        .apply(List.of(
                                Integer.toString(rest), directory, Long.toString(rows), Integer.toString(perSecond))),
                ground.logs(),
                printed::add);
        return printed.stream()
                .filter(line -> line.startsWith("job "))
                .map(line -> line.substring("job ".length()))
                .findFirst()
                .orElseThrow(() -> new IOException("Flink's client names no job: " + printed));
    }

    private Optional<JsonNode> ask(String path) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(rest, path)))
                .timeout(START)
                .build();
        try {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return answer.statusCode() == 200 ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (IOException e) {
            // No job manager answers while one takes over.
            return Optional.empty();
        }
    }

    private boolean hasSlots() throws InterruptedException {
        return ask("/overview")
                .map(found -> found.path("slots-total").asInt() > 0)
                .orElse(false);
    }

    /** Returns the state of a job; empty: no job manager tells it now. */
    Optional<String> state(String job) throws InterruptedException {
        return ask("/jobs/" + job).map(found -> found.path("state").asText());
    }

    /** Returns the number of the newest complete checkpoint; empty: no job manager tells it, or there is none. */
    Optional<Long> checkpoint(String job) throws InterruptedException {
        return ask("/jobs/" + job + "/checkpoints")
                .map(found -> found.path("latest").path("completed").path("id"))
                .filter(JsonNode::isNumber)
                .map(JsonNode::asLong);
    }

    /** Waits for the job manager, which must not end by itself. */
    void await(String notYet, Duration time, Await.Condition condition) throws IOException, InterruptedException {
        jobManager.await(notYet, time, condition);
    }
}
