// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rights of users beyond the bits of a mode: sticky directories, owners of new names, snapshots, clones of trees. */
@Timeout(120)
final class FilePermissionsTest extends PermissionsFixture {
    @Test
    void newNamesBelongToWhoeverMakesThem() throws IOException {
        done(as(BOB).mkdir(0, path("/d"), OPEN, false));
        assertThat(at("/d").owner()).isEqualTo("bob");
        assertThat(at("/d").group()).as("bob is in the group that he asks for").isEqualTo("wheel");
        done(as(ALICE).mkdir(0, path("/d/x/y"), OPEN, true));
        assertThat(at("/d/x/y").owner()).isEqualTo("alice");
        assertThat(at("/d/x").owner()).isEqualTo("alice");
        assertThat(at("/d/x").group())
                .as("the group of the directory, since alice is not in wheel or not asked")
                .isEqualTo("wheel");
        AttributeChange mallory = new AttributeChange(Optional.of("root"), Optional.of("admins"), OptionalInt.of(0640));
        assertThat(apply(as(CAROL), new Operation.CreateFile(path("/d/f"), mallory, false)))
                .isInstanceOf(VectorResult.Applied.class);
        assertThat(at("/d/f"))
                .extracting(FileAttributes::owner, FileAttributes::group, FileAttributes::mode)
                .containsExactly("carol", "wheel", 0640);
        apply(as(BOB), new Operation.CloneFile(path("/d/x"), path("/d/none"), false, AttributeChange.NONE));
        done(as(Permissions.UNCHECKED).mkdir(0, path("/s"), OPEN, false));
        assertThat(at("/s").owner()).as("a superuser gives names away").isEqualTo("whoever");
    }

    @Test
    void aDirectoryThatIsStickyKeepsTheNamesOfOthers() throws IOException {
        make(BOB, "/tmp", 01777);
        apply(as(ALICE), file("/tmp/a"));
        assertThat(denied(() -> Waiting.on(as(CAROL).delete(0, path("/tmp/a"), false))))
                .contains("sticky")
                .contains("carol");
        denied(() -> Waiting.on(as(CAROL).rename(0, path("/tmp/a"), path("/tmp/b"))));
        apply(as(CAROL), file("/tmp/c"));
        denied(() -> apply(as(CAROL), new Operation.Rename(path("/tmp/c"), path("/tmp/a"), true)));
        done(as(ALICE).setAttributes(0, path("/tmp/a"), mode(0666)));
        denied(() -> apply(as(CAROL), new Operation.CreateFile(path("/tmp/a"), AttributeChange.NONE, true)));
        done(as(ALICE).rename(0, path("/tmp/a"), path("/tmp/b")));
        done(as(BOB).delete(0, path("/tmp/b"), false));
        done(as(CAROL).delete(0, path("/tmp/c"), false));
    }

    @Test
    void aNameMoreGivesNoRightOnTheFile() throws IOException {
        make(ALICE, "/a", 0755);
        make(BOB, "/b", 0755);
        make(BOB, "/tmp", 01777);
        apply(as(ALICE), file("/a/f"));
        done(as(ALICE).setAttributes(0, path("/a/f"), mode(0600)));
        denied(() -> apply(as(BOB), new Operation.Link(path("/a/f"), path("/a/g"))));
        apply(as(BOB), new Operation.Link(path("/a/f"), path("/b/f")));
        assertThat(at("/b/f").owner()).isEqualTo("alice");
        denied(() -> as(BOB).locate(path("/b/f")));
        assertThat(as(BOB).locate(table.stat(path("/b/f")).orElseThrow().version()))
                .isEmpty();
        denied(() -> apply(as(BOB), new Operation.Truncate(path("/b/f"), 5)));
        denied(() -> Waiting.on(as(BOB).setAttributes(0, path("/b/f"), mode(0666))));
        apply(as(ALICE), new Operation.Link(path("/a/f"), path("/tmp/f")));
        // The directory is sticky, and the file is not Carol's.
        denied(() -> Waiting.on(as(CAROL).delete(0, path("/tmp/f"), false)));
        done(as(ALICE).delete(0, path("/tmp/f"), false));
        done(as(BOB).delete(0, path("/b/f"), false));
        make(ALICE, "/a/closed", 0700);
        apply(as(ALICE), file("/a/closed/f"));
        denied(() -> apply(as(BOB), new Operation.Link(path("/a/closed/f"), path("/b/g"))));
    }

    @Test
    void onlyTheOwnerChangesAttributesAndOnlySuperusersGiveAway() throws IOException {
        make(ALICE, "/a", 0777);
        Table bob = as(BOB);
        denied(() -> Waiting.on(bob.setAttributes(0, path("/a"), mode(0700))));
        denied(() -> Waiting.on(bob.setAttributes(0, path("/a"), AttributeChange.ofMtime(1))));
        denied(() -> Waiting.on(bob.setAttributes(0, path("/a"), group("staff"))));
        Table alice = as(ALICE);
        done(alice.setAttributes(0, path("/a"), mode(0750)));
        done(alice.setAttributes(0, path("/a"), AttributeChange.ofMtime(1)));
        done(alice.setAttributes(0, path("/a"), group("staff")));
        assertThat(denied(() -> Waiting.on(alice.setAttributes(0, path("/a"), group("wheel")))))
                .contains("wheel");
        AttributeChange give = new AttributeChange(Optional.of("bob"), Optional.empty(), OptionalInt.empty());
        assertThat(denied(() -> Waiting.on(alice.setAttributes(0, path("/a"), give))))
                .contains("CHOWN");
        AttributeChange keep = new AttributeChange(Optional.of("alice"), Optional.of("staff"), OptionalInt.empty());
        done(alice.setAttributes(0, path("/a"), keep));
        done(as(Permissions.UNCHECKED).setAttributes(0, path("/a"), give));
        assertThat(at("/a").owner()).isEqualTo("bob");
        // Whose it is has only the owner's bits, even when the group's are more.
        done(as(BOB).setAttributes(0, path("/a"), mode(0070)));
        denied(() -> as(BOB).list(path("/a"), "", 1));
        assertThat(as(ALICE).list(path("/a"), "", 1)).isPresent();
        denied(() -> as(CAROL).list(path("/a"), "", 1));
    }

    @Test
    void aVectorThatIsDeniedInOneStepChangesNothing() throws IOException {
        make(ALICE, "/a", 0700);
        make(BOB, "/b", 0755);
        Map<String, FileStatus> before = names();
        long position = master.openMount(TestStores.MOUNT).table().position();
        String why = denied(() -> apply(as(BOB), file("/b/1"), file("/b/2"), file("/a/3"), file("/b/4")));
        assertThat(why)
                .startsWith("operation 2: ")
                .contains("user=bob")
                .contains("\"/a\"")
                .contains("drwx------");
        assertThat(names()).isEqualTo(before);
        assertThat(master.openMount(TestStores.MOUNT).table().position()).isEqualTo(position);
        // Later operations of the vector see the results of earlier ones.
        denied(() -> apply(
                as(BOB),
                new Operation.MakeDirectory(path("/b/d"), new DirectoryAttributes("", "", 0500), false),
                file("/b/d/f")));
        denied(() -> apply(
                as(BOB),
                new Operation.MakeDirectory(path("/b/d"), new DirectoryAttributes("", "", 0700), false),
                new Operation.SetAttributes(path("/b/d"), mode(0)),
                file("/b/d/f")));
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void whatMayNotBeSearchedTellsNothing() throws IOException {
        make(ALICE, "/a", 0711);
        make(ALICE, "/a/secret", 0700);
        make(ALICE, "/a/secret/d", 0777);
        apply(as(ALICE), file("/a/secret/f"));
        Table carol = as(CAROL);
        String of = denied(() -> carol.list(path("/a/secret"), "", 10));
        assertThat(of).contains("access=READ_EXECUTE").doesNotContain("/a/secret/");
        assertThat(denied(() -> carol.list(path("/a/secret"), "f", 1))).isEqualTo(of);
        String search = denied(() -> carol.stat(path("/a/secret/f")));
        for (String each : List.of(
                "/a/secret/none", "/a/secret/d", "/a/secret/f/x", "/a/secret/none/x", "/a/secret/d/.snapshot/s")) {
            assertThat(denied(() -> carol.stat(path(each)))).isEqualTo(search);
            assertThat(denied(() -> carol.locate(path(each)))).isEqualTo(search);
            assertThat(denied(() -> carol.nearest(path(each)))).isEqualTo(search);
            assertThat(denied(() -> carol.list(path(each), "", 1))).isEqualTo(search);
            assertThat(denied(() -> Waiting.on(carol.delete(0, path(each), true))))
                    .isEqualTo(search);
            assertThat(denied(() -> Waiting.on(carol.apply(
                            0,
                            new OperationVector(
                                    List.of(new Precondition.Absent(path(each))), List.of(file("/elsewhere")))))))
                    .isEqualTo(search);
        }
        // It may be gone through, but not listed.
        denied(() -> carol.list(path("/a"), "", 10));
        assertThat(carol.stat(path("/a/secret"))).isPresent();
        assertThat(carol.stat(path("/a/none"))).isEmpty();
    }

    @Test
    void snapshotsAreOfTheOwnerAndShowNoMoreThanWasOpenThen() throws IOException {
        make(ALICE, "/a", 0755);
        make(ALICE, "/a/closed", 0700);
        apply(as(ALICE), file("/a/closed/f"));
        Table bob = as(BOB);
        denied(() -> apply(bob, new Operation.TakeSnapshot(path("/a"), "s")));
        apply(as(ALICE), new Operation.TakeSnapshot(path("/a"), "s"));
        denied(() -> apply(bob, new Operation.RenameSnapshot(path("/a"), "s", "t")));
        denied(() -> apply(bob, new Operation.DropSnapshot(path("/a"), "s")));
        assertThat(bob.list(path("/a/.snapshot/s"), "", 10).orElseThrow()).hasSize(1);
        denied(() -> bob.list(path("/a/.snapshot/s/closed"), "", 10));
        denied(() -> bob.stat(path("/a/.snapshot/s/closed/f")));
        assertThat(as(ALICE).stat(path("/a/.snapshot/s/closed/f"))).isPresent();
        done(as(ALICE).setAttributes(0, path("/a"), mode(0700)));
        denied(() -> bob.list(path("/a/.snapshot"), "", 10));
        denied(() -> bob.list(path("/a/.snapshot/s"), "", 10));
        apply(as(ALICE), new Operation.DropSnapshot(path("/a"), "s"));
    }

    @Test
    void aCloneOfATreeBelongsToWhoeverMakesItAndOpensNothing() throws IOException {
        make(ALICE, "/a", 0755);
        make(ALICE, "/a/closed", 0700);
        apply(as(ALICE), file("/a/closed/f"), file("/a/open"));
        apply(as(BOB), new Operation.CloneDirectory(path("/a"), path("/b")));
        assertThat(at("/b"))
                .extracting(FileAttributes::owner, FileAttributes::mode)
                .containsExactly("bob", 0755);
        assertThat(at("/b/open").owner()).isEqualTo("alice");
        denied(() -> as(BOB).list(path("/b/closed"), "", 1));
        denied(() -> Waiting.on(as(BOB).setAttributes(0, path("/b/open"), mode(0777))));
        assertThat(denied(() -> Waiting.on(as(BOB).delete(0, path("/b"), true))))
                .contains("/b/closed");
        assertThat(denied(() -> apply(as(BOB), new Operation.Delete(path("/b"), true))))
                .contains("/b/closed");
        done(as(BOB).delete(0, path("/b/open"), false));
        assertThat(names()).doesNotContainKey("/b/open").containsKeys("/a/open", "/b/closed/f");
    }

    @Test
    void nobodyDeletesATreeByMovingItFirst() throws IOException {
        make(BOB, "/b", 0755);
        done(as(Permissions.UNCHECKED).mkdir(0, path("/b/a"), new DirectoryAttributes("alice", "", 0755), false));
        apply(as(Permissions.UNCHECKED), file("/b/a/f"));
        denied(() -> Waiting.on(as(BOB).delete(0, path("/b/a"), true)));
        denied(() -> apply(
                as(BOB),
                new Operation.Rename(path("/b/a"), path("/b/c"), false),
                new Operation.Delete(path("/b/c"), true)));
        make(BOB, "/b/d", 0755);
        denied(() -> apply(as(BOB), new Operation.MergeDirectory(path("/b/d"), path("/b/a"))));
        denied(() -> apply(as(BOB), new Operation.MergeDirectory(path("/b/a"), path("/b/d"))));
        make(BOB, "/b/m", 0755);
        make(BOB, "/b/m/_temporary", 0755);
        denied(() -> apply(
                as(BOB),
                new Operation.Rename(path("/b/a"), path("/b/m/_temporary/a"), false),
                new Operation.MergeEachDirectory(path("/b/m"), Optional.of("_temporary"), path("/b/d"))));
        assertThat(names()).containsKey("/b/a/f");
    }

    /** A right that was taken away before a call began is not there in it, whatever else goes on. */
    @Test
    void noChangeThatBeganAfterARightWasTakenAwayIsMade() throws Exception {
        make(ALICE, "/a", 0777);
        AtomicInteger begun = new AtomicInteger();
        List<Integer> made = new ArrayList<>();
        Thread bob = new Thread(() -> {
            try {
                for (int i = 0; ; i++) {
                    begun.set(i);
                    if (apply(as(BOB), file("/a/" + i)) instanceof VectorResult.Applied) {
                        made.add(i);
                    }
                }
            } catch (IOException e) {
                // Denied.
            }
        });
        bob.start();
        while (begun.get() < 20) {
            Thread.onSpinWait();
        }
        done(as(ALICE).setAttributes(0, path("/a"), mode(0755)));
        int last = begun.get();
        bob.join();
        assertThat(made).isNotEmpty().allMatch(each -> each <= last);
        assertThat(table.list(path("/a"), "", 1_000_000).orElseThrow()).hasSize(made.size());
    }

    @Test
    void aTreeOfManyNamesIsLookedThroughBeforeItIsDeleted() throws IOException {
        make(BOB, "/b", 0755);
        List<Operation> many = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            many.add(file("/b/%04d".formatted(i)));
        }
        apply(as(BOB), many.toArray(Operation[]::new));
        done(as(Permissions.UNCHECKED).mkdir(0, path("/b/2600"), new DirectoryAttributes("alice", "", 0755), false));
        apply(as(Permissions.UNCHECKED), file("/b/2600/f"));
        assertThat(denied(() -> Waiting.on(as(BOB).delete(0, path("/b"), true))))
                .contains("/b/2600");
        done(as(Permissions.UNCHECKED).delete(0, path("/b/2600/f"), false));
        done(as(BOB).delete(0, path("/b"), true));
    }

    @Test
    void extendedAttributesAskForWhatTheirNamesSay() throws IOException {
        make(ALICE, "/a", 0755);
        apply(as(ALICE), file("/a/f"));
        done(as(ALICE).setAttributes(0, path("/a/f"), mode(0640)));
        Table alice = as(ALICE);
        Table bob = as(BOB);
        done(alice.setAttributes(0, path("/a/f"), put("user.a")));
        done(alice.setAttributes(0, path("/a/f"), put("system.posix_acl_access")));
        for (String superusers : List.of("security.a", "security.capability", "trusted.a", "system.a", "other")) {
            denied(() -> Waiting.on(alice.setAttributes(0, path("/a/f"), put(superusers))));
        }
        done(as(Permissions.UNCHECKED).setAttributes(0, path("/a/f"), put("trusted.a")));
        done(as(Permissions.UNCHECKED).setAttributes(0, path("/a/f"), put("security.a")));
        assertThat(alice.extended(path("/a/f")).orElseThrow().values())
                .containsOnlyKeys("security.a", "system.posix_acl_access", "user.a");
        denied(() -> bob.extended(path("/a/f")));
        denied(() -> Waiting.on(bob.setAttributes(0, path("/a/f"), put("user.b"))));
        done(alice.setAttributes(0, path("/a/f"), mode(0666)));
        done(bob.setAttributes(0, path("/a/f"), put("user.b")));
        denied(() -> Waiting.on(bob.setAttributes(0, path("/a/f"), put("system.posix_acl_access"))));
    }

    @Test
    void aCloneOrAWriteGivesNobodyWhatOthersGave() throws IOException {
        make(ALICE, "/a", 0777);
        apply(as(ALICE), file("/a/f"));
        done(as(Permissions.UNCHECKED).setAttributes(0, path("/a/f"), put("security.capability")));
        done(as(ALICE).setAttributes(0, path("/a/f"), mode(0777)));
        done(as(ALICE).setAttributes(0, path("/a/f"), put("user.a")));
        apply(as(BOB), new Operation.CloneFile(path("/a/f"), path("/a/g"), false, AttributeChange.NONE));
        assertThat(as(BOB).extended(path("/a/g")).orElseThrow().values()).containsOnlyKeys("user.a");
        apply(as(BOB), new Operation.Truncate(path("/a/f"), 1));
        assertThat(as(BOB).extended(path("/a/f")).orElseThrow().values()).containsOnlyKeys("user.a");
    }

    private static AttributeChange put(String name) {
        return AttributeChange.ofExtended(ExtendedChange.put(name, new ExtendedValue(new byte[1])));
    }
}
