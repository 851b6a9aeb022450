// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtUser;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A user without roles gets nothing into the table by which a kernel would give that user privileges. Alice is in staff, not in wheel. */
@Timeout(120)
final class PrivilegesTest extends PermissionsFixture {
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int BLOCK_DEVICE = 0060000;
    private static final int FIFO = 0010000;
    private static final int LINK = 0120000;
    private static final Permissions ROOT = Permissions.UNCHECKED;

    @BeforeEach
    void tree() throws IOException {
        done(as(ROOT).mkdir(0, path("/wheel"), new DirectoryAttributes("", "wheel", 0777), false));
        done(as(ROOT).mkdir(0, path("/nobody"), new DirectoryAttributes("", "", 0777), false));
        done(as(ROOT).mkdir(0, path("/staff"), new DirectoryAttributes("", "staff", 0777), false));
        applied(ALICE, file("/wheel/f"), file("/staff/f"), file("/nobody/f"));
        applied(ROOT, special("/wheel/device", CHARACTER_DEVICE | 0666), special("/wheel/link", LINK | 0777));
    }

    private void applied(Permissions who, Operation... operations) throws IOException {
        assertThat(apply(as(who), operations)).isInstanceOf(VectorResult.Applied.class);
    }

    private static Operation special(String path, int mode) {
        return new Operation.CreateFile(path(path), mode(mode), false);
    }

    private void chmod(Permissions who, String path, int mode) throws IOException {
        done(as(who).setAttributes(0, path(path), mode(mode)));
    }

    private static AttributeChange put(String name) {
        return AttributeChange.ofExtended(ExtendedChange.put(name, new ExtendedValue(new byte[1])));
    }

    private int modeOf(String path) throws IOException {
        return at(path).mode();
    }

    private ClaimResult claimed(Permissions who, String path, String group, int mode) throws IOException {
        SessionId worker = new SessionId("w", session.sessionEpoch());
        FileAttributes asked = new FileAttributes(8, 1, "root", group, mode);
        Claim claim = new Claim(session.newFileId(), path(path), asked, true, true)
                .by(Optional.of(new BdtUser("user", false)));
        return Waiting.on(as(ROOT).claim(worker, List.of(claim), user -> who)).get(0);
    }

    /** Each way in which a mode or an attribute comes, and one that Linux would refuse to this user. */
    private Map<String, Act> attempts() {
        Map<String, Act> all = new LinkedHashMap<>();
        for (int type : List.of(CHARACTER_DEVICE, BLOCK_DEVICE)) {
            String name = "a device %o ".formatted(type);
            all.put(
                    name + "by a change of a file's mode",
                    () -> Waiting.on(as(ALICE).setAttributes(0, path("/wheel/f"), mode(type | 0600))));
            all.put(
                    name + "by a change in a vector",
                    () -> apply(
                            as(ALICE),
                            file("/staff/new"),
                            new Operation.SetAttributes(path("/staff/new"), mode(type | 0600))));
            all.put(name + "made", () -> apply(as(ALICE), special("/staff/new", type | 0600)));
            all.put(
                    name + "made over a file",
                    () -> apply(as(ALICE), new Operation.CreateFile(path("/staff/f"), mode(type), true)));
            all.put(
                    name + "by a clone of a file",
                    () -> apply(
                            as(ALICE),
                            new Operation.CloneFile(path("/staff/f"), path("/staff/new"), false, mode(type | 0600))));
        }
        all.put(
                "a clone of a device",
                () -> apply(
                        as(ALICE),
                        new Operation.CloneFile(
                                path("/wheel/device"), path("/staff/new"), false, AttributeChange.NONE)));
        all.put(
                "another number of a device",
                () -> apply(
                        as(ALICE),
                        new Operation.CloneRange(new ByteRange(path("/staff/bytes"), 0, 3), path("/wheel/device"), 0)));
        all.put("a device cut", () -> apply(as(ALICE), new Operation.Truncate(path("/wheel/device"), 3)));
        all.put("another target of a link", () -> apply(as(ALICE), new Operation.Truncate(path("/wheel/link"), 3)));
        all.put(
                "a file made a link",
                () -> Waiting.on(as(ALICE).setAttributes(0, path("/staff/f"), mode(LINK | 0777))));
        all.put(
                "an attribute of a link of another user",
                () -> Waiting.on(as(ALICE).setAttributes(0, path("/wheel/link"), put("user.a"))));
        all.put(
                "another name of a program of another user",
                () -> apply(as(ALICE), new Operation.Link(path("/wheel/program"), path("/staff/new"))));
        for (String each : List.of("security.capability", "security.selinux", "trusted.overlay.opaque", "system.any")) {
            all.put(each, () -> Waiting.on(as(ALICE).setAttributes(0, path("/staff/f"), put(each))));
            all.put(
                    each + " of a new file",
                    () -> apply(as(ALICE), new Operation.CreateFile(path("/staff/new"), put(each), false)));
            all.put(
                    each + " of a clone",
                    () -> apply(
                            as(ALICE),
                            new Operation.CloneFile(path("/staff/f"), path("/staff/new"), false, put(each))));
        }
        for (String each : List.of("wheel", "", "0", "root", "1000")) {
            all.put(
                    "the group '%s'".formatted(each),
                    () -> Waiting.on(as(inAll()).setAttributes(0, path("/staff/f"), group(each))));
        }
        return all;
    }

    /** Alice, if groups were called so. */
    private static Permissions inAll() {
        return Permissions.of(new Principal("alice", Set.of("staff", "0", "root", "1000"), false));
    }

    @Test
    void whatLinuxRefusesIsRefused() throws IOException {
        applied(ROOT, special("/wheel/program", 04755));
        applied(ALICE, file("/staff/bytes"), new Operation.Truncate(path("/staff/bytes"), 3));
        for (Map.Entry<String, Act> each : attempts().entrySet()) {
            assertThat(denied(each.getValue())).as(each.getKey()).contains("user=alice");
        }
        assertThat(table.stat(path("/staff/new"))).isEmpty();
        assertThat(modeOf("/staff/f")).isEqualTo(0644);
        assertThat(at("/staff/f").group()).isEqualTo("staff");
        for (int type : List.of(CHARACTER_DEVICE, BLOCK_DEVICE)) {
            assertThat(claimed(ALICE, "/staff/claimed", "staff", type | 0600))
                    .isInstanceOfSatisfying(
                            ClaimResult.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Outcome.DENIED));
        }
    }

    @Test
    void ownersStillDoWhatLinuxLetsThemDo() throws IOException {
        chmod(ALICE, "/staff/f", 06755);
        assertThat(modeOf("/staff/f")).isEqualTo(06755);
        applied(ALICE, special("/staff/fifo", FIFO | 0600), special("/staff/link", LINK | 0777));
        chmod(ALICE, "/staff/fifo", FIFO | 0640);
        chmod(ALICE, "/staff/fifo", 0600);
        assertThat(modeOf("/staff/fifo")).isEqualTo(FIFO | 0600);
        applied(ALICE, new Operation.Truncate(path("/staff/link"), 3));
        done(as(ALICE).setAttributes(0, path("/staff/f"), put("user.a")));
        done(as(ALICE).setAttributes(0, path("/staff/f"), put("system.posix_acl_access")));
        chmod(ALICE, "/nobody/f", 04755);
        assertThat(modeOf("/nobody/f")).isEqualTo(04755);
    }

    @Test
    void superusersDoAll() throws IOException {
        chmod(ROOT, "/nobody/f", BLOCK_DEVICE | 06777);
        done(as(ROOT).setAttributes(0, path("/nobody/f"), put("security.capability")));
        done(as(ROOT).setAttributes(0, path("/nobody/f"), put("trusted.a")));
        done(as(ROOT).setAttributes(0, path("/nobody/f"), group("")));
        assertThat(modeOf("/nobody/f")).isEqualTo(BLOCK_DEVICE | 06777);
    }

    @Test
    void theSetGroupIdBitIsOfNoGroupThatTheOwnerIsNotIn() throws IOException {
        chmod(ALICE, "/wheel/f", 02755);
        chmod(ALICE, "/nobody/f", 02755);
        assertThat(List.of(modeOf("/wheel/f"), modeOf("/nobody/f"))).containsOnly(0755);
        applied(
                ALICE,
                special("/wheel/new", 06755),
                new Operation.CloneFile(path("/staff/f"), path("/nobody/clone"), false, mode(02755)),
                new Operation.MakeDirectory(path("/nobody/d"), new DirectoryAttributes("", "staff", 02775), false),
                new Operation.MakeDirectory(path("/nobody/e"), new DirectoryAttributes("", "wheel", 02775), false));
        done(as(ALICE).mkdir(0, path("/wheel/d"), new DirectoryAttributes("", "", 02775), false));
        assertThat(modeOf("/wheel/new")).isEqualTo(04755);
        assertThat(at("/nobody/clone").group())
                .as("a clone has its source's group")
                .isEqualTo("staff");
        assertThat(modeOf("/nobody/clone")).isEqualTo(02755);
        assertThat(modeOf("/nobody/d")).isEqualTo(02775);
        assertThat(modeOf("/nobody/e")).isEqualTo(0775);
        assertThat(modeOf("/wheel/d")).isEqualTo(0775);
        assertThat(claimed(ALICE, "/nobody/claimed", "", 02755)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(claimed(ALICE, "/wheel/claimed", "wheel", 02755)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(claimed(ALICE, "/wheel/own", "staff", 02755)).isInstanceOf(ClaimResult.Granted.class);
        assertThat(List.of(modeOf("/nobody/claimed"), modeOf("/wheel/claimed"))).containsOnly(0755);
        assertThat(modeOf("/wheel/own")).isEqualTo(02755);
        Permissions odd = Permissions.of(new Principal("alice", Set.of("root", "0"), false));
        done(as(ROOT).setAttributes(0, path("/nobody/f"), group("root")));
        chmod(odd, "/nobody/f", 02755);
        assertThat(modeOf("/nobody/f")).as("a group that hosts take for root's").isEqualTo(0755);
    }

    @Test
    void anotherGroupAndAWriteTakeTheSetIdBits() throws IOException {
        applied(BOB, special("/staff/program", 06755));
        done(as(ROOT).setAttributes(0, path("/staff/program"), put("security.capability")));
        done(as(BOB).setAttributes(0, path("/staff/program"), group("staff")));
        assertThat(modeOf("/staff/program")).as("its group is the one before").isEqualTo(06755);
        done(as(BOB).setAttributes(0, path("/staff/program"), group("wheel")));
        assertThat(modeOf("/staff/program")).isEqualTo(0755);
        assertThat(as(ROOT).extended(path("/staff/program")).orElseThrow().values())
                .isEmpty();
        AttributeChange both = new AttributeChange(Optional.empty(), Optional.of("staff"), OptionalInt.of(06777));
        done(as(BOB).setAttributes(0, path("/staff/program"), both));
        assertThat(modeOf("/staff/program")).isEqualTo(06777);
        applied(ALICE, new Operation.Truncate(path("/staff/program"), 5));
        assertThat(modeOf("/staff/program")).isEqualTo(0777);
        chmod(BOB, "/staff/program", 04777);
        applied(ROOT, new Operation.Truncate(path("/staff/program"), 6));
        assertThat(modeOf("/staff/program")).as("a superuser's write").isEqualTo(04777);
        applied(
                ALICE,
                new Operation.CloneFile(path("/staff/program"), path("/staff/clone"), false, AttributeChange.NONE));
        assertThat(modeOf("/staff/clone"))
                .as("Bob's bit does not become Alice's")
                .isEqualTo(0777);
    }

    @Test
    void aRebuildFromTheStoreGivesNothingBack() throws IOException {
        done(as(ROOT).mkdir(0, path("/tree"), new DirectoryAttributes("bob", "wheel", 02775), false));
        done(as(ROOT).setAttributes(0, path("/tree"), put("security.a")));
        done(as(ROOT).setAttributes(0, path("/tree"), put("user.a")));
        applied(ALICE, new Operation.CloneDirectory(path("/tree"), path("/nobody/tree")));
        assertThat(claimed(ALICE, "/nobody/claimed", "", 02755)).isInstanceOf(ClaimResult.Granted.class);
        chmod(ALICE, "/wheel/f", 06755);
        applied(BOB, special("/staff/program", 06755));
        done(as(BOB).setAttributes(0, path("/staff/program"), group("wheel")));
        applied(ALICE, special("/staff/fifo", FIFO | 0600));
        Map<String, Integer> before = modes();
        assertThat(before).containsEntry("/nobody/tree", 0775).containsEntry("/staff/program", 0755);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        assertThat(modes()).isEqualTo(before);
        assertThat(as(ROOT).extended(path("/nobody/tree")).orElseThrow().values())
                .containsOnlyKeys("user.a");
    }

    private Map<String, Integer> modes() throws IOException {
        Map<String, Integer> all = new LinkedHashMap<>();
        for (String each : List.of("/nobody/tree", "/wheel/f", "/staff/program", "/staff/fifo", "/wheel/device")) {
            all.put(each, modeOf(each));
        }
        return all;
    }

    @Test
    void aUserWhoseNameIsAnAccountOfEachHostOwnsNothing() throws IOException {
        for (String name : List.of("0", "1000", "+0", "٠", "root", "Root", "a:b", "a/b", " a", "-v")) {
            Permissions who = Permissions.of(new Principal(name, Set.of("staff"), false));
            assertThat(denied(() -> apply(as(who), file("/staff/new")))).contains("user=" + name + ",");
            denied(() -> as(who).stat(path("/staff/f")));
            denied(() -> as(who).list(FilePath.ROOT, "", 10));
            denied(() -> Waiting.on(as(who).mkdir(0, path("/staff/d"), OPEN, false)));
            assertThat(claimed(who, "/staff/claimed", "", 0644))
                    .isInstanceOfSatisfying(
                            ClaimResult.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Outcome.DENIED));
        }
        assertThat(as(Permissions.of(new Principal("0", Set.of(), true))).stat(path("/staff/f")))
                .as("a superuser may be called so")
                .isPresent();
    }
}
