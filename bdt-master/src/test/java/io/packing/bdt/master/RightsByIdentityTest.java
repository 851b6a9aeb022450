// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtUser;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller who knows each id, generation and hash learns by them nothing of files that the caller may not read. */
@Timeout(120)
final class RightsByIdentityTest extends PermissionsFixture {
    private static final Permissions ROOT = Permissions.UNCHECKED;
    private static final BdtUser USER = new BdtUser("user", false);

    @BeforeEach
    void directories() throws IOException {
        done(as(ROOT).setAttributes(0, FilePath.ROOT, mode(0777)));
        make(ALICE, "/a", 0755);
        make(ALICE, "/a/closed", 0700);
        make(BOB, "/b", 0700);
        make(CAROL, "/c", 0700);
    }

    private SessionId worker() {
        return new SessionId("w", session.sessionEpoch());
    }

    /** Returns the claim of a user's file of 8 bytes, with its hash. */
    private Claim wanted(String path, long bytes, int mode) throws IOException {
        long id = session.newFileId();
        byte[] content = ByteBuffer.allocate(8).putLong(bytes).array();
        return new Claim(
                        id,
                        path(path),
                        new FileAttributes(8, System.currentTimeMillis(), "user", "", mode),
                        true,
                        true,
                        false,
                        Optional.of(Hashing.sha256().hashBytes(content)),
                        false)
                .by(Optional.of(USER));
    }

    private ClaimResult claim(Permissions who, Claim claim) throws IOException {
        return Waiting.on(as(ROOT).claim(worker(), List.of(claim), user -> who)).get(0);
    }

    private FileVersion write(Permissions who, String path, long bytes, int mode) throws IOException {
        Claim claim = wanted(path, bytes, mode);
        FileVersion version = ((ClaimResult.Granted) claim(who, claim)).version();
        buffered.add(new Reclaim(version, claim.path(), claim.attributes()));
        return version;
    }

    private boolean isKnown(Permissions who, Claim claim) throws IOException {
        WantedContent content = new WantedContent(claim.sha256().orElseThrow(), claim.user());
        boolean known = as(ROOT).known(worker(), List.of(content), user -> user.isPresent() ? who : CAROL)
                .get(0);
        ClaimResult shared = claim(who, claim.sharing());
        assertThat(shared instanceof ClaimResult.Granted)
                .as("a claim is answered as the question before it")
                .isEqualTo(known);
        if (!known) {
            assertThat(shared).isEqualTo(new ClaimResult.Refused(Outcome.UNKNOWN_CONTENT));
        }
        return known;
    }

    @Test
    void anOldCloneTellsNothingOfWhatBecameOfItsSource() throws IOException {
        FileVersion first = write(ALICE, "/a/f", 1, 0644);
        apply(as(BOB), new Operation.CloneFile(path("/a/f"), path("/b/clone"), false, AttributeChange.NONE));
        // The file stays the one with the content's id, under other generations.
        apply(as(ALICE), new Operation.Truncate(path("/a/f"), 5));
        done(as(ALICE).setAttributes(0, path("/a/f"), mode(0600)));
        done(as(ALICE).rename(0, path("/a/f"), path("/a/closed/secret")));
        FileVersion now = table.stat(path("/a/closed/secret")).orElseThrow().version();
        assertThat(now.id()).isEqualTo(first.id());
        long last = master.openMount(TestStores.MOUNT).table().position();
        for (long generation = 1; generation <= last; generation++) {
            FileVersion guess = new FileVersion(first.id(), generation);
            Optional<LocatedFile> told = as(BOB).locate(guess, path("/b/clone"));
            assertThat(told.isPresent()).as("generation %d", generation).isEqualTo(generation == first.generation());
            told.ifPresent(file -> {
                assertThat(file.status().path()).isEqualTo(path("/b/clone"));
                assertThat(file.status().attributes().mode()).isZero();
                assertThat(file.status().attributes().owner()).isEmpty();
            });
            assertThat(as(BOB).readable(path("/b/clone"), guess, OptionalLong.of(0))
                            .isPresent())
                    .isEqualTo(generation == first.generation());
            assertThat(as(BOB).locate(guess)).isEmpty();
        }
        assertThat(as(ALICE).locate(now)).isPresent();
        // For a moved file that is still shared, the answer names the reader's path.
        FileVersion whole = write(ALICE, "/a/g", 2, 0644);
        apply(as(BOB), new Operation.CloneFile(path("/a/g"), path("/b/g"), false, AttributeChange.NONE));
        done(as(ALICE).rename(0, path("/a/g"), path("/a/closed/plan")));
        assertThat(as(BOB).locate(whole, path("/b/g")).orElseThrow().status().path())
                .isEqualTo(path("/b/g"));
        assertThat(as(BOB).locate(whole)).isEmpty();
    }

    @Test
    void aVersionThatMayNotBeReadIsAnsweredAsOneThatIsNotThere() throws IOException {
        FileVersion closed = write(ALICE, "/a/closed/f", 1, 0644);
        FileVersion own = write(ALICE, "/a/own", 2, 0600);
        FileVersion open = write(ALICE, "/a/open", 3, 0644);
        apply(as(ALICE), new Operation.Link(path("/a/own"), path("/a/closed/own")));
        for (FileVersion each : List.of(closed, own, new FileVersion(open.id(), open.generation() + 1))) {
            assertThat(as(CAROL).locate(each)).isEmpty();
            assertThat(as(CAROL).locate(each, path("/a/open"))).isEmpty();
            assertThat(as(CAROL).readable(path("/a/open"), each, OptionalLong.of(0)))
                    .isEmpty();
        }
        assertThat(as(CAROL).locate(open)).isPresent();
        assertThat(as(ALICE)
                        .locate(own, path("/a/closed/own"))
                        .orElseThrow()
                        .status()
                        .path())
                .as("one of several names")
                .isEqualTo(path("/a/closed/own"));
    }

    @Test
    void aNameInADirectoryThatTheCallerMayNotListIsNotToldByItsVersion() throws IOException {
        make(BOB, "/drop", 0733);
        FileVersion version = write(BOB, "/drop/hard-to-guess", 1, 0644);
        assertThat(as(CAROL).locate(version)).isEmpty();
        assertThat(as(CAROL).locate(version, path("/a"))).isEmpty();
        assertThat(as(CAROL).readable(path("/a"), version, OptionalLong.of(0))).isEmpty();
        assertThat(isKnown(CAROL, wanted("/c/g", 1, 0600))).isFalse();
        assertThat(as(CAROL).locate(version, path("/drop/hard-to-guess")))
                .as("who knows the name may read it")
                .isPresent();
        assertThat(as(CAROL).readable(path("/drop/hard-to-guess"), version, OptionalLong.of(0)))
                .isPresent();
        assertThat(as(BOB).locate(version)).as("the owner").isPresent();
        done(as(BOB).setAttributes(0, path("/drop"), mode(0755)));
        assertThat(as(CAROL).locate(version)).isPresent();
    }

    @Test
    void bytesAreSharedWithUsersWhoMayReadThemOnly() throws IOException {
        Claim first = wanted("/a/closed/f", 1, 0600);
        assertThat(claim(ALICE, first)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(isKnown(BOB, wanted("/b/f", 1, 0600))).isFalse();
        assertThat(isKnown(CAROL, wanted("/c/f", 1, 0600))).isFalse();
        assertThat(isKnown(CAROL, wanted("/c/f", 99, 0600))).isFalse();
        assertThat(isKnown(ALICE, wanted("/a/again", 1, 0644))).isTrue();
        // One of those that have them is open to all now, whatever the hash leads to.
        assertThat(isKnown(BOB, wanted("/b/f", 1, 0600))).isTrue();
        done(as(ALICE).delete(0, path("/a/closed/f"), false));
        assertThat(isKnown(CAROL, wanted("/c/f", 1, 0600))).isTrue();
        assertThat(isKnown(ROOT, wanted("/a/superusers", 1, 0600))).isTrue();
        // The worker of an older version names no user: all requests are its own.
        assertThat(as(ROOT).known(
                                worker(),
                                List.of(new WantedContent(first.sha256().orElseThrow(), Optional.empty())),
                                user -> user.isPresent() ? ALICE : permissions("w")))
                .containsExactly(true);
    }

    @Test
    void bytesOfWhichAUserMayReadAPartAreUnknown() throws IOException {
        Claim whole = wanted("/a/closed/f", 1, 0600);
        assertThat(claim(ALICE, whole)).isInstanceOf(ClaimResult.Granted.class);
        apply(
                as(ALICE),
                file("/a/header"),
                new Operation.CloneRange(new ByteRange(path("/a/closed/f"), 0, 4), path("/a/header"), 0));
        assertThat(isKnown(CAROL, wanted("/c/f", 1, 0600))).isFalse();
        assertThat(isKnown(ALICE, wanted("/a/other", 1, 0600))).isTrue();
    }

    private void scratch(Permissions who, String name, int mode) throws IOException {
        AttributeChange wanted = new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
        Operation directory =
                new Operation.MakeDirectory(FilePath.SCRATCH, new DirectoryAttributes("", "", 0700), true);
        apply(as(who), directory, new Operation.CreateFile(FilePath.SCRATCH.child(name), wanted, false));
    }

    @Test
    void aFileAmongThoseOfTheDoorsIsItsOwnersWhateverItsMode() throws IOException {
        scratch(ALICE, "1", 0666);
        scratch(BOB, "2", 0666);
        FilePath alices = FilePath.SCRATCH.child("1");
        FilePath bobs = FilePath.SCRATCH.child("2");
        FileVersion version = table.stat(bobs).orElseThrow().version();
        for (Act each : List.<Act>of(
                () -> as(ALICE).stat(bobs),
                () -> as(ALICE).locate(bobs),
                () -> as(ALICE).access(bobs, 4),
                () -> as(ALICE).extended(bobs),
                () -> as(ALICE).locate(version, bobs),
                () -> apply(as(ALICE), new Operation.Link(bobs, path("/a/stolen"))),
                () -> apply(as(ALICE), new Operation.CloneFile(bobs, path("/a/stolen"), false, AttributeChange.NONE)),
                () -> apply(as(ALICE), new Operation.Truncate(bobs, 0)),
                () -> Waiting.on(as(ALICE).setAttributes(0, bobs, mode(0))),
                () -> Waiting.on(as(ALICE).rename(0, bobs, path("/a/stolen"))),
                () -> Waiting.on(as(ALICE).delete(0, bobs, false)))) {
            assertThat(denied(each)).doesNotContain("rw");
        }
        assertThat(as(ALICE).locate(version)).isEmpty();
        assertThat(as(ALICE).find(List.of(bobs)).get(0).denied()).isPresent();
        assertThat(as(BOB).stat(bobs)).isPresent();
        assertThat(as(ALICE).stat(alices)).isPresent();
        assertThat(as(ROOT).stat(bobs)).isPresent();
        done(as(BOB).rename(0, bobs, path("/b/in-place")));
        done(as(ALICE).delete(0, alices, false));
    }

    @Test
    void theUserWhoMadeTheDoorsDirectoryFirstHasNoMoreRightsThere() throws IOException {
        scratch(ALICE, "1", 0600);
        scratch(BOB, "2", 0666);
        assertThat(at(FilePath.SCRATCH.value()).owner()).isEqualTo("alice");
        for (FilePath each : List.of(FilePath.RESERVED, FilePath.SCRATCH)) {
            denied(() -> as(ALICE).list(each, "", 10));
            denied(() -> as(ALICE).listLocated(each, "", 10));
            denied(() -> Waiting.on(as(ALICE).setAttributes(0, each, mode(0777))));
            denied(() -> Waiting.on(as(ALICE).delete(0, each, true)));
            denied(() -> Waiting.on(as(ALICE).rename(0, each, path("/a/taken"))));
            denied(() -> apply(as(ALICE), new Operation.TakeSnapshot(each, "s")));
            denied(() -> apply(as(ALICE), new Operation.CloneDirectory(each, path("/a/clone"))));
            denied(() -> apply(as(ALICE), new Operation.MergeDirectory(each, path("/a"))));
        }
        assertThat(as(ROOT).list(FilePath.SCRATCH, "", 10).orElseThrow()).hasSize(2);
    }

    @Test
    void snapshotsAndClonesOfTheRootShowNobodyWhatDoorsKept() throws IOException {
        scratch(ALICE, "1", 0666);
        scratch(BOB, "2", 0666);
        apply(as(ROOT), new Operation.TakeSnapshot(FilePath.ROOT, "s"));
        FilePath snapshot = path("/.snapshot/s");
        apply(as(ALICE), new Operation.CloneDirectory(snapshot, path("/a/clone")));
        for (FilePath root : List.of(snapshot, path("/a/clone"))) {
            assertThat(table.stat(root.child(".reserved").child("scratch").child("2")))
                    .isPresent();
            for (String name : List.of("1", "2")) {
                FilePath file = root.child(".reserved").child("scratch").child(name);
                denied(() -> as(ALICE).stat(file));
                denied(() -> as(CAROL).locate(file));
                denied(() -> apply(
                        as(CAROL), new Operation.CloneFile(file, path("/c/stolen"), false, AttributeChange.NONE)));
            }
            denied(() -> as(ALICE).list(root.child(".reserved").child("scratch"), "", 10));
        }
    }

    @Test
    void aRefusedDeleteNamesNoSnapshotOfWhatTheCallerMayNotSee() throws IOException {
        make(BOB, "/open", 0777);
        make(ALICE, "/open/alices", 0700);
        make(ALICE, "/open/alices/plan", 0700);
        apply(as(ALICE), file("/open/alices/plan/f"), new Operation.TakeSnapshot(path("/open/alices/plan"), "merger"));
        assertThat(denied(() -> Waiting.on(as(BOB).delete(0, path("/open"), true))))
                .doesNotContain("plan")
                .doesNotContain("merger");
        assertThat(denied(() -> apply(as(BOB), new Operation.Delete(path("/open"), true))))
                .doesNotContain("plan");
        assertThat(Waiting.on(as(BOB).delete(0, path("/open"), false))).isEqualTo(Outcome.NOT_EMPTY);
    }

    @Test
    void whoMayNotListADirectoryDoesNotLearnHowMuchIsInIt() throws IOException {
        done(as(ROOT).setQuota(0, path("/b"), new QuotaChange(OptionalLong.of(10), OptionalLong.empty())));
        denied(() -> as(CAROL).quota(path("/b")));
        assertThat(as(BOB).quota(path("/b"))).isPresent();
    }
}
