// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.hbase.check.FileLengths;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A running HDFS: a NameNode and DataNodes. Confined to one thread. */
public final class HdfsCluster implements AutoCloseable {
    /** The address of every server. */
    static final String HOST = "127.0.0.1";

    private static final int NAME_NODE_MEGABYTES = 160;
    private static final int DATA_NODE_MEGABYTES = 128;
    private static final int TOOL_MEGABYTES = 128;
    private static final String TOOL = "io.packing.hbase.tool.NamespaceTool";

    private final Setup setup;
    private final Fleet fleet;
    private final int rpcPort;
    private final int webPort;

    private HdfsCluster(Setup setup, int rpcPort, int webPort) {
        this.setup = setup;
        this.fleet = new Fleet(setup);
        this.rpcPort = rpcPort;
        this.webPort = webPort;
    }

    /** Formats a new file system, starts its servers, and returns when every DataNode is registered. */
    public static HdfsCluster start(Setup setup, int dataNodes) throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(2);
        HdfsCluster cluster = new HdfsCluster(setup, ports.get(0), ports.get(1));
        try {
            cluster.startServers(dataNodes);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startServers(int dataNodes) throws IOException, InterruptedException {
        String main = "org.apache.hadoop.hdfs.server.namenode.NameNode";
        Child format = new Child(
                "namenode-format", main, NAME_NODE_MEGABYTES, nameNode(), List.of("-format", "-nonInteractive"));
        JavaProcess.run(format.prepare(setup), setup.logs(), line -> {});
        JavaProcess nameNode = fleet.start(new Child("namenode", main, NAME_NODE_MEGABYTES, nameNode(), List.of()));
        for (int i = 0; i < dataNodes; i++) {
            fleet.start(new Child(
                    "datanode-" + i,
                    "org.apache.hadoop.hdfs.server.datanode.DataNode",
                    DATA_NODE_MEGABYTES,
                    dataNode(i),
                    List.of()));
        }
        nameNode.awaitPort(rpcPort, setup.startTimeout());
        nameNode.await("has no %d DataNodes".formatted(dataNodes), setup.startTimeout(), () -> live() >= dataNodes);
    }

    private Map<String, String> nameNode() {
        Map<String, String> settings = clientSettings();
        settings.put(
                "dfs.namenode.name.dir", setup.home().resolve("name").toUri().toString());
        settings.put("dfs.namenode.http-address", HOST + ":" + webPort);
        settings.put("dfs.namenode.rpc-address", HOST + ":" + rpcPort);
        settings.put("dfs.namenode.handler.count", "8");
        settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        settings.put("dfs.permissions.enabled", "false");
        return settings;
    }

    private Map<String, String> dataNode(int index) {
        Map<String, String> settings = clientSettings();
        settings.put(
                "dfs.datanode.data.dir",
                setup.home().resolve("data-" + index).toUri().toString());
        settings.put("dfs.datanode.hostname", HOST);
        settings.put("dfs.datanode.address", HOST + ":0");
        settings.put("dfs.datanode.http.address", HOST + ":0");
        settings.put("dfs.datanode.ipc.address", HOST + ":0");
        settings.put("dfs.datanode.http.internal-proxy.port", "0");
        return settings;
    }

    /** Returns the configuration with which clients find this file system. */
    Map<String, String> clientSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fs.defaultFS", uri());
        settings.put("hadoop.tmp.dir", setup.home().resolve("tmp").toString());
        settings.put("dfs.replication", "3");
        return settings;
    }

    /** Returns the URI of the file system's root. */
    public String uri() {
        return "hdfs://" + HOST + ":" + rpcPort;
    }

    /** Returns the number of DataNodes that the NameNode hears from. */
    private int live() throws IOException, InterruptedException {
        URI bean = URI.create(
                "http://%s:%d/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState".formatted(HOST, webPort));
        HttpRequest request =
                HttpRequest.newBuilder(bean).timeout(setup.startTimeout()).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper()
                .readTree(answer.body())
                .at("/beans/0/NumLiveDataNodes")
                .asInt();
    }

    /** Returns every file and its length, as the NameNode lists them. */
    public FileLengths files() throws IOException, InterruptedException {
        FileLengths.Reader files = new FileLengths.Reader();
        tool(List.of("list"), files);
        return files.lengths();
    }

    /** Deletes all files. */
    public void clear() throws IOException, InterruptedException {
        tool(List.of("clear"), line -> {});
    }

    private void tool(List<String> words, Consumer<String> lines) throws IOException, InterruptedException {
        JavaProcess.run(
                new Child("hdfs-tool", TOOL, TOOL_MEGABYTES, clientSettings(), words).prepare(setup),
                setup.logs(),
                lines);
    }

    Setup setup() {
        return setup;
    }

    public List<JavaProcess> processes() {
        return fleet.processes();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
