// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Evacuation;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.HomesRecord;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.store.LocalObjectStore;
import io.packing.store.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A mount goes to another store while it is written, whatever dies meanwhile. */
@Timeout(300)
class EvacuationTest extends EvacuationFixture {
    /** A death of the master at a point of the switch. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void killAt(Evacuations.Point point) {
        master.evacuations().at(reached -> {
            if (reached == point) {
                throw new Killed();
            }
        });
    }

    @Test
    void allBlobsComeToTheNewStoreWhileTheMountIsWritten() throws Exception {
        for (int i = 0; i < 20; i++) {
            write("/before-" + i, before);
        }
        Evacuation begun = evacuate(after);
        assertThat(begun.done()).isFalse();
        assertThat(begun.to()).isEqualTo("file://" + after);
        beat();
        assertThat(homes).isEqualTo(1);
        write("/meanwhile", after);
        assertThat(table.delete(new FilePath("/before-3"), false).name()).isEqualTo("DONE");
        files.remove("/before-3");
        check(before, after);
        awaitArrival();
        check(after);
        assertThat(progress().copied()).isEqualTo(progress().blobs());
        write("/behind", after);
        check(after);
    }

    @Test
    void theNewStoreAloneGivesTheMountBack() throws Exception {
        for (int i = 0; i < 5; i++) {
            write("/before-" + i, before);
        }
        Evacuation unused = evacuate(after);
        beat();
        write("/meanwhile", after);
        awaitArrival();
        GrpcMasterTest.deleteAll(before);
        lose();
        open(after);
        check(after);
        assertThat(mount()).contains("before");
        write("/behind", after);
        check(after);
    }

    @Test
    void aMountThatHasArrivedIsFoundByItsOldName() throws Exception {
        write("/file", before);
        Evacuation unused = evacuate(after);
        awaitArrival();
        GrpcMasterTest.deleteAll(before);
        open(before);
        check(after);
        restart(before);
        check(after);
        restart(after);
        check(after);
        assertThat(master.mounts()).hasSize(1);
    }

    @Test
    void aMasterThatDoesNotKnowTheMountSaysWhereItWent() throws Exception {
        write("/file", before);
        Evacuation unused = evacuate(after);
        awaitArrival();
        lose();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(before))
                .withMessageContaining("was evacuated to file://" + after)
                .withMessageContaining("name that in packing.store");
        open(after);
        check(after);
    }

    /** Until the old store has the next epoch, nothing has happened; from then on the mount is at the new store. */
    @ParameterizedTest
    @CsvSource({
        "CHECKED, false", "CHECKED, true",
        "PREPARED, false", "PREPARED, true",
        "MARKED, false", "MARKED, true",
        "SWITCHED, false", "SWITCHED, true"
    })
    void aMasterThatDiesAtAPointOfTheSwitchLeavesTheMountAtOneStore(Evacuations.Point point, boolean losesDisk)
            throws Exception {
        write("/file", before);
        table.checkpoint();
        killAt(point);
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> evacuate(after));
        boolean gone = point == Evacuations.Point.SWITCHED;
        if (losesDisk) {
            lose();
            if (gone || point != Evacuations.Point.CHECKED) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> master.open(options(gone ? before : after)))
                        .withMessageContaining(gone ? "was evacuated to" : "has not gone from there");
            }
            open(gone ? after : before);
        } else {
            restart(before);
        }
        check(before);
        if (!gone) {
            Evacuation unused = evacuate(after);
        }
        awaitArrival();
        check(after);
        write("/behind", after);
        lose();
        open(after);
        check(after);
    }

    @Test
    void aCopyThatIsBrokenOffGoesOnAfterTheNextStart() throws Exception {
        for (int i = 0; i < 30; i++) {
            write("/before-" + i, before);
        }
        Evacuation unused = evacuate(after);
        restart(before);
        assertThat(progress().done()).isFalse();
        beat();
        write("/meanwhile", after);
        restart(after);
        awaitArrival();
        check(after);
    }

    @Test
    void aMasterThatLosesItsDiskInTheMiddleReadsBothStores() throws Exception {
        for (int i = 0; i < 10; i++) {
            write("/before-" + i, before);
        }
        table.checkpoint();
        Evacuation unused = evacuate(after);
        beat();
        write("/meanwhile", after);
        lose();
        open(after);
        check(before, after);
        awaitArrival();
        check(after);
    }

    @Test
    void anAbortBringsTheBlobsBack() throws Exception {
        write("/before", before);
        Evacuation unused = evacuate(after);
        beat();
        write("/meanwhile", after);
        Evacuation back = abort();
        assertThat(back.to()).isEqualTo("file://" + before);
        beat();
        write("/again", before);
        awaitArrival();
        check(before);
        lose();
        open(before);
        check(before);
        assertThatIllegalArgumentException().isThrownBy(this::abort).withMessageContaining("no evacuation of mount");
    }

    @Test
    void aPushThatEndsLateIsBroughtBeforeItsCommit() throws Exception {
        write("/file", before);
        Pushed early = push("/early", before);
        Evacuation unused = evacuate(after);
        awaitArrival();
        Pushed late = push("/late", before);
        commit(early);
        assertThat(isIn(early.blob().name(), after)).isTrue();
        // A worker that does not know of the evacuation may have pushed anything to the old store.
        homes = 0;
        commit(late);
        check(after);
    }

    @Test
    void aBlobThatIsAtNoStoreIsNotCommitted() throws Exception {
        write("/file", before);
        Evacuation unused = evacuate(after);
        awaitArrival();
        Pushed lost = push("/lost", before);
        GrpcMasterTest.deleteAll(before);
        homes = 0;
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(() -> commit(lost));
        check(after);
    }

    @Test
    void theOldStoreIsNeededAsLongAsALiveWorkerDoesNotKnowTheNewOne() throws Exception {
        write("/file", before);
        Evacuation unused = evacuate(after);
        int[] beats = {0};
        Await.until("the worker has said often that it knows no homes", () -> {
            HeartbeatReply unheard = session.heartbeat(new Heartbeat(0, 0, List.of(), List.of()));
            assertThat(unheard.homes()).isEqualTo(1);
            pass(Duration.ofSeconds(2));
            beats[0]++;
            return beats[0] == 30;
        });
        assertThat(progress().done()).isFalse();
        awaitArrival();
    }

    @Test
    void noBlobIsDeletedWhileCopiesAreMade() throws Exception {
        write("/dead", before);
        write("/live", before);
        assertThat(table.delete(new FilePath("/dead"), false).name()).isEqualTo("DONE");
        Evacuation unused = evacuate(after);
        awaitArrival();
        BlobName dead = Objects.requireNonNull(files.remove("/dead"));
        assertThat(isIn(dead, before)).isTrue();
        Await.until("the blob is collected", () -> {
            pass(Duration.ofSeconds(2));
            return !isIn(dead, after);
        });
        check(after);
        // The old store is not touched any more.
        assertThat(isIn(dead, before)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Evacuations.Point.class)
    void whatWasPreparedIsTakenByTheNextTry(Evacuations.Point point) throws Exception {
        write("/file", before);
        killAt(point);
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> evacuate(after));
        master.evacuations().at(reached -> {});
        if (point == Evacuations.Point.SWITCHED) {
            restart(before);
        } else {
            Evacuation unused = evacuate(after);
        }
        awaitArrival();
        check(after);
    }

    @Test
    void theRecordOfTheOldStoreNamesTheNewOne() throws Exception {
        Evacuation unused = evacuate(after);
        awaitArrival();
        try (ObjectStore old = LocalObjectStore.open(before)) {
            HomesRecord left = HomesRecord.find(old).orElseThrow();
            assertThat(left.places().get(0)).containsEntry("packing.store", "file://" + after);
        }
        try (ObjectStore now = LocalObjectStore.open(after)) {
            HomesRecord here = HomesRecord.find(now).orElseThrow();
            assertThat(here.places()).hasSize(1);
            assertThat(here.called()).isEqualTo("file://" + before);
        }
    }
}
