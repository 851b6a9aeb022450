// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerActivity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Orders to forget: a worker learns which files a change of names ended, and when the store has the journal of it. */
class DeletedOrdersTest extends LostFilesFixture {
    private HeartbeatReply beat() throws IOException {
        return session.heartbeat(
                new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, Heartbeat.Presence.STAYS));
    }

    @Test
    void aDeletedFileIsKeptUntilItsJournalIsUploaded() throws IOException {
        Reclaim file = granted(session, "/d/f");
        uploadJournal();
        delete("/d/f");
        HeartbeatReply order = beat();
        assertThat(order.drop()).containsExactly(file.version().id());
        assertThat(order.deleted()).containsExactly(file.version().id());
        assertThat(order.journalled()).isLessThan(order.position());
        assertThat(beat().drop()).isEmpty();
        uploadJournal();
        assertThat(beat().journalled()).isGreaterThanOrEqualTo(order.position());
    }

    @Test
    void aBackupIsAsGoodAsAJournal() throws IOException {
        granted(session, "/d/f");
        delete("/d/f");
        HeartbeatReply order = beat();
        table.checkpoint();
        assertThat(beat().journalled()).isGreaterThanOrEqualTo(order.position());
    }

    @Test
    void aFileThatARenameReplacedIsADeletedOne() throws IOException {
        Reclaim file = granted(session, "/d/f");
        granted(session, "/d/g");
        delete("/d/f");
        rename("/d/g", "/d/f");
        assertThat(beat().deleted()).containsExactly(file.version().id());
    }

    @Test
    void aVersionThatAClaimReplacedIsForgottenAtOnce() throws IOException {
        Reclaim older = granted(session, "/d/f");
        granted(session, "/d/f");
        HeartbeatReply order = beat();
        assertThat(order.drop()).containsExactly(older.version().id());
        assertThat(order.deleted()).isEmpty();
    }

    @Test
    void aMasterThatStartsAgainKnowsWhatItUploaded() throws IOException {
        granted(session, "/d/f");
        delete("/d/f");
        HeartbeatReply order = beat();
        uploadJournal();
        master.kill();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        session = register("w");
        assertThat(beat().journalled()).isGreaterThanOrEqualTo(order.position());
    }

    private String damagedJournal() {
        List<String> journals = stores.objects.keys("bdt/journal-");
        String newest = journals.get(journals.size() - 1);
        stores.objects.damage(newest);
        return newest;
    }

    /** The unread journal may have moved the file, or have deleted another one at its path. */
    @Test
    void workersKeepTheBytesOfDeletedFilesUntilAnUnreadObjectIsAccepted() throws IOException {
        recoverOnce();
        rename("/before", "/after");
        uploadJournal();
        String unused = damagedJournal();
        loseMaster();
        granted(session, "/d/f");
        delete("/d/f");
        HeartbeatReply order = beat();
        uploadJournal();
        assertThat(beat().journalled()).isLessThan(order.position());
        crashMaster();
        session = register("w");
        uploadJournal();
        assertThat(beat().journalled()).isLessThan(order.position());
        assertThat(master.openMount(TestStores.MOUNT).acceptLosses()).isNotEmpty();
        uploadJournal();
        assertThat(beat().journalled()).isGreaterThanOrEqualTo(order.position());
    }

    /** The rename made the path free for the newer file. */
    @Test
    void aBufferedFileThatAnUnreadRenameMovedComesBackWithTheJournal() throws IOException {
        recoverOnce();
        table.checkpoint();
        Reclaim older = granted(session, "/d/f");
        rename("/d/f", "/d/g");
        uploadJournal();
        Reclaim newer = granted(session, "/d/f");
        String journal = damagedJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(older, newer)))
                .containsExactly(Optional.of(older.version()), Optional.of(newer.version()));
        session.reclaimed();
        HeartbeatReply order = beat();
        assertThat(order.drop()).containsExactly(older.version().id());
        assertThat(order.deleted()).containsExactly(older.version().id());
        table.checkpoint();
        assertThat(beat().journalled()).isLessThan(order.position());
        // The second time makes it whole.
        stores.objects.damage(journal);
        loseMaster();
        assertThat(session.reclaim(List.of(older, newer)))
                .containsExactly(Optional.of(older.version()), Optional.of(newer.version()));
        assertThat(names()).containsOnlyKeys("/before", "/d", "/d/f", "/d/g");
    }

    @Test
    void aBufferedFileThatAClientOverwroteBeforeTheUnreadRenameWasReadComesBackWithIt() throws IOException {
        recoverOnce();
        table.checkpoint();
        Reclaim older = granted(session, "/d/f");
        rename("/d/f", "/d/g");
        uploadJournal();
        String journal = damagedJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(older))).containsExactly(Optional.of(older.version()));
        session.reclaimed();
        Reclaim newer = granted(session, "/d/f");
        assertThat(beat().deleted()).containsExactly(older.version().id());
        table.checkpoint();
        stores.objects.damage(journal);
        loseMaster();
        assertThat(session.reclaim(List.of(older, newer)))
                .containsExactly(Optional.of(older.version()), Optional.of(newer.version()));
        assertThat(names()).containsOnlyKeys("/before", "/d", "/d/f", "/d/g");
    }
}
