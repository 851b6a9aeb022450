// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtUser;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that workers claim for users, and bytes that several files share. */
@Timeout(120)
final class ClaimPermissionsTest extends PermissionsFixture {
    private static final ReadableBytes WHOLE =
            new ReadableBytes(0, Long.MAX_VALUE, List.of(new ReadableBytes.Range(0, 8)));

    private List<ClaimResult> claim(SessionId session, Permissions who, Claim... claims) throws IOException {
        return Waiting.on(
                as(Permissions.UNCHECKED).claim(session, List.of(claims), user -> user.isPresent() ? who : CAROL));
    }

    private SessionId register() throws IOException {
        return Waiting.on(as(Permissions.UNCHECKED).register(new WorkerRegistration("w2", "127.0.0.1:2")));
    }

    private Claim wanted(SessionId session, String path, boolean overwrite) throws IOException {
        long id = Waiting.on(as(Permissions.UNCHECKED).leaseIds(session, 1));
        // Scratch files of yesterday are deleted whenever the upkeep comes to them.
        FileAttributes asked = new FileAttributes(8, System.currentTimeMillis(), "root", "wheel", 0640);
        return new Claim(id, path(path), asked, true, overwrite).by(Optional.of(new BdtUser("user", false)));
    }

    @Test
    void aClaimHasTheRightsOfWhomItIsForAndTheOthersOfItsBatchStand() throws IOException {
        make(ALICE, "/a", 0755);
        SessionId session = register();
        Claim ok = wanted(session, "/a/x/f", false);
        List<ClaimResult> results =
                claim(session, ALICE, ok, wanted(session, "/a/x/f", false), wanted(session, "/root/f", false));
        assertThat(results.get(0)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(results.get(1)).isEqualTo(new ClaimResult.Refused(Outcome.EXISTS));
        assertThat(at("/a/x/f"))
                .extracting(FileAttributes::owner, FileAttributes::group)
                .containsExactly("alice", "");
        assertThat(at("/a/x").owner()).isEqualTo("alice");
        Map<String, FileStatus> before = names();
        List<ClaimResult> bobs = claim(
                session,
                BOB,
                wanted(session, "/a/y/f", false),
                wanted(session, "/a/x/f", true),
                wanted(session, "/mine", false));
        assertThat(bobs.get(0)).isInstanceOfSatisfying(ClaimResult.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(Outcome.DENIED);
            assertThat(refused.message())
                    .contains("user=bob")
                    .contains("\"/a\"")
                    .contains("WRITE");
        });
        assertThat(bobs.get(1))
                .isInstanceOfSatisfying(
                        ClaimResult.Refused.class,
                        refused -> assertThat(refused.message()).contains("\"/a/x\""));
        assertThat(bobs.get(2)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(at("/mine"))
                .extracting(FileAttributes::owner, FileAttributes::group)
                .containsExactly("bob", "wheel");
        assertThat(names()).containsAllEntriesOf(before).hasSize(before.size() + 1);
        // A claim without a user is the worker's own.
        Claim own = wanted(session, "/a/z", false).by(Optional.empty());
        assertThat(claim(session, ALICE, own).get(0))
                .isInstanceOfSatisfying(
                        ClaimResult.Refused.class,
                        refused -> assertThat(refused.message()).contains("carol"));
        // The answer that was lost is given again.
        assertThat(claim(session, BOB, ok).get(0)).isEqualTo(results.get(0));
    }

    @Test
    void aRecoveryGivesFilesToThemToWhomTheMasterGaveThem() throws IOException {
        done(as(Permissions.UNCHECKED).mkdir(0, path("/shared"), new DirectoryAttributes("u", "team", 0777), false));
        long id = session.newFileId();
        FileAttributes asked = new FileAttributes(8, id, "mallory", "wheel", 0640);
        Claim claim = new Claim(id, path("/shared/f"), asked, true, true).by(Optional.of(new BdtUser("alice", false)));
        SessionId epoch = new SessionId("w", session.sessionEpoch());
        ClaimResult result = Waiting.on(as(Permissions.UNCHECKED).claim(epoch, List.of(claim), each -> ALICE))
                .get(0);
        FileVersion version = ((ClaimResult.Granted) result).version();
        // The footer has what was asked for.
        buffered.add(new Reclaim(version, claim.path(), asked));
        apply(as(ALICE), new Operation.CloneDirectory(path("/shared"), path("/clone")));
        push(true);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        FileAttributes before = at("/shared/f");
        assertThat(before)
                .extracting(FileAttributes::owner, FileAttributes::group)
                .containsExactly("alice", "team");
        FileAttributes clone = at("/clone");
        assertThat(clone.owner()).isEqualTo("alice");
        loseMaster();
        assertThat(at("/shared/f")).isEqualTo(before);
        assertThat(at("/clone")).isEqualTo(clone);
    }

    @Test
    void bytesThatClonesShareAreReadByThePathOfWhoeverReads() throws IOException {
        make(ALICE, "/a", 0755);
        make(BOB, "/b", 0700);
        // One of three has no bytes.
        claim("/a/1");
        claim("/a/2");
        String file = at("/a/1").length() > 0 ? "/a/1" : "/a/2";
        done(as(Permissions.UNCHECKED).setAttributes(0, path(file), mode(0644)));
        FileVersion version = table.stat(path(file)).orElseThrow().version();
        apply(as(BOB), new Operation.CloneFile(path(file), path("/b/g"), false, mode(0600)));
        done(as(Permissions.UNCHECKED).setAttributes(0, path(file), mode(0600)));
        assertThat(as(BOB).readable(path("/b/g"), version, OptionalLong.of(0))).contains(WHOLE);
        assertThat(as(BOB).locate(version, path("/b/g"))).isPresent();
        denied(() -> as(CAROL).readable(path("/b/g"), version, OptionalLong.of(0)));
        denied(() -> as(CAROL).locate(version, path(file)));
        assertThat(as(CAROL).locate(version)).isEmpty();
        done(as(Permissions.UNCHECKED).delete(0, path(file), false));
        assertThat(as(BOB).readable(path("/b/g"), version, OptionalLong.of(0))).contains(WHOLE);
        assertThat(as(CAROL).locate(version)).isEmpty();
    }

    @Test
    void whatDoorsKeepForThemselvesIsEverybodys() throws IOException {
        SessionId session = register();
        String first = FilePath.SCRATCH.child("1").value();
        String second = FilePath.SCRATCH.child("2").value();
        assertThat(claim(session, ALICE, wanted(session, first, false)).get(0)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(claim(session, BOB, wanted(session, second, false)).get(0)).isInstanceOf(ClaimResult.Granted.class);
        denied(() -> Waiting.on(as(BOB).delete(0, path(first), false)));
        denied(() -> apply(
                as(CAROL),
                file("/mine"),
                new Operation.CloneRange(new ByteRange(path(first), 0, 1), path("/mine"), 0)));
        done(as(BOB).delete(0, path(second), false));
    }
}
