// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.cloud.MasterObject;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recoveries of a mount from the backing store alone, and with its workers. */
class RecoveryTest extends MountFixture {
    @Test
    void pushedFilesComeBackFromFootersAlone() throws IOException {
        claim("/a/f");
        claim("/a/g");
        push(true);
        claim("/a/unpushed");
        loseMaster();
        assertThat(names()).containsOnlyKeys("/a", "/a/f", "/a/g");
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void blobThatWasPushedAndNeverCommittedIsFound() throws IOException {
        claim("/a/f");
        table.checkpoint();
        push(false);
        loseMaster();
        assertThat(packed("/a/f")).isTrue();
    }

    @Test
    void journalledDeleteAndRenameHoldAgainstFooters() throws IOException {
        claim("/a/f");
        claim("/a/g");
        claim("/gone");
        push(true);
        assertThat(table.delete(new FilePath("/gone"), false)).isEqualTo(Outcome.DONE);
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        table.checkpoint();
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b", "/b/f", "/b/g");
    }

    @Test
    void damagedBackupFallsBackToTheOneBefore() throws IOException {
        claim("/a/f");
        push(true);
        table.checkpoint();
        claim("/a/g");
        push(true);
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        assertThat(backups).hasSize(2);
        stores.objects.damage(backups.get(1));
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b", "/b/f", "/b/g");
    }

    @Test
    void damageOnTheWayCostsNeitherFilesNorTheNewestBackup() throws IOException {
        long seed = Seed.value();
        claim("/a/f");
        push(true);
        table.checkpoint();
        claim("/a/g");
        push(true);
        table.checkpoint();
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        claim("/late");
        push(false);
        stores.objects.damageFirstAnswers(new Random(seed));
        loseMaster();
        assertThat(names()).as("seed %d", seed).containsOnlyKeys("/b", "/b/f", "/b/g", "/late");
        assertThat(packed("/late")).isTrue();
        assertThat(stores.objects.isAnswered(stores.objects.keys("bdt/backup-").get(0)))
                .as("the backup before the newest is not needed")
                .isFalse();
    }

    @Test
    void aTimeThatWasSetIsKeptOverRestartsAndRecoveries() throws IOException {
        claim("/a/f");
        claim("/a/g");
        push(true);
        long mtime = table.stat(new FilePath("/a/g")).orElseThrow().attributes().mtimeMillis();
        for (String path : List.of("/a/f", "/a")) {
            assertThat(table.setAttributes(new FilePath(path), AttributeChange.ofMtime(-1_234_567_890_123L)))
                    .isEqualTo(Outcome.DONE);
        }
        assertThat(table.setAttributes(new FilePath("/none"), AttributeChange.ofMtime(1)))
                .isEqualTo(Outcome.NOT_FOUND);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        for (String path : List.of("/a/f", "/a")) {
            assertThat(table.stat(new FilePath(path)).orElseThrow().attributes().mtimeMillis())
                    .as(path)
                    .isEqualTo(-1_234_567_890_123L);
        }
        assertThat(table.stat(new FilePath("/a/g")).orElseThrow().attributes().mtimeMillis())
                .isEqualTo(mtime);
    }

    @Test
    void ingestAloneCostsNoUploads() throws IOException {
        int before = stores.objects.puts();
        for (int i = 0; i < 100; i++) {
            claim("/d" + i % 7 + "/f" + i);
        }
        push(true);
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThat(mount.upkeep().step()).isFalse();
        assertThat(stores.objects.puts()).isEqualTo(before + 1);
    }

    @Test
    void olderMasterIsFencedWhenANewerOneTookTheMountOver() throws IOException {
        claim("/a/f");
        stores.objects.put(MasterObject.epoch(2).key(), ByteBuffer.allocate(1), PutCondition.IF_ABSENT);
        assertThatThrownBy(() -> table.checkpoint()).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> table.mkdir(new FilePath("/x"), DIRECTORY, false))
                .isInstanceOf(FencedException.class);
        assertThat(stores.objects.keys("bdt/backup-")).isEmpty();
    }

    @Test
    void workerReclaimsWhatItBuffersAfterARecovery() throws IOException {
        claim("/a/kept");
        claim("/a/gone");
        assertThat(table.rename(new FilePath("/a"), new FilePath("/b"))).isEqualTo(Outcome.DONE);
        assertThat(table.delete(new FilePath("/b/gone"), false)).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        List<Optional<FileVersion>> answers = session.reclaim(held);
        session.reclaimed();
        assertThat(answers).containsExactly(Optional.of(held.get(0).version()), Optional.empty());
        assertThat(table.stat(new FilePath("/b/kept")).orElseThrow().state()).isEqualTo(FileStatus.State.BUFFERED);
        assertThat(names()).containsOnlyKeys("/b", "/b/kept");
    }

    @Test
    void workerReclaimsWhatItBuffersWhenNothingWasEverUploaded() throws IOException {
        claim("/a/kept");
        List<Reclaim> held = List.copyOf(buffered);
        loseMaster();
        assertThat(session.reclaim(held))
                .containsExactly(Optional.of(held.get(0).version()));
        session.reclaimed();
        assertThat(names()).containsOnlyKeys("/a", "/a/kept");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomWorkloadComesBackAfterTheMastersDiskIsLost(long run) throws IOException {
        long seed = Seed.value() + run;
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                step(random);
            }
            push(random.nextBoolean());
            // What was not uploaded may be lost; with it uploaded the result is exact.
            if (random.nextBoolean()) {
                table.checkpoint();
            } else {
                master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
            }
            if (random.nextBoolean()) {
                claim("/late" + round);
                push(random.nextBoolean());
            }
            Map<String, String> expected = pushedNames();
            loseMaster();
            assertThat(files()).as("seed %d round %d", seed, round).isEqualTo(expected);
        }
    }

    private void step(Random random) throws IOException {
        String path = path(random);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> tryClaim(path);
            case 6 -> push(random.nextInt(4) > 0);
            case 7 -> tryDelete(new FilePath(path), random.nextBoolean());
            case 8, 9 -> tryRename(new FilePath(path), new FilePath(path(random)));
            case 10 -> tryMakeDirectory(new FilePath(path));
            default -> {
                if (random.nextInt(4) == 0) {
                    table.checkpoint();
                }
            }
        }
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
            path.append('/').append((char) ('a' + random.nextInt(4)));
        }
        return path.toString();
    }
}
