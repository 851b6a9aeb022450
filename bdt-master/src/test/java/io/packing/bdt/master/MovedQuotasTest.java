// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.ScanPart;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of directories in a mount that goes to another group of masters, whose disk is lost then. */
@Timeout(300)
class MovedQuotasTest extends TwoGroupsFixture {
    private static final FilePath D = new FilePath("/d");
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);

    private static ClaimResult write(WorkerSession session, String name) throws IOException {
        return session.claim(new Claim(session.newFileId(), D.child(name), FILE, true, true))
                .join();
    }

    private static void isRefused(ClaimResult result, Outcome reason) {
        assertThat(result).isInstanceOf(ClaimResult.Refused.class);
        assertThat(((ClaimResult.Refused) result).reason()).isEqualTo(reason);
    }

    private static void counts(Bdt mount, long names, long bytes) throws IOException {
        Quota quota = mount.quota(D).orElseThrow();
        assertThat(quota.names()).isEqualTo(names);
        assertThat(quota.bytes()).isEqualTo(bytes);
        assertThat(mount.scan(ScanPart.QUOTAS, "").problems()).isEmpty();
    }

    @Test
    void limitsHoldAtTheGroupThatAMountHasGoneToAndAfterTheLossOfItsDisk() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        WorkerSession session = mount.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(mount.mkdir(D, new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
        assertThat(mount.setQuota(D, QuotaFixture.limits(4, 25))).isEqualTo(Outcome.DONE);
        assertThat(write(session, "one")).isInstanceOf(ClaimResult.Granted.class);

        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);

        counts(mount, 2, 10);
        assertThat(write(session, "two")).isInstanceOf(ClaimResult.Granted.class);
        isRefused(write(session, "three"), Outcome.BYTES_QUOTA);
        assertThat(mount.mkdir(D.child("below"), new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
        counts(mount, 4, 20);
        isRefused(write(session, "three"), Outcome.NAMES_QUOTA);

        mount.checkpoint();
        loseDisk("b");

        counts(mount, 4, 20);
        assertThat(mount.setQuota(D, QuotaFixture.limits(QuotaFixture.ANY, 25))).isEqualTo(Outcome.DONE);
        WorkerSession after = mount.register(new WorkerRegistration("w2", "127.0.0.1:2"));
        isRefused(write(after, "three"), Outcome.BYTES_QUOTA);
        assertThat(mount.delete(D.child("one"), false)).isEqualTo(Outcome.DONE);
        assertThat(write(after, "three")).isInstanceOf(ClaimResult.Granted.class);
        counts(mount, 4, 20);
        assertThat(groups.owners()).containsExactly("b");
    }
}
