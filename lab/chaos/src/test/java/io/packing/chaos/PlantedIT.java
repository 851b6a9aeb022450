package io.packing.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.packing.chaos.client.Connection;
import io.packing.chaos.client.DoorKind;
import io.packing.chaos.client.Request;
import io.packing.chaos.client.Request.Action;
import io.packing.chaos.cluster.Bench;
import io.packing.chaos.cluster.Cluster;
import io.packing.chaos.model.Change;
import io.packing.chaos.model.Content;
import io.packing.chaos.model.Model;
import io.packing.chaos.model.Violation;
import io.packing.chaos.model.Violation.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole check is checked: somebody whom the model does not know of changes a real mount, and each change is told. */
class PlantedIT {
    private static final Content FIRST = new Content(11, 5_000);
    private static final Content SECOND = new Content(13, 5_000);

    @TempDir
    private Path home;

    private static void write(Stage stage, Connection client, String path, Content content) throws Exception {
        Change change = stage.model().create(path, content, 0644);
        assertThat(client.ask(Request.create(DoorKind.HADOOP, path, content, 0644, true))
                        .isDone())
                .isTrue();
        stage.model().done(change);
    }

    @Test
    void aLostFileOneThatReturnsAndChangedBytesAreEachTold() throws Exception {
        Plan plan = Plan.of(7);
        try (Bench bench = Bench.start(home, 2);
                Cluster cluster = bench.round("planted", plan.site());
                Journal journal = Journal.open(home.resolve("planted.log"));
                Connection client = cluster.clients().get(1).connect()) {
            Model model = new Model(plan.isUploaded(), plan.mayLoseTail());
            Stage stage = new Stage(plan, cluster, model, journal, new Counts());
            for (String name : List.of("kept", "lost", "changed", "overwritten", "deleted")) {
                write(stage, client, "/lane-0/" + name, FIRST);
            }
            write(stage, client, "/lane-0/overwritten", SECOND);
            Change deleted = model.delete("/lane-0/deleted");
            assertThat(client.ask(Request.simple(Action.DELETE, DoorKind.HADOOP, "/lane-0/deleted", false))
                            .isDone())
                    .isTrue();
            model.done(deleted);
            new Checker(stage).settle();
            assertThat(journal.violations()).isEmpty();

            client.ask(Request.simple(Action.DELETE, DoorKind.WORKER, "/lane-0/lost", false));
            client.ask(Request.create(DoorKind.WORKER, "/lane-0/changed", new Content(99, 5_000), 0644, true));
            client.ask(Request.create(DoorKind.WORKER, "/lane-0/overwritten", FIRST, 0644, true));
            client.ask(Request.create(DoorKind.WORKER, "/lane-0/deleted", FIRST, 0644, true));
            client.ask(Request.create(DoorKind.WORKER, "/lane-0/never", FIRST, 0644, true));
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
}
