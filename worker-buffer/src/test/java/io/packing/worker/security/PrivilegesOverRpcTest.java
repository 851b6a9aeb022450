// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client without roles asks each RPC that takes a mode or an attribute for privileges at hosts, and gets none. */
@Timeout(180)
final class PrivilegesOverRpcTest {
    private static final int DEVICE = 0060666;
    private static final FilePath MINE = new FilePath("/alice");
    private static final FilePath FILE = MINE.child("file");
    private static final FilePath OTHER = MINE.child("other");

    @TempDir
    private Path home;

    private SecuredRig rig;
    private Users users;

    @BeforeEach
    void start() throws Exception {
        rig = new SecuredRig(home);
        users = new Users(rig);
        assertThat(users.bdt("root").mkdir(MINE, new DirectoryAttributes("alice", "", 0755), false))
                .isEqualTo(Outcome.DONE);
        put(FILE, 0644);
    }

    @AfterEach
    void stop() throws IOException {
        users.close();
        rig.close();
    }

    private void put(FilePath path, int mode) throws Exception {
        try {
            assertThat(users.mount("alice")
                            .put(path, ByteBuffer.wrap(new byte[4]), new CreateOptions("root", "", mode, true, true))
                            .get())
                    .isNotNull();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private interface Attempt {
        void make() throws Exception;
    }

    private static AttributeChange put(String name) {
        return AttributeChange.ofExtended(ExtendedChange.put(name, new ExtendedValue(new byte[1])));
    }

    private static AttributeChange group(String name) {
        return new AttributeChange(Optional.empty(), Optional.of(name), OptionalInt.empty());
    }

    private Map<String, Attempt> attempts() throws IOException {
        Bdt alice = users.bdt("alice");
        Map<String, Attempt> all = new LinkedHashMap<>();
        all.put("Peer/Write", () -> put(OTHER, DEVICE));
        all.put("SetAttributes", () -> alice.setAttributes(FILE, PermissionCases.mode(DEVICE)));
        all.put(
                "Apply, CreateFile",
                () -> PermissionCases.apply(
                        alice, new Operation.CreateFile(OTHER, PermissionCases.mode(DEVICE), false)));
        all.put(
                "Apply, CloneFile",
                () -> PermissionCases.apply(
                        alice, new Operation.CloneFile(FILE, OTHER, false, PermissionCases.mode(DEVICE))));
        all.put(
                "Apply, SetAttributes",
                () -> PermissionCases.apply(alice, new Operation.SetAttributes(FILE, PermissionCases.mode(DEVICE))));
        for (String name : List.of("security.capability", "trusted.overlay.opaque")) {
            all.put("SetAttributes, " + name, () -> alice.setAttributes(FILE, put(name)));
            all.put(
                    "Apply, " + name,
                    () -> PermissionCases.apply(alice, new Operation.CreateFile(OTHER, put(name), false)));
        }
        for (String name : List.of("", "root", "0")) {
            all.put("SetAttributes, group '%s'".formatted(name), () -> {
                assertThat(users.bdt("root").setAttributes(FILE, group("others")))
                        .isEqualTo(Outcome.DONE);
                alice.setAttributes(FILE, group(name));
            });
        }
        return all;
    }

    @Test
    void noRpcTakesAPrivilegeFromAClientWithoutRoles() throws IOException {
        for (Map.Entry<String, Attempt> each : attempts().entrySet()) {
            assertThatExceptionOfType(DeniedException.class)
                    .as(each.getKey())
                    .isThrownBy(() -> each.getValue().make())
                    .withMessageContaining("user=alice");
        }
        assertThat(users.bdt("root").stat(OTHER)).isEmpty();
        assertThat(mode(FILE)).isEqualTo(0644);
    }

    private int mode(FilePath path) throws IOException {
        return users.bdt("root").stat(path).orElseThrow().attributes().mode();
    }

    @Test
    void aSetGroupIdBitNeedsTheGroup() throws Exception {
        Bdt alice = users.bdt("alice");
        put(OTHER, 06755);
        assertThat(mode(OTHER)).as("in a group without a name").isEqualTo(04755);
        assertThat(alice.setAttributes(OTHER, PermissionCases.mode(06755))).isEqualTo(Outcome.DONE);
        assertThat(mode(OTHER)).isEqualTo(04755);
        assertThat(alice.mkdir(MINE.child("d"), new DirectoryAttributes("", "", 02755), false))
                .isEqualTo(Outcome.DONE);
        assertThat(mode(MINE.child("d"))).isEqualTo(0755);
        assertThat(alice.setAttributes(OTHER, group("staff"))).isEqualTo(Outcome.DONE);
        assertThat(alice.setAttributes(OTHER, PermissionCases.mode(06755))).isEqualTo(Outcome.DONE);
        assertThat(mode(OTHER)).isEqualTo(06755);
    }

    @Test
    void aNameThatHostsTakeForAnotherAccountIsNoIdentity() throws IOException {
        for (String name : List.of("0", "1000", "root", "a:b")) {
            MountOptions named = rig.certified(name.replace(':', '-'), "CN=" + name);
            try (GrpcBdts bdts = rig.bdts(named.security())) {
                assertThatExceptionOfType(IOException.class)
                        .as(name)
                        .isThrownBy(() -> bdts.open(named.raw()))
                        .withMessageContaining("identifies only superusers")
                        .withMessageContaining("common name");
            }
        }
        try (GrpcBdts bdts = rig.bdts(
                        rig.certified("zero", "CN=0, O=packing-superuser").security());
                RemotePackingFileSystem mount =
                        SecuredRig.open(bdts, rig.certified("z", "CN=0, O=packing-superuser"))) {
            assertThat(mount.bdt().stat(FILE)).isPresent();
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .as("a token gives no role")
                    .isThrownBy(() -> bdts.tokens().issue("root", ""))
                    .withMessageContaining("identifies only superusers");
        }
    }
}
