// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** A random claim that appends, on a table and on its model. */
final class ModelAppend {
    private final Bdt table;
    private final WorkerSession session;
    private final ModelWorker worker;
    private final Random random;
    private String what = "";

    ModelAppend(Bdt table, WorkerSession session, ModelWorker worker, Random random) {
        this.table = table;
        this.session = session;
        this.worker = worker;
        this.random = random;
    }

    String what() {
        return what;
    }

    /** Claims a file whose bytes another one gets in the same mutation, and sometimes claims it again; returns the model after it. */
    ByteModel append(ByteModel model, FilePath target) throws IOException {
        Optional<FileStatus> there = table.stat(target).filter(status -> !status.isDirectory());
        boolean isStale = there.isEmpty() || random.nextInt(8) == 0;
        FileVersion version =
                there.map(FileStatus::version).filter(known -> !isStale).orElse(new FileVersion(1L << 40, 1));
        long length = there.map(status -> status.attributes().length()).orElse(0L);
        byte[] bytes = new byte[1 + random.nextInt(RandomOperations.MOST_BYTES - 1)];
        random.nextBytes(bytes);
        long id = session.newFileId();
        FilePath path = new FilePath("/appended-" + id);
        AppendTarget to = new AppendTarget(target, version, length - random.nextInt((int) Math.min(length, 9) + 1));
        Claim claim = new Claim(
                id,
                path,
                new FileAttributes(bytes.length, 0, "u", "g", 0644),
                true,
                false,
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                RareAttributeChange.NONE,
                OptionalInt.empty(),
                Optional.of(to));
        ByteModel after = model.copy();
        boolean takes = !isStale && after.write(path.value(), bytes);
        for (Operation operation : to.vector(path, bytes.length).operations()) {
            takes = takes && after.apply(operation);
        }
        ClaimResult result = session.claim(claim).join();
        what = "append %d bytes by %s: %s".formatted(bytes.length, to, result);
        assertThat(result instanceof ClaimResult.Granted).as(what).isEqualTo(takes);
        if (result instanceof ClaimResult.Granted granted) {
            assertThat(granted.appended()).as(what).isEqualTo(table.stat(target).map(FileStatus::version));
            boolean isSame = granted.appended().orElseThrow().id() == version.id();
            // A clone makes a file its own before it changes that.
            assertThat(isSame || there.orElseThrow().isInherited()).as(what).isTrue();
            worker.hold(new Reclaim(granted.version(), path, claim.attributes()), bytes);
            assertThat(random.nextBoolean() ? session.claim(claim).join() : result)
                    .as(what)
                    .isEqualTo(result);
            return after;
        }
        return model;
    }
}
