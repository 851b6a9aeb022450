package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Outcome;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScanProblem;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void aMountThatIsNotOpenIsNotAccepted() {
        assertThatThrownBy(() -> master.accept("nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing mounts");
    }
}
