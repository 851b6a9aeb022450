// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.placement.ReplicaMode;
import io.packing.registry.nodes.NodeOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of requests to a node by callers without its key, and of malformed requests. */
@Timeout(240)
class NodeRequestsTest {
    @TempDir
    private Path home;

    private TestMount mount;
    private TestNodes nodes;

    @BeforeEach
    void open() throws IOException {
        mount = TestMount.start(home.resolve("mount"));
        nodes = new TestNodes(home, mount);
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
        mount.close();
    }

    @Test
    void strangersAreNoNodes() throws Exception {
        nodes.start("p0", "b1", Long.MAX_VALUE, "a secret of all nodes");
        RegistryClient client = nodes.client("p0");
        assertThat(client.get("/_packing/node/status").statusCode()).isEqualTo(403);
        assertThat(client.get("/_packing/node/status", "Packing-Node-Key", "another secret")
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.get("/_packing/node/status", "Packing-Node-Key", "a secret of all nodes")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatNoNodeMeansIsRefused() throws Exception {
        nodes.start("d0", "b1", 10_000, "");
        RegistryClient client = nodes.client("d0");
        String wrong = "layers/" + RegistryClient.digest(new byte[1]);
        assertThat(client.ask("PUT", "/_packing/node/" + wrong, new byte[2]).statusCode())
                .isEqualTo(500);
        assertThat(client.get("/_packing/node/" + wrong).statusCode()).isEqualTo(404);
        assertThat(client.get("/_packing/node/layers/../../etc").statusCode()).isIn(400, 404);
        assertThat(client.ask("PUT", "/_packing/node/" + wrong, new byte[20_000])
                        .statusCode())
                .isEqualTo(507);
        assertThat(client.ask("POST", "/_packing/node/levels", new byte[33]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("POST", "/_packing/node/slice", new byte[51]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("PUT", "/_packing/node/files", new byte[500]).statusCode())
                .isEqualTo(500);
        assertThat(client.ask("POST", "/_packing/node/nothing", new byte[0]).statusCode())
                .isEqualTo(405);
        assertThat(nodes.files("d0", "incoming")).isEmpty();
        assertThatThrownBy(() -> new NodeOptions("d0", nodes.list(), home, 1, 4, ReplicaMode.named("b0"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 whole and 4 split replicas");
    }
}
