// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.SharedMountOptionsClient;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The callers that may make a mount and set its options at a master with TLS. */
final class MountMakersTest {
    @TempDir
    Path home;

    private SecuredRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new SecuredRig(home);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private MountOptions certified(String subject) throws IOException {
        return rig.certified(subject.replaceAll("[^a-z]", ""), subject);
    }

    private Map<String, String> at(String store, MountOptions who, String... more) throws IOException {
        Map<String, String> raw = new HashMap<>(who.raw());
        raw.put(
                "packing.store",
                Files.createDirectories(home.resolve(store)).toUri().toString());
        for (int i = 0; i < more.length; i += 2) {
            raw.put(more[i], more[i + 1]);
        }
        return raw;
    }

    @Test
    void aWorkerAndASuperuserMakeMountsAndAUserDoesNot() throws IOException {
        MountOptions alice = certified("CN=alice");
        MountOptions root = certified("CN=root, O=packing-superuser");
        MountOptions worker = certified("CN=worker-2, O=packing-daemon");
        try (GrpcBdts alices = rig.bdts(alice.security());
                GrpcBdts roots = rig.bdts(root.security());
                GrpcBdts workers = rig.bdts(worker.security())) {
            assertThatThrownBy(() -> alices.open(at("one", alice, "packing.gc.grace", "0s")))
                    .isInstanceOf(DeniedException.class)
                    .hasMessageContaining("packing mounts create");
            try (Bdt made = roots.open(at("one", root, "packing.gc.grace", "2h"));
                    Bdt second = workers.open(at("two", worker, "packing.gc.grace", "3h"));
                    Bdt seen = alices.open(at("one", alice))) {
                assertThat(made.options()).containsEntry("packing.gc.grace", "2h");
                assertThat(second.options()).containsEntry("packing.gc.grace", "3h");
                assertThat(seen.options()).isEqualTo(made.options());
            }
            rig.restartMaster();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> alices.open(at("one", alice, "packing.gc.grace", "0s")))
                    .withMessageContaining("packing.gc.grace=2h, and 0s is asked for");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> workers.open(at("one", worker, "packing.durability", "buffered")))
                    .withMessageContaining("packing.durability=synced, and buffered is asked for");
            try (Bdt first = alices.open(at("one", alice))) {
                assertThat(first.options()).containsEntry("packing.gc.grace", "2h");
            }
        }
    }

    @Test
    void onlyASuperuserChangesWhatAMountHas() throws IOException {
        MountOptions alice = certified("CN=alice");
        MountOptions root = certified("CN=root, O=packing-superuser");
        MountOptions worker = certified("CN=worker-2, O=packing-daemon");
        try (GrpcBdts alices = rig.bdts(alice.security());
                GrpcBdts roots = rig.bdts(root.security());
                GrpcBdts workers = rig.bdts(worker.security())) {
            String mount = roots.terms().open(at("store", root));
            Map<String, String> change = Map.of("packing.gc.grace", "2h");
            assertThatThrownBy(() -> alices.terms().set(mount, change)).isInstanceOf(DeniedException.class);
            assertThatThrownBy(() -> workers.terms().set(mount, change)).isInstanceOf(DeniedException.class);
            SharedMountOptionsClient.MountOptionsReply told = roots.terms().set(mount, change);
            assertThat(told.set()).containsExactly("packing.gc.grace");
            assertThat(alices.terms().show(mount)).isEqualTo(told);
        }
    }

    @Test
    void aWorkerGoesOnWhenAnOperatorChangesWhatItsOptionsName() throws IOException {
        MountOptions root = certified("CN=root, O=packing-superuser");
        MountOptions worker = certified("CN=worker-2, O=packing-daemon");
        try (GrpcBdts roots = rig.bdts(root.security());
                GrpcBdts workers = rig.bdts(worker.security());
                Bdt made = workers.open(at("two", worker, "packing.gc.grace", "3h"))) {
            String mount = roots.terms().open(at("two", root));
            SharedMountOptionsClient.MountOptionsReply unused =
                    roots.terms().set(mount, Map.of("packing.gc.grace", "4h"));
            assertThat(made.workers()).isEmpty();
            rig.restartMaster();
            assertThat(made.workers()).isEmpty();
            assertThat(made.options()).containsEntry("packing.gc.grace", "4h");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> workers.open(at("two", worker, "packing.gc.grace", "3h")))
                    .withMessageContaining("packing.gc.grace=4h, and 3h is asked for");
        }
    }
}
