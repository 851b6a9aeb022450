// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A test class with a real HDFS, each of whose tests has a directory of files and one of traces. */
abstract class TracedHdfs {
    @TempDir
    static java.nio.file.Path temp;

    static HdfsForTests hdfs;

    java.nio.file.Path traces = java.nio.file.Path.of("");
    Path home = new Path("/");

    @BeforeAll
    static void startHdfs() throws IOException {
        hdfs = HdfsForTests.start(temp.resolve("hdfs"));
    }

    @AfterAll
    static void stopHdfs() {
        hdfs.close();
    }

    @BeforeEach
    void choosePlaces(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName();
        traces = temp.resolve("traces-" + name);
        home = new Path("/" + name);
    }

    @AfterEach
    void stopTracing() {
        ProcessTracer.finish(traces);
    }

    /** Returns equal bytes for each call with one length. */
    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
