// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing mounts list}, {@code assign} and {@code move} with two groups of one master each. */
@Timeout(120)
class GroupsCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path home;

    private List<Integer> ports = List.of();
    private BdtMaster one;
    private BdtMaster two;

    @BeforeEach
    void start() throws IOException {
        ports = Ports.free(2);
        Files.createDirectories(home.resolve("store"));
        one = master("one", ports.get(0));
        two = master("two", ports.get(1));
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    private String store() {
        return "file://" + home.resolve("store");
    }

    private String address(int group) {
        return "127.0.0.1:" + ports.get(group);
    }

    private BdtMaster master(String group, int port) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve(group).toString(),
                        "bdt.port",
                        Integer.toString(port),
                        "bdt.mounts.groups",
                        "one=%s,two=%s".formatted(address(0), address(1)),
                        "bdt.mounts.group",
                        group,
                        "bdt.stores",
                        store())))
                .serve();
    }

    @Test
    void aMountIsAssignedListedAndMoved() throws Exception {
        CommandRun assigned = CommandRun.of("mounts", "assign", store(), "two", "--master", address(1));
        assertThat(assigned.exitCode()).as(assigned.err()).isEqualTo(ExitCodes.OK);
        assertThat(assigned.out()).contains("is one of group two");
        try (GrpcBdts client = GrpcBdts.connect(address(0), Duration.ofSeconds(30))) {
            assertThat(client.open(Map.of("packing.store", store()))
                            .statistics()
                            .files())
                    .isZero();
            CommandRun moved = CommandRun.of("mounts", "move", store(), "one", "--json", "--master", address(0));
            assertThat(moved.exitCode()).as(moved.err()).isEqualTo(ExitCodes.OK);
            JsonNode move = JSON.readTree(moved.out());
            assertThat(move.get("state").asText()).isEqualTo("done");
            assertThat(move.get("rows").asLong()).isPositive();
            assertThat(move.get("waited_ms").asLong()).isNotNegative();
        }
        CommandRun list = CommandRun.of("mounts", "list", "--json", "--master", address(1));
        JsonNode table = JSON.readTree(list.out());
        assertThat(table.get("groups").get("two").asText()).isEqualTo(address(1));
        assertThat(table.get("mounts").get(0).get("group").asText()).isEqualTo("one");
        assertThat(table.get("mounts").get(0).get("moves_to").asText()).isEmpty();
        assertThat(CommandRun.of("mounts", "list", "--master", address(1)).out())
                .contains("group one at " + address(0), store());
    }

    @Test
    void whatCannotBeMovedIsSaidWithItsReason() throws Exception {
        CommandRun unknown = CommandRun.of("mounts", "move", "nothing", "two", "--master", address(0));
        assertThat(unknown.exitCode()).isNotEqualTo(ExitCodes.OK);
        assertThat(unknown.err()).contains("no mount is called 'nothing'");
        CommandRun group = CommandRun.of("mounts", "assign", store(), "three", "--master", address(0));
        assertThat(group.err()).contains("there is no group 'three'", "one, two");
        CommandRun none = CommandRun.of(Map.of(Contexts.FILE_VARIABLE, "/nowhere"), "mounts", "--json");
        assertThat(none.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(none.err()).contains("packing://HOST:PORT/PATH");
    }
}
