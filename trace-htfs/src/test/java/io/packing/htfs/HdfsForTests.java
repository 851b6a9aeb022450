// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.TracingDistributedFileSystem;

/** A real HDFS in this process, with traced and plain clients. */
final class HdfsForTests implements AutoCloseable {
    static final int BLOCK = 1 << 20;

    private final MiniDFSCluster cluster;
    private final String keys;

    private HdfsForTests(MiniDFSCluster cluster, String keys) {
        this.cluster = cluster;
        this.keys = keys;
    }

    /** The entries of a page of a listing. */
    static final int PAGE = 5;

    /** Starts a NameNode and three DataNodes on free ports of this host. */
    static HdfsForTests start(Path directory) throws IOException {
        // The cluster's own clients must not be traced.
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", directory.toString());
        conf.setInt("dfs.replication", 2);
        conf.setInt("dfs.namenode.fs-limits.min-block-size", 4096);
        conf.setLong("dfs.blocksize", BLOCK);
        conf.setBoolean("dfs.namenode.acls.enabled", true);
        // With short pages, listings of a few entries have several.
        conf.setInt("dfs.ls.limit", PAGE);
        conf.setInt("dfs.namenode.list.cache.pools.num.responses", PAGE);
        conf.setInt("dfs.namenode.list.cache.directives.num.responses", PAGE);
        conf.setInt("dfs.namenode.list.openfiles.num.responses", PAGE);
        String keys = "jceks://file" + directory.toAbsolutePath() + "/keys.jks";
        conf.set("hadoop.security.key.provider.path", keys);
        MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
        cluster.waitActive();
        FileSystem.closeAll();
        return new HdfsForTests(cluster, keys);
    }

    URI uri() {
        return cluster.getURI();
    }

    /** Returns the location of encryption zones' keys; a client needs it to read the files. */
    String keys() {
        return keys;
    }

    /** Makes an empty directory whose files are encrypted. */
    void makeEncryptionZone(org.apache.hadoop.fs.Path directory) throws Exception {
        DFSTestUtil.createKey("key", cluster, cluster.getConfiguration(0));
        try (DistributedFileSystem fs = plain("hadoop.security.key.provider.path", keys)) {
            fs.mkdirs(directory);
            fs.createEncryptionZone(directory, "key");
        }
    }

    private Configuration configuration(String... more) {
        Configuration conf = new HdfsConfiguration();
        conf.setInt("dfs.replication", 2);
        conf.setLong("dfs.blocksize", BLOCK);
        for (int i = 0; i < more.length; i += 2) {
            conf.set(more[i], more[i + 1]);
        }
        return conf;
    }

    Configuration tracedConfiguration(Path traces, String... more) {
        Configuration conf = configuration(more);
        conf.set("fs.hdfs.impl", TracingDistributedFileSystem.class.getName());
        conf.set("fs.AbstractFileSystem.hdfs.impl", "io.packing.htfs.TracingAbstractFileSystem");
        conf.set("htfs.dir", traces.toString());
        conf.set("htfs.buffer.events", "1048576");
        return conf;
    }

    DistributedFileSystem plain(String... more) {
        return open(configuration(more));
    }

    DistributedFileSystem traced(Path traces, String... more) {
        return open(tracedConfiguration(traces, more));
    }

    private DistributedFileSystem open(Configuration conf) {
        try {
            return (DistributedFileSystem) FileSystem.newInstance(uri(), conf);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
