// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DeniedException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.SharedMountOptionsClient;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The callers whom a master with TLS tells where the store of a mount is. */
final class StoreKnowersTest {
    @TempDir
    Path home;

    private SecuredRig rig;

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private SharedMountOptionsClient.Found find(String subject) throws IOException {
        MountOptions who = rig.certified(subject.replaceAll("[^a-z]", ""), subject);
        Map<String, String> options = new HashMap<>(who.raw());
        options.remove("packing.store");
        options.put("packing.s3.access.key", "mine");
        options.put("packing.s3.secret.key", "my-secret");
        try (GrpcBdts bdts = rig.bdts(who.security())) {
            return bdts.terms().find("", options);
        }
    }

    @Test
    void aUserWorkerAndSuperuserAreToldTheStoreAndNothingElse() throws IOException {
        rig = new SecuredRig(home);
        Map<String, String> store =
                Map.of("packing.store", home.resolve("store").toUri().toString());
        assertThat(find("CN=alice").store()).isEqualTo(store);
        assertThat(find("CN=worker-2, O=packing-daemon").store()).isEqualTo(store);
        assertThat(find("CN=root, O=packing-superuser").store()).isEqualTo(store);
    }

    @Test
    void aUserIsToldNoStoreByAMasterThatTellsNoPlaces() throws IOException {
        rig = new SecuredRig(home, Map.of("bdt.places", "daemons"));
        assertThatThrownBy(() -> find("CN=alice"))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("name it in packing.store")
                .hasMessageNotContaining(home.toString());
        assertThat(find("CN=worker-2, O=packing-daemon").store()).containsKey("packing.store");
        assertThat(find("CN=root, O=packing-superuser").store()).containsKey("packing.store");
    }

    @Test
    void aMountIsFoundByItsFirstClientAfterAStart() throws IOException {
        rig = new SecuredRig(home);
        String mount = find("CN=alice").mount();
        rig.restartMaster();
        assertThat(find("CN=alice").mount()).isEqualTo(mount);
    }
}
