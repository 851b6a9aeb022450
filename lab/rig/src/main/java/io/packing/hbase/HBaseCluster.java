// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.hbase.load.YcsbLoad;
import io.packing.hbase.load.YcsbResult;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A running HBase with an empty table of messages: a master and RegionServers, traced or not. Confined to one thread.
 *
 * <p>{@link #shutDown} flushes all data and ends HBase as an operator would. {@link #close} stops the remaining
 * processes.
 */
public final class HBaseCluster implements AutoCloseable {
    /** The directory of HBase's files in HDFS. */
    public static final String ROOT = "/hbase";

    private static final int MASTER_MEGABYTES = 256;
    private static final int REGION_SERVER_MEGABYTES = 512;
    private static final int CLIENT_MEGABYTES = 256;
    private static final int TOOL_MEGABYTES = 128;
    private static final Duration SHUT_DOWN = Duration.ofMinutes(2);
    private static final String EDITS = "io.packing.hbase.tool.Edits";
    private static final String TOOL = "io.packing.hbase.tool.MessagesTable";

    private final HBaseRoot root;
    private final Optional<Tracing> tracing;
    private int started;
    private final ZooKeeper zooKeeper;
    private final String name;
    private final Fleet fleet;

    private HBaseCluster(HBaseRoot root, ZooKeeper zooKeeper, String name, Optional<Tracing> tracing) {
        this.root = root;
        this.tracing = tracing;
        this.zooKeeper = zooKeeper;
        this.name = name;
        this.fleet = new Fleet(root.setup());
    }

    /**
     * Starts a new HBase in an empty {@link #ROOT} and returns when its table exists.
     *
     * @param name distinguishes it from others that run earlier or later on this HDFS and ZooKeeper
     * @param tracing of the master and the RegionServers; empty for none
     */
    public static HBaseCluster start(
            HdfsCluster hdfs, ZooKeeper zooKeeper, String name, int regionServers, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        return start(HBaseRoot.in(hdfs), zooKeeper, name, regionServers, tracing);
    }

    /** Starts a new HBase with its files in another empty directory. */
    public static HBaseCluster start(
            HBaseRoot root, ZooKeeper zooKeeper, String name, int regionServers, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        HBaseCluster cluster = new HBaseCluster(root, zooKeeper, name, tracing);
        try {
            cluster.startServers(regionServers);
            cluster.tool("create", Integer.toString(regionServers));
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startServers(int regionServers) throws IOException {
        String master = "org.apache.hadoop.hbase.master.HMaster";
        fleet.start(server("hmaster", master, MASTER_MEGABYTES, regionServers));
        for (int i = 0; i < regionServers; i++) {
            startRegionServer(regionServers);
        }
    }

    private JavaProcess startRegionServer(int regionServers) throws IOException {
        String main = "org.apache.hadoop.hbase.regionserver.HRegionServer";
        return fleet.start(server("regionserver-" + started++, main, REGION_SERVER_MEGABYTES, regionServers));
    }

    /** Starts one more RegionServer and kills the oldest one. */
    public void replaceRegionServer() throws IOException, InterruptedException {
        JavaProcess oldest = fleet.processes().stream()
                .filter(process -> process.name().startsWith("regionserver-"))
                .findFirst()
                .orElseThrow();
        JavaProcess unused = startRegionServer(1);
        fleet.kill(oldest);
    }

    private Child server(String role, String main, int megabytes, int regionServers) {
        Map<String, String> settings = clientSettings();
        settings.putAll(HBaseOptions.servers(regionServers));
        settings.putAll(tracing.map(t -> t.settings(role)).orElse(Map.of()));
        List<Path> classPath = new ArrayList<>(root.classPath());
        classPath.addAll(tracing.map(Tracing::classPath).orElse(List.of()));
        return new Child(role + "-" + name, main, megabytes, settings, classPath, List.of("start"));
    }

    private Map<String, String> clientSettings() {
        Map<String, String> settings = new LinkedHashMap<>(root.settings());
        settings.putAll(HBaseOptions.clients(root.uri(), zooKeeper.port(), name));
        return settings;
    }

    /** Creates the rows. */
    public YcsbResult load(YcsbLoad spec, LongConsumer progress) throws IOException, InterruptedException {
        return ycsb("ycsb-load", spec.load(), progress);
    }

    /** Runs the operations. */
    public YcsbResult run(YcsbLoad spec, LongConsumer progress) throws IOException, InterruptedException {
        return ycsb("ycsb-run", spec.run(), progress);
    }

    private YcsbResult ycsb(String role, List<String> words, LongConsumer progress)
            throws IOException, InterruptedException {
        YcsbResult.Reader reader = new YcsbResult.Reader(progress);
        client(role, "site.ycsb.Client", CLIENT_MEGABYTES, words, reader);
        return reader.result();
    }

    /** Flushes the data in memory, compacts every store into one file, and returns when both are done. */
    public void settle() throws IOException, InterruptedException {
        tool("settle");
    }

    /** Takes HBase's own snapshot of the table. */
    public void takeSnapshot(String snapshot) throws IOException, InterruptedException {
        tool("snapshot", snapshot);
    }

    /** Restores the table from a snapshot of HBase. */
    public void restoreSnapshot(String snapshot) throws IOException, InterruptedException {
        tool("restore", snapshot);
    }

    /**
     * Makes numbered edits.
     *
     * @param acked learns the number of each edit that HBase has acknowledged
     */
    public void edit(long first, long count, int threads, LongConsumer acked) throws IOException, InterruptedException {
        List<String> words = List.of("write", Long.toString(first), Long.toString(count), Integer.toString(threads));
        client("edits-from-" + first, EDITS, CLIENT_MEGABYTES, words, numbers("acked ", acked));
    }

    /** Returns the numbers of the edits in the table. */
    public Set<Long> edits() throws IOException, InterruptedException {
        Set<Long> found = new HashSet<>();
        client("read-edits", EDITS, CLIENT_MEGABYTES, List.of("read"), numbers("row ", found::add));
        return found;
    }

    private static Consumer<String> numbers(String word, LongConsumer each) {
        return line -> {
            if (line.startsWith(word)) {
                each.accept(Long.parseLong(line.substring(word.length())));
            }
        };
    }

    /** Ends HBase in good order, with all data flushed and every file closed. */
    public void shutDown() throws IOException, InterruptedException {
        tool("shutdown");
        fleet.awaitEnd(SHUT_DOWN);
    }

    private void tool(String... words) throws IOException, InterruptedException {
        client("hbase-" + words[0], TOOL, TOOL_MEGABYTES, List.of(words), line -> {});
    }

    private void client(String role, String main, int megabytes, List<String> words, Consumer<String> lines)
            throws IOException, InterruptedException {
        Child child = new Child(role + "-" + name, main, megabytes, clientSettings(), root.classPath(), words);
        JavaProcess.run(child.prepare(root.setup()), root.setup().logs(), lines);
    }

    public List<JavaProcess> processes() {
        return fleet.processes();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
