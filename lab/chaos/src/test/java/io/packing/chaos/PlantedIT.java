// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.packing.chaos.client.ClientConnection;
import io.packing.chaos.client.ClientRequest;
import io.packing.chaos.client.ClientRequest.Action;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.cluster.RoundCluster;
import io.packing.chaos.cluster.SharedProcesses;
import io.packing.chaos.cluster.StoreKind;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.ModelOperation;
import io.packing.chaos.model.Part;
import io.packing.chaos.model.SeededContent;
import io.packing.chaos.model.Violation;
import io.packing.chaos.model.Violation.Kind;
import io.packing.chaos.run.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the whole check: a client changes a real mount behind the model's back, and the check reports each change.
 */
@Tag("process")
class PlantedIT {
    private static final SeededContent FIRST = new SeededContent(11, 5_000);
    private static final SeededContent SECOND = new SeededContent(13, 5_000);

    @TempDir
    private static Path home = Path.of("");

    private static Optional<SharedProcesses> started = Optional.empty();

    /** Starts what both tests share: a store, and two clients, each of which has a mount of its own for each test. */
    @BeforeAll
    static void start() throws IOException, InterruptedException {
        started = Optional.of(SharedProcesses.start(home, 2, StoreKind.S3));
    }

    @AfterAll
    static void stop() {
        started.ifPresent(SharedProcesses::close);
    }

    private static void write(Stage stage, ClientConnection client, String path, SeededContent content)
            throws Exception {
        ModelOperation change = stage.model().create(path, content, 0644);
        assertThat(client.ask(ClientRequest.create(DoorKind.HADOOP, path, content, 0644, true))
                        .isDone())
                .isTrue();
        stage.model().done(change);
    }

    @Test
    void aLostFileOneThatReturnsAndChangedBytesAreEachTold() throws Exception {
        Plan plan = Plan.of(7);
        try (RoundCluster cluster = started.orElseThrow().round("planted", plan.site());
                RoundLog journal = RoundLog.open(home.resolve("planted.log"));
                ClientConnection client = cluster.clients().get(1).connect()) {
            Model model = new Model(plan.isUploaded(), plan.mayLoseTail());
            Stage stage = new Stage(plan, cluster, model, journal, new Counts());
            for (String name : List.of("kept", "lost", "changed", "overwritten", "deleted")) {
                write(stage, client, "/lane-0/" + name, FIRST);
            }
            write(stage, client, "/lane-0/overwritten", SECOND);
            ModelOperation deleted = model.delete("/lane-0/deleted");
            assertThat(client.ask(ClientRequest.simple(Action.DELETE, DoorKind.HADOOP, "/lane-0/deleted", false))
                            .isDone())
                    .isTrue();
            model.done(deleted);
            new Checker(stage).settle();
            assertThat(journal.violations()).isEmpty();

            client.ask(ClientRequest.simple(Action.DELETE, DoorKind.WORKER, "/lane-0/lost", false));
            client.ask(
                    ClientRequest.create(DoorKind.WORKER, "/lane-0/changed", new SeededContent(99, 5_000), 0644, true));
            client.ask(ClientRequest.create(DoorKind.WORKER, "/lane-0/overwritten", FIRST, 0644, true));
            client.ask(ClientRequest.create(DoorKind.WORKER, "/lane-0/deleted", FIRST, 0644, true));
            client.ask(ClientRequest.create(DoorKind.WORKER, "/lane-0/never", FIRST, 0644, true));
            new Checker(stage).settle();
            assertThat(journal.violations())
                    .extracting(Violation::path, Violation::kind)
                    .containsExactlyInAnyOrder(
                            tuple("/lane-0/lost", Kind.LOST),
                            tuple("/lane-0/changed", Kind.WRONG),
                            tuple("/lane-0/overwritten", Kind.RETURNED),
                            tuple("/lane-0/deleted", Kind.RETURNED),
                            tuple("/lane-0/never", Kind.RETURNED));
        }
    }

    @Test
    void halfAVectorAndWrongBytesInASnapshotAreTold() throws Exception {
        Plan plan = Plan.of(7);
        try (RoundCluster cluster = started.orElseThrow().round("shared", plan.site());
                RoundLog journal = RoundLog.open(home.resolve("shared.log"));
                ClientConnection client = cluster.clients().get(1).connect()) {
            Model model = new Model(plan.isUploaded(), plan.mayLoseTail());
            Stage stage = new Stage(plan, cluster, model, journal, new Counts());
            for (String name : List.of("moved", "deleted", "kept", "changed", "missing")) {
                write(stage, client, "/lane-0/" + name, FIRST);
            }
            snapshot(stage, client, "right");
            Part clone = new Part(Part.Kind.CLONE, "/lane-0/kept", "/lane-0/clone");
            ModelOperation cloned = model.vector(List.of(clone));
            assertThat(client.ask(ClientRequest.vector(List.of(clone))).isDone())
                    .isTrue();
            model.done(cloned);
            new Checker(stage).settle();
            assertThat(journal.violations()).isEmpty();

            // A client changes files just while the snapshot is taken.
            client.ask(
                    ClientRequest.create(DoorKind.WORKER, "/lane-0/changed", new SeededContent(99, 5_000), 0644, true));
            client.ask(ClientRequest.simple(Action.DELETE, DoorKind.WORKER, "/lane-0/missing", false));
            snapshot(stage, client, "wrong");
            client.ask(ClientRequest.create(DoorKind.WORKER, "/lane-0/changed", FIRST, 0644, true));
            client.ask(ClientRequest.create(DoorKind.WORKER, "/lane-0/missing", FIRST, 0644, true));
            // The model believes that this snapshot was dropped, and it exists.
            model.done(model.dropSnapshot("/lane-0", "right"));
            // The model does not know the outcome of this vector, and one of its two parts took place.
            model.unknown(model.vector(List.of(
                    new Part(Part.Kind.RENAME, "/lane-0/moved", "/lane-0/there"),
                    new Part(Part.Kind.DELETE, "/lane-0/deleted", ""))));
            client.ask(ClientRequest.simple(Action.DELETE, DoorKind.WORKER, "/lane-0/deleted", false));
            new Checker(stage).settle();
            assertThat(journal.violations())
                    .filteredOn(each -> !each.path().startsWith("/lane-0/.snapshot/right"))
                    .extracting(Violation::path, Violation::kind)
                    .containsExactlyInAnyOrder(
                            tuple("/lane-0/deleted", Kind.WRONG),
                            tuple("/lane-0/.snapshot/wrong/changed", Kind.WRONG),
                            tuple("/lane-0/.snapshot/wrong/missing", Kind.LOST));
            assertThat(journal.violations())
                    .filteredOn(each -> each.path().startsWith("/lane-0/.snapshot/right"))
                    .extracting(Violation::kind)
                    .hasSize(6)
                    .containsOnly(Kind.RETURNED);
        }
    }

    private static void snapshot(Stage stage, ClientConnection client, String name) throws Exception {
        ModelOperation taken = stage.model().takeSnapshot("/lane-0", name);
        assertThat(client.ask(ClientRequest.snapshot(Action.TAKE_SNAPSHOT, "/lane-0", name))
                        .isDone())
                .isTrue();
        stage.model().done(taken);
    }
}
