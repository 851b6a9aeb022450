// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The owners that a mount shows of files that other doors have made. */
@Timeout(300)
class OwnersOnMountTest extends OneMountFixture {
    private static final int FIRST_UNKNOWN = 2_013_265_920;

    private Path make(String name, String owner, String group) throws IOException {
        try (PackingOutput out =
                rig.files().create(new FilePath("/" + name), new CreateOptions(owner, group, 0644, false, false))) {
            out.write(name.getBytes(StandardCharsets.UTF_8));
        }
        return root.resolve(name);
    }

    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }

    private static int gid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:gid");
    }

    private String ownerInTable(String name) throws IOException {
        return rig.files()
                .bdt()
                .stat(new FilePath("/" + name))
                .orElseThrow()
                .attributes()
                .owner();
    }

    @Test
    void noNameThatAClientGivesIsRootOrNobody() throws IOException, InterruptedException {
        List<String> names = List.of("", "0", "root", "1", "no-such-user", "no-such-user-either");
        Set<Integer> users = new HashSet<>();
        Set<Integer> groups = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            Path file = make("f" + i, names.get(i), names.get(i));
            users.add(uid(file));
            groups.add(gid(file));
        }
        assertThat(users).hasSize(names.size()).allMatch(number -> number >= FIRST_UNKNOWN);
        assertThat(groups).hasSize(names.size()).allMatch(number -> number >= FIRST_UNKNOWN);
        int before = uid(root.resolve("f4"));
        mount.close();
        mount = rig.mount("m", false);
        assertThat(uid(root.resolve("f4"))).isEqualTo(before);
    }

    /** An ordinary client leaves the group out, and keeps a set-group-ID bit. */
    @Test
    void aSetGroupIdBitOfNoGroupIsNotThatOfRoot() throws IOException {
        Path file = make("f", "daemon", "");
        rig.files()
                .bdt()
                .setAttributes(
                        new FilePath("/f"),
                        new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(02755)));
        assertThat(gid(file)).isGreaterThanOrEqualTo(FIRST_UNKNOWN);
        assertThat(uid(file)).isEqualTo(1);
    }

    @Test
    void anOwnerWhoIsNotKnownHereStaysWhenOtherThingsChange() throws IOException {
        Path file = make("f", "stranger", "strangers");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        Files.writeString(file, "other bytes");
        Files.setAttribute(file, "unix:gid", 0);
        assertThat(ownerInTable("f")).isEqualTo("stranger");
        // cp -a gives a copy the owner of the original so.
        Path copy = Files.writeString(root.resolve("copy"), "bytes");
        Files.setAttribute(copy, "unix:uid", uid(file));
        assertThat(ownerInTable("copy")).isEqualTo("stranger");
    }

    @Test
    void whatRootMakesIsRootsAndNoClientIsCalledSo() throws IOException {
        Path file = Files.writeString(root.resolve("f"), "text");
        assertThat(uid(file)).isZero();
        assertThat(gid(file)).isZero();
        assertThat(ownerInTable("f")).isEqualTo("#0");
    }

    @Test
    void anOperatorMapsNamesToAccounts() throws IOException, InterruptedException {
        make("f", "root", "");
        make("g", "stranger", "17");
        OwnerMap map = OwnerMap.of(List.of("root=0", "stranger=4242"), List.of("=0", "17=17"));
        try (FuseMount mapped = rig.mount("mapped", MountAccessOptions.FILES, map)) {
            assertThat(uid(mapped.directory().resolve("f"))).isZero();
            assertThat(gid(mapped.directory().resolve("f"))).isZero();
            assertThat(uid(mapped.directory().resolve("g"))).isEqualTo(4242);
            assertThat(gid(mapped.directory().resolve("g"))).isEqualTo(17);
            Path made = Files.writeString(mapped.directory().resolve("made"), "text");
            assertThat(uid(made)).isZero();
            assertThat(ownerInTable("made")).isEqualTo("root");
        }
    }
}
