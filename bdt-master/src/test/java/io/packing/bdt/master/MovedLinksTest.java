// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of one file in a clone of a directory, in a mount that goes to another group of masters, whose disk is lost then. */
@Timeout(300)
class MovedLinksTest extends TwoGroupsFixture {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);

    private static void apply(Bdt mount, Operation... operations) throws IOException {
        assertThat(mount.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private static void areOne(Bdt mount, String path, String other, int links, long length) throws IOException {
        FileStatus one = mount.stat(new FilePath(path)).orElseThrow();
        FileStatus two = mount.stat(new FilePath(other)).orElseThrow();
        assertThat(two.version()).isEqualTo(one.version());
        assertThat(two.cloneId()).isEqualTo(one.cloneId());
        for (FileStatus each : new FileStatus[] {one, two}) {
            assertThat(each.extras().links()).isEqualTo(links);
            assertThat(each.attributes().length()).isEqualTo(length);
        }
    }

    @Test
    void theyStayTogetherAtTheGroupThatAMountHasGoneToAndAfterTheLossOfItsDisk() throws Exception {
        Bdt mount = groups.client("a").open(groups.options());
        WorkerSession session = mount.register(new WorkerRegistration("w", "127.0.0.1:1"));
        assertThat(session.claim(new Claim(session.newFileId(), new FilePath("/d/a"), FILE, true, true))
                        .join())
                .isInstanceOf(ClaimResult.Granted.class);
        apply(
                mount,
                new Operation.Link(new FilePath("/d/a"), new FilePath("/d/b")),
                new Operation.Link(new FilePath("/d/a"), new FilePath("/d/c")),
                new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/e")),
                new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/f")),
                new Operation.Truncate(new FilePath("/e/b"), 7));

        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.DONE);

        areOne(mount, "/d/a", "/d/b", 3, 10);
        areOne(mount, "/e/a", "/e/c", 3, 7);
        apply(
                mount,
                new Operation.Truncate(new FilePath("/e/a"), 5),
                new Operation.Delete(new FilePath("/e/c"), false),
                new Operation.Truncate(new FilePath("/f/c"), 4));
        areOne(mount, "/e/a", "/e/b", 2, 5);
        areOne(mount, "/f/a", "/f/b", 3, 4);

        mount.checkpoint();
        loseDisk("b");

        areOne(mount, "/d/a", "/d/c", 3, 10);
        areOne(mount, "/e/a", "/e/b", 2, 5);
        areOne(mount, "/f/a", "/f/b", 3, 4);
        apply(mount, new Operation.Truncate(new FilePath("/f/a"), 3));
        areOne(mount, "/f/b", "/f/c", 3, 3);
    }
}
