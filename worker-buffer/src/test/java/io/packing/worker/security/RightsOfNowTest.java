// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.MountOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A running master takes new rights of users. */
@Timeout(120)
final class RightsOfNowTest {
    private static final DirectoryAttributes CLOSED = new DirectoryAttributes("", "", 0700);

    @TempDir
    private Path home;

    @Test
    void superusersAreThoseOfTheGroupThatTheMasterTookLast() throws Exception {
        try (SecuredRig rig = new SecuredRig(home)) {
            MountOptions admin = rig.certified("admin", "CN=admin");
            MountOptions carol = rig.certified("carol", "CN=carol");
            try (GrpcBdts admins = rig.bdts(admin.security());
                    GrpcBdts carols = rig.bdts(carol.security());
                    Bdt asAdmin = admins.open(admin.raw());
                    Bdt asCarol = carols.open(carol.raw())) {
                assertThat(asAdmin.mkdir(new FilePath("/closed"), CLOSED, false))
                        .isEqualTo(Outcome.DONE);
                assertThatThrownBy(() -> asCarol.list(new FilePath("/closed"), "", 1))
                        .isInstanceOf(DeniedException.class);
                rig.masterTakes("bdt.supergroup", "others");
                assertThat(asCarol.list(new FilePath("/closed"), "", 1)).isPresent();
                rig.masterTakes("bdt.supergroup", "supergroup");
                assertThatThrownBy(() -> asCarol.list(new FilePath("/closed"), "", 1))
                        .isInstanceOf(DeniedException.class);
                rig.masterTakes("bdt.permissions", "false");
                assertThat(asCarol.list(new FilePath("/closed"), "", 1)).isPresent();
            }
        }
    }
}
