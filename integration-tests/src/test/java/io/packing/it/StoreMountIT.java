// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.cluster.load.ClusterLoadSpec.Action;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of packing mounts on S3 in a real Alluxio: right options of a user, and wrong ones. */
@Tag("cluster")
class StoreMountIT {
    private static final String BUCKET = "bucket";

    @TempDir
    static Path home;

    private static @Nullable S3Server server;
    private static @Nullable PackingCluster running;
    /** An endpoint without a server. */
    private static String nobody = "";

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start(
                S3ServerOptions.of(Files.createDirectories(home.resolve("s3")), BUCKET, "somebody-elses"));
        String endpoint = server.endpoint().toString();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "http://127.0.0.1:" + socket.getLocalPort();
        }
        running = PackingCluster.start(
                home,
                "s3://" + BUCKET + "@" + endpoint,
                "s3://no-such-bucket@" + endpoint,
                "s3://" + BUCKET + "@" + nobody);
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static PackingCluster cluster() {
        return Objects.requireNonNull(running);
    }

    private static Map<String, String> options(String store) {
        Map<String, String> options = new HashMap<>();
        options.put("packing.store", store);
        options.put(
                "packing.s3.endpoint", Objects.requireNonNull(server).endpoint().toString());
        options.put("packing.s3.path.style", "true");
        options.put("packing.s3.access.key", "access");
        options.put("packing.s3.secret.key", "secret");
        return options;
    }

    @Test
    void filesGoIntoBlobsInTheBucketAndComeBackThroughTheOtherWorker() throws Exception {
        Map<String, String> options = options("s3://" + BUCKET + "/packed");
        options.put("packing.policy", "directory");
        cluster().mount("/s3", options);
        ClusterLoadSpec write = ClusterLoadSpec.write("/s3/files", 200, 8_192, 8, "THROUGH");
        cluster().load(write);
        cluster().flush(options);
        assertThat(cluster().stat(options, "/s3/files/00000123").state()).isEqualTo(FileStatus.State.PACKED);
        long before = Objects.requireNonNull(server).metrics().prefix("packed").get();
        cluster().load(write.readBack());
        assertThat(Objects.requireNonNull(server).metrics().prefix("packed").get() - before)
                .as("GETs for 200 files")
                .isBetween(1L, 20L);
        cluster().load(write.then(Action.SEEK));
        cluster().shell("unmount", "/s3");
        cluster().mount("/s3", options);
        cluster().load(write.readBack());
    }

    private static void assertMountFails(Map<String, String> options, String... saying) {
        AbstractThrowableAssert<?, ?> failure =
                assertThatThrownBy(() -> cluster().mount("/wrong", options)).isInstanceOf(IOException.class);
        for (String word : saying) {
            failure.hasMessageContaining(word);
        }
    }

    @Test
    void wrongCredentialsFailTheMountAndAreNamed() {
        Map<String, String> options = options("s3://" + BUCKET + "/other");
        options.put("packing.s3.secret.key", "guess");
        assertMountFails(options, "s3://" + BUCKET, "credentials");
    }

    @Test
    void aMissingBucketFailsTheMountAndIsNamed() {
        assertMountFails(options("s3://no-such-bucket/x"), "no-such-bucket");
    }

    @Test
    void anUnreachableStoreFailsTheMountInsteadOfHangingIt() {
        Map<String, String> options = options("s3://" + BUCKET + "/x");
        options.put("packing.s3.endpoint", nobody);
        assertMountFails(options, "s3://" + BUCKET, "Check packing.s3.endpoint");
    }

    @Test
    void aStoreThatTheMasterMayNotUseFailsTheMountAndSaysWhatAllowsIt() {
        Map<String, String> options = options("s3://somebody-elses/x");
        assertMountFails(options, "may not use s3://somebody-elses/x@", "bdt.stores");
    }

    @Test
    void aStoreThatIsNoUriFailsTheMountAndIsNamed() {
        assertMountFails(options("ftp://somewhere"), "packing.store", "ftp://somewhere");
    }

    @Test
    void anUnreachableMasterFailsTheMountInsteadOfHangingIt() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Map<String, String> options = options("s3://" + BUCKET + "/x");
        options.put("packing.master.timeout", "3s");
        String uri = "packing://127.0.0.1:" + closed + "/wrong";
        assertThatThrownBy(() -> cluster().alluxio().mount("/wrong", uri, options))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + closed);
    }

    @Test
    void aBufferDirectoryThatCannotBeUsedFailsTheFirstWriteAndIsNamed() throws Exception {
        Path file = Files.writeString(home.resolve("not-a-directory"), "x");
        Map<String, String> options = options("s3://" + BUCKET + "/buffered");
        options.put("packing.buffer.dir", file.toString());
        cluster().mount("/unbuffered", options);
        ClusterLoadResult result =
                cluster().alluxio().tryLoad(ClusterLoadSpec.write("/unbuffered/f", 1, 10, 1, "THROUGH"));
        assertThat(result.firstError()).contains(file.toString());
    }
}
