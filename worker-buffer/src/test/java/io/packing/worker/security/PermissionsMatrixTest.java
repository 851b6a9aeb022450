// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each operation by the owner, a member of the group, another user and a superuser, at a master and a worker with TLS.
 * It succeeds with exactly the rights that it needs, for the class of its caller only. Without one of them it is
 * denied, and changes no row.
 */
@Timeout(600)
final class PermissionsMatrixTest {
    private static final long LENGTH = 100;

    @TempDir
    private static Path home;

    private static SecuredRig rig;
    private static Users users;
    private static int number;

    @BeforeAll
    static void start() throws IOException {
        rig = new SecuredRig(home);
        users = new Users(rig);
        PermissionCases.done(users.bdt(Users.SUPERUSER).setAttributes(FilePath.ROOT, PermissionCases.mode(0755)));
    }

    @AfterAll
    static void stop() throws IOException {
        users.close();
        rig.close();
    }

    private static PermissionCases.Tree make(Map<String, Integer> modes) throws IOException {
        number++;
        PermissionCases.Tree tree = new PermissionCases.Tree(
                new FilePath("/from-%d".formatted(number)), new FilePath("/to-%d".formatted(number)));
        Bdt root = users.bdt(Users.SUPERUSER);
        DirectoryAttributes open = new DirectoryAttributes(Users.OWNER, Users.GROUP, 0);
        AttributeChange owner =
                new AttributeChange(Optional.of(Users.OWNER), Optional.of(Users.GROUP), OptionalInt.of(0));
        List<Operation> operations = new ArrayList<>(List.of(
                new Operation.MakeDirectory(tree.from(), open, false),
                new Operation.MakeDirectory(tree.to(), open, false),
                new Operation.MakeDirectory(tree.below(), open, false),
                new Operation.MakeDirectory(tree.empty(), open, false)));
        for (FilePath file : List.of(tree.file(), tree.target(), tree.below().child("file"))) {
            operations.add(new Operation.CreateFile(file, owner, false));
            operations.add(new Operation.Truncate(file, LENGTH));
        }
        tree.named()
                .forEach((name, path) -> operations.add(
                        new Operation.SetAttributes(path, PermissionCases.mode(modes.getOrDefault(name, 0)))));
        PermissionCases.apply(root, operations.toArray(Operation[]::new));
        return tree;
    }

    private static List<FileStatus> all(FilePath directory) throws IOException {
        Bdt root = users.bdt(Users.SUPERUSER);
        List<FileStatus> all = new ArrayList<>(root.stat(directory).stream().toList());
        for (FileStatus each : root.list(directory, "", 100).orElseThrow()) {
            all.addAll(each.isDirectory() ? all(each.path()) : List.of(each));
        }
        return all;
    }

    private static List<FileStatus> all(PermissionCases.Tree tree) throws IOException {
        return Stream.concat(all(tree.from()).stream(), all(tree.to()).stream()).toList();
    }

    @ParameterizedTest
    @MethodSource("io.packing.worker.security.PermissionCases#cases")
    void needsExactlyTheseRights(PermissionCases.Case each) throws Exception {
        for (Map.Entry<String, Integer> caller :
                Map.of(Users.OWNER, 6, Users.MEMBER, 3, Users.OTHER, 0).entrySet()) {
            int shift = caller.getValue();
            Map<String, Integer> exactly = new LinkedHashMap<>();
            each.needs().forEach((what, rights) -> exactly.put(what, rights << shift));
            each.act().by(users.mount(caller.getKey()), make(exactly));
            for (Map.Entry<String, Integer> need : each.needs().entrySet()) {
                for (int right : List.of(AccessMode.READ, AccessMode.WRITE, AccessMode.SEARCH)) {
                    if ((need.getValue() & right) != 0) {
                        Map<String, Integer> less = new LinkedHashMap<>(exactly);
                        less.merge(need.getKey(), right << shift, (all, one) -> all & ~one);
                        isDenied(each, caller.getKey(), need.getKey(), make(less));
                    }
                }
            }
        }
    }

    private static void isDenied(PermissionCases.Case each, String user, String lacking, PermissionCases.Tree tree)
            throws IOException {
        List<FileStatus> before = all(tree);
        RemotePackingFileSystem mount = users.mount(user);
        assertThatExceptionOfType(DeniedException.class)
                .as("%s by %s without a right on %s", each, user, lacking)
                .isThrownBy(() -> each.act().by(mount, tree))
                .withMessageContaining("user=" + user)
                .withMessageContaining(tree.named().get(lacking).value());
        assertThat(all(tree)).as("%s by %s", each, user).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("io.packing.worker.security.PermissionCases#cases")
    void superusersNeedNone(PermissionCases.Case each) throws Exception {
        each.act().by(users.mount(Users.SUPERUSER), make(Map.of()));
        // The user gets the right by a group of the master's.
        each.act().by(users.mount("admin"), make(Map.of()));
    }
}
