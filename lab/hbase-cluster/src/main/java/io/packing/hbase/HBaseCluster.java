package io.packing.hbase;

import io.packing.hbase.load.LoadResult;
import io.packing.hbase.load.LoadSpec;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A running HBase with an empty table of messages: a master and RegionServers, traced or not. Confined to one thread.
 *
 * <p>{@link #shutDown} ends it as an operator would, with everything flushed; {@link #close} stops what still runs.
 */
public final class HBaseCluster implements AutoCloseable {
    /** Where HBase keeps its files in HDFS. */
    public static final String ROOT = "/hbase";

    private static final int MASTER_MEGABYTES = 256;
    private static final int REGION_SERVER_MEGABYTES = 512;
    private static final int CLIENT_MEGABYTES = 256;
    private static final int TOOL_MEGABYTES = 128;
    private static final Duration SHUT_DOWN = Duration.ofMinutes(2);
    private static final String TOOL = "io.packing.hbase.tool.MessagesTable";

    private final HdfsCluster hdfs;
    private final ZooKeeper zooKeeper;
    private final String name;
    private final Fleet fleet;

    private HBaseCluster(HdfsCluster hdfs, ZooKeeper zooKeeper, String name) {
        this.hdfs = hdfs;
        this.zooKeeper = zooKeeper;
        this.name = name;
        this.fleet = new Fleet(hdfs.setup());
    }

    /**
     * Starts a new HBase in an empty {@link #ROOT}; returns when the table is there.
     *
     * @param name tells it from others on the same HDFS and ZooKeeper, one after the other
     * @param tracing of the master and the RegionServers; empty: they run as they are
     */
    public static HBaseCluster start(
            HdfsCluster hdfs, ZooKeeper zooKeeper, String name, int regionServers, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        HBaseCluster cluster = new HBaseCluster(hdfs, zooKeeper, name);
        try {
            cluster.startServers(regionServers, tracing);
            cluster.tool("create", Integer.toString(regionServers));
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startServers(int regionServers, Optional<Tracing> tracing) throws IOException {
        String master = "org.apache.hadoop.hbase.master.HMaster";
        fleet.start(server("hmaster", master, MASTER_MEGABYTES, regionServers, tracing));
        for (int i = 0; i < regionServers; i++) {
            String main = "org.apache.hadoop.hbase.regionserver.HRegionServer";
            fleet.start(server("regionserver-" + i, main, REGION_SERVER_MEGABYTES, regionServers, tracing));
        }
    }

    private Child server(String role, String main, int megabytes, int regionServers, Optional<Tracing> tracing) {
        Map<String, String> settings = clientSettings();
        settings.putAll(HBaseSettings.servers(regionServers));
        settings.putAll(tracing.map(t -> t.settings(role)).orElse(Map.of()));
        List<Path> classPath = tracing.map(Tracing::classPath).orElse(List.of());
        return new Child(role + "-" + name, main, megabytes, settings, classPath, List.of("start"));
    }

    private Map<String, String> clientSettings() {
        Map<String, String> settings = hdfs.clientSettings();
        settings.putAll(HBaseSettings.clients(hdfs.uri() + ROOT, zooKeeper.port(), name));
        return settings;
    }

    /** Makes the rows. */
    public LoadResult load(LoadSpec spec, LongConsumer progress) throws IOException, InterruptedException {
        return ycsb("ycsb-load", spec.load(), progress);
    }

    /** Runs the operations. */
    public LoadResult run(LoadSpec spec, LongConsumer progress) throws IOException, InterruptedException {
        return ycsb("ycsb-run", spec.run(), progress);
    }

    private LoadResult ycsb(String role, List<String> words, LongConsumer progress)
            throws IOException, InterruptedException {
        LoadResult.Reader reader = new LoadResult.Reader(progress);
        client(role, "site.ycsb.Client", CLIENT_MEGABYTES, words, reader);
        return reader.result();
    }

    /** Flushes what is in memory and compacts every store into one file; returns when that is done. */
    public void settle() throws IOException, InterruptedException {
        tool("settle");
    }

    /** Ends HBase in good order: everything is flushed, every file closed. */
    public void shutDown() throws IOException, InterruptedException {
        tool("shutdown");
        fleet.awaitEnd(SHUT_DOWN);
    }

    private void tool(String... words) throws IOException, InterruptedException {
        client("hbase-" + words[0], TOOL, TOOL_MEGABYTES, List.of(words), line -> {});
    }

    private void client(String role, String main, int megabytes, List<String> words, Consumer<String> lines)
            throws IOException, InterruptedException {
        Child child = new Child(role + "-" + name, main, megabytes, clientSettings(), words);
        JavaProcess.run(child.prepare(hdfs.setup()), hdfs.setup().logs(), lines);
    }

    public List<JavaProcess> processes() {
        return fleet.processes();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
