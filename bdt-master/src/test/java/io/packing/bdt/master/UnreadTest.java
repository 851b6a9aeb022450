// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An object that a recovery could not read is known to be missing until the operator accepts it. */
class UnreadTest extends MountFixture {
    private List<String> told(String kind) throws IOException {
        List<String> told = new ArrayList<>();
        for (ScanPart part : List.of(ScanPart.BLOBS, ScanPart.FILES)) {
            for (ScanProblem each : table.scan(part, "").problems()) {
                if (each.kind().equals(kind)) {
                    told.add(each.path().isEmpty() ? each.message() : each.path());
                }
            }
        }
        return told;
    }

    private void assertSound() throws IOException {
        assertThat(told("older")).isEmpty();
        assertThat(told("unread")).isEmpty();
        assertThat(master.openMount(TestStores.MOUNT).problem()).isEmpty();
    }

    private void change(String from, String to) throws IOException {
        assertThat(table.rename(new FilePath(from), new FilePath(to))).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
    }

    private List<String> journals() {
        return stores.objects.keys("bdt/journal-");
    }

    @Test
    void overwrittenFilesOfADamagedFooterAreNamed() throws IOException {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            paths.add("/d/f" + i);
            claim("/d/f" + i);
        }
        push(true);
        List<String> before = stores.objects.keys("blobs/");
        for (String path : paths) {
            claim(path);
        }
        push(true);
        String newer = stores.objects.keys("blobs/").stream()
                .filter(key -> !before.contains(key))
                .findFirst()
                .orElseThrow();
        stores.objects.cutOff(newer, 8);
        loseMaster();
        assertThat(told("older")).containsExactlyInAnyOrderElementsOf(paths);
        assertThat(told("unread")).singleElement().asString().contains(newer);
        assertThat(master.openMount(TestStores.MOUNT).problem().orElseThrow())
                .contains(newer)
                .contains("packing mounts accept");
    }

    /** The version is of after the recovery, and the bytes are not. */
    @Test
    void aFileThatBecameAClonesOwnIsNamedByItsBytes() throws IOException {
        claim("/a/e");
        claim("/a/f");
        claim("/a/g");
        push(true);
        assertThat(table.apply(
                        OperationVector.of(new Operation.CloneDirectory(new FilePath("/a"), new FilePath("/b")))))
                .isInstanceOf(VectorResult.Applied.class);
        table.checkpoint();
        change("/a/e", "/e");
        stores.objects.damage(journals().get(journals().size() - 1));
        loseMaster();
        assertThat(told("older")).doesNotContain("/b/f");
        for (String path : List.of("/b/e", "/b/f", "/b/g")) {
            change(path, path + "-own");
        }
        assertThat(told("older")).contains("/a/f", "/b/e-own", "/b/f-own", "/b/g-own");
    }

    @Test
    void aMissingJournalIsKnownToBeMissing() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        change("/b", "/c");
        change("/c", "/d");
        stores.objects.delete(List.of(journals().get(1)));
        loseMaster();
        assertThat(told("unread")).singleElement().asString().contains("journals that are missing");
        assertThat(told("older")).isNotEmpty();
    }

    @Test
    void aDamagedJournalIsKnownToBeDamaged() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        change("/b", "/c");
        stores.objects.damage(journals().get(1));
        loseMaster();
        assertThat(told("unread"))
                .singleElement()
                .asString()
                .contains(journals().get(1));
    }

    @Test
    void allJournalsAfterABackupAreEnough() throws IOException {
        claim("/a");
        push(true);
        for (int i = 0; i < 3; i++) {
            change("/a", "/b");
            change("/b", "/a");
            table.checkpoint();
        }
        change("/a", "/b");
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b");
        assertSound();
    }

    @Test
    void oneDamagedBackupOfTwoLosesNothing() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        table.checkpoint();
        change("/b", "/a");
        table.checkpoint();
        change("/a", "/b");
        stores.objects.damage(stores.objects.keys("bdt/backup-").get(1));
        loseMaster();
        assertThat(names()).containsOnlyKeys("/b");
        assertSound();
    }

    @Test
    void withoutAnyBackupWhatTheJournalsLackIsKnownToBeMissing() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        for (int i = 0; i < 3; i++) {
            claim("/n" + i);
            table.checkpoint();
        }
        stores.objects.delete(stores.objects.keys("bdt/backup-"));
        change("/b", "/c");
        stores.objects.delete(stores.objects.keys("bdt/backup-"));
        loseMaster();
        assertThat(told("unread")).isNotEmpty();
    }

    @Test
    void manyJournalsThatReplaceEachOtherLackNothing() throws IOException {
        claim("/a");
        push(true);
        for (int i = 0; i < 50; i++) {
            change("/a", "/b");
            change("/b", "/a");
        }
        loseMaster();
        assertSound();
    }

    @Test
    void theOperatorAcceptsWhatIsMissing() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        change("/b", "/c");
        stores.objects.damage(journals().get(1));
        loseMaster();
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThat(mount.problem()).isPresent();
        assertThat(mount.acceptLosses())
                .hasSize(2)
                .anySatisfy(each -> assertThat(each).contains("journal"))
                .anySatisfy(each -> assertThat(each).contains("may be undone"));
        assertSound();
        crashMaster();
        assertSound();
    }

    @Test
    void whatIsMissingStaysKnownOverRestartsAndRecoveries() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        change("/b", "/c");
        String damaged = journals().get(1);
        stores.objects.damage(damaged);
        loseMaster();
        table.checkpoint();
        crashMaster();
        assertThat(told("unread")).singleElement().asString().contains(damaged);
        loseMaster();
        assertThat(told("unread")).singleElement().asString().contains(damaged);
        claim("/new");
        assertThat(told("older")).doesNotContain("/new");
    }

    private void restart() throws IOException {
        master.close();
        master = BdtMaster.start(TestStores.config(data), stores);
        table = master.open(TestStores.MOUNT);
        session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
    }

    /** Changes the namespace, backs up and restarts, as often as two backups take the place of all that was there before. */
    private void goOn() throws IOException {
        for (int i = 0; i < 3; i++) {
            claim("/new" + i);
            push(true);
            assertThat(table.mkdir(new FilePath("/made" + i), DIRECTORY, false)).isEqualTo(Outcome.DONE);
            table.checkpoint();
            restart();
        }
    }

    private static final List<String> NEW = List.of("/new0", "/made0", "/new1", "/made1", "/new2", "/made2");

    @Test
    void aJournalThatIsPutBackIsReadAfterStopsInOrder() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        change("/a", "/b");
        String damaged = journals().get(0);
        stores.objects.damage(damaged);
        loseMaster();
        assertThat(names()).containsOnlyKeys("/a");
        goOn();
        assertThat(told("unread")).singleElement().asString().contains(damaged);
        // The second time makes it whole.
        stores.objects.damage(damaged);
        loseMaster();
        assertThat(names())
                .containsKey("/b")
                .containsKeys(NEW.toArray(String[]::new))
                .hasSize(1 + NEW.size());
        assertSound();
    }

    @Test
    void aJournalThatWasMissingIsReadAfterStopsInOrder() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        change("/a", "/b");
        change("/b", "/c");
        change("/c", "/d");
        String missing = journals().get(1);
        Map<String, byte[]> whole = stores.objects.copy();
        stores.objects.delete(List.of(missing));
        loseMaster();
        goOn();
        assertThat(told("unread")).isNotEmpty();
        stores.objects.put(missing, ByteBuffer.wrap(Objects.requireNonNull(whole.get(missing))), PutCondition.NONE);
        loseMaster();
        assertThat(names())
                .containsKey("/d")
                .containsKeys(NEW.toArray(String[]::new))
                .hasSize(1 + NEW.size());
        assertSound();
    }

    @Test
    void aBackupThatIsPutBackIsReadAfterStopsInOrder() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        table.checkpoint();
        change("/b", "/c");
        table.checkpoint();
        change("/c", "/d");
        table.checkpoint();
        List<String> backups = stores.objects.keys("bdt/backup-");
        assertThat(backups).hasSize(2);
        backups.forEach(stores.objects::damage);
        loseMaster();
        goOn();
        assertThat(told("unread")).isNotEmpty();
        backups.forEach(stores.objects::damage);
        loseMaster();
        assertThat(names())
                .containsKey("/d")
                .containsKeys(NEW.toArray(String[]::new))
                .hasSize(1 + NEW.size());
        assertSound();
    }

    @Test
    void anOverwriteWhoseFooterIsPutBackIsReadAfterStopsInOrder() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        List<String> before = stores.objects.keys("blobs/");
        claim("/a");
        FileVersion newer = buffered.get(0).version();
        push(true);
        String damaged = stores.objects.keys("blobs/").stream()
                .filter(key -> !before.contains(key))
                .findFirst()
                .orElseThrow();
        byte[] whole = stores.objects.bytes(damaged);
        stores.objects.cutOff(damaged, 8);
        loseMaster();
        goOn();
        stores.objects.put(damaged, ByteBuffer.wrap(whole), PutCondition.NONE);
        loseMaster();
        assertThat(table.stat(new FilePath("/a")).orElseThrow().version()).isEqualTo(newer);
        assertSound();
    }

    @Test
    void noBlobIsDeletedWhileAnObjectIsUnreadThatMayNeedIt() throws IOException {
        claim("/a");
        push(true);
        table.checkpoint();
        FilePath copy = new FilePath("/b");
        assertThat(table.apply(OperationVector.of(
                        new Operation.CloneFile(new FilePath("/a"), copy, false, AttributeChange.NONE))))
                .isInstanceOf(VectorResult.Applied.class);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        String damaged = journals().get(0);
        assertThat(table.delete(new FilePath("/a"), false)).isEqualTo(Outcome.DONE);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        stores.objects.damage(damaged);
        loseMaster();
        assertThat(names()).isEmpty();
        new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0).collect();
        assertThat(stores.objects.keys("blobs/")).hasSize(1);
        stores.objects.damage(damaged);
        loseMaster();
        assertThat(packed("/b") || table.stat(copy).isPresent()).isTrue();
        assertSound();
    }

    @Test
    void onceAcceptedTheMountIsBackedUpAndItsDeadBlobsGo() throws IOException {
        claim("/a");
        push(true);
        change("/a", "/b");
        change("/b", "/c");
        stores.objects.damage(journals().get(1));
        loseMaster();
        Mount mount = master.openMount(TestStores.MOUNT);
        assertThat(table.delete(new FilePath("/b"), false)).isEqualTo(Outcome.DONE);
        table.checkpoint();
        assertThat(stores.objects.keys("bdt/backup-")).isEmpty();
        assertThat(mount.acceptLosses()).isNotEmpty();
        boolean unused = mount.upkeep().step();
        assertThat(stores.objects.keys("bdt/backup-")).isNotEmpty();
        new UpkeepByHand(mount, stores.objects, work, 0).collect();
        assertThat(stores.objects.keys("blobs/")).isEmpty();
        loseMaster();
        assertSound();
    }

    @Test
    void aMountThatIsNotOpenIsNotAccepted() {
        assertThatThrownBy(() -> master.accept("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing mounts");
    }
}
